"""Writing: what was said, what is held, what belongs together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import apsw

from omoide.domain import Draft, Edge, Entity, Node, Relation, Session
from omoide.errors import InvalidInput
from omoide.store.ageing import retention
from omoide.store.door.opened import Opened
from omoide.store.entities import entities, names
from omoide.store.entities.entities import EntityProfile
from omoide.store.records import edges, nodes, sessions
from omoide.store.records.nodes import TextChange

Revise = Callable[[Node, Draft], Mapping[str, Any] | None]
"""The fields of a held preference once a new statement is counted, or None when that says something else."""


class Writing(Opened):
    """Each verb is one transaction."""

    def add(self, drafts: Sequence[Draft]) -> list[Node]:
        """Stores drafts in order, in one transaction; one with a known key gives back the node it became."""
        return self._write(lambda db: nodes.insert(db, drafts))

    def supersede(self, old: int, draft: Draft, until: int | None = None) -> Node:
        """Whose name this corrects is called so from now on."""

        def work(db: apsw.Connection) -> Node:
            now = self._clock()
            node = nodes.supersede(db, old, draft, until)
            names.apply_name_correction(db, node.id)
            return nodes.require(db, node.id)

        return self._write(work)

    def remember(self, draft: Draft, sources: Sequence[int], more_evidence: Revise) -> Node:
        """Stores a node with links to what it was derived from. At most one preference lives under a category and name:
        evidence for it is added, another value replaces it."""

        def work(db: apsw.Connection) -> Node:
            now = self._clock()
            node = self._hold(db, draft, more_evidence, now)
            if node.state == "erased":
                return node
            for source in sources:
                nodes.require(db, source)
                edges.insert(db, node.id, source, "derived_from", now)
            return node

        return self._write(work)

    def _hold(self, db: apsw.Connection, draft: Draft, more_evidence: Revise, now: int) -> Node:
        name = draft.attributes.get("name") if draft.kind == "preference" else None
        held = nodes.find_preference(db, draft.attributes.get("category", "other"), name) if name else None
        counted = nodes.find_by_evidence(db, draft.key) if name else None
        if counted is not None or held is None:
            return counted or nodes.insert(db, [draft])[0]
        stronger = more_evidence(held, draft)
        if stronger is None:
            return nodes.supersede(db, held.id, draft)
        nodes.record_evidence(db, held.id, draft.key)
        private = held.audience == "private" or draft.audience == "private"
        values = {
            "attributes": stronger,
            "sensitive": int(held.sensitive or draft.sensitive),
            "audience": "private" if private else "shared",
        }
        return nodes.update(db, held.id, TextChange(tags=(*held.tags, *draft.tags)), values)

    def rewrite(self, id: int, words: TextChange, values: Mapping[str, Any]) -> Node:
        return self._write(lambda db: nodes.update(db, id, words, values))

    def confirm(self, id: int) -> Node:
        return self._write(lambda db: nodes.confirm(db, id))

    def adjust_score(self, id: int, by: int, hit: bool) -> Node:
        return self._write(lambda db: nodes.adjust_score(db, id, by, hit))

    def touch(self, counts: Mapping[int, int], last: Mapping[int, int], pairs: Mapping[tuple[int, int], int]) -> None:
        """Counts what was recalled, when last, and links what was recalled together. Says nothing of its truth."""

        def work(db: apsw.Connection) -> None:
            nodes.count_accesses(db, counts, last)
            edges.link_recalled_together(db, pairs)

        self._write(work)

    def link(
        self,
        source: int,
        target: int,
        type: str,
        *,
        predicate: str | None = None,
        weight: float = 1.0,
        confidence: float = 1.0,
        evidence: Sequence[Any] = (),
    ) -> Edge:
        def work(db: apsw.Connection) -> Edge:
            nodes.require(db, source)
            nodes.require(db, target)
            if source == target:
                raise InvalidInput(f"node {source} cannot be linked to itself")
            if type == "supersedes":
                nodes.retire_for(db, target, source)
            return edges.upsert(
                db,
                (source, target),
                type,
                predicate=predicate,
                weight=weight,
                confidence=confidence,
                evidence=evidence,
            )

        return self._write(work)

    def save_entity(self, profile: EntityProfile) -> Entity:
        def work(db: apsw.Connection) -> Entity:
            now = self._clock()
            saved = entities.save(db, profile)
            retention.keep_entity(db, saved.id)
            return saved

        return self._write(work)

    def relate(
        self,
        source: EntityProfile,
        type: str,
        target: EntityProfile,
        *,
        confidence: float,
        properties: Mapping[str, Any],
        source_node: int | None,
    ) -> Relation:
        def work(db: apsw.Connection) -> Relation:
            now = self._clock()
            if source_node is not None:
                nodes.require(db, source_node)
            ends = (
                entities.save(db, source).id,
                entities.save(db, target).id,
            )
            for end in ends:
                retention.keep_entity(db, end)
            if ends[0] == ends[1]:
                raise InvalidInput(f"{source.name!r} and {target.name!r} are the same entity; relate two of them")
            return entities.upsert_relation(
                db, ends, type, confidence=confidence, properties=properties, source_node=source_node
            )

        return self._write(work)

    def end_session(self, name: str, summary: str | None) -> Session:
        return self._write(lambda db: sessions.end(db, name, summary))
