"""The reading half of a live session: the board, its nodes, and what a message triggers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from omoide.clock import to_micros
from omoide.domain import Node, Session
from omoide.domain.importance import Retention
from omoide.domain.quotation import Fence
from omoide.errors import InvalidInput
from omoide.language.registry import detect_language, language_pattern
from omoide.recall.budget_selection import comparison_words
from omoide.recall.question import QuestionEmbedding
from omoide.recall.question_cues import explicit_recall
from omoide.recall.results import Recall
from omoide.store import NodeFilter, Store
from omoide.working.board import Board, SummariseTurns
from omoide.working.budget import WindowBudget, window_budget
from omoide.working.prompt import chat_messages, message_tokens
from omoide.working.sources import MessageScene

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_MAX_READ = 1_000  # characters of a message that are searched for an explicit recall
_RECALL_LIMIT = 20  # memories asked for at each message
_COUNT_CACHE_SIZE = 5_000  # texts whose token count is cached: every turn is counted at every message


class RecallFunction(Protocol):
    """Runs a recall."""

    def __call__(self, text: str, at: datetime, keep: NodeFilter, recipe: str, limit: int) -> Recall: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveServices:
    """Everything that a live session calls, passed in by `Memory`."""

    store: Store
    observe: Callable[..., Node]
    update: Callable[..., Node]
    end: Callable[..., Session]
    recall: RecallFunction
    embed: Callable[[Sequence[str]], NDArray[np.float32] | None]
    entities_in: Callable[[str], tuple[int, ...]]
    local_time: Callable[[datetime | str | None], datetime]
    count: Callable[[str], int]
    new_fence: Callable[[], Fence]
    summarise: SummariseTurns
    narrate: Callable[[str], object]
    consented: Callable[[], bool]  # whether the user consented to show sensitive memories in this session
    retention: Retention
    response: int | None = None


class SessionView:
    """Holds the board and reads the nodes on it. It removes erased nodes from the board and changes nothing else."""

    def __init__(self, services: LiveServices, board: Board) -> None:
        self._services = services
        self._count = lru_cache(_COUNT_CACHE_SIZE)(services.count)
        self._board = board
        self._node_cache: dict[int, Node] = {}
        self._updated_at: dict[int, int] = {}  # of the cached nodes, in microseconds
        self._hidden = self._private_ids()
        self._vectors: dict[int, Any] = {}  # of the last turns
        system = message_tokens(chat_messages(board, [], [], Fence(board.fence)), self._count)
        self._budget = window_budget(board.window, system, response=services.response)

    @property
    def board(self) -> Board:
        return self._board

    @property
    def budget(self) -> WindowBudget:
        return self._budget

    @property
    def conversation(self) -> list[Node]:
        """The turns in the window, oldest first."""
        return self._nodes(self._visible.turns)

    @property
    def pending(self) -> Node | None:
        """The user's last message, if it has no reply yet. After a crash, `before()` builds its prompt again."""
        turns = self.conversation
        return turns[-1] if turns and turns[-1].role == "user" else None

    @property
    def _visible(self) -> Board:
        """The board without private nodes while others listen."""
        return self._board.without(self._hidden) if self._hidden else self._board

    def _read_pending(self, now: datetime) -> MessageScene:
        """Read the pending message as if it had not been stored yet."""
        turn = self.pending
        if turn is None:
            raise InvalidInput("no message is waiting for a reply; pass one: before(message)")
        whole = self._board
        self._board = replace(whole, turns=tuple(id for id in whole.turns if id != turn.id))
        scene = self._read_message(turn.text, now, before=to_micros(turn.event_at))
        self._board = whole
        self._keep_vector(turn, scene)
        return replace(scene, board=self._visible)

    def _read_message(self, message: str, now: datetime, before: int | None = None) -> MessageScene:
        """Find out what a message triggers, and run the recalls for it."""
        filter = replace(self._filter(now), before=before)
        start = message[:_MAX_READ]
        explicit = explicit_recall(start, detect_language(start)) is not None
        limit = _RECALL_LIMIT + min(len(self._visible.turns), _RECALL_LIMIT)  # turns in the window are found, too
        recalls = [self._services.recall(message, now, filter, "deep" if explicit else "everyday", limit)]
        triggers = {"message", "recall"} if explicit else {"message"}
        if self._board.injected_at is None:
            triggers.add("start")
            recalls.append(self._services.recall("", now, filter, "session_start", _RECALL_LIMIT))
        elif self._topic_changed(message, recalls[0]):
            triggers.add("topic")
        entities = self._services.entities_in(message)
        if entities:
            triggers.add("entity")
        return MessageScene(
            board=self._visible,
            message=message,
            at=now,
            filter=replace(filter, before=None),
            triggers=frozenset(triggers),
            recalls=tuple(recalls),
            entities=entities,
        )

    def _filter(self, now: datetime) -> NodeFilter:
        return NodeFilter(audience=self._board.audience, sensitive=self._services.consented(), valid_at=to_micros(now))

    def _drop_removed(self, filter: NodeFilter) -> None:
        """Remove nodes from the board that were erased, replaced or ended since the last message."""
        board = self._board
        self._hidden = self._private_ids()
        present = self._services.store.boards.visible_session_nodes(
            [*board.turns, *board.goals, *board.summaries], shared=False
        )
        present |= self._services.store.boards.visible_nodes([each.id for each in board.retrieved], filter)
        known = self._updated_at
        self._updated_at = {id: known.get(id, to_micros(node.updated_at)) for id, node in self._node_cache.items()}
        self._node_cache = {
            id: node for id, node in self._node_cache.items() if present.get(id) == self._updated_at[id]
        }
        self._board = replace(
            board,
            turns=tuple(id for id in board.turns if id in present),
            goals=tuple(id for id in board.goals if id in present),
            private_summaries=tuple(id for id in board.private_summaries if id in present),
            summary=board.summary if board.summary in present else None,
            retrieved=tuple(each for each in board.retrieved if each.id in present),
        )

    def _private_ids(self) -> frozenset[int]:
        """Episodes on the board that others may not see; empty unless others listen."""
        board = self._board
        if board.audience != "shared":
            return frozenset()
        ids = (*board.turns, *board.goals, *board.summaries)
        return frozenset(ids) - frozenset(self._services.store.boards.visible_session_nodes(ids, shared=True))

    def _topic_changed(self, message: str, recall: Recall) -> bool:
        recent = self._nodes(self._visible.turns[-RECENT_TURNS:])
        return topic_changed(message, [each.text for each in recent], self._similarity(recent, recall))

    def _similarity(self, recent: Sequence[Node], recall: Recall) -> list[float] | None:
        """The similarity of the message to the last turns, by the vector that recall computed for it."""
        embedding = recall.query.embedding
        if not recent or not isinstance(embedding, QuestionEmbedding) or embedding.unsupported_language:
            return None
        missing = [each for each in recent if each.id not in self._vectors]
        if missing:
            found = self._services.embed([each.text for each in missing])
            if found is None:
                return None
            self._vectors |= {each.id: vector for each, vector in zip(missing, found, strict=True)}
        self._vectors = {each.id: self._vectors[each.id] for each in recent}
        return [float(self._vectors[each.id] @ embedding.vector) for each in recent]

    def _keep_vector(self, turn: Node, scene: MessageScene) -> None:
        embedding = scene.recalls[0].query.embedding
        if isinstance(embedding, QuestionEmbedding):
            self._vectors[turn.id] = embedding.vector

    def _nodes(self, ids: Iterable[int]) -> list[Node]:
        """The nodes of some ids, from the cache or the file; erased ones are left out."""
        wanted = list(ids)
        missing = [id for id in wanted if id not in self._node_cache]
        if missing:
            self._updated_at = {id: at for id, at in self._updated_at.items() if id in self._node_cache}
            self._node_cache |= self._services.store.nodes.fetch(missing)
        return [self._node_cache[id] for id in wanted if id in self._node_cache]


