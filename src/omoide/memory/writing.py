"""Writing: what is told to a memory, and what is said of it later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from omoide.clock import to_micros
from omoide.domain import Edge, Entity, Node, Relation, Session
from omoide.domain.edge import parse_edge_type
from omoide.domain.entity import entities_named_in
from omoide.errors import InvalidInput
from omoide.language.text import validate_text
from omoide.memory.rooms import Rooms
from omoide.observe import drafts as drafts_module
from omoide.observe import validate
from omoide.observe.drafts import entity_profile
from omoide.observe.redaction import redact


class Writing(Rooms):
    """Every verb is durable when it returns."""

    def observe(
        self,
        text: str,
        *,
        role: str = "user",
        speaker: str | None = None,
        session: str | None = None,
        channel: str | None = None,
        at: datetime | str | None = None,
        type: str | None = None,
        tags: Collection[str] = (),
        outcome: str | None = None,
        parent: int | None = None,
        details: Any = None,
        task: str | None = None,
        origin: str | None = None,
        sensitive: bool = False,
        audience: str = "private",
        key: str | None = None,
    ) -> Node:
        """Keeps one turn, action, tool result or event. Durable when it returns; the same event twice is stored once.

        What makes it the same event is `key`, or, where `at` is given, the same words by the same speaker at that time.
        """
        said = drafts_module.ObservedTurn(
            text=text,
            role=role,
            speaker=speaker,
            session=session,
            channel=channel,
            at=at,
            type=type,
            tags=tags,
            outcome=outcome,
            parent=parent,
            details=details,
            task=task,
            origin=origin,
            sensitive=sensitive,
            audience=audience,
            key=key,
        )
        return self._observe([said])[0]

    def observe_many(self, turns: Iterable[Mapping[str, Any]]) -> list[Node]:
        """Keeps many in one transaction, all or none. Each is a dictionary of what observe() takes."""
        if not isinstance(turns, Iterable):
            raise InvalidInput(f"observe_many needs a list of dictionaries, got {type(turns).__name__}")
        return self._observe([drafts_module.ObservedTurn.of(each, number) for number, each in enumerate(turns)])

    def remember(
        self,
        /,
        text: str,
        *,
        kind: str = "fact",
        tags: Collection[str] = (),
        confidence: float = 1.0,
        importance: int = 5,
        origin: str = "user",
        source_type: str = "stated",
        session: str | None = None,
        task: str | None = None,
        at: datetime | str | None = None,
        valid_from: datetime | str | None = None,
        valid_until: datetime | str | None = None,
        details: Any = None,
        sensitive: bool = False,
        audience: str = "private",
        key: str | None = None,
        sources: Collection[int] = (),
        **attributes: Any,
    ) -> Node:
        """Keeps a sentence as knowledge: a fact, or any other kind but an episode, with the fields of that kind.

        A preference under a `category` and `name` that is held already grows stronger, or replaces the other value.
        """
        said = drafts_module.RememberedStatement(
            text=text,
            kind=kind,
            tags=tags,
            confidence=confidence,
            importance=importance,
            origin=origin,
            source_type=source_type,
            session=session,
            task=task,
            at=at,
            valid_from=valid_from,
            valid_until=valid_until,
            details=details,
            sensitive=sensitive,
            audience=audience,
            key=key,
            attributes=attributes,
        )
        draft = drafts_module.draft_statement(said, self._clock(), self._settings, self._mentioned)
        node = self._store.remember(draft, validate.node_ids(sources, "sources"), drafts_module.restated_preference)
        self._background.wake()
        return node

    def update(
        self,
        /,
        id: int,
        text: str | None = None,
        *,
        tags: Collection[str] | None = None,
        importance: int | None = None,
        **attributes: Any,
    ) -> Node:
        """Changes a memory in place. Its score stays, its clock resets, the earlier wording is kept in the history."""
        said = drafts_module.NodeUpdate(text=text, tags=tags, importance=importance, attributes=attributes)
        words, values = drafts_module.draft_update(self._store.node(id), said, self._settings, self._mentioned)
        node = self._store.rewrite(id, words, values)
        self._background.wake()
        return node

    def correct(
        self, /, id: int, text: str, *, at: datetime | str | None = None, origin: str = "user", **attributes: Any
    ) -> Node:
        """Replaces a memory by a better one. The old one is kept for the history and no longer recalled.

        `at` is when the new became true and the old ceased to be; fields that are not given stay, if the words allow.
        """
        said = drafts_module.corrected_statement(self._store.node(id), text, at, origin, attributes)
        draft = drafts_module.draft_statement(said, self._clock(), self._settings, self._mentioned)
        node = self._store.supersede(id, draft, None if at is None else to_micros(at))
        self._background.wake()
        return node

    def confirm(self, id: int) -> Node:
        """It is so: confidence 1, and no decay from now on."""
        return self._store.confirm(id)

    def reinforce(self, id: int) -> Node:
        """This memory helped."""
        return self._store.adjust_score(id, self._settings.reinforce_weight, hit=True)

    def demote(self, id: int) -> Node:
        """This memory was stale or beside the point."""
        return self._store.adjust_score(id, -self._settings.demote_weight, hit=False)

    def link(
        self,
        source: int,
        target: int,
        type: str = "related_to",
        *,
        predicate: str | None = None,
        weight: float = 1.0,
        confidence: float = 1.0,
        evidence: Sequence[Any] = (),
    ) -> Edge:
        """Links two memories; linking again renews the link."""
        stored, backwards = parse_edge_type(type)
        if backwards:
            source, target = target, source
        return self._store.link(
            source,
            target,
            stored,
            predicate=validate.name(predicate, "predicate"),
            weight=validate.weight(weight),
            confidence=validate.fraction(confidence, "confidence"),
            evidence=validate.details(list(evidence), "evidence"),
        )

    def entity(
        self,
        /,
        name: str,
        *,
        type: str | None = None,
        aliases: Collection[str] = (),
        description: str | None = None,
        summary: str | None = None,
        importance: int | None = None,
        **attributes: Any,
    ) -> Entity:
        """With a name alone: the entity that goes by it. With more: creates it, or adds what is new to it."""
        if all(each is None for each in (type, description, summary, importance)) and not aliases and not attributes:
            return self._store.entity(validate.required_name(name, "name"))
        return self._store.save_entity(
            entity_profile(name, type, aliases, description, summary, importance, attributes)
        )

    def relate(
        self,
        /,
        source: str,
        type: str,
        target: str,
        *,
        confidence: float = 1.0,
        source_node: int | None = None,
        **properties: Any,
    ) -> Relation:
        """Relates two entities (`relate("Otto", "works_at", "CompanyX")`); those not yet known are created."""
        return self._store.relate(
            entity_profile(source),
            validate.required_name(type, "type"),
            entity_profile(target),
            confidence=validate.fraction(confidence, "confidence"),
            properties=validate.details(properties, "properties"),
            source_node=source_node,
        )

    def end(self, session: str, *, summary: str | None = None) -> Session:
        """Closes a session and queues it for learning. Speaking in it again opens it again."""
        words = None if summary is None else redact(validate_text(summary, self._settings.max_text_bytes)).text
        ended = self._store.end_session(validate.required_name(session, "session"), words)
        self._background.wake()
        return ended

    def _observe(self, turns: Sequence[drafts_module.ObservedTurn]) -> list[Node]:
        now = self._clock()
        said: Counter[bytes] = Counter()
        names = self._store.entity_names()  # once for all of them
        drafts = []
        for number, each in enumerate(turns):
            try:
                drafts.append(
                    drafts_module.draft_turn(
                        each, now, self._settings, lambda text: entities_named_in(text, names), said
                    )
                )
            except InvalidInput as error:
                error.index = number
                raise
        nodes = self._store.add(drafts) if drafts else []
        self._background.wake()
        return nodes
