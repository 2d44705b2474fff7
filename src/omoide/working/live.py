"""A live session: the blackboard that an agent loop drives with three calls: before a reply, after it, at the end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from omoide.clock import micros
from omoide.errors import InvalidInput, NotFound
from omoide.layers import Node, Session
from omoide.layers.episodic import Retention
from omoide.recall.hit import Recall
from omoide.recall.language import language_of
from omoide.recall.meaning import Meaning
from omoide.recall.remember import explicit_recall
from omoide.store import Filter, Store
from omoide.working import compact
from omoide.working.board import PROTECTED, Board
from omoide.working.budget import Budget, budget
from omoide.working.compact import Summarise
from omoide.working.controller import Arranged, Desk, arrange, conversation_cost, goals, still_held, too_long
from omoide.working.plans import plan_of
from omoide.working.prompt import Prompt, cost, messages
from omoide.working.source import Posting, Scene
from omoide.working.sources import sources
from omoide.working.topic import RECENT, Nearness, changed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_GOAL = "goal"  # the tag of an episode that says what the session is for
_ENTITIES = 50  # spoken of in one session, the latest
_READ = 1_000  # characters of a message that are read for what asks to remember
_HITS = 20  # memories asked for with each message
_COUNTS = 5_000  # texts whose cost is remembered: every turn is counted with every message


class Ask(Protocol):
    """Recall, as the blackboard asks it."""

    def __call__(self, text: str, at: datetime, keep: Filter, recipe: str, limit: int) -> Recall: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a live session works with; all of it is handed in."""

    store: Store
    observe: Callable[..., Node]
    update: Callable[..., Node]
    end: Callable[..., Session]
    ask: Ask
    embed: Callable[[Sequence[str]], NDArray[np.float32] | None]
    named: Callable[[str], tuple[int, ...]]
    moment: Callable[[datetime | str | None], datetime]
    count: Callable[[str], int]
    summarise: Summarise
    retention: Retention
    response: int | None = None


