"""Narrating: where things stand, told in one sentence at a time, and asked for by whoever comes back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from omoide.clock import to_micros
from omoide.domain import Node, Session
from omoide.errors import InvalidInput
from omoide.language.text import validate_text
from omoide.memory.asking import Asking
from omoide.memory.rooms import positive
from omoide.observe import validate
from omoide.observe.redaction import redact
from omoide.observe.validate import remove_echo
from omoide.store import NarrativeDraft, NarrativeFilter

if TYPE_CHECKING:
    from omoide.working.recap import NarrativePassage, OpenQuestion, Recap

_BEFORE = 3  # narratives of "where was I?"
_SESSIONS = 3  # whose open threads are still of interest
_TURNS = 300  # of them, looked through for questions and plans
_OPEN = 8
_NEWS = 5
_LOOKED_AT = 50  # sessions, for one that may be shown here
THREAD = "open-thread"  # the tag of a note that keeps something open by hand
CLOSED = "closed-thread"  # the tag of a note that says what is open no longer, whoever opened it
_CLOSINGS = 200  # the latest of them; what was closed before is not among the last sessions' threads


class Narrating(Asking):
    """Narrating twice at the same point changes nothing."""

    def narrate(
        self,
        text: str | None = None,
        *,
        nodes: Collection[int] = (),
        topic: str | None = None,
        session: str | None = None,
        previous: int | None = None,
        at: datetime | str | None = None,
    ) -> Node | None:
        """Tells where things stand in one sentence: yours, or one made from what was said since the last.

        `nodes` are the memories it connects; without them, the turns since the last narrative of the session, which is
        the latest one where none is named. It follows the last narrative of its channel, or `previous`. Given back is
        what was told already where nothing is new, and None where there is nothing to tell.
        """
        name = self._narrated(session)
        subject = validate.name(topic, "topic")
        chosen = validate.node_ids(nodes, "nodes")
        if previous is not None and self._store.node(previous).kind != "narrative":
            raise InvalidInput(f"previous: node {previous} is no narrative; `omoide narratives` lists them")
        if text is None and not chosen and previous is None:
            return None if name is None else self._made(name, subject)
        told = self._told(text, chosen, subject, name, previous, None if at is None else to_micros(at))
        self._background.wake()
        return told

    def _made(self, session: str, topic: str | None) -> Node | None:
        """By a language model where one is configured and does it well, else by rules."""
        from omoide.learn.narrative import write_narrative
        from omoide.memory.purse import DayPurse
        from omoide.providers import selection

        per_day = self._settings.llm_max_cost_per_day
        purse = DayPurse(self._store, per_day) if per_day else None
        model = selection.choose_language_model(self._settings, self._language_model, purse=purse).model
        told = write_narrative(self._store, session, model, topic=topic, repairs=self._settings.llm_repairs)
        self._background.wake()
        return told or next(iter(self._store.narratives(NarrativeFilter(limit=1, session=session))), None)

    def _told(
        self,
        text: str | None,
        chosen: tuple[int, ...],
        topic: str | None,
        session: str | None,
        previous: int | None,
        at: int | None,
    ) -> Node | None:
        from omoide.learn.narrative import draft_narrative, narrative_sentence

        covers = chosen or (() if session is None else tuple(self._store.unnarrated(session)))
        connects = covers or self._told_last(session)  # the same told again, in other words
        of = [self._store.node(id) for id in connects]
        made = narrative_sentence(of) if text is None else None
        if text is not None:
            text = redact(remove_echo(validate_text(text, self._settings.max_text_bytes))).text
        elif made is None:
            return None
        words = text or (made.text if made else "")
        draft = draft_narrative(
            of,
            words,
            topic or (made.topic if made else None),
            session,
            source_type="narrative" if text else "consolidation",
            origin="agent" if text else None,
            at=at or (self._clock() if text else None),
        )
        return self._store.tell(
            NarrativeDraft(
                draft=draft,
                connects=connects,
                covers=covers,
                entities=self._mentioned(words),
                previous=previous,
            )
        )

    def _told_last(self, session: str | None) -> tuple[int, ...]:
        """What the last narrative of a session tells of."""
        last = [] if session is None else self._store.narratives(NarrativeFilter(limit=1, session=session))
        found = self._store.narrative_of(last[0].id) if last else None
        return found.nodes if found else ()

    def _narrated(self, session: str | None) -> str | None:
        if session is not None:
            return self._store.session(validate.required_name(session, "session")).name
        return next((each.name for each in self._store.sessions(1)), None)

    def narrative(self, id: int) -> NarrativePassage | None:
        """The narrative that a memory belongs to, with the one before it and the one after; None if to none.

        It is the one that tells of it, or of what it was learned from, or the last one told when it was stored.
        """
        from omoide.working.recap import NarrativePassage

        found = self._store.narrative_of(id)
        if found is None:
            return None
        held = self._store.nodes([each for each in (found.id, found.previous, found.next) if each is not None])
        return NarrativePassage(
            narrative=held[found.id],
            previous=held.get(found.previous or 0),
            next=held.get(found.next or 0),
            nodes=found.nodes,
        )

    def narratives(
        self, limit: int = 20, *, session: str | None = None, topic: str | None = None, audience: str = "private"
    ) -> list[Node]:
        """The latest first; of one session, or with these words in their topic."""
        return self._store.narratives(
            NarrativeFilter(
                limit=positive(limit, "limit"),
                session=validate.name(session, "session"),
                topic=validate.name(topic, "topic"),
                shared=validate.audience(audience) == "shared",
            )
        )

    def where(
        self,
        *,
        session: str | None = None,
        channel: str | None = None,
        at: datetime | str | None = None,
        budget: int = 500,
        audience: str = "private",
        consent: bool = False,
    ) -> Recap:
        """Where was I? The last session, its last narrative and those before it, what is still open, the goals of a
        live session, and what became known since. `session` is the one that begins now, and is passed over.

        Nothing private where others listen (`audience="shared"`), nothing sensitive without `consent`.
        """
        from omoide.working.recap import Recap

        shared = validate.audience(audience) == "shared"
        sees = Sees(shared, validate.boolean(consent, "consent"))
        last, turns = self._last(validate.name(session, "session"), validate.name(channel, "channel"), sees)
        wanted = NarrativeFilter(limit=_BEFORE, channel=channel, shared=shared, sensitive=sees.sensitive)
        told = self._store.narratives(wanted)
        since = 0 if last is None else self._store.last_turn(last.name)
        return Recap(
            at=self._asked(at),
            session=last,
            latest=self._untold(last, sees),
            narratives=tuple(told),
            open=tuple(self._open(turns, sees)),
            goals=tuple(node for node in self._goals() if sees.may(node)),
            news=tuple(self._store.learned_since(since, _NEWS, shared=shared, sensitive=sees.sensitive)),
            budget=positive(budget, "budget"),
        )

    def _last(self, begins: str | None, channel: str | None, sees: Sees) -> tuple[Session | None, list[Node]]:
        """The last session of which something may be shown here, and what was said in it and a few before it."""
        found = [
            each
            for each in self._store.sessions(_LOOKED_AT)
            if each.name != begins and each.episode_count and channel in (None, each.channel)
        ]
        while found:
            names = [each.name for each in found[:_SESSIONS]]
            turns = [node for node in self._store.latest_turns(names, _TURNS) if sees.may(node)]
            if any(node.session == found[0].name for node in turns):
                return replace(found[0], summary=None if sees.shared else found[0].summary), turns
            del found[0]
        return None, []

    def _untold(self, last: Session | None, sees: Sees) -> str | None:
        """What was said since the last narrative, in a sentence by rules: nothing is written by asking."""
        from omoide.learn.narrative import narrative_sentence

        if last is None:
            return None
        ids = self._store.unnarrated(last.name)
        found = self._store.nodes(ids)
        told = narrative_sentence([found[id] for id in ids if id in found and sees.may(found[id])])
        return None if told is None else told.text

    def _open(self, turns: Sequence[Node], sees: Sees) -> list[OpenQuestion]:
        """What was kept open by hand, then the latest questions and plans that nothing said later has closed."""
        from omoide.maintain.summaries import find_open_items, is_closed
        from omoide.store import NodeFilter
        from omoide.working.recap import OpenQuestion

        keep = NodeFilter(
            kinds=("note",),
            tags=(THREAD,),
            audience="shared" if sees.shared else "private",
            sensitive=sees.sensitive,
            valid_at=self._clock(),
        )
        over = self._closed()
        ids = [id for id in self._store.matching(keep, _OPEN + len(over)) if id not in over]
        notes = self._store.nodes(ids)
        found = find_open_items(turns)
        open = (each for each in found.open if each.turn not in over and not is_closed(each, found.done))
        distinct = {each.text.casefold(): each for each in open}
        by_hand = [OpenQuestion(id, notes[id].text) for id in ids]
        return [*by_hand, *(OpenQuestion(each.turn, each.text) for each in reversed(distinct.values()))][:_OPEN]

    def _closed(self) -> set[int]:
        from omoide.store import NodeFilter

        ids = self._store.matching(NodeFilter(kinds=("note",), tags=(CLOSED,)), _CLOSINGS)
        found = self._store.nodes(ids).values()
        return {
            int(node.details["closes"]) for node in found if isinstance(node.details, dict) and "closes" in node.details
        }

    def _goals(self) -> list[Node]:
        """Of the session that was live last."""
        from omoide.working.board import board_from_json

        lives = self._store.lives()
        if not lives:
            return []
        goals = board_from_json(lives[0].board, lives[0].system).goals
        held = self._store.nodes(goals)
        return [held[id] for id in goals if id in held and held[id].attributes.get("outcome") == "pending"]


class Sees:
    """What may be shown to whoever asks."""

    def __init__(self, shared: bool, consent: bool) -> None:
        self.shared = shared
        self.sensitive = consent and not shared

    def may(self, node: Node) -> bool:
        return (node.audience == "shared" or not self.shared) and (self.sensitive or not node.sensitive)
