"""An open file: one reading connection per thread, one writer for all; and tables, whose functions are transactions."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import apsw

from omoide.clock import Clock
from omoide.domain.trust import Viewer
from omoide.errors import Busy, CannotWrite, Closed, Damaged, OmoideError
from omoide.ids import UlidFactory
from omoide.store.engine import connection, migrate, night_journal, visible_rows
from omoide.store.engine.connection import Basis, Connection, SourcesChanged, translate_errors
from omoide.store.engine.encryption import FileKey
from omoide.store.engine.gate import Gate, NoGate, OpenedFiles, claimed, has_stale_log, set_aside_stale_log
from omoide.store.engine.unreadable import UNREADABLE, as_damage, is_unreadable, mend
from omoide.store.engine.writer import CONTENT, Replica, Work, Writer

P = ParamSpec("P")
T = TypeVar("T")
TableFunction = Callable[Concatenate[Connection, P], T]


_MOST_TRIES = 10  # of a derivation whose sources keep changing


_forks = [os.getpid()]  # the process; asking the system for it at each read would cost as much as a short read
os.register_at_fork(after_in_child=lambda: _forks.insert(0, os.getpid()))


class _Reader:
    """The reading connection of a thread. Its lock is held while reading, and by close()."""

    def __init__(self, db: Connection) -> None:
        self.db = db
        self.lock = threading.RLock()


class DatabaseFile:
    """Runs work in transactions: a read sees one state of the file, a write is durable when it returns."""

    def __init__(
        self,
        path: str,
        clock: Clock,
        ids: UlidFactory,
        busy_timeout: float,
        replica: Replica | None = None,
        key: FileKey | None = None,
    ) -> None:
        # Absolute, because connections are opened later too, when the working directory may have changed;
        # without symbolic links, because all writers of a file must use the same gate.
        self.path = path if path == connection.IN_MEMORY else os.path.realpath(path)
        self._clock = clock
        self._ids = ids
        self.busy_timeout = busy_timeout
        self.key = key
        self._process = _forks[0]
        self._closed = False
        self._local = threading.local()
        self._readers: weakref.WeakSet[_Reader] = weakref.WeakSet()  # weak: the connection of a thread ends with it
        self._lock = threading.Lock()
        self._lock_in_memory = threading.Lock()  # stands for every claim
        self._only: _Reader | None = None  # the only writing connection of a memory without a file
        self._name_in_memory = f"file:/omoide-{os.urandom(12).hex()}?vfs=memdb"  # several connections share it
        self._is_alone = replica is None
        self._gate = NoGate() if path == connection.IN_MEMORY else Gate(f"{self.path}-gate", busy_timeout)
        with translate_errors(self.path):
            first = self._open()
        if path == connection.IN_MEMORY:
            self._only = first
        else:
            self._keep(first)
            self._files = OpenedFiles.of(self.path)
        writer = f"{self._process}-{os.urandom(6).hex()}"
        self._writer = Writer(self.path, self._gate, writer, clock, self._writing_connection, replica)

    def close(self) -> None:
        """Closes every connection once the work in progress is done; the last one checkpoints the log.

        Called again, it closes what an interrupt (Ctrl-C) left open.
        """
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
                    self._readers.discard(reader)

    def claimed(self, number: int, timeout: float) -> AbstractContextManager[object]:
        """While inside, nobody else has the claim of this number, in any thread or process."""
        self.require_open()
        return self._lock_in_memory if self.path == connection.IN_MEMORY else claimed(self.path, number, timeout)

    @property
    def is_forked(self) -> bool:
        """Whether this is a forked child's copy of what its parent opened."""
        return _forks[0] != self._process

    def require_open(self) -> None:
        if self._closed:
            raise Closed(f"{self.path} was closed; open it again with Memory({self.path!r})")
        if self.is_forked:
            raise Closed(f"{self.path} was opened by another process; after a fork, open it again in the child")

    def _open(self) -> _Reader:
        """Checks before it writes: a file that is not ours, or too new, stays unchanged."""
        in_file = self.path != connection.IN_MEMORY
        if in_file and has_stale_log(self.path):
            with self._gate.held():
                set_aside_stale_log(self.path)
        ready = in_file and connection.check_path(self.path, self.key)
        with nullcontext() if ready else self._gate.held():
            db = connection.open_bare(self._location, self.busy_timeout, create=not ready, key=self.key)
            try:
                migrate.file_version(db, self.path)
                connection.apply_pragmas(db)
            except BaseException:
                connection.close_untouched(db, self.path)
                raise
        try:
            migrate.upgrade(db, self.path, self._gate, self._clock)
            if self._is_alone and db.execute("SELECT EXISTS (SELECT 1 FROM fleet_position)").get:
                raise CannotWrite(
                    f"{self.path} is a server's copy of a space in a fleet, and PostgreSQL has the truth; "
                    "use the server, or write a file of your own with `omoide fleet export`"
                )
        except BaseException:
            connection.close_untouched(db, self.path)
            self._gate.close()
            raise
        return _Reader(self._equipped(db))

    def _writing_connection(self) -> Connection:
        db = self._only.db if self._only else self._connect()
        if not self._is_alone:
            db.pragma("synchronous", "normal")  # PostgreSQL has it: what a power cut takes is copied again
        return db

    @property
    def _location(self) -> str:
        """What connections open: the path, or the name of the memory that they share."""
        return self._name_in_memory if self.path == connection.IN_MEMORY else self.path

    def _connect(self) -> Connection:
        return self._equipped(connection.connect(self._location, self.busy_timeout, self.key))

    def _equipped(self, db: Connection) -> Connection:
        db.clock, db.ids = self._clock, self._ids
        return db

    def write(self, work: TableFunction[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs the work in a write transaction; returns when it is durable."""
        return self._write(lambda db: work(db, *args, **kwargs), counts=True)

    def write_counts(self, work: TableFunction[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """As `write`, for work that changes no answer: cached ones stay valid."""
        return self._write(lambda db: work(db, *args, **kwargs), counts=False)

    def _write(self, work: Work[T], *, counts: bool) -> T:
        self.require_open()
        self._require_same_file()
        night: int | None = getattr(self._local, "night", None)
        with self._turn():
            whole: Work[T] = work if night is None else partial(night_journal.record, night=night, work=work)
            result = self._run(whole, counts)
        self._require_same_file()
        return result

    def _run(self, work: Work[T], counts: bool) -> T:
        try:
            return self._writer.run(work, counts=counts)
        except (Damaged, OverflowError, *UNREADABLE) as error:
            if not is_unreadable(error.__cause__ or error) or not self._mended():
                raise error if isinstance(error, Damaged) else connection.translate_error(error, self.path) from error
        except (LookupError, TypeError, ValueError) as error:
            raise as_damage(error, self._reader().db, self.path) from error.__cause__
        return self._writer.run(work, counts=counts)

    def _mended(self) -> bool:
        """Makes readable what is not, so that one damaged text costs only itself; whether there was any."""
        if self._only is not None or not self._is_alone:
            return False
        try:
            return self._writer.run(mend) > 0
        except (OmoideError, UnicodeDecodeError):  # read-only, for example
            return False

    @contextmanager
    def recorded(self, night: int) -> Iterator[None]:
        """What this thread writes inside is recorded as part of a night."""
        self._local.night = night
        try:
            yield
        finally:
            self._local.night = None

    def derive(self, work: Callable[[], T]) -> T:
        """Runs work that reads and then writes what it concluded; again if what it read has changed meanwhile."""
        for found in self.derive_each(lambda: iter((work(),))):
            return found
        raise AssertionError  # it yields once or raises

    def derive_each(self, work: Callable[[], Iterator[T]]) -> Iterator[T]:
        """As `derive`, for work in steps. A step may be repeated: it must find what an earlier try has written."""
        outer: Basis | None = getattr(self._local, "basis", None)
        for _ in range(_MOST_TRIES):
            own = Basis(self.read(connection.last_erasure))
            self._local.basis = own
            try:
                yield from work()
                return
            except SourcesChanged:
                continue
            except (Busy, Closed):
                raise
            except Exception:  # for example a KeyError, because a memory that it knew of is gone
                self._local.basis = outer
                if self.read(own.is_current):
                    raise
            finally:
                self._local.basis = outer
        raise Busy(f"{self.path}: what is learned from keeps changing; the next run continues")

    def write_derived(self, work: TableFunction[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Writes what was concluded inside `derive`. Raises SourcesChanged if what was read has changed."""
        own: Basis | None = getattr(self._local, "basis", None)
        if own is None:
            raise RuntimeError("what is derived is written inside `derive`, which checks what it was derived from")

        def checked(db: Connection) -> T:
            own.require_current(db)
            result = work(db, *args, **kwargs)
            own.renew(db)
            return result

        return self.write(checked)

    def alone(self, work: Work[T]) -> T:
        """Runs work outside of any transaction while nobody else writes."""
        self.require_open()
        self._require_same_file()
        with self._turn(), translate_errors(self.path):
            done = self._writer.alone(work)
        self._require_same_file()
        return done

    def read(self, work: TableFunction[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs the work in a read transaction: all its queries see one state of the file."""
        return self._read(None, work, *args, **kwargs)

    def _read(self, viewer: Viewer | None, work: TableFunction[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        self.require_open()
        try:
            reader = self._reader(viewer)
            with reader.lock:
                db = reader.db
                before, db._now = db._now, None  # as `fresh_time`; this runs a dozen times for each recall
                db.basis = getattr(self._local, "basis", None)
                shared = db.in_one_state and db.in_transaction  # a damaged file may have ended the transaction
                try:
                    if not shared:
                        self._begin(db)
                    return work(db, *args, **kwargs)
                finally:
                    db._now, db.basis = before, None
                    if not shared and db.in_transaction:
                        db.execute("ROLLBACK")
        except (apsw.Error, OverflowError, *UNREADABLE) as error:
            if is_unreadable(error):
                self._drop_reader(reader)  # its unfinished statement would keep later reads at this state
                if self._mended():
                    return self._read(viewer, work, *args, **kwargs)
            raise connection.translate_error(error, self.path) from error
        except (LookupError, TypeError, ValueError) as error:
            raise as_damage(error, reader.db, self.path) from error.__cause__

    def one_state(self) -> AbstractContextManager[None]:
        """While inside, all reads of this thread share a transaction: they see one state, and each costs less.

        What this thread writes meanwhile is not seen. A memory without a file has one connection, which must not wait.
        """
        return nullcontext() if self._only is not None else self._one_state(None)

    @contextmanager
    def _one_state(self, viewer: Viewer | None) -> Iterator[None]:
        self.require_open()
        with translate_errors(self.path):
            reader = self._reader(viewer)
        with reader.lock:
            db, outer = reader.db, reader.db.in_one_state
            if not outer:
                with translate_errors(self.path):
                    self._begin(db)
            db.in_one_state = True
            try:
                yield
            finally:
                db.in_one_state = outer
                if not outer:
                    db.state_read = None
                    if reader in self._readers and db.in_transaction:  # else a read failed and closed it
                        db.execute("ROLLBACK")

    def _begin(self, db: Connection) -> None:
        """Begins to read; what an interrupt (Ctrl-C) left open on a connection for reading is ended first."""
        if self._only is None and db.in_transaction:
            db.execute("ROLLBACK")
        db.execute("BEGIN")

    def snapshot(self, work: Work[T]) -> T:
        """Reads one state of the file on a connection of its own, so that this thread's other reads stay current."""
        if self._only is not None:
            return self.read(work)
        self.require_open()
        with translate_errors(self.path):
            db = self._connect()
            try:
                db.execute("BEGIN")
                return work(db)
            except UNREADABLE as error:  # half of it may have been passed on
                again = "it was repaired, try again" if self._mended() else "restore a backup"
                raise Damaged(f"{self.path} held what cannot be read ({error}); {again}") from error
            finally:
                db.close()

    def state(self) -> Hashable:
        """A value that differs from an earlier one if anybody has written since, other than counts of accesses."""
        return self.read(lambda db: str(db.execute("SELECT stamp FROM write_mark WHERE writer = ?", (CONTENT,)).get))

    def _turn(self) -> AbstractContextManager[Any]:
        """A memory without a file has a single connection, which threads use in turn."""
        return self._only.lock if self._only else nullcontext()

    def _reader(self, viewer: Viewer | None = None) -> _Reader:
        if viewer is not None:
            return self.reader_for(viewer)
        if self._only is not None:
            return self._only
        reader: _Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = _Reader(self._connect())
            self._keep(reader)
        return reader

    def _drop_reader(self, reader: _Reader) -> None:
        """Closes a reading connection of this thread; its next read opens another."""
        if reader is self._only:
            return
        self._local.viewed = {}
        self._keep(_Reader(self._connect()))  # first: with the last connection, SQLite removes the log
        with self._lock:
            self._readers.discard(reader)
        connection.close(reader.db)

    def _keep(self, reader: _Reader) -> None:
        self._register(reader)
        self._local.reader = reader

    def _register(self, reader: _Reader) -> None:
        with self._lock:
            if self._closed:  # closed by another thread meanwhile
                connection.close(reader.db)
                self.require_open()
            self._readers.add(reader)

    def reader_for(self, viewer: Viewer) -> _Reader:
        """The connection of this thread that reads only what a viewer may see."""
        held: dict[Viewer, _Reader] = self._local.__dict__.setdefault("viewed", {})
        reader = held.get(viewer)
        if reader is None:
            reader = _Reader(visible_rows.restrict(self._connect(), viewer))
            if self._only is not None:
                reader.lock = self._only.lock
            self._register(reader)
            held[viewer] = reader
        return reader

    def _require_same_file(self) -> None:
        """A write to a file that was deleted or replaced, or to a removed log, would be lost silently."""
        if self._only is None:
            self._files.require_same()


class Table:
    """Holds the file; `reads`, `writes`, `counts` and `derives` bind functions to it."""

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file


class Operation(Generic[P, T]):
    """A function of a connection as a method of a table that runs it in a transaction."""

    def __init__(self, work: TableFunction[P, T], run: str) -> None:
        """`run` names the method of DatabaseFile that begins the transaction."""
        self._work, self._run = work, run

    def __get__(self, table: Table, owner: type[Table]) -> Callable[P, T]:
        run = getattr(table._file, self._run)

        def bound(*args: P.args, **kwargs: P.kwargs) -> T:
            return run(self._work, *args, **kwargs)  # type: ignore[no-any-return]

        return bound


def reads(work: TableFunction[P, T]) -> Operation[P, T]:
    return Operation(work, "read")


def writes(work: TableFunction[P, T]) -> Operation[P, T]:
    return Operation(work, "write")


def counts(work: TableFunction[P, T]) -> Operation[P, T]:
    return Operation(work, "write_counts")


def derives(work: TableFunction[P, T]) -> Operation[P, T]:
    return Operation(work, "write_derived")
