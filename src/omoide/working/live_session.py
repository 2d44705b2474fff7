"""A live session, driven by an agent loop with three calls: `before` a reply, `after` it, and `end`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from omoide.clock import to_micros
from omoide.domain import Node, Session
from omoide.domain.quotation import redaction_note
from omoide.errors import InvalidInput, NotFound
from omoide.language.extractive_summary import summarize
from omoide.recall.pack_markdown import pack_markdown
from omoide.working.board import (
    KEEP_TURNS,
    PROTECTED_TURNS,
    Board,
    board_from_json,
    merge_boards,
    spoken_turns,
    summary_draft,
    summary_tokens,
    turns_to_keep,
)
from omoide.working.budget import plan_by_name
from omoide.working.prompt import (
    ArrangedPrompt,
    Prompt,
    PromptInputs,
    arrange_prompt,
    carried_over,
    exceeds_budget,
    fixed_content,
    goals_section,
    message_tokens,
)
from omoide.working.session_view import LiveServices, SessionView
from omoide.working.sources import KNOWLEDGE_SOURCES, MessageScene, PostedMemory

_GOAL_TAG = "goal"
_MIN_TOPIC_TURNS = 4  # a narrative is written when a topic ends that lasted this long
_MAX_ENTITIES = 50  # the latest that were mentioned


class LiveSession(SessionView):
    """One running session. Every turn is stored before anything else happens."""

    def __init__(self, services: LiveServices, board: Board) -> None:
        super().__init__(services, board)
        self._lock = threading.RLock()
        self._notes: list[str] = []
        self._ended = False
        self._closed_at = self._session_end()  # a session that ended once may be started again

    # ── the three calls ───────────────────────────────────────────────────────────────────────────────────────

    def before(self, message: str | None = None, *, at: datetime | str | None = None, **fields: Any) -> Prompt:
        """Store the user's message and return the prompt for the reply. Without a message: for the pending one."""
        with self._lock:
            self._require_open()
            if message is not None and not isinstance(message, str):
                raise InvalidInput(f"message: expected text, got {type(message).__name__}")
            now = self._services.local_time(at)
            self._drop_removed(self._filter(now))
            if message is None:
                scene = self._read_pending(now)
            else:
                scene = self._read_message(message, now)  # before it is stored: it would be its own best hit
                if "topic" in scene.triggers:
                    self._end_topic()
                turn = self._store_turn(message, "user", at, fields)
                scene = replace(scene, board=self._visible)
                self._keep_vector(turn, scene)
            return self._apply(scene, self._arrange(scene, message))

    def after(self, reply: str, *, at: datetime | str | None = None, **fields: Any) -> Node:
        """Store the agent's reply, and compact the conversation if it fills three quarters of its slot."""
        with self._lock:
            self._require_open()
            turn = self._store_turn(reply, "agent", at, fields)
            if self._budget.must_compact(message_tokens(self._prompt_inputs().turn_messages, self._count)):
                self._compact(turns_to_keep(len(self._board.turns)))
            self._save()
            return turn

    def end(self, *, summary: str | None = None) -> Session | None:
        """Close the session, write its narrative, queue it for learning and clear the board. Returns None if nothing
        was said."""
        with self._lock:
            if not self._ended:
                self._sync()
            if self._ended:
                return self._session()
            self._ended = True
            found = self._session()
            if found is not None:
                found = self._services.end(self._board.session, summary=summary)
                self._services.narrate(self._board.session)
            self._services.store.boards.delete_board(self._board.session)
            return found

    # ── other turns and goals ─────────────────────────────────────────────────────────────────────────────────

    def observe(self, text: str, *, role: str, at: datetime | str | None = None, **fields: Any) -> Node:
        """Store a turn of somebody else, such as the output of a tool."""
        with self._lock:
            self._require_open()
            turn = self._store_turn(text, role, at, fields)
            self._save()
            return turn

    def goal(self, text: str, *, at: datetime | str | None = None) -> Node:
        """Set a goal of the session. It is in every prompt until it is finished."""
        with self._lock:
            self._require_open()
            for node in self._nodes(self._board.goals):
                if isinstance(text, str) and _same_text(node.text, text):
                    return node
            self._require_room_for_goal(text)
            node = self._services.observe(
                text, role="agent", type="event", tags=[_GOAL_TAG], outcome="pending", at=at, **self._turn_fields()
            )
            self._board = replace(self._board, goals=tuple(dict.fromkeys((*self._board.goals, node.id))))
            self._save()
            return node

    def finish(self, goal: int | str | Node, outcome: str = "success") -> Node:
        """Finish a goal, given by id, text or node, with an outcome (`success`, `failure`, `partial`)."""
        with self._lock:
            self._require_open()
            id = self._goal_id(goal)
            if id not in self._board.goals:
                raise NotFound(f"{id} is no active goal of {self._board.session!r}; they are {list(self._board.goals)}")
            assert isinstance(id, int)
            node = self._services.update(id, outcome=outcome)
            self._board = replace(self._board, goals=tuple(each for each in self._board.goals if each != id))
            self._save()
            return node

    def _goal_id(self, goal: int | str | Node) -> int | str:
        if isinstance(goal, str):
            return next((node.id for node in self._nodes(self._board.goals) if _same_text(node.text, goal)), repr(goal))
        if isinstance(goal, Node):
            return goal.id
        if isinstance(goal, bool) or not isinstance(goal, int):
            raise InvalidInput(f"goal: expected its id, its text or its node, got {type(goal).__name__}")
        return goal

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the session, unless an exception was raised: then it can be resumed."""
        if kind is None:
            self.end()

    def __repr__(self) -> str:
        return (
            f"LiveSession({self._board.session!r}, {len(self._board.turns)} turns in a window of "
            f"{self._board.window:,} tokens)"
        )

    # ── storing turns ─────────────────────────────────────────────────────────────────────────────────────────

    def _store_turn(self, text: str, role: str, at: datetime | str | None, fields: dict[str, Any]) -> Node:
        turn = self._services.observe(text, role=role, at=at, **self._turn_fields(), **fields)
        self._node_cache[turn.id] = turn
        self._board = self._board.with_turn(turn.id)
        return turn

    def _turn_fields(self) -> dict[str, str]:
        return {"session": self._board.session, "audience": self._board.audience}

    def _end_topic(self) -> None:
        """Write a narrative of the topic that ends, unless it was short."""
        board = self._board
        if board.turn_count - board.topic_since >= _MIN_TOPIC_TURNS:
            self._services.narrate(board.session)
        self._board = replace(board, topic_since=board.turn_count)

    # ── building the prompt ───────────────────────────────────────────────────────────────────────────────────

    def _arrange(self, scene: MessageScene, message: str | None) -> ArrangedPrompt:
        """Fit the prompt into the window: first memories are left out, then old turns are summarised, then profile
        and preferences are reduced."""
        postings = self._collect_postings(scene)
        inputs = self._prompt_inputs(scene, postings, message)
        content = fixed_content(inputs)
        for keep in (KEEP_TURNS, PROTECTED_TURNS):
            if not exceeds_budget(inputs, content):
                break
            self._compact(keep)
            inputs = self._prompt_inputs(scene, postings, message)
            content = fixed_content(inputs)
            if exceeds_budget(inputs, content):
                inputs = replace(inputs, essentials_only=True)
                content = fixed_content(inputs)
        return arrange_prompt(inputs, content)

    def _collect_postings(self, scene: MessageScene) -> list[PostedMemory]:
        """Ask all knowledge sources, add what is still on the board, and note what was derived from what."""
        found = [posting for source in KNOWLEDGE_SOURCES for posting in source(self._services.store, scene)]
        nodes = {node.id: node for node in self._nodes(each.id for each in self._board.retrieved)}
        if "topic" not in scene.triggers:  # on a new topic, what belongs to it is found again
            found += carried_over(self._board, nodes)
        ids = list(dict.fromkeys(posting.node.id for posting in found if posting.node is not None))
        sources: dict[int, set[int]] = {}
        for node, source in self._services.store.boards.derived_pairs(ids):
            sources.setdefault(node, set()).add(source)
        evidence = {source for each in sources.values() for source in each}
        return [_with_sources(posting, sources, evidence) for posting in found]

    def _prompt_inputs(
        self,
        scene: MessageScene | None = None,
        postings: Sequence[PostedMemory] = (),
        message: str | None = None,
    ) -> PromptInputs:
        board = self._visible
        return PromptInputs(
            board=board,
            plan=plan_by_name(board.plan),
            budget=self._budget,
            turns=self._nodes(board.turns),
            summaries=self._nodes(board.summaries),
            message=message,
            postings=postings,
            terms=scene.terms if scene else (),
            allowance=self._allowance(scene),
            now=scene.at if scene else self._services.local_time(None),
            count=self._count,
            fence=self._services.new_fence(),
        )

    def _allowance(self, scene: MessageScene | None) -> int:
        """Tokens that one message may add: by its complexity, and all there are for an explicit recall."""
        if scene is None or "recall" in scene.triggers:
            return self._budget.retrieved
        return scene.recalls[0].query.complexity.budget

    def _apply(self, scene: MessageScene, found: ArrangedPrompt) -> Prompt:
        """Put what the prompt contains on the board, save it, and return the prompt."""
        board, before = self._board, scene.board
        known = {each.id for each in before.retrieved} | set(before.standing) | set(before.goals)
        self._board = replace(
            board,
            retrieved=found.retrieved,
            standing=found.standing,
            entities=tuple(dict.fromkeys(reversed((*board.entities, *scene.entities))))[:_MAX_ENTITIES][::-1],
            injected_at=to_micros(scene.at),
        )
        prompt = Prompt(
            messages=found.messages,
            sections=found.sections,
            fence=found.fence,
            tokens=found.tokens,
            budget=self._budget.prompt,
            added=tuple(line.id for part in found.sections for line in part.lines if line.id and line.id not in known),
            triggers=tuple(sorted(scene.triggers | ({"budget"} if self._notes else set()))),
            notes=(
                *self._notes,
                *found.notes,
                *filter(None, [redaction_note(pack_markdown(found.sections, found.fence))]),
            ),
            recall=scene.recalls[0],
        )
        self._notes = []
        self._save()
        return prompt

    # ── compacting and saving ─────────────────────────────────────────────────────────────────────────────────

    def _compact(self, keep: int) -> None:
        """Replace all but the latest `keep` turns in the window by a summary, which is stored with links to them."""
        made = self._services.store.derive(lambda: self._store_summary(keep))
        if made is None:
            return
        board, (node, old, gone) = self._board, made
        self._notes.append(f"{len(old)} turns summarised as [id:{node}]")
        self._board = replace(
            board,
            turns=tuple(id for id in board.turns if id not in gone),
            summary=node,
            private_summaries=tuple(id for id in board.summaries if id not in gone),
            summarised_until=max(board.summarised_until, *old),
        )
        self._save()

    def _store_summary(self, keep: int) -> tuple[int, list[int], set[int]] | None:
        """The summary, the turns in it, and all that it replaces."""
        self._node_cache = {}  # what is summarised is read from the file: it may have been erased since
        board, visible = self._board, self._visible
        old = self._nodes(visible.turns[:-keep])
        if not old:
            return None
        covered = [*self._nodes(visible.summaries), *old]
        text = self._summarise(covered)
        if not text.strip():  # the turns hold nothing that a summary could tell
            text = f"{len(old)} short turns"
        draft = summary_draft(board.session, text, covered, self._services.retention)
        node = self._services.store.nodes.insert_with_sources(draft, [each.id for each in covered])
        return node.id, [each.id for each in old], {each.id for each in covered}

    def _summarise(self, covered: Sequence[Node]) -> str:
        """Summarise turns. If the given function fails, an extractive summary is used and the prompt notes it."""
        turns, tokens = spoken_turns(covered), summary_tokens(self._budget)
        try:
            text = self._services.summarise(turns, tokens)
            if not isinstance(text, str):
                raise InvalidInput(f"summarise: expected a text, got {type(text).__name__}")
            return text
        except Exception as error:  # the function is foreign code; the conversation must go on
            self._notes.append(f"extractive summary instead: {error}")
            return summarize(turns, tokens).text

    def _save(self) -> None:
        """Save the board. If another handle saved a newer version, merge it first."""
        while True:
            board = replace(self._board, version=self._board.version + 1)
            if self._services.store.boards.save_board(
                board.session, board.as_json(), board.system, self._board.version
            ):
                self._board = board
                return
            self._sync()
            self._require_not_ended()

    def _sync(self) -> None:
        """Merge what other handles on this session saved, and notice if one of them ended it."""
        found = self._services.store.boards.find_board(self._board.session)
        saved = None if found is None else board_from_json(found.board, found.system)
        own = self._board.version
        if (saved.version if saved else 0) < own or (saved is None and self._session_end() != self._closed_at):
            self._ended = True
        elif saved is not None and saved.version > own:
            board = merge_boards(self._board, saved)
            nodes = self._services.store.nodes.fetch(board.goals)
            pending = (id for id in board.goals if id in nodes and nodes[id].attributes.get("outcome") == "pending")
            self._board = replace(board, goals=tuple(pending))

    def _session_end(self) -> datetime | None:
        found = self._session()
        return found.ended_at if found else None

    def _session(self) -> Session | None:
        try:
            return self._services.store.sessions.require(self._board.session)
        except NotFound:
            return None

    def _require_open(self) -> None:
        if not self._ended:
            self._sync()
        self._require_not_ended()

    def _require_not_ended(self) -> None:
        if self._ended:
            name = self._board.session
            raise InvalidInput(f"the live session {name!r} has ended; memory.live({name!r}) starts it again")

    def _require_room_for_goal(self, text: str) -> None:
        postings = [PostedMemory("goal", 1.0, "", node) for node in self._nodes(self._visible.goals)]
        section = goals_section(postings)
        lines = "\n".join([*(line.text for line in section.lines), f"- {text} [id:{2**31}]"])
        message = {"role": "user", "content": pack_markdown([section], self._services.new_fence())}
        need = message_tokens([message], self._count) + self._count(lines)
        if need > self._budget.max_goals:
            raise InvalidInput(
                f"the active goals would take {need:,} tokens of a window of {self._board.window:,}, at most "
                f"{self._budget.max_goals:,} are reserved for them; finish one, or word it shorter"
            )


def _with_sources(posting: PostedMemory, sources: dict[int, set[int]], evidence: set[int]) -> PostedMemory:
    """The posting with the nodes it was derived from. An episode from which another posting was derived is evidence."""
    if posting.node is None:
        return posting
    is_evidence = posting.category == "episode" and posting.node.id in evidence
    category = "evidence" if is_evidence else posting.category
    return replace(posting, category=category, sources=frozenset(sources.get(posting.node.id, ())))


def _same_text(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