# ── does a message change the topic? by its similarity to the last turns, and by its wording ──

RECENT_TURNS = 3
_ASKS = ("?", "？")
# The weights below were fitted to words cut after five letters, without these common English words. They are part of
# the model: with the stemmer and the stop words of `omoide.language`, 4 of 25 prompts of a test conversation change.
_PREFIX = 5
_COMMON = frozenset(
    """
    the this that these those and but then than with about into over you your his him her its they them their are was
    were been does did have has had will would can could should what which who when where why how there here not any
    some all just please too very really for from our out get got like many much more also again okay yes yeah well
    know think going want let thing things way good great sure maybe lot one two now
    """.split()
)
_SHORT = 8  # words: a message this short may refer to what was said before
_ANYWAY = re.compile(r"^\W*(?:(?:ok(?:ay)?|so|well|but)\W+)?anyways?\b", re.IGNORECASE)  # leaves or returns to a topic
_LONGEST = 3.0  # tens of words; beyond, the length tells nothing more


def topic_changed(message: str, recent: Sequence[str], similarity: Sequence[float] | None) -> bool:
    """Whether a message changes the topic: by its similarity to each of the last turns if that is known, else by words.

    A false alarm costs more than a miss, since it clears the board; a message without new words is never a change.
    """
    if not recent or _refers_back(message):
        return False
    if _announced(message, recent):
        return True
    if similarity:
        return _new_words(message, recent) >= 2 and _by_meaning(message, recent, similarity) > -0.7
    return _new_words(message, recent) >= 3 and _by_words(message, recent) > -0.89


def _refers_back(message: str) -> bool:
    """Whether the message is short and has a pronoun that refers back ("what does it cost?")."""
    return len(message.split()) <= _SHORT and language_pattern("anaphora").search(message) is not None


def _announced(message: str, recent: Sequence[str]) -> bool:
    new = _new_words(message, recent)
    if _ANYWAY.match(message):  # "anyway, the boiler" returns to a topic
        return new >= 3 and new == len(_stems(message))
    return new >= 2 and language_pattern("topic_announcements").match(message) is not None


def _new_words(message: str, recent: Sequence[str]) -> int:
    """The number of content words that the last turns do not contain."""
    return len(_stems(message).difference(*map(_stems, recent)))


def _by_meaning(message: str, recent: Sequence[str], similarity: Sequence[float]) -> float:
    score = -0.33 - 1.75 * max(similarity) - 2.8 * similarity[-1] + 0.24 * _length(message)
    return score + _manner(message, recent, 0.8, 0.96)


def _by_words(message: str, recent: Sequence[str]) -> float:
    mine = _stems(message)
    before = frozenset().union(*map(_stems, recent))
    shared = len(mine & before) / max(1, len(mine))
    last = len(mine & _stems(recent[-1])) / max(1, len(mine))
    score = -1.39 - 1.32 * shared - 0.91 * last + 0.25 * _length(message)
    return score + _manner(message, recent, 0.5, 1.19)


def _manner(message: str, recent: Sequence[str], asks: float, answers: float) -> float:
    """The wording: is it a question, does it answer one. Most questions follow up, so their weight is below the fit."""
    return asks * any(mark in message for mark in _ASKS) - answers * recent[-1].rstrip().endswith(_ASKS)


def _length(message: str) -> float:
    return min(_LONGEST, len(message.split()) / 10)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_PREFIX] for word in comparison_words(text) if word not in _COMMON)
