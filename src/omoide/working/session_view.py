"""Looking: the board, its words, and what a message makes of it: triggers pulled, memories recalled, names heard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from omoide.clock import to_micros
from omoide.domain import Node, Session
from omoide.domain.importance import Retention
from omoide.errors import InvalidInput
from omoide.language.registry import detect_language
from omoide.recall.question import QuestionEmbedding
from omoide.recall.question_cues import explicit_recall
from omoide.recall.results import Recall
from omoide.store import NodeFilter, Store
from omoide.working.board import Board
from omoide.working.budget import WindowBudget, window_budget
from omoide.working.compaction import SummariseTurns
from omoide.working.prompt import chat_messages, message_tokens
from omoide.working.sources import MessageScene
from omoide.working.topic_change import RECENT_TURNS, TurnSimilarity, topic_changed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_MAX_READ = 1_000  # characters of a message that are read for what asks to remember
_RECALL_LIMIT = 20  # memories asked for with each message
_COUNT_CACHE_SIZE = 5_000  # texts whose cost is remembered: every turn is counted with every message


class SessionView:
    """Holds the board and reads the file; changes neither what is on it nor what is in it, but for letting go."""

    def __init__(self, means: LiveServices, board: Board) -> None:
        self._means = means
        self._count = lru_cache(_COUNT_CACHE_SIZE)(means.count)
        self._board = board
        self._words: dict[int, Node] = {}  # of what is on the board, as the file had it at the last message
        self._read: dict[int, int] = {}  # when they were last changed, in microseconds
        self._hidden = self._private()
        self._vectors: dict[int, Any] = {}  # of the last turns
        system = message_tokens(chat_messages(board.system, [], []), self._count)
        self._budget = window_budget(board.window, system, response=means.response)

    @property
    def board(self) -> Board:
        return self._board

    @property
    def budget(self) -> WindowBudget:
        return self._budget

    @property
    def conversation(self) -> list[Node]:
        """The turns in the window, oldest first."""
        return self._nodes(self._seen.turns)

    @property
    def _seen(self) -> Board:
        """The board as those may see it who listen: what is private waits on it until they have gone."""
        return self._board.without(self._hidden) if self._hidden else self._board

    @property
    def pending(self) -> Node | None:
        """What the user said and nobody answered yet: after a crash, `before()` makes its prompt again."""
        said = self.conversation
        return said[-1] if said and said[-1].role == "user" else None

    def _again(self, now: datetime) -> MessageScene:
        """The message that waits for its reply, as it was when nobody had stored it yet."""
        turn = self.pending
        if turn is None:
            raise InvalidInput("nothing waits for a reply; pass the message: before(message)")
        whole = self._board
        self._board = replace(whole, turns=tuple(id for id in whole.turns if id != turn.id))
        scene = self._look(turn.text, now, before=to_micros(turn.event_at))
        self._board = whole
        self._remember_vector(turn, scene)
        return replace(scene, board=self._seen)

    def _look(self, message: str, now: datetime, before: int | None = None) -> MessageScene:
        """Which triggers the message pulls, and what recall finds for them."""
        keep = replace(self._keep(now), before=before)
        triggers = {"message"}
        explicit = explicit_recall(message[:_MAX_READ], detect_language(message[:_MAX_READ])) is not None
        limit = _RECALL_LIMIT + min(
            len(self._seen.turns), _RECALL_LIMIT
        )  # what is in the window is found too, and left out
        recalls = [self._means.ask(message, now, keep, "deep" if explicit else "everyday", limit)]
        if explicit:
            triggers.add("recall")
        if self._board.injected_at is None:
            triggers.add("start")
            recalls.append(self._means.ask("", now, keep, "session_start", _RECALL_LIMIT))
        elif self._topic_changed(message, recalls[0]):
            triggers.add("topic")
        named = self._means.named(message)
        if named:
            triggers.add("entity")
        return MessageScene(
            board=self._seen,
            message=message,
            at=now,
            keep=replace(keep, before=None),
            triggers=frozenset(triggers),
            recalls=tuple(recalls),
            named=named,
        )

    def _keep(self, now: datetime) -> NodeFilter:
        return NodeFilter(audience=self._board.audience, sensitive=self._board.consent, valid_at=to_micros(now))

    def _let_go(self, keep: NodeFilter) -> None:
        """What was forgotten, replaced or ended since is no longer on the board."""
        board = self._board
        self._hidden = self._private()
        there = self._means.store.own([*board.turns, *board.goals, *board.summaries], shared=False)
        there |= self._means.store.present([each.id for each in board.retrieved], keep)
        read = self._read
        self._read = {id: read[id] if id in read else to_micros(node.updated_at) for id, node in self._words.items()}
        self._words = {id: node for id, node in self._words.items() if there.get(id) == self._read[id]}
        self._board = replace(
            board,
            turns=tuple(id for id in board.turns if id in there),
            goals=tuple(id for id in board.goals if id in there),
            aside=tuple(id for id in board.aside if id in there),
            summary=board.summary if board.summary in there else None,
            retrieved=tuple(each for each in board.retrieved if each.id in there),
        )

    def _private(self) -> frozenset[int]:
        """What was said here may be sensitive: it stays where it was said, unless others listen."""
        board = self._board
        if board.audience != "shared":
            return frozenset()
        said = (*board.turns, *board.goals, *board.summaries)
        return frozenset(said) - frozenset(self._means.store.own(said, shared=True))

    def _topic_changed(self, message: str, recall: Recall) -> bool:
        recent = self._nodes(self._seen.turns[-RECENT_TURNS:])
        return topic_changed(message, [each.text for each in recent], self._nearness(recent, recall))

    def _nearness(self, recent: Sequence[Node], recall: Recall) -> TurnSimilarity | None:
        """By the message's vector, which recall made already, and those of the turns before it."""
        meaning = recall.query.embedding
        if not recent or not isinstance(meaning, QuestionEmbedding) or meaning.unsupported_language:
            return None
        missing = [each for each in recent if each.id not in self._vectors]
        if missing:
            found = self._means.embed([each.text for each in missing])
            if found is None:
                return None
            self._vectors |= {each.id: vector for each, vector in zip(missing, found, strict=True)}
        self._vectors = {each.id: self._vectors[each.id] for each in recent}
        return TurnSimilarity(tuple(float(self._vectors[each.id] @ meaning.vector) for each in recent))

    def _remember_vector(self, turn: Node, scene: MessageScene) -> None:
        meaning = scene.recalls[0].query.embedding
        if isinstance(meaning, QuestionEmbedding):
            self._vectors[turn.id] = meaning.vector

    def _nodes(self, ids: Iterable[int]) -> list[Node]:
        """Read once, and again when they have changed."""
        wanted = list(ids)
        missing = [id for id in wanted if id not in self._words]
        if missing:
            self._read = {id: at for id, at in self._read.items() if id in self._words}
            self._words |= self._means.store.nodes(missing)
        return [self._words[id] for id in wanted if id in self._words]


# What a live session works with: all of it is handed in, so that this room reaches into no other.


class RecallFunction(Protocol):
    """Recall, as the blackboard asks it."""

    def __call__(self, text: str, at: datetime, keep: NodeFilter, recipe: str, limit: int) -> Recall: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveServices:
    """What a live session works with; all of it is handed in."""

    store: Store
    observe: Callable[..., Node]
    update: Callable[..., Node]
    end: Callable[..., Session]
    ask: RecallFunction
    embed: Callable[[Sequence[str]], NDArray[np.float32] | None]
    named: Callable[[str], tuple[int, ...]]
    moment: Callable[[datetime | str | None], datetime]
    count: Callable[[str], int]
    summarise: SummariseTurns
    narrate: Callable[[str], object]
    retention: Retention
    response: int | None = None
