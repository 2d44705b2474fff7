"""Learning inside one transaction, as a whole or not at all; and the table of what is still to be learned from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Generic, ParamSpec, TypeVar

from omoide.domain import Draft, Fact, Node, Opinion, Preference, Procedure
from omoide.domain.node import MentionedTime
from omoide.store.engine import maintenance_log
from omoide.store.engine.connection import Connection
from omoide.store.engine.file import Table, TableFunction, derives, reads, writes
from omoide.store.entities import entities, mentions, names
from omoide.store.erasure import tombstones
from omoide.store.learning import statement_search, unlearned
from omoide.store.learning.unlearned import UnlearnedSegment
from omoide.store.records import edges, memories, nodes, proposals, rows
from omoide.store.records.nodes import TextChange
from omoide.store.tasks import lessons

P = ParamSpec("P")
T = TypeVar("T")
N = TypeVar("N", bound=Node)
EvidenceSource = tuple[int, str]
"""An episode and the quoted words that something is based on."""


class ErasedContentError(Exception):
    """The content to be learned was erased on request. Raised before anything is written. Its argument is the id."""


class inside(Generic[P, T]):
    """A function of a connection as a method of the transaction."""

    def __init__(self, work: TableFunction[P, T]) -> None:
        self._work = work

    def __get__(self, transaction: LearningTransaction, owner: type[LearningTransaction]) -> Callable[P, T]:
        def bound(*args: P.args, **kwargs: P.kwargs) -> T:
            return self._work(transaction._db, *args, **kwargs)

        return bound


class LearningTransaction:
    """Reads and writes inside one transaction; invalid after it ends."""

    episodes = inside(nodes.fetch)
    node_with_key = inside(nodes.find_by_evidence)
    statements = inside(statement_search.find)
    word_counts = inside(statement_search.word_counts)
    note_refusals = inside(statement_search.note_refusal)
    link_sources = inside(memories.link_sources)
    correct = inside(memories.supersede)
    bind = inside(lessons.bind)
    entity = inside(entities.find)
    entity_by_id = inside(entities.get)
    save_entity = inside(entities.save)
    set_entity_summary = inside(entities.set_summary)
    end_relations = inside(entities.end_relations)
    mention = inside(mentions.add_mentions)
    owner = inside(names.owner)
    assign_unnamed_facts = inside(names.assign_unnamed_facts)
    apply_name_correction = inside(names.apply_name_correction)
    set_session_user = inside(unlearned.set_session_user)
    names = inside(entities.all_names)

    def __init__(self, db: Connection) -> None:
        self._db = db
        self.now = db.now
        self._ids = db.ids
        self._guard = tombstones.TombstoneGuard(db, db.now)

    def facts(self, subjects: Sequence[str], predicates: Sequence[str]) -> list[Fact]:
        """Live facts of a subject under any of its names, newest first."""
        return self._select(
            Fact,
            """
            node.kind = 'fact' AND node.state = 'live'
            AND node.attributes ->> 'subject' IN (SELECT value FROM json_each(:subjects))
            AND node.attributes ->> 'predicate' IN (SELECT value FROM json_each(:predicates))
            """,
            {"subjects": subjects, "predicates": predicates},
            order="node.id DESC",
        )

    def insert(self, draft: Draft) -> Node:
        """Stores a node as it is."""
        return nodes.insert(self._db, [draft])[0]

    def erased_node(self, id: int, draft: Draft) -> Node:
        """The result for a draft that was erased on request."""
        return rows.erased_node(id, draft, self.now)

    def mentioned_times(self, node: int) -> list[MentionedTime]:
        """The times that a node speaks of."""
        return edges.times_of_nodes(self._db, [node]).get(node, [])

    def speakers(self, node: int) -> set[str]:
        """Who said what a node is based on; "user" for a user's turn without a speaker."""
        found = self._db.column(
            """
            SELECT coalesce(episode.speaker, episode.origin)
            FROM edge
            JOIN node AS episode ON episode.id = edge.target_id
            WHERE edge.source_id = ? AND edge.type = 'derived_from'
            """,
            (node,),
        )
        return set(found)

    def opinions(self, holders: Sequence[str], about: str) -> list[Opinion]:
        return self._select(
            Opinion,
            """
            node.kind = 'opinion' AND node.state = 'live'
            AND node.attributes ->> 'holder' IN (SELECT value FROM json_each(:holders))
            AND node.attributes ->> 'about' = :about
            """,
            {"holders": holders, "about": about},
            order="node.id DESC",
        )

    def preference(self, category: str, name: str) -> Preference | None:
        held = nodes.find_preference(self._db, category, name)
        return held if isinstance(held, Preference) else None

    @contextmanager
    def isolated(self) -> Iterator[None]:
        """What is written inside is undone if it raises; the rest of the transaction goes on."""
        self._db.execute("SAVEPOINT item")
        try:
            yield
        except Exception:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK TO item")
            raise
        finally:
            if self._db.in_transaction:  # an interrupted or full disk has ended it all
                self._db.execute("RELEASE item")

    def set_aside(self, episode: int, error: str) -> None:
        """Records that something said in a turn could not be learned."""
        maintenance_log.set_aside(self._db, "learn", f"turn {episode}", error)

    def procedures(
        self, *, name: str | None = None, mentioning: str | None = None, past: bool = False
    ) -> list[Procedure]:
        """Procedures by name, or whose text contains a word; with `past` also those that are not live."""
        return self._select(
            Procedure,
            """
            node.kind = 'procedure' AND (node.state = 'live' OR :past)
            AND (:name IS NULL OR node.attributes ->> 'name' = :name)
            AND (:word IS NULL OR instr(lower(node.text || ' ' || coalesce(node.attributes, '')), lower(:word)))
            """,
            {"name": name, "word": mentioning, "past": past},
        )

    def learned_from_episode(self, episode: int) -> list[Node]:
        """Live nodes learned from an episode."""
        found = self._db.column(
            """
            SELECT edge.source_id
            FROM edge
            JOIN node ON node.id = edge.source_id
            WHERE
                edge.target_id = :episode AND edge.type = 'derived_from' AND node.state = 'live'
                AND node.source_type <> 'consolidation'  -- a summary of it was not learned from it
            ORDER BY edge.source_id
            """,
            {"episode": episode},
        )
        return nodes.fetch_in_order(self._db, found)

    def learned_from(self, episodes: Sequence[int], kind: str) -> list[Node]:
        """Nodes of a kind learned from any of the episodes, in any state."""
        found = self._db.column(
            """
            SELECT DISTINCT edge.source_id
            FROM edge
            JOIN node ON node.id = edge.source_id
            WHERE
                edge.target_id IN (SELECT value FROM json_each(:episodes)) AND edge.type = 'derived_from'
                AND node.kind = :kind
            ORDER BY edge.source_id
            """,
            {"episodes": episodes, "kind": kind},
        )
        return nodes.fetch_in_order(self._db, found)

    def sources(self, node: int) -> list[int]:
        """The episodes that a node is based on."""
        based_on = "SELECT target_id FROM edge WHERE source_id = ? AND type = 'derived_from' ORDER BY target_id"
        return self._db.column(based_on, (node,))

    def evidence(self, node: int) -> list[EvidenceSource]:
        """(episode, quote) of the evidence of a node."""
        found = self._db.execute(
            "SELECT target_id, evidence FROM edge WHERE source_id = ? AND type = 'derived_from' ORDER BY id", (node,)
        )
        return [(int(row[0]), " … ".join(json.loads(row[1]))) for row in found]

    def current_version(self, id: int) -> Node | None:
        """The version of a node that is live or archived, or None. Changing an archived one restores it."""
        held = nodes.fetch(self._db, [nodes.latest_version(self._db, id)])
        return next((node for node in held.values() if node.state in ("live", "archived")), None)

    def is_edited(self, id: int) -> bool:
        """Whether someone has edited its text."""
        return any(change["verb"] == "update" for change in nodes.changes(self._db, id))

    def add(self, draft: Draft, *sources: EvidenceSource) -> Node:
        node = nodes.insert(self._db, [draft], self._allowed(draft, sources))[0]
        for source in sources:
            self.add_evidence(node.id, source)
        return node

    def supersede(self, old: int, draft: Draft, source: EvidenceSource, until: int | None = None) -> Node:
        allowed = self._allowed(draft, [source])
        node = nodes.supersede(self._db, old, draft, until, allowed)
        self.add_evidence(node.id, source)
        return node

    def accept(self, proposal: int) -> None:
        """Notes that the user accepted a proposal."""
        proposals.decide(self._db, proposal, "accepted")

    def retire_for(self, old: int, new: int, until: int | None, words: str) -> None:
        """Ends a node in favour of another. `words` are the quote that ended it."""
        nodes.unpacked(self._db, old)
        nodes.retire(self._db, old, "superseded", self.now, until)
        self.link(new, old, "supersedes", evidence=[words] if words else ())

    def _allowed(self, draft: Draft, sources: Sequence[EvidenceSource]) -> tombstones.AllowAll:
        """Raises ErasedContentError if a draft was erased and all its sources are older than that."""
        if (erased := self._guard.refuses(draft, [episode for episode, _ in sources] or None)) is not None:
            raise ErasedContentError(erased)
        return tombstones.AllowAll()

    def add_evidence(self, node: int, source: EvidenceSource) -> bool:
        """Links a node to the episode that supports it, with the quote; returns whether that is new evidence."""
        episode, words = source
        known = self._db.execute(
            "SELECT 1 FROM edge WHERE source_id = ? AND target_id = ? AND type = 'derived_from'", (node, episode)
        ).get
        if known:
            return False
        self.link(node, episode, "derived_from", evidence=[words])
        self._as_private_as(node, episode)
        return True

    def _as_private_as(self, node: int, source: int) -> None:
        """A node is as private as its most private source."""
        self._db.execute(
            """
            UPDATE node
            SET
                sensitive = max(node.sensitive, source.sensitive),
                audience = iif(source.audience = 'private', 'private', node.audience)
            FROM (SELECT sensitive, audience FROM node WHERE id = :source) AS source
            WHERE
                node.id = :node
                AND (source.sensitive > node.sensitive OR source.audience = 'private' AND node.audience = 'shared')
            """,
            {"node": node, "source": source},
        )

    def reaffirm(self, node: Node, source: EvidenceSource, confidence: float, *more: EvidenceSource) -> bool:
        """Adds evidence: sources, the higher confidence and the time; returns whether any source is new."""
        new = [each for each in (source, *more) if self.add_evidence(node.id, each)]
        if new:
            nodes.reaffirm(self._db, node.id, max(node.confidence, confidence))
        return bool(new)

    def confirm(
        self, held: Node, again: Draft, sources: Sequence[EvidenceSource], attributes: Mapping[str, Any] | None
    ) -> None:
        """Counts a statement as evidence for a node, once: its sources, key, labels, and the higher confidence.

        `attributes` are the stronger attributes of a preference.
        """
        new = [each for each in sources if self.add_evidence(held.id, each)]
        if sources and not new:
            return
        nodes.unpacked(self._db, held.id)
        nodes.record_evidence(self._db, held.id, again.key)
        nodes.reaffirm(self._db, held.id, max(held.confidence, again.confidence))
        private = held.audience == "private" or again.audience == "private"
        values: dict[str, Any] = {
            "sensitive": int(held.sensitive or again.sensitive),
            "audience": "private" if private else "shared",
        }
        tags = tuple(dict.fromkeys((*held.tags, *again.tags)))
        changed = (bool(values["sensitive"]), values["audience"]) != (held.sensitive, held.audience)
        if changed or attributes is not None or tags != held.tags:
            given = {} if attributes is None else {"attributes": attributes}
            nodes.update(self._db, held.id, TextChange(tags=tags if tags != held.tags else None), values | given)

    def update(self, id: int, words: TextChange, values: Mapping[str, Any]) -> None:
        """Updates text and values of a learned node."""
        nodes.update(self._db, id, words, values, "learned")

    def end_validity(self, id: int, until: int) -> None:
        """Ends the validity of a node; it stays as history."""
        nodes.retire(self._db, id, "superseded", self.now, until)

    def strengthen(self, held: Preference, values: Mapping[str, Any], source: EvidenceSource) -> None:
        if self.add_evidence(held.id, source):
            nodes.update(self._db, held.id, TextChange(), {"attributes": values})

    def link(
        self,
        source: int,
        target: int,
        type: str,
        *,
        confidence: float = 1.0,
        predicate: str | None = None,
        evidence: Sequence[Any] = (),
    ) -> None:
        ends = (source, target)
        edges.upsert(self._db, ends, type, predicate=predicate, confidence=confidence, evidence=evidence)

    def relate(self, source: int, type: str, target: int, confidence: float, episode: int) -> None:
        entities.upsert_relation(self._db, (source, target), type, confidence=confidence, source_node=episode)

    def preferences(self, category: str) -> list[Preference]:
        """Live preferences of a category."""
        return self._select(
            Preference,
            """
            node.kind = 'preference' AND node.state = 'live'
            AND coalesce(node.attributes ->> 'category', 'other') = :category
            """,
            {"category": category},
        )

    def instructions(self, mentioning: str) -> list[Preference]:
        """The live instructions without a scope whose text contains a word."""
        where = "node.kind = 'preference' AND node.state = 'live' AND instr(lower(node.text), lower(:word))"
        held = self._select(Preference, where, {"word": mentioning})
        return [each for each in held if (each.attributes.get("form"), each.scope) == ("instruction", None)]

    def _select(self, kind: type[N], where: str, values: dict[str, Any], order: str = "node.id") -> list[N]:
        found = self._db.column(f"SELECT node.id FROM node WHERE {where} ORDER BY {order}", values)
        return [each for each in nodes.fetch_in_order(self._db, found) if isinstance(each, kind)]


