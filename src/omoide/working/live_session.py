"""A live session: the blackboard that an agent loop drives with three calls: before a reply, after it, at the end."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from omoide.clock import to_micros
from omoide.domain import Node, Session
from omoide.errors import InvalidInput, NotFound
from omoide.language.extractive_summary import summary_text
from omoide.working import compaction
from omoide.working.board import PROTECTED_TURNS, Board, board_from_json, merge_boards
from omoide.working.budget import plan_by_name
from omoide.working.prompt import (
    ArrangedPrompt,
    Prompt,
    PromptInputs,
    arrange_prompt,
    carried_over,
    chat_messages,
    conversation_cost,
    exceeds_budget,
    fixed_content,
    goals_section,
    message_tokens,
)
from omoide.working.session_view import LiveServices, SessionView
from omoide.working.sources import MessageScene, PostedMemory, knowledge_sources

_GOAL_TAG = "goal"  # the tag of an episode that says what the session is for
_MIN_TOPIC_TURNS = 4  # turns about one topic that are worth telling when it is left
_MAX_ENTITIES = 50  # spoken of in one session, the latest


class LiveSession(SessionView):
    """One session as it goes on. Every turn is stored before anything else happens; nothing said is ever lost."""

    def __init__(self, means: LiveServices, board: Board) -> None:
        super().__init__(means, board)
        self._lock = threading.RLock()
        self._sources = knowledge_sources(means.store)
        self._notes: list[str] = []
        self._ended = False
        self._closed = self._closed_at()  # a session that ended once may be begun again

    # ── the three calls ───────────────────────────────────────────────────────────────────────────────────────

    def before(self, message: str | None = None, *, at: datetime | str | None = None, **said: Any) -> Prompt:
        """Stores what the user said and hands back what the reply needs. Without a message: for the one that waits."""
        with self._lock:
            self._require_going_on()
            if message is not None and not isinstance(message, str):
                raise InvalidInput(f"message: expected text, got {type(message).__name__}")
            now = self._means.moment(at)
            self._let_go(self._keep(now))
            if message is None:
                scene = self._again(now)
            else:
                scene = self._look(message, now)  # first: once it is stored, a message is its own best answer
                if "topic" in scene.triggers:
                    self._leave_topic()
                turn = self._hear(message, "user", at, said)
                scene = replace(scene, board=self._seen)
                self._remember_vector(turn, scene)
            found = self._arranged(scene, message)
            return self._put_down(scene, found)

    def after(self, reply: str, *, at: datetime | str | None = None, **said: Any) -> Node:
        """Stores the reply; where the conversation has grown past three quarters of its slot, sums up its beginning."""
        with self._lock:
            self._require_going_on()
            turn = self._hear(reply, "agent", at, said)
            if self._budget.must_compact(conversation_cost(self._desk())):
                self._compact(compaction.turns_to_keep(len(self._board.turns)))
            self._save()
            return turn

    def end(self, *, summary: str | None = None) -> Session | None:
        """Closes the session, tells where it stood, queues it for learning and clears the board. None where nothing
        was said."""
        with self._lock:
            if not self._ended:
                self._catch_up()
            if self._ended:
                return self._session()
            self._ended = True
            found = self._session()
            if found is not None:
                found = self._means.end(self._board.session, summary=summary)
                self._means.narrate(self._board.session)
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
            for node in self._nodes(self._board.goals):
                if isinstance(text, str) and _same_text(node.text, text):
                    return node
            self._require_room_for(text)
            node = self._means.observe(
                text, role="agent", type="event", tags=[_GOAL_TAG], outcome="pending", at=at, **self._place()
            )
            self._board = replace(self._board, goals=tuple(dict.fromkeys((*self._board.goals, node.id))))
            self._save()
            return node

    def finish(self, goal: int | str | Node, outcome: str = "success") -> Node:
        """A goal, by its id or its words, was reached, or was not (`failure`, `partial`)."""
        with self._lock:
            self._require_going_on()
            id = self._goal_of(goal)
            if id not in self._board.goals:
                raise NotFound(f"{id} is no active goal of {self._board.session!r}; they are {list(self._board.goals)}")
            assert isinstance(id, int)
            node = self._means.update(id, outcome=outcome)
            self._board = replace(self._board, goals=tuple(each for each in self._board.goals if each != id))
            self._save()
            return node

    def _goal_of(self, goal: int | str | Node) -> int | str:
        if isinstance(goal, str):
            return next((node.id for node in self._nodes(self._board.goals) if _same_text(node.text, goal)), repr(goal))
        if isinstance(goal, Node):
            return goal.id
        if isinstance(goal, bool) or not isinstance(goal, int):
            raise InvalidInput(f"goal: expected its id, its words or its node, got {type(goal).__name__}")
        return goal

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

    def _leave_topic(self) -> None:
        """Tells where things stood with what was talked about until now, unless that was a word in passing."""
        board = self._board
        if board.said - board.topic_at >= _MIN_TOPIC_TURNS:
            self._means.narrate(board.session)
        self._board = replace(board, topic_at=board.said)

    def _place(self) -> dict[str, str]:
        return {"session": self._board.session, "audience": self._board.audience}

    # ── arranging ─────────────────────────────────────────────────────────────────────────────────────────────

    def _arranged(self, scene: MessageScene, message: str | None) -> ArrangedPrompt:
        """Kira-L's order: memories give way first, then old turns are summed up, then the profile is reduced."""
        postings = self._posted(scene)
        desk = self._desk(scene, postings, message)
        found = fixed_content(desk)
        for keep in (compaction.KEEP_TURNS, PROTECTED_TURNS):
            if not exceeds_budget(desk, found):
                break
            self._compact(keep)
            desk = self._desk(scene, postings, message)
            found = fixed_content(desk)
            if exceeds_budget(desk, found):
                desk = replace(desk, essentials=True)
                found = fixed_content(desk)
        return arrange_prompt(desk, found)

    def _posted(self, scene: MessageScene) -> list[PostedMemory]:
        found = [posting for source in self._sources for posting in source.post(scene)]
        held = {node.id: node for node in self._nodes(each.id for each in self._board.retrieved)}
        found += carried_over(self._board, held, flushed="topic" in scene.triggers)
        ids = list(dict.fromkeys(posting.node.id for posting in found if posting.node is not None))
        rests: dict[int, set[int]] = {}
        for node, source in self._means.store.derivations(ids):
            rests.setdefault(node, set()).add(source)
        evidence = {source for each in rests.values() for source in each}
        return [_with_sources(posting, rests, evidence) for posting in found]

    def _desk(
        self,
        scene: MessageScene | None = None,
        postings: Sequence[PostedMemory] = (),
        message: str | None = None,
    ) -> PromptInputs:
        board = self._seen
        turns = self._nodes(board.turns)
        return PromptInputs(
            board=board,
            plan=plan_by_name(board.plan),
            budget=self._budget,
            turns=turns,
            summaries=self._nodes(board.summaries),
            message=message,
            postings=postings,
            asked=scene.asked if scene else (),
            allowance=self._allowance(scene),
            now=scene.at if scene else self._means.moment(None),
            count=self._count,
        )

    def _allowance(self, scene: MessageScene | None) -> int:
        """Yodoca's 1,000 tokens for a simple message, 3,000 for a complex one; for an explicit recall all there is."""
        if scene is None or "recall" in scene.triggers:
            return self._budget.retrieved
        return scene.recalls[0].query.complexity.budget

    def _put_down(self, scene: MessageScene, found: ArrangedPrompt) -> Prompt:
        before = {each.id for each in scene.board.retrieved} | set(scene.board.standing) | set(scene.board.goals)
        board = self._board
        triggers = sorted(scene.triggers | ({"budget"} if self._notes else set()))
        self._board = replace(
            board,
            retrieved=found.retrieved,
            standing=found.standing,
            entities=tuple(dict.fromkeys(reversed((*board.entities, *scene.named))))[:_MAX_ENTITIES][::-1],
            injected_at=to_micros(scene.at),
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
        seen = self._seen
        old = self._nodes(seen.turns[:-keep])
        if not old:
            return
        earlier = self._nodes(seen.summaries)
        covered = [*earlier, *old]
        text = self._summed_up(covered)
        if not text.strip():  # nothing in it that a summary could tell: the turns are in the file all the same
            text = f"{len(old)} short turns"
        draft = compaction.summary_draft(board.session, text, covered, self._means.retention)
        node = self._means.store.compact(draft, [each.id for each in covered])
        self._notes.append(f"{len(old)} turns summed up as [id:{node.id}]")
        gone = {each.id for each in covered}
        self._board = replace(
            board,
            turns=tuple(id for id in board.turns if id not in gone),
            summary=node.id,
            aside=tuple(id for id in board.summaries if id not in gone),  # what may not be told here stays as it is
            upto=max(board.upto, *(each.id for each in old)),
        )
        self._save()

    def _summed_up(self, covered: Sequence[Node]) -> str:
        """A reply must not wait for a model that fails: then the most telling sentences do, and the prompt says so."""
        said, tokens = compaction.spoken_turns(covered), compaction.summary_tokens(self._budget)
        try:
            told = self._means.summarise(said, tokens)
            if not isinstance(told, str):
                raise InvalidInput(f"summarise: expected a text, got {type(told).__name__}")
            return told
        except Exception as error:  # whatever the agent's own function raises, the conversation goes on
            self._notes.append(f"summed up by rules: {error}")
            return summary_text(said, tokens)

    def _save(self) -> None:
        """Over what was read and nothing newer: what another handle wrote meanwhile is taken up first."""
        while True:
            board = replace(self._board, version=self._board.version + 1)
            if self._means.store.save_live(board.session, board.as_json(), board.system, self._board.version):
                self._board = board
                return
            self._catch_up()
            self._require_not_over()

    def _catch_up(self) -> None:
        """With what other handles on this session did; where one of them ended it, it is over here too."""
        found = self._means.store.live(self._board.session)
        theirs = None if found is None else board_from_json(found.board, found.system)
        mine = self._board.version
        if (theirs.version if theirs else 0) < mine or (theirs is None and self._closed_at() != self._closed):
            self._ended = True
        elif theirs is not None and theirs.version > mine:
            board = merge_boards(self._board, theirs)
            held = self._means.store.nodes(board.goals)
            pending = (id for id in board.goals if id in held and held[id].attributes.get("outcome") == "pending")
            self._board = replace(board, goals=tuple(pending))

    def _closed_at(self) -> datetime | None:
        found = self._session()
        return found.ended_at if found else None

    def _session(self) -> Session | None:
        try:
            return self._means.store.session(self._board.session)
        except NotFound:
            return None

    def _require_going_on(self) -> None:
        if not self._ended:
            self._catch_up()
        self._require_not_over()

    def _require_not_over(self) -> None:
        if self._ended:
            name = self._board.session
            raise InvalidInput(f"the live session {name!r} has ended; memory.live({name!r}) begins it again")

    def _require_room_for(self, text: str) -> None:
        active = self._nodes(self._seen.goals)
        postings = [PostedMemory("goal", 1.0, "", node) for node in active]
        section = goals_section(postings, self._means.moment(None))
        words = "\n".join([*(line.text for line in section.lines), f"- {text} [id:{2**31}]"])
        need = message_tokens(chat_messages("", [section], []), self._count) + self._count(words)
        if need > self._budget.most_goals:
            raise InvalidInput(
                f"the active goals would take {need:,} tokens of a window of {self._board.window:,}, at most "
                f"{self._budget.most_goals:,} may be set aside for them; finish one, or say it shorter"
            )


def _with_sources(posting: PostedMemory, rests: dict[int, set[int]], evidence: set[int]) -> PostedMemory:
    """What it rests on among the others; an episode that bears out a fact that is posted too is evidence."""
    if posting.node is None:
        return posting
    sort = "evidence" if posting.sort == "episode" and posting.node.id in evidence else posting.sort
    return replace(posting, sort=sort, rests_on=frozenset(rests.get(posting.node.id, ())))


def _same_text(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
