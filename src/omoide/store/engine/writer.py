"""Write transactions: the gate, BEGIN IMMEDIATE, the work of all waiting threads, one COMMIT."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import apsw

from omoide.clock import DAY, Clock
from omoide.domain.audit_entry import ACTOR, Actor
from omoide.errors import Closed
from omoide.store.engine import audit
from omoide.store.engine import connection as connections
from omoide.store.engine.connection import Connection, translate_error
from omoide.store.engine.gate import Gate
from omoide.store.engine.replica import NoReplica, Replica

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
            if isinstance(ticket.error, apsw.Error):
                raise translate_error(ticket.error, self._path) from ticket.error
            raise ticket.error
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
            if any(isinstance(ticket.error, UnicodeDecodeError) for ticket in group):
                self._drop_connection()

    def _drop_connection(self) -> None:
        """Opens another for the next transaction: a row that could not be read leaves its statement unfinished."""
        if self._connection is not None and self._path != connections.IN_MEMORY:
            self._connection.close()
            self._connection = None

    def _leave_stamp(self, connection: Connection, counts: bool) -> None:
        self._stamp += 1
        now = self._clock()
        if self._stamp == 1:
            connection.execute("DELETE FROM write_mark WHERE at < ? AND writer <> ?", (now - DAY, CONTENT))
        connection.execute(
            """
            INSERT INTO write_mark (writer, stamp, at)
            VALUES (:writer, :stamp, :at)
            ON CONFLICT (writer) DO UPDATE SET stamp = excluded.stamp, at = excluded.at
            """,
            {"writer": self._name, "stamp": self._stamp, "at": now},
        )
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
    changed = audit.changed_nodes(connection)
    changed.take()
    try:
        with connection.fresh_time():
            ticket.result = ticket.work(connection)
            if ticket.counts and (changes := changed.take()):
                audit.record(connection, ticket.actor, changes)
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