class Live:
    """One session as it goes on. Every turn is stored before anything else happens; nothing said is ever lost."""

    def __init__(self, means: Means, board: Board) -> None:
        self._means = means
        self._lock = threading.RLock()
        self._count = lru_cache(_COUNTS)(means.count)
        self._sources = sources(means.store)
        self._vectors: dict[int, Any] = {}
        self._words: dict[int, Node] = {}  # of what is on the board, as the file had it at the last message
        self._board = board
        self._notes: list[str] = []
        self._ended = False
        self._budget = budget(board.window, self._system_cost(board.system), response=means.response)

    # ── the three calls ───────────────────────────────────────────────────────────────────────────────────────

    def before(self, message: str | None = None, *, at: datetime | str | None = None, **said: Any) -> Prompt:
        """Stores what the user said and hands back what the reply needs. Without a message: for the one that waits."""
        with self._lock:
            self._require_going_on()
            now = self._means.moment(at)
            self._let_go(self._keep(now))
            if message is None:
                scene = self._again(now)
            else:
                scene = self._look(message, now)  # first: once it is stored, a message is its own best answer
                turn = self._hear(message, "user", at, said)
                scene = replace(scene, board=self._board)
                self._remember_vector(turn, scene)
            found = self._arranged(scene, message)
            return self._put_down(scene, found)

    def after(self, reply: str, *, at: datetime | str | None = None, **said: Any) -> Node:
        """Stores the reply; where the conversation has grown past three quarters of its slot, sums up its beginning."""
        with self._lock:
            self._require_going_on()
            turn = self._hear(reply, "agent", at, said)
            if self._budget.must_compact(conversation_cost(self._desk())):
                self._compact(compact.kept(len(self._board.turns)))
            self._save()
            return turn

    def end(self, *, summary: str | None = None) -> Session | None:
        """Closes the session, queues it for learning and clears the board. None where nothing was said."""
        with self._lock:
            if self._ended:
                return self._session()
            self._ended = True
            found = self._session()
            if found is not None:
                found = self._means.end(self._board.session, summary=summary)
            self._means.store.end_live(self._board.session)
            return found

    # ── beside them ───────────────────────────────────────────────────────────────────────────────────────────

    def observe(self, text: str, *, role: str, at: datetime | str | None = None, **said: Any) -> Node:
        """A turn of somebody else: what a tool reported, what a third person said."""
        with self._lock:
            self._require_going_on()
            turn = self._hear(text, role, at, said)
            self._save()
            return turn

    def goal(self, text: str, *, at: datetime | str | None = None) -> Node:
        """What the session is for: in every prompt until it is finished."""
        with self._lock:
            self._require_going_on()
            self._require_room_for(text)
            node = self._means.observe(
                text, role="agent", type="event", tags=[_GOAL], outcome="pending", at=at, **self._place()
            )
            self._board = replace(self._board, goals=tuple(dict.fromkeys((*self._board.goals, node.id))))
            self._save()
            return node

    def finish(self, goal: int | Node, outcome: str = "success") -> Node:
        """A goal was reached, or was not (`failure`, `partial`)."""
        with self._lock:
            self._require_going_on()
            id = goal if isinstance(goal, int) else goal.id
            if id not in self._board.goals:
                raise NotFound(f"{id} is no active goal of {self._board.session!r}; they are {list(self._board.goals)}")
            node = self._means.update(id, outcome=outcome)
            self._board = replace(self._board, goals=tuple(each for each in self._board.goals if each != id))
            self._save()
            return node

    @property
    def board(self) -> Board:
        return self._board

    @property
    def budget(self) -> Budget:
        return self._budget

    @property
    def conversation(self) -> list[Node]:
        """The turns in the window, oldest first."""
        return self._nodes(self._board.turns)

    @property
    def pending(self) -> Node | None:
        """What the user said and nobody answered yet: after a crash, `before()` makes its prompt again."""
        said = self.conversation
        return said[-1] if said and said[-1].role == "user" else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """A session that ends well is over; one that an exception ends can be resumed."""
        if kind is None:
            self.end()

    def __repr__(self) -> str:
        return f"Live({self._board.session!r}, {len(self._board.turns)} turns in a window of {self._board.window:,})"

    # ── hearing ───────────────────────────────────────────────────────────────────────────────────────────────

    def _hear(self, text: str, role: str, at: datetime | str | None, said: dict[str, Any]) -> Node:
        turn = self._means.observe(text, role=role, at=at, **self._place(), **said)
        self._words[turn.id] = turn
        self._board = self._board.heard(turn.id)
        return turn

    def _place(self) -> dict[str, str]:
        return {"session": self._board.session, "audience": self._board.audience}

    # ── looking ───────────────────────────────────────────────────────────────────────────────────────────────

    def _again(self, now: datetime) -> Scene:
        """The message that waits for its reply, as it was when nobody had stored it yet."""
        turn = self.pending
        if turn is None:
            raise InvalidInput("nothing waits for a reply; pass the message: before(message)")
        whole = self._board
        self._board = replace(whole, turns=tuple(id for id in whole.turns if id != turn.id))
        scene = self._look(turn.text, now, before=micros(turn.event_at))
        self._board = whole
        self._remember_vector(turn, scene)
        return replace(scene, board=whole)

    def _look(self, message: str, now: datetime, before: int | None = None) -> Scene:
        """Which triggers the message pulls, and what recall finds for them."""
        keep = replace(self._keep(now), before=before)
        triggers = {"message"}
        explicit = explicit_recall(message[:_READ], language_of(message[:_READ])) is not None
        limit = _HITS + min(len(self._board.turns), _HITS)  # what is in the window is found too, and left out
        recalls = [self._means.ask(message, now, keep, "deep" if explicit else "everyday", limit)]
        if explicit:
            triggers.add("recall")
        if self._board.injected_at is None:
            triggers.add("start")
            recalls.append(self._means.ask("", now, keep, "session_start", _HITS))
        elif self._topic_changed(message, recalls[0]):
            triggers.add("topic")
        named = self._means.named(message)
        if named:
            triggers.add("entity")
        return Scene(
            board=self._board,
            message=message,
            at=now,
            keep=replace(keep, before=None),
            triggers=frozenset(triggers),
            recalls=tuple(recalls),
            named=named,
        )

    def _keep(self, now: datetime) -> Filter:
        return Filter(audience=self._board.audience, sensitive=self._board.consent, valid_at=micros(now))

    def _let_go(self, keep: Filter) -> None:
        """What was forgotten, replaced or ended since, or may not be shown here, is no longer on the board."""
        board = self._board
        said = [*board.turns, *board.goals, *filter(None, [board.summary])]
        # What was said here may be sensitive: it stays where it was said, unless others listen.
        there = self._means.store.own(said, shared=board.audience == "shared")
        there |= self._means.store.present([each.id for each in board.retrieved], keep)
        self._words = {id: node for id, node in self._words.items() if there.get(id) == micros(node.updated_at)}
        self._board = replace(
            board,
            turns=tuple(id for id in board.turns if id in there),
            goals=tuple(id for id in board.goals if id in there),
            summary=board.summary if board.summary in there else None,
            retrieved=tuple(each for each in board.retrieved if each.id in there),
        )

    def _topic_changed(self, message: str, recall: Recall) -> bool:
        recent = self._nodes(self._board.turns[-RECENT:])
        return changed(message, [each.text for each in recent], self._nearness(recent, recall))

    def _nearness(self, recent: Sequence[Node], recall: Recall) -> Nearness | None:
        """By the message's vector, which recall made already, and those of the turns before it."""
        meaning = recall.query.meaning
        if not recent or not isinstance(meaning, Meaning) or meaning.guessed:
            return None
        missing = [each for each in recent if each.id not in self._vectors]
        if missing:
            found = self._means.embed([each.text for each in missing])
            if found is None:
                return None
            self._vectors |= {each.id: vector for each, vector in zip(missing, found, strict=True)}
        self._vectors = {each.id: self._vectors[each.id] for each in recent}
        return Nearness(tuple(float(self._vectors[each.id] @ meaning.vector) for each in recent))

    def _remember_vector(self, turn: Node, scene: Scene) -> None:
        meaning = scene.recalls[0].query.meaning
        if isinstance(meaning, Meaning):
            self._vectors[turn.id] = meaning.vector

    # ── arranging ─────────────────────────────────────────────────────────────────────────────────────────────

    def _arranged(self, scene: Scene, message: str | None) -> Arranged:
        """Kira-L's order: memories give way first, then old turns are summed up, then the profile is reduced."""
        postings = self._posted(scene)
        essentials = False
        for keep in (compact.KEEP, PROTECTED):
            if not too_long(self._desk(scene, postings, message, essentials)):
                break
            self._compact(keep)
            essentials = too_long(self._desk(scene, postings, message, essentials))
        return arrange(self._desk(scene, postings, message, essentials))

    def _posted(self, scene: Scene) -> list[Posting]:
        found = [posting for source in self._sources for posting in source.post(scene)]
        held = {node.id: node for node in self._nodes(each.id for each in self._board.retrieved)}
        found += still_held(self._board, held, flushed="topic" in scene.triggers)
        ids = list(dict.fromkeys(posting.node.id for posting in found if posting.node is not None))
        rests: dict[int, set[int]] = {}
        for node, source in self._means.store.derivations(ids):
            rests.setdefault(node, set()).add(source)
        evidence = {source for each in rests.values() for source in each}
        return [_placed(posting, rests, evidence) for posting in found]

    def _desk(
        self,
        scene: Scene | None = None,
        postings: Sequence[Posting] = (),
        message: str | None = None,
        essentials: bool = False,
    ) -> Desk:
        board = self._board
        turns = self._nodes(board.turns)
        summary = self._nodes(filter(None, [board.summary]))
        return Desk(
            board=board,
            plan=plan_of(board.plan),
            budget=self._budget,
            turns=turns,
            summary=summary[0] if summary else None,
            message=message,
            postings=postings,
            asked=scene.asked if scene else (),
            allowance=self._allowance(scene),
            now=scene.at if scene else self._means.moment(None),
            count=self._count,
            essentials=essentials,
        )

    def _allowance(self, scene: Scene | None) -> int:
        """Yodoca's 1,000 tokens for a simple message, 3,000 for a complex one; for an explicit recall all there is."""
        if scene is None or "recall" in scene.triggers:
            return self._budget.retrieved
        return scene.recalls[0].query.complexity.budget

    def _put_down(self, scene: Scene, found: Arranged) -> Prompt:
        before = {each.id for each in scene.board.retrieved} | set(scene.board.standing) | set(scene.board.goals)
        board = self._board
        triggers = sorted(scene.triggers | ({"budget"} if self._notes else set()))
        self._board = replace(
            board,
            retrieved=found.retrieved,
            standing=found.standing,
            entities=tuple(dict.fromkeys(reversed((*board.entities, *scene.named))))[:_ENTITIES][::-1],
            injected_at=micros(scene.at),
        )
        prompt = Prompt(
            messages=found.messages,
            sections=found.sections,
            tokens=found.tokens,
            budget=self._budget.prompt,
            added=tuple(line.id for part in found.sections for line in part.lines if line.id and line.id not in before),
            triggers=tuple(triggers),
            notes=(*self._notes, *found.notes),
            recall=scene.recalls[0],
        )
        self._notes = []
        self._save()
        return prompt

    # ── keeping ───────────────────────────────────────────────────────────────────────────────────────────────

    def _compact(self, keep: int) -> None:
        """The oldest turns become a summary that is stored with links to them, and leave the window."""
        board = self._board
        old = self._nodes(board.turns[:-keep])
        if not old:
            return
        earlier = self._nodes(filter(None, [board.summary]))
        covered = [*earlier, *old]
        text = self._means.summarise(compact.said(covered), compact.size(self._budget))
        if not text.strip():  # nothing in it that a summary could tell: the turns are in the file all the same
            text = f"{len(old)} short turns"
        draft = compact.drafted(board.session, text, covered, self._means.retention)
        node = self._means.store.compact(draft, [each.id for each in covered])
        self._notes.append(f"{len(old)} turns summed up as [id:{node.id}]")
        self._board = replace(
            board,
            turns=board.turns[-keep:],
            summary=node.id,
            upto=max(board.upto, *(each.id for each in old)),
        )
        self._save()

    def _save(self) -> None:
        self._means.store.save_live(self._board.session, self._board.as_json(), self._board.system)

    def _nodes(self, ids: Iterable[int]) -> list[Node]:
        """Read once, and again when they have changed."""
        wanted = list(ids)
        missing = [id for id in wanted if id not in self._words]
        if missing:
            self._words |= self._means.store.nodes(missing)
        return [self._words[id] for id in wanted if id in self._words]

    def _session(self) -> Session | None:
        try:
            return self._means.store.session(self._board.session)
        except NotFound:
            return None

    def _require_going_on(self) -> None:
        if self._ended:
            name = self._board.session
            raise InvalidInput(f"the live session {name!r} has ended; memory.live({name!r}) begins it again")

    def _require_room_for(self, text: str) -> None:
        active = self._nodes(self._board.goals)
        postings = [Posting("goal", 1.0, "", node) for node in active]
        section = goals(postings, self._means.moment(None))
        words = "\n".join([*(line.text for line in section.lines), f"- {text} [id:{2**31}]"])
        need = cost(messages("", [section], []), self._count) + self._count(words)
        if need > self._budget.most_goals:
            raise InvalidInput(
                f"the active goals would take {need:,} tokens of a window of {self._board.window:,}, at most "
                f"{self._budget.most_goals:,} may be set aside for them; finish one, or say it shorter"
            )

    def _system_cost(self, system: str) -> int:
        return cost(messages(system, [], []), self._count)


def _placed(posting: Posting, rests: dict[int, set[int]], evidence: set[int]) -> Posting:
    """What it rests on among the others; an episode that bears out a fact that is posted too is evidence."""
    if posting.node is None:
        return posting
    sort = "evidence" if posting.sort == "episode" and posting.node.id in evidence else posting.sort
    return replace(posting, sort=sort, rests_on=frozenset(rests.get(posting.node.id, ())))
