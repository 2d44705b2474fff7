"""Write transactions: the gate, BEGIN IMMEDIATE, the work of all waiting threads, audit, replica, one COMMIT."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

import apsw

from omoide.clock import DAY, Clock
from omoide.domain.trust import ACTOR, Actor, AuditEntry
from omoide.errors import Closed
from omoide.store.engine import connection as connections
from omoide.store.engine.connection import Connection, translate_error
from omoide.store.engine.consistency import Finding
from omoide.store.engine.gate import Gate
from omoide.store.engine.unreadable import UNREADABLE
from omoide.store.records import rows

T = TypeVar("T")
Work = Callable[[Connection], T]

_LARGEST_GROUP = 256
CONTENT = "content"  # the mark that counts transactions of all writers, except those that only count accesses


@dataclass(slots=True, eq=False)
class _Pending:
    """The work of one caller in a group commit."""

    work: Work[Any]
    counts: bool = True
    done: bool = False
    result: Any = None
    error: BaseException | None = None
    actor: Actor = field(default_factory=ACTOR.get)


class Writer:
    """Threads queue their work; the thread whose turn it is commits for all that wait, so that they share one fsync.

    COMMIT can raise although the transaction is on disk (in 36 % of runs with injected I/O faults). Therefore every
    transaction writes a stamp under this writer's name, and after a failed COMMIT the stamp in the file decides.
    """

    def __init__(
        self,
        path: str,
        gate: Gate,
        name: str,
        clock: Clock,
        connect: Callable[[], Connection],
        replica: Replica | None = None,
    ) -> None:
        self._path = path
        self._replica = replica or NoReplica()
        self._gate = gate
        self._name = name
        self._clock = clock
        self._connect = connect
        self._connection: Connection | None = None
        self._closed = False
        self._stamp = 0
        self._turn = threading.Lock()
        self._waiting: list[_Pending] = []
        self._waiting_lock = threading.Lock()

    def run(self, work: Work[T], *, counts: bool = True) -> T:
        """Runs work in a transaction and returns when it is durable; if it raises, nothing is kept.

        `counts`: it may change an answer, so that cached answers are no longer valid.
        """
        ticket = _Pending(work, counts)
        with self._waiting_lock:
            self._waiting.append(ticket)
        try:
            with self._turn:
                if not ticket.done:
                    self._commit(ticket)
        except BaseException:  # interrupted while waiting: nobody may run its work later
            self._leave(ticket)
            raise
        if ticket.error is not None:
            try:
                if isinstance(ticket.error, apsw.Error):
                    raise translate_error(ticket.error, self._path) from ticket.error
                raise ticket.error
            finally:
                ticket.error = None  # its traceback knows this ticket: a circle would keep alive what it left open
        return ticket.result  # type: ignore[no-any-return]

    def alone(self, work: Work[T]) -> T:
        """Runs work that cannot be in a transaction, such as VACUUM, while nobody else writes."""
        with self._turn:
            if self._closed:
                raise Closed(f"{self._path} was closed; open it again with Memory({self._path!r})")
            with self._gate.held():
                if self._connection is None:
                    self._connection = self._connect()
                _roll_back(self._connection)
                return work(self._connection)

    def close(self) -> None:
        """Waits for the current transaction; later calls raise Closed."""
        with self._turn:
            self._closed = True
            if self._connection is not None:
                connections.close(self._connection)
                self._connection = None
            self._gate.close()

    def _next_group(self, own: _Pending) -> list[_Pending]:
        """The longest waiting work, and always the caller's own."""
        with self._waiting_lock:
            group = [each for each in self._waiting[:_LARGEST_GROUP] if each is not own]
            self._waiting = [each for each in self._waiting[_LARGEST_GROUP:] if each is not own]
        return [*group, own]

    def _commit(self, own: _Pending) -> None:
        group: list[_Pending] = []
        before = self._stamp
        try:
            if self._closed:
                raise Closed(f"{self._path} was closed; open it again with Memory({self._path!r})")
            with self._gate.held():
                group = self._next_group(own)  # inside the gate, to include work that arrived while waiting for it
                self._transact(group)
        except Exception as error:  # every caller of the group must see the error
            group = group or self._next_group(own)
            for ticket in group:
                ticket.error = ticket.error or error
        except BaseException as interrupt:  # Ctrl-C concerns this thread only; the work of the others is put back
            if not self._kept_since(before):
                self._put_back(ticket for ticket in group if ticket is not own)
                group = [own]
            self._leave(own)
            own.error = interrupt
            own.done = True
        finally:
            for ticket in group:
                ticket.done = True

    def _leave(self, ticket: _Pending) -> None:
        with self._waiting_lock:
            self._waiting = [each for each in self._waiting if each is not ticket]

    def _put_back(self, tickets: Iterable[_Pending]) -> None:
        with self._waiting_lock:
            self._waiting[:0] = [_reset(ticket) for ticket in tickets]

    def _transact(self, group: list[_Pending]) -> None:
        if self._connection is None:
            self._connection = self._connect()
        connection, before = self._connection, self._stamp
        committed = False
        try:
            _roll_back(connection)  # a transaction that failed and could not be ended
            connection.execute("BEGIN IMMEDIATE")
            self._replica.begin(connection)
            for ticket in group:
                _run_in_savepoint(connection, ticket)
            if all(ticket.error for ticket in group):
                connection.execute("ROLLBACK")
            else:
                self._leave_stamp(connection, any(ticket.counts and not ticket.error for ticket in group))
                self._replica.publish(connection)
                connection.execute("COMMIT")
                committed = True
        except BaseException as error:
            _roll_back(connection)
            committed = isinstance(error, apsw.Error) and self._kept_since(before)
            if not committed:
                raise
        finally:
            self._replica.finish(committed=committed)
            if any(isinstance(ticket.error, UNREADABLE) for ticket in group):
                self._drop_connection()

    def _drop_connection(self) -> None:
        """Opens another for the next transaction: a row that could not be read leaves its statement unfinished."""
        if self._connection is not None and self._path != connections.IN_MEMORY:
            before, self._connection = self._connection, self._connect()  # first, as with readers
            before.close()

    def _leave_stamp(self, connection: Connection, counts: bool) -> None:
        self._stamp += 1
        now = self._clock()
        if self._stamp == 1:
            connection.execute("DELETE FROM write_mark WHERE at < ? AND writer <> ?", (now - DAY, CONTENT))
        connection.upsert("write_mark", ["writer"], writer=self._name, stamp=self._stamp, at=now)
        if counts:
            connection.execute(
                """
                INSERT INTO write_mark (writer, stamp, at)
                VALUES (?, 1, ?)
                ON CONFLICT (writer) DO UPDATE SET stamp = stamp + 1, at = excluded.at
                """,
                (CONTENT, now),
            )

    def _kept_since(self, stamp: int) -> bool:
        """Whether the transaction that began at that stamp was committed, according to the file."""
        if self._connection is None or self._stamp == stamp:
            return False
        found = self._connection.execute("SELECT stamp FROM write_mark WHERE writer = ?", (self._name,)).get
        return bool(found == self._stamp)


