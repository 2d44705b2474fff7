"""The store's door: verbs without SQL in their signatures, so that another database can stand behind the same ones."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import apsw

from omoide.clock import Clock
from omoide.errors import CannotWrite, Closed, InvalidInput
from omoide.ids import Ids
from omoide.layers import Draft, Edge, Entity, Node, Relation, Session
from omoide.store import (
    connection,
    doctor,
    edges,
    entities,
    fulltext,
    migrate,
    nodes,
    queue,
    sessions,
    stats,
    vectors,
)
from omoide.store.entities import Profile
from omoide.store.failures import translated
from omoide.store.fulltext import Filter
from omoide.store.gate import Gate, OpenGate
from omoide.store.nodes import Rewording
from omoide.store.writer import Work, Writer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.store.planes import Planes

T = TypeVar("T")
Revise = Callable[[Node, Draft], Mapping[str, Any] | None]
"""The fields of a held preference once a new statement is counted, or None when that says something else."""


class _Reader:
    """One thread's connection. The lock is its thread's while it reads, and close()'s once it does not."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        self.lock = threading.RLock()


class Store:
    """One file. Reading never waits for writing; every write is durable when its verb returns."""

    def __init__(self, path: str, clock: Clock, ids: Ids, busy_timeout: float) -> None:
        # Absolute, since connections are opened later too, when the process may work in another folder;
        # and without symbolic links, since all who write to a file must pass the same gate.
        self.path = path if path == connection.MEMORY else os.path.realpath(path)
        self._clock = clock
        self._ids = ids
        self._busy_timeout = busy_timeout
        self._process = os.getpid()
        self._closed = False
        self._local = threading.local()
        self._readers: weakref.WeakSet[_Reader] = weakref.WeakSet()  # weak: a thread that ends takes its own along
        self._lock = threading.RLock()
        self._only: _Reader | None = None  # of a memory without a file
        self._planes: tuple[int, int, int, Planes] | None = None
        self._names: tuple[int, dict[str, tuple[int, ...]]] | None = None
        self._gate = OpenGate() if path == connection.MEMORY else Gate(f"{self.path}-gate", busy_timeout)
        with translated(self.path):
            first = self._open()
        if path == connection.MEMORY:
            self._only = first
        else:
            self._keep(first)
            self._file = _identity(self.path)
        writer = f"{self._process}-{os.urandom(6).hex()}"
        self._writer = Writer(self.path, self._gate, writer, clock, self._writing_connection)

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

    def touch(self, counts: Mapping[int, int]) -> None:
        self._write(lambda db: nodes.touch(db, counts, self._clock()))

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
        """The nodes that exist among these ids; with `as_of`, in the words they had then."""
        return self._read(lambda db: nodes.fetch(db, ids) if as_of is None else nodes.worded(db, ids, as_of))

    def chain(self, id: int) -> list[int]:
        """All versions of a node, oldest first."""
        return self._read(lambda db: nodes.chain(db, id))

    def changes(self, id: int) -> list[dict[str, Any]]:
        return self._read(lambda db: nodes.changes(db, id))

    def edges(self, id: int) -> list[Edge]:
        return self._read(lambda db: edges.around(db, id))

    def current(self, ids: Sequence[int]) -> dict[int, Node]:
        """What stands in the place of superseded nodes today, by their ids."""

        def read(db: apsw.Connection) -> dict[int, Node]:
            ends = {id: nodes.current(db, id) for id in ids}
            found = nodes.fetch(db, ends.values())
            return {id: found[end] for id, end in ends.items() if end in found}

        return self._read(read)

    def lengths(self, ids: Sequence[int]) -> dict[int, int]:
        return self._read(lambda db: nodes.lengths(db, ids))

    def neighbours(self, ids: Sequence[int], reach: int) -> list[tuple[int, int, int, int]]:
        return self._read(lambda db: edges.neighbours(db, ids, reach))

    def entity(self, name: str) -> Entity:
        return self._read(lambda db: entities.require(db, name))

    def relations(self, entity_ids: Sequence[int], confidence_over: float = 0.0) -> list[Relation]:
        return self._read(lambda db: entities.relations(db, entity_ids, confidence_over))

    def mentions(self, entity_ids: Sequence[int], limit: int) -> list[tuple[int, int]]:
        return self._read(lambda db: entities.mentions(db, entity_ids, limit))

    def entity_names(self) -> dict[str, tuple[int, ...]]:
        """The index of names, read again only when some process has changed a name."""

        def read(db: apsw.Connection) -> dict[str, tuple[int, ...]]:
            version = int(db.execute("SELECT value FROM counter WHERE name = 'entities'").get)
            if self._names is None or self._names[0] != version:
                self._names = (version, entities.names(db))
            return self._names[1]

        return self._read(read)

    def session(self, name: str) -> Session:
        return self._read(lambda db: sessions.require(db, name))

    def sessions(self, limit: int) -> list[Session]:
        return self._read(lambda db: sessions.recent(db, limit))

    def search_text(self, wanted: Sequence[str], keep: Filter, limit: int) -> list[tuple[int, float]]:
        return self._read(lambda db: fulltext.search(db, wanted, keep, limit))

    def matching(self, keep: Filter, limit: int, order: fulltext.Order = "newest") -> list[int]:
        return self._read(lambda db: fulltext.matching(db, keep, limit, order))

    def passing(self, ids: list[int], keep: Filter) -> list[int]:
        return self._read(lambda db: fulltext.passing(db, ids, keep))

    def stats(self) -> stats.Stats:
        return self._read(stats.count)

    # ── vectors ───────────────────────────────────────────────────────────────────────────────────────────────

    def use_model(self, name: str, dimensions: int) -> int:
        """Makes a model the current one; only a change of model writes."""
        found = self._read(vectors.current)
        if found and found[1:] == (name, dimensions):
            return found[0]
        return self._write(lambda db: vectors.use_model(db, name, dimensions, self._clock()))

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

    def wants_vectors(self, model: str) -> bool:
        """Whether some texts wait for a vector of this model; looking writes nothing."""

        def read(db: apsw.Connection) -> bool:
            current = vectors.current(db)
            return queue.ready(db, self._clock()) or (current is not None and current[1] != model)

        return self._read(read)

    def waiting_texts(self) -> int:
        return self._read(queue.waiting)

    def save_vectors(self, model_id: int, ids: Sequence[int], found: NDArray[np.float32]) -> None:
        self._write(lambda db: vectors.save(db, model_id, ids, found))

    def planes(self, model_id: int) -> Planes:
        """The model's vectors in memory, brought up to date with what any process has written."""
        import numpy as np  # a hundred milliseconds that a keyword answer does not need

        from omoide.store.planes import Planes

        def read(db: apsw.Connection) -> Planes:
            removed = vectors.removed(db)
            last = 0
            if self._planes and self._planes[:2] == (model_id, removed):
                _, _, last, planes = self._planes
            else:
                planes = Planes(vectors.dimensions(db, model_id))  # of this model, whichever is current by now
            news = vectors.since(db, model_id, last)
            if news:
                matrix = np.frombuffer(b"".join(row[2] for row in news), "<f2").reshape(len(news), planes.dimensions)
                planes.add([row[1] for row in news], matrix)
                last = news[-1][0]
            self._planes = (model_id, removed, last, planes)
            return planes

        with self._lock:
            return self._read(read)

    # ── connections ───────────────────────────────────────────────────────────────────────────────────────────

    def close(self) -> None:
        """Closes every connection, once the verbs under way are done; the last one folds the log back into the file."""
        if self._closed:
            return
        self._closed = True
        if self.is_forked:
            return  # a forked child must not touch its parent's connections
        with self._turn():
            self._writer.close()
            with self._lock:
                readers = list(self._readers)
            for reader in readers:
                with reader.lock:
                    connection.close(reader.db)

    @property
    def is_forked(self) -> bool:
        """Whether this is a forked child's copy of what its parent opened."""
        return os.getpid() != self._process

    def require_open(self) -> None:
        if self._closed:
            raise Closed(f"{self.path} was closed; open it again with Memory({self.path!r})")
        if self.is_forked:
            raise Closed(f"{self.path} was opened by another process; after a fork, open it again in the child")

    def _open(self) -> _Reader:
        """Looks before it touches: what is not ours, or newer than we are, stays as it is."""
        in_file = self.path != connection.MEMORY
        ready = in_file and connection.inspect(self.path)
        with nullcontext() if ready else self._gate.held():
            db = connection.opened(self.path, self._busy_timeout, create=not ready)
            try:
                migrate.version(db, self.path)
                connection.prepared(db)
            except BaseException:
                connection.withdraw(db, self.path)
                raise
        try:
            migrate.bring_up(db, self.path, self._gate, self._clock)
        except BaseException:
            connection.withdraw(db, self.path)
            self._gate.close()
            raise
        return _Reader(db)

    def _writing_connection(self) -> apsw.Connection:
        return self._only.db if self._only else connection.connect(self.path, self._busy_timeout)

    def _write(self, work: Work[T]) -> T:
        self.require_open()
        self._require_same_file()
        with self._turn():
            return self._writer.run(work)

    def _read(self, work: Work[T]) -> T:
        """Reads from one state of the file, however many questions the work asks."""
        self.require_open()
        with translated(self.path):
            reader = self._reader()
            with reader.lock:
                try:
                    reader.db.execute("BEGIN")
                    return work(reader.db)
                finally:
                    if reader.db.in_transaction:  # damage may have ended it
                        reader.db.execute("ROLLBACK")

    def _turn(self) -> AbstractContextManager[Any]:
        """A memory without a file has one connection for everything; a file needs no such turn."""
        return self._only.lock if self._only else nullcontext()

    def _reader(self) -> _Reader:
        if self._only is not None:
            return self._only
        reader: _Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = _Reader(connection.connect(self.path, self._busy_timeout))
            self._keep(reader)
        return reader

    def _keep(self, reader: _Reader) -> None:
        with self._lock:
            if self._closed:  # closed by another thread since this verb began
                connection.close(reader.db)
                self.require_open()
            self._readers.add(reader)
        self._local.reader = reader

    def _require_same_file(self) -> None:
        """What is written to a file that was deleted or replaced meanwhile is lost, and nothing would say so."""
        if self._only is None and _identity(self.path) != self._file:
            raise CannotWrite(f"{self.path} was moved or replaced while it was open; open it again")


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
