"""The store's door: verbs without SQL in their signatures, so that another database can stand behind the same ones."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import apsw

from omoide.clock import DAY, Clock
from omoide.errors import InvalidInput
from omoide.ids import Ids
from omoide.layers import Draft, Edge, Entity, Node, Relation, Session
from omoide.layers.names import Names
from omoide.store import (
    doctor,
    edges,
    entities,
    fulltext,
    identity,
    learning,
    nodes,
    past,
    plain,
    provenance,
    queue,
    sessions,
    spelled,
    stale,
    stats,
    tokens,
    vectors,
    walks,
)
from omoide.store.entities import Profile
from omoide.store.file import File
from omoide.store.fulltext import Filter
from omoide.store.learning import Lesson, Untold
from omoide.store.names import NameIndex
from omoide.store.nodes import Rewording
from omoide.store.pen import Pen
from omoide.store.plain import Scores
from omoide.store.provenance import Grounds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.store.planes import Planes
    from omoide.store.postings import Postings

_FIRST = 12  # searches by words alone, some three a question: so many cost less than the import of numpy

T = TypeVar("T")

Revise = Callable[[Node, Draft], Mapping[str, Any] | None]
"""The fields of a held preference once a new statement is counted, or None when that says something else."""


class Store:
    """One file. Reading never waits for writing; every write is durable when its verb returns."""

    def __init__(self, path: str, clock: Clock, ids: Ids, busy_timeout: float) -> None:
        self._file = File(path, clock, busy_timeout)
        self._read = self._file.read
        self._write = self._file.write
        self._clock = clock
        self._ids = ids
        self._lock = threading.Lock()  # of the vectors in memory: two threads must not load them at once
        self._planes: tuple[int, int, int, Planes] | None = None  # model, position in the log, newest vector
        self._postings: Postings | None = None
        self._asked = 0
        self._names = NameIndex()

    @property
    def path(self) -> str:
        return self._file.path

    @property
    def is_forked(self) -> bool:
        return self._file.is_forked

    def require_open(self) -> None:
        self._file.require_open()

    def state(self) -> Hashable:
        """Changes with every write of any process."""
        return self._file.state()

    def close(self) -> None:
        """Closes every connection, once the verbs under way are done."""
        self._file.close()

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────────

    def add(self, drafts: Sequence[Draft]) -> list[Node]:
        """Stores drafts in order, in one transaction; one with a known key gives back the node it became."""
        return self._write(lambda db: nodes.insert(db, drafts, self._clock(), self._ids))

    def supersede(self, old: int, draft: Draft, until: int | None = None) -> Node:
        return self._write(lambda db: nodes.supersede(db, old, draft, self._clock(), self._ids, until))

    def remember(self, draft: Draft, sources: Sequence[int], more_evidence: Revise) -> Node:
        """Stores a node with links to what it was derived from. At most one preference lives under a category and name:
        evidence for it is added, another value replaces it."""

        def work(db: apsw.Connection) -> Node:
            now = self._clock()
            node = self._hold(db, draft, more_evidence, now)
            for source in sources:
                nodes.require(db, source)
                edges.insert(db, node.id, source, "derived_from", now)
            return node

        return self._write(work)

    def _hold(self, db: apsw.Connection, draft: Draft, more_evidence: Revise, now: int) -> Node:
        name = draft.attributes.get("name") if draft.kind == "preference" else None
        held = nodes.preference(db, draft.attributes.get("category", "other"), name) if name else None
        counted = nodes.counted(db, draft.key) if name else None
        if counted is not None or held is None:
            return counted or nodes.insert(db, [draft], now, self._ids)[0]
        stronger = more_evidence(held, draft)
        if stronger is None:
            return nodes.supersede(db, held.id, draft, now, self._ids)
        nodes.count_evidence(db, held.id, draft.key, now)
        private = held.audience == "private" or draft.audience == "private"
        values = {
            "attributes": stronger,
            "sensitive": int(held.sensitive or draft.sensitive),
            "audience": "private" if private else "shared",
        }
        return nodes.rewrite(db, held.id, now, Rewording(tags=(*held.tags, *draft.tags)), values)

    def rewrite(self, id: int, words: Rewording, values: Mapping[str, Any]) -> Node:
        return self._write(lambda db: nodes.rewrite(db, id, self._clock(), words, values))

    def confirm(self, id: int) -> Node:
        return self._write(lambda db: nodes.confirm(db, id, self._clock()))

    def adjust_score(self, id: int, by: int, hit: bool) -> Node:
        return self._write(lambda db: nodes.adjust_score(db, id, by, hit, self._clock()))

    def touch(self, counts: Mapping[int, int], last: Mapping[int, int], pairs: Mapping[tuple[int, int], int]) -> None:
        """Counts what was recalled, when last, and links what was recalled together. Says nothing of its truth."""

        def work(db: apsw.Connection) -> None:
            nodes.touch(db, counts, last)
            edges.recalled_together(db, pairs, self._clock())

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
                nodes.give_way(db, target, source, self._clock())
            return edges.link(
                db,
                (source, target),
                type,
                self._clock(),
                predicate=predicate,
                weight=weight,
                confidence=confidence,
                evidence=evidence,
            )

        return self._write(work)

    def save_entity(self, profile: Profile) -> Entity:
        return self._write(lambda db: entities.save(db, profile, self._clock(), self._ids))

    def relate(
        self,
        source: Profile,
        type: str,
        target: Profile,
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
                entities.save(db, source, now, self._ids).id,
                entities.save(db, target, now, self._ids).id,
            )
            if ends[0] == ends[1]:
                raise InvalidInput(f"{source.name!r} and {target.name!r} are the same entity; relate two of them")
            return entities.relate(
                db, ends, type, now, self._ids, confidence=confidence, properties=properties, source_node=source_node
            )

        return self._write(work)

    def end_session(self, name: str, summary: str | None) -> Session:
        return self._write(lambda db: sessions.end(db, name, self._clock(), summary))

    # ── learning ──────────────────────────────────────────────────────────────────────────────────────────────

    def pending_sessions(self) -> list[str]:
        return self._read(learning.pending)

    def lesson(self, name: str, size: int) -> Lesson:
        return self._read(lambda db: learning.lesson(db, name, size))

    def journaled(self, lesson: Lesson) -> str | None:
        """The proposal for this lesson that was written down and not applied yet."""
        found = self._read(lambda db: learning.journaled(db, lesson.session_id, lesson.after))
        return None if found is None else found[1]

    def propose(self, lesson: Lesson, extractor: str, proposal: str) -> None:
        self._write(lambda db: learning.propose(db, lesson, extractor, proposal, self._clock()))

    def apply_lesson(self, lesson: Lesson, apply: Callable[[Pen], T]) -> T | None:
        """All that a lesson teaches and the mark that it is learned, in one transaction; None if another was faster."""

        def work(db: apsw.Connection) -> T | None:
            if not learning.is_still(db, lesson.session_id, lesson.after):
                return None
            now = self._clock()
            found = apply(Pen(db, now, self._ids))
            learning.done(db, lesson.session_id, lesson.upto, now)
            return found

        return self._write(work)

    def teach(self, apply: Callable[[Pen], T]) -> T:
        """What is learned beside the lessons, in one transaction."""
        return self._write(lambda db: apply(Pen(db, self._clock(), self._ids)))

    def actions(self, days: int) -> list[tuple[int, str, str]]:
        return self._read(lambda db: learning.actions(db, self._clock() - days * DAY))

    def untold(self, least_mentions: int, limit: int) -> list[Untold]:
        return self._read(lambda db: learning.untold(db, least_mentions, self._clock(), limit))

    def count_outcome(self, id: int, outcome: str) -> Node:
        return self._write(lambda db: nodes.count_outcome(db, id, outcome, self._clock()))

    def grounds(self, id: int) -> Grounds:
        return self._read(lambda db: provenance.grounds(db, id))

    def weak(self, below: float, limit: int) -> list[Node]:
        return self._read(lambda db: provenance.weak(db, self._clock(), below, limit))

    def timeline(self, entity_id: int, limit: int) -> list[Node]:
        return self._read(lambda db: provenance.timeline(db, entity_id, limit))

    def merge_entities(self, name: str, into: str) -> Entity:
        return self._write(lambda db: identity.merge(db, name, into, self._clock()))

    def split_entity(self, name: str, alias: str, type: str | None) -> Entity:
        return self._write(lambda db: identity.split(db, name, alias, type, self._clock(), self._ids))

    def learning_failed(self, name: str, reason: str) -> None:
        self._write(lambda db: learning.failed(db, name, reason))

    def examine(self, repair: bool) -> list[doctor.Finding]:
        """The longest check only reads. The others run as a writer even to look: full text can only be checked so."""
        structure = self._read(doctor.structure)
        if not structure.ok:
            return [structure]
        return [structure, *self._write(lambda db: doctor.examine(db, repair))]

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────

    def node(self, id: int) -> Node:
        return self._read(lambda db: nodes.require(db, id))

    def nodes(self, ids: Sequence[int], as_of: int | None = None) -> dict[int, Node]:
        """The nodes that exist among these ids; with `as_of`, as they were believed then."""
        return self._read(lambda db: nodes.fetch(db, ids) if as_of is None else past.believed(db, ids, as_of))

    def readable(self, ids: Sequence[int], keep: Filter) -> dict[int, Node]:
        """The nodes that may be read, by the ids they were found under: a superseded one is answered by what stands in
        its place today, and with `as_of` each by the words it had then."""

        def read(db: apsw.Connection) -> dict[int, Node]:
            if keep.as_of is None:
                found = nodes.fetch(db, ids)
                retired = [id for id, node in found.items() if node.state == "superseded"]
                found |= self._successors(db, retired) if retired else {}
            else:
                found = past.believed(db, ids, keep.as_of)
            allowed = set(fulltext.passing(db, [node.id for node in found.values()], keep))
            return {id: node for id, node in found.items() if node.id in allowed}

        return self._read(read)

    def chain(self, id: int) -> list[int]:
        """All versions of a node, oldest first."""
        return self._read(lambda db: nodes.chain(db, id))

    def facts_of(self, entity_id: int) -> list[int]:
        return self._read(lambda db: past.facts_of(db, entity_id))

    def changes(self, id: int) -> list[dict[str, Any]]:
        return self._read(lambda db: nodes.changes(db, id))

    def edges(self, id: int) -> list[Edge]:
        return self._read(lambda db: edges.around(db, id))

    def _successors(self, db: apsw.Connection, ids: Sequence[int]) -> dict[int, Node]:
        """What stands in the place of superseded nodes today, by their ids."""
        ends = {id: nodes.current(db, id) for id in ids}
        found = nodes.fetch(db, ends.values())
        return {id: found[end] for id, end in ends.items() if end in found}

    def lengths(self, ids: Sequence[int]) -> dict[int, int]:
        return self._read(lambda db: nodes.lengths(db, ids))

    def session_ids(self, ids: Sequence[int]) -> dict[int, int]:
        return self._read(lambda db: nodes.session_ids(db, ids))

    def neighbours(self, ids: Sequence[int], reach: int) -> list[tuple[int, int, int, int]]:
        return self._read(lambda db: edges.neighbours(db, ids, reach))

    def link_chain(self, ids: Sequence[int], type: str, depth: int) -> list[walks.Step]:
        return self._read(lambda db: walks.chain(db, ids, type, depth))

    def hops(self, entity_ids: Sequence[int], depth: int, confidence_over: float, fan: int) -> list[walks.Reached]:
        return self._read(lambda db: walks.hops(db, entity_ids, depth, confidence_over, fan))

    def known_of(self, entity_id: int, keep: Filter, limit: int) -> list[tuple[int, float]]:
        return self._read(lambda db: walks.known_of(db, entity_id, keep, limit))

    def entity(self, name: str) -> Entity:
        return self._read(lambda db: entities.require(db, name))

    def described(self, entity_ids: Sequence[int]) -> list[Entity]:
        """Those of the entities that something is told of."""
        found = self._read(lambda db: entities.present(db, entity_ids))
        return [entity for entity in found if entity.description or entity.summary]

    def relations(self, entity_ids: Sequence[int], confidence_over: float = 0.0) -> list[Relation]:
        return self._read(lambda db: entities.relations(db, entity_ids, confidence_over))

    def mentions(self, entity_ids: Sequence[int], limit: int) -> list[tuple[int, int]]:
        return self._read(lambda db: entities.mentions(db, entity_ids, limit))

    def entity_names(self) -> Names:
        """The index of names, up to date with what any process has written."""
        return self._read(self._names.fresh)

    def spelled(self, candidates: Sequence[str]) -> frozenset[str]:
        """Those of the words that some text spells just so."""
        return self._read(lambda db: spelled.spelled(db, candidates))

    def session(self, name: str) -> Session:
        return self._read(lambda db: sessions.require(db, name))

    def sessions(self, limit: int) -> list[Session]:
        return self._read(lambda db: sessions.recent(db, limit))

    def sessions_numbered(self, first: int, last: int) -> list[str]:
        return self._read(lambda db: sessions.numbered(db, first, last))

    def sessions_back(self, at: int, going_on: int, nearest: int, farthest: int) -> list[str]:
        return self._read(lambda db: sessions.counted_back(db, at, going_on, nearest, farthest))

    def search_text(self, wanted: Sequence[str], keep: Filter, limit: int) -> list[tuple[int, float]]:
        """(node, BM25, higher is better), best first, for any of the quoted words."""
        self._asked += 1
        return self._read(lambda db: fulltext.search(db, self._scores(db, wanted), keep, limit))

    def _scores(self, db: apsw.Connection, wanted: Sequence[str]) -> Scores:
        """FTS5 alone answers a process that asks once or twice before numpy is there; both score alike."""
        early = self._postings is None and "numpy" not in sys.modules and self._asked <= _FIRST
        if early and plain.affords(db, wanted):
            return plain.scored(db, wanted)
        return self._lists().scored(db, wanted)

    def _lists(self) -> Postings:
        if self._postings is None:
            from omoide.store.postings import Postings

            self._postings = Postings()
        return self._postings

    def rarities(self, wanted: Sequence[str]) -> dict[str, float]:
        """How much each of the quoted words tells apart here; what the index has no word for is left out."""
        return self._read(lambda db: self._lists().rarities(db, wanted))

    def next_end(self, after: int) -> int | None:
        """When the next of all nodes ceases to be true."""
        return self._read(lambda db: nodes.next_end(db, after))

    def matching(self, keep: Filter, limit: int, order: fulltext.Order = "newest") -> list[int]:
        return self._read(lambda db: fulltext.matching(db, keep, limit, order))

    def passing(self, ids: Sequence[int], keep: Filter) -> list[int]:
        return self._read(lambda db: fulltext.passing(db, ids, keep))

    def stats(self) -> stats.Stats:
        return self._read(stats.count)

    # ── vectors ───────────────────────────────────────────────────────────────────────────────────────────────

    def use_model(self, name: str, dimensions: int, gives_tokens: bool = False) -> int:
        """Makes a model the current one; only a change of model writes."""
        found = self._read(vectors.current)
        if found and found[1:] == (name, dimensions, gives_tokens):
            return found[0]
        return self._write(lambda db: vectors.use_model(db, name, dimensions, gives_tokens, self._clock()))

    def claim_texts(self, model_id: int, size: int) -> list[tuple[int, str | None, str]]:
        """Texts to embed, none while another model is the current one: the queue is that one's."""
        if not self._read(lambda db: queue.ready(db, self._clock())):
            return []

        def work(db: apsw.Connection) -> list[tuple[int, str | None, str]]:
            return queue.claim(db, size, self._clock()) if vectors.is_current(db, model_id) else []

        return self._write(work)

    def release_texts(self, ids: Sequence[int], error: str, *, blamed: bool) -> None:
        self._write(lambda db: queue.release(db, ids, error, blamed=blamed))

    def is_current(self, model_id: int) -> bool:
        return self._read(lambda db: vectors.is_current(db, model_id))

    def wants_vectors(self, model: str, gives_tokens: bool = False) -> bool:
        """Whether some texts wait for a vector of this model or its token states; looking writes nothing."""

        def read(db: apsw.Connection) -> bool:
            current = vectors.current(db)
            changed = current is not None and (current[1], current[3]) != (model, gives_tokens)
            return changed or queue.ready(db, self._clock())

        return self._read(read)

    def waiting_texts(self) -> int:
        return self._read(queue.waiting)

    def save_vectors(
        self, model_id: int, ids: Sequence[int], found: NDArray[np.float32], states: Sequence[bytes] | None = None
    ) -> None:
        self._write(lambda db: vectors.save(db, model_id, ids, found, states))

    def token_states(self, model_id: int, ids: Sequence[int]) -> dict[int, bytes]:
        """The packed token states of those that have some."""
        return self._read(lambda db: tokens.read(db, model_id, ids))

    def planes(self, model_id: int) -> Planes:
        """The model's vectors in memory, brought up to date with what any process has written."""
        from omoide.store.planes import Planes  # and with it numpy, which the first keyword answers do without

        def read(db: apsw.Connection) -> Planes:
            end, newest = stale.position(db), vectors.newest(db)
            held = self._planes if self._planes and self._planes[0] == model_id else None
            if held and held[1:3] == (end, newest):
                return held[3]
            gone = stale.since(db, "vector", held[1]) if held else None
            if held is None or gone is None:
                planes = Planes(vectors.dimensions(db, model_id))  # of this model, whichever is current by now
                last = 0
            else:
                _, _, last, planes = held
            self._planes = None  # what an interrupt leaves half loaded is loaded anew
            planes.remove(gone or ())
            planes.load(vectors.since(db, model_id, last))
            self._planes = (model_id, end, newest, planes)
            return planes

        with self._lock:
            return self._read(read)