def _run_in_savepoint(connection: Connection, ticket: _Pending) -> None:
    """Runs one caller's work in a savepoint, so that its failure does not affect the others."""
    connection.execute("SAVEPOINT work")
    changed = changed_nodes(connection)
    changed.take()
    try:
        with connection.fresh_time():
            ticket.result = ticket.work(connection)
            if ticket.counts and (changes := changed.take()):
                record(connection, ticket.actor, changes)
    except Exception as error:
        if not connection.in_transaction:  # a full disk ends the whole transaction
            raise
        connection.execute("ROLLBACK TO work")
        ticket.error = error
    connection.execute("RELEASE work")


def _reset(ticket: _Pending) -> _Pending:
    ticket.result, ticket.error = None, None
    return ticket


def _roll_back(connection: Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


# What a writer tells a replica: every transaction, before it is committed to the file.


class Replica(Protocol):
    """Another place that must hold a transaction before the file may commit it (see store/fleet/replication.py)."""

    def begin(self, db: Connection) -> None:
        """Called after BEGIN: starts to record what changes. May raise, which refuses the transaction."""

    def publish(self, db: Connection) -> None:
        """Called before COMMIT: stores the changes elsewhere. Whatever it raises rolls the transaction back."""

    def finish(self, *, committed: bool) -> None:
        """Called when the transaction has ended. `committed`: the file kept it."""


class NoReplica:
    """The replica of a file that is alone."""

    def begin(self, db: Connection) -> None: ...

    def publish(self, db: Connection) -> None: ...

    def finish(self, *, committed: bool) -> None: ...


# The audit: which memories each transaction changed, chained by digests. It holds ids and no words.


_VERBS = {apsw.SQLITE_INSERT: "added", apsw.SQLITE_UPDATE: "changed", apsw.SQLITE_DELETE: "removed"}


class ChangedNodes:
    """Collects the ids of nodes that a connection adds, changes and removes."""

    def __init__(self, db: Connection) -> None:
        self._found: dict[str, set[int]] = {}
        db.set_update_hook(self._note)

    def _note(self, kind: int, database: str, table: str, row: int) -> None:
        if table == "node" and database == "main":
            self._found.setdefault(_VERBS[kind], set()).add(row)

    def take(self) -> dict[str, list[list[int]]]:
        """What was collected since the last call, as ranges of ids."""
        found, self._found = self._found, {}
        changed = found.get("changed", set()) - found.get("added", set())
        return {verb: _ranges(ids) for verb, ids in sorted((found | {"changed": changed}).items()) if ids}


_WATCHED: WeakKeyDictionary[Connection, ChangedNodes] = WeakKeyDictionary()


def changed_nodes(db: Connection) -> ChangedNodes:
    """What a writing connection changes, watched from the first call on."""
    if db not in _WATCHED:
        _WATCHED[db] = ChangedNodes(db)
    return _WATCHED[db]


def record(db: Connection, actor: Actor, changes: dict[str, list[list[int]]]) -> None:
    """Appends an entry to the chain."""
    before = db.execute("SELECT digest FROM audit ORDER BY id DESC LIMIT 1").get
    values = {"at": db.now, "door": actor.door, "actor": actor.name, "operation": actor.operation}
    values |= {"changes": json.dumps(changes)}
    db.insert("audit", **values, digest=_digest(before, values.values()))


def check_audit(db: Connection, repair: bool) -> Finding:
    """Whether no entry of the audit was changed, removed or inserted. Never repaired."""
    before: Any = None
    count = 0
    for id, digest, *values in db.execute(
        "SELECT id, digest, at, door, actor, operation, changes FROM audit ORDER BY id"
    ):
        if digest != _digest(before, values):
            return Finding("audit", False, f"entry {id} or the one before was changed outside of Omoide")
        before, count = digest, count + 1
    end = f", the last digest is {before.hex()[:16]}" if before else ""
    return Finding("audit", True, f"{count:,} entries are chained{end}")


def latest(db: Connection, limit: int) -> list[AuditEntry]:
    """The latest entries, the last first."""
    found = db.execute(
        "SELECT id, at, door, actor, operation, changes, digest FROM audit ORDER BY id DESC LIMIT ?", (limit,)
    )
    return [rows.record(AuditEntry, (*values, digest.hex())) for *values, digest in found]


def _digest(before: bytes | None, values: Iterable[Any]) -> bytes:
    return hashlib.sha256((before or b"") + json.dumps(list(values)).encode()).digest()


def _ranges(ids: Iterable[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for id in sorted(ids):
        if found and found[-1][1] == id - 1:
            found[-1][1] = id
        else:
            found.append([id, id])
    return found