WriteStatement = Callable[[LearningTransaction, Draft], Node]
"""Stores a statement, compared with what is known; `written` of the node says what happened."""


class LearningTable(Table):
    owner = reads(names.owner)
    pending_sessions = reads(unlearned.pending_sessions)
    next_segment = reads(unlearned.next_segment)
    segment_of_turn = reads(unlearned.segment_of_turn)
    rewordings = reads(unlearned.rewordings)
    recent_actions = reads(unlearned.recent_actions)
    unsummarised_entities = reads(unlearned.unsummarised_entities)
    unlearned_trace_count = reads(unlearned.unlearned_trace_count)
    read_traces = reads(unlearned.read_traces)
    saved_proposal = reads(unlearned.saved_proposal)
    save_proposal = derives(unlearned.save_proposal)
    discard_proposal = writes(unlearned.discard_proposal)
    mark_failed = writes(unlearned.mark_failed)
    reopen_turn = writes(unlearned.reopen_turn)
    refused_since = reads(statement_search.refused_since)
    find_refused = reads(statement_search.find_refused)
    delete_refused = writes(statement_search.delete_refused)

    def transact(self, apply: Callable[[LearningTransaction], T]) -> T:
        """Applies what somebody states, in one transaction."""
        return self._file.write(lambda db: apply(LearningTransaction(db)))

    def conclude(self, apply: Callable[[LearningTransaction], T]) -> T:
        """As `transact`, for what was concluded from several memories."""
        return self._file.write_derived(lambda db: apply(LearningTransaction(db)))

    def claimed(self, segment: UnlearnedSegment, timeout: float) -> AbstractContextManager[object]:
        """While inside, no other learner reads the same session, in this process or another."""
        return self._file.claimed(segment.session_id, timeout)

    def apply_segment(self, segment: UnlearnedSegment, apply: Callable[[LearningTransaction], T]) -> T | None:
        """Applies a segment and marks it as learned, in one transaction; None if another process was faster."""

        def work(db: Connection) -> T | None:
            current = unlearned.is_unlearned(db, segment.session_id, segment.after)
            if not current or not unlearned.is_complete(db, segment):
                return None
            found = apply(LearningTransaction(db))
            unlearned.mark_learned(db, segment.session_id, segment.upto)
            return found

        return self._file.write_derived(work)

    def learn_cluster(
        self, cluster: int, members: Sequence[int], apply: Callable[[LearningTransaction], T]
    ) -> T | None:
        """Applies a cluster of traces and marks them, in one transaction; None if another process was faster."""

        def work(db: Connection) -> T | None:
            if not unlearned.mark_traces_learned(db, cluster, members):
                return None
            return apply(LearningTransaction(db))

        return self._file.write_derived(work)
