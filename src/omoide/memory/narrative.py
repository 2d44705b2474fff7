"""`memory.narrative`: the story of the sessions, and the page that an agent reads when it returns."""

from __future__ import annotations

import builtins
from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from omoide.clock import to_micros
from omoide.domain import Node
from omoide.errors import Conflict
from omoide.language.text import validate_text
from omoide.memory import continuity
from omoide.memory.continuity import recap_of
from omoide.memory.core import Namespace, daily_limit, positive
from omoide.observe import validate
from omoide.observe.redaction import redact
from omoide.observe.validate import remove_echo
from omoide.store import NarrativeDraft, NarrativeFilter

if TYPE_CHECKING:
    from omoide.memory.continuity import NarrativePassage, Recap


class NarrativeNamespace(Namespace):
    """Narratives, recaps and the continuity page. Writing twice at the same point changes nothing."""

    def write(
        self,
        text: str | None = None,
        *,
        nodes: Collection[int] = (),
        topic: str | None = None,
        session: str | None = None,
        previous: int | None = None,
        at: datetime | str | None = None,
    ) -> Node | None:
        """Write the next narrative: one sentence on where things stand.

        Args:
            text: The sentence; made from what was said since the last narrative if not given.
            nodes: Ids of the memories it tells about; the turns since the last narrative if not given.
            topic: What it is about.
            session: Session it belongs to; the latest if not given.
            previous: Id of the narrative it follows; the last of its channel if not given.
            at: When it was; now if not given.

        Returns:
            The new narrative, the last one if nothing is new, or None if there is nothing to tell.

        Raises:
            InvalidInput: `previous` is not a narrative.
        """
        store = self._core.store
        name = self._session_name(session)
        subject = validate.name(topic, "topic")
        chosen = validate.node_ids(nodes, "nodes")
        if previous is not None and store.nodes.require(previous).kind != "narrative":
            raise Conflict(f"previous: memory {previous} is not a narrative; memory.narrative.list() shows them")
        if text is None and not chosen and previous is None:
            return None if name is None else self._generate(name, subject)
        when = None if at is None else to_micros(at)
        stored = store.derive(lambda: self._store_text(text, chosen, subject, name, previous, when))
        self._core.background.wake()
        return stored

    def get(self, id: int) -> NarrativePassage | None:
        """Return the narrative that a memory belongs to, with the narratives before and after it.

        Args:
            id: Id of any memory.

        Returns:
            The narrative that tells about it or about its sources, else the last one before it was stored; or None.
        """
        from omoide.memory.continuity import NarrativePassage

        store = self._core.seen
        found = store.narratives.narrative_context(id)
        if found is None:
            return None
        held = store.nodes.fetch([each for each in (found.id, found.previous, found.next) if each is not None])
        if found.id not in held:  # the reader may see the memory, but not the narrative
            return None
        return NarrativePassage(
            narrative=held[found.id],
            previous=held.get(found.previous or 0),
            next=held.get(found.next or 0),
            nodes=found.nodes,
        )

    def list(
        self, limit: int = 20, *, session: str | None = None, topic: str | None = None, audience: str = "private"
    ) -> builtins.list[Node]:
        """List narratives, the latest first.

        Args:
            limit: Greatest number of narratives.
            session: Only those of this session.
            topic: Only those with these words in their topic.
            audience: Who reads the result: `private`, or `shared` to leave out private memories.

        Returns:
            The narratives.
        """
        core = self._core.as_viewer(audience)
        wanted = NarrativeFilter(
            limit=positive(limit, "limit"),
            session=validate.name(session, "session"),
            topic=validate.name(topic, "topic"),
            shared=core.viewer.shared,
        )
        return core.seen.narratives.list_narratives(wanted)

    def recap(
        self,
        *,
        session: str | None = None,
        channel: str | None = None,
        at: datetime | str | None = None,
        budget: int = 500,
        audience: str = "private",
        consent: str | None = None,
    ) -> Recap:
        """Recap where things stand: the last session, narratives, open questions, goals and news.

        Args:
            session: Session that begins now; it is left out.
            channel: Only sessions of this channel.
            at: When it is asked; now if not given.
            budget: Greatest number of tokens of its Markdown.
            audience: Who reads the result: `private`, or `shared` to leave out private memories.
            consent: Session for which the user consented to show sensitive memories.

        Returns:
            The recap, with `markdown` for a prompt.
        """
        core = self._core.as_viewer(audience, consent)
        return recap_of(
            core,
            session=validate.name(session, "session"),
            channel=validate.name(channel, "channel"),
            at=core.local_time(at),
            budget=positive(budget, "budget"),
            viewer=core.viewer,
        )

    def export_continuity(
        self,
        page: str = "",
        *,
        goal: str | None = None,
        budget: int = 1_000,
        audience: str = "private",
        consent: str | None = None,
    ) -> str:
        """Return the continuity page (CONTINUITY.md): what an agent should know before it continues.

        Only the part of the page between two marker comments is replaced. What others added to that part stays until
        `import_continuity` has read it.

        Args:
            page: The page as it is now, if there is one.
            goal: What is to be done next; chooses the memories.
            budget: Greatest number of tokens.
            audience: Who reads the result: `private`, or `shared` to leave out private memories.
            consent: Session for which the user consented to show sensitive memories.

        Returns:
            The Markdown text of the page.
        """
        core = self._core.as_viewer(audience, consent)
        allowed = positive(budget, "budget")
        return continuity.export_page(core, page, goal=goal, budget=allowed, viewer=core.viewer)

    def import_continuity(self, page: str) -> builtins.list[Node]:
        """Store what someone added to the continuity page, each addition once.

        Args:
            page: The Markdown text of the page.

        Returns:
            The stored memories: mistakes to avoid, open questions, notes, and what was ticked off.
        """
        return continuity.import_page(self._core, page)

    def _generate(self, session: str, topic: str | None) -> Node | None:
        """Writes a narrative with a language model where one is configured and does it well, else by rules."""
        from omoide.learn.narrative import write_narrative
        from omoide.providers import selection

        core = self._core
        limit = daily_limit(core.store, core.settings)
        model = selection.choose_language_model(core.settings, core.language_model, daily_limit=limit).model
        written = write_narrative(core.store, session, model, topic=topic, repairs=core.settings.llm_repairs)
        core.background.wake()
        return written or next(
            iter(core.store.narratives.list_narratives(NarrativeFilter(limit=1, session=session))), None
        )

    def _store_text(
        self,
        text: str | None,
        chosen: tuple[int, ...],
        topic: str | None,
        session: str | None,
        previous: int | None,
        at: int | None,
    ) -> Node | None:
        from omoide.learn.narrative import draft_narrative, narrative_sentence

        core = self._core
        covers = chosen or (() if session is None else tuple(core.store.narratives.unnarrated(session)))
        connects = covers or self._last_connected(session)  # the same again, in other words
        nodes = [core.store.nodes.require(id) for id in connects]
        made = narrative_sentence(nodes) if text is None else None
        if text is not None:
            text = redact(remove_echo(validate_text(text, core.settings.max_text_bytes))).text
        elif made is None:
            return None
        words = text or (made.text if made else "")
        draft = draft_narrative(
            nodes,
            words,
            topic or (made.topic if made else None),
            session,
            source_type="narrative" if text else "consolidation",
            origin="agent" if text else None,
            at=at or (core.clock() if text else None),
        )
        return core.store.narratives.insert_narrative(
            NarrativeDraft(
                draft=draft, connects=connects, covers=covers, entities=core.entities_in(words), previous=previous
            )
        )

    def _last_connected(self, session: str | None) -> tuple[int, ...]:
        """The memories that the last narrative of a session tells about."""
        store = self._core.store
        last = [] if session is None else store.narratives.list_narratives(NarrativeFilter(limit=1, session=session))
        found = store.narratives.narrative_context(last[0].id) if last else None
        return found.nodes if found else ()

    def _session_name(self, session: str | None) -> str | None:
        store = self._core.store
        if session is not None:
            return store.sessions.require(validate.required_name(session, "session")).name
        return next((each.name for each in store.sessions.recent(1)), None)
