"""One server of a fleet: the spaces that it holds, as open memories whose truth is in PostgreSQL."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from omoide.errors import Busy, CannotWrite, InvalidInput, OmoideError
from omoide.fleet.registry import FleetSpaces
from omoide.fleet.telemetry import FleetCounts, log, span
from omoide.memory import Memory
from omoide.settings import Settings, load_settings
from omoide.store.fleet import catch_up, leases
from omoide.store.fleet.catch_up import CatchUp
from omoide.store.fleet.database import FleetDatabase
from omoide.store.fleet.leases import Holder, LeaseTable
from omoide.store.fleet.replication import Lease, ReadingReplica, SpaceReplica, copy_whole_file

_MEGABYTE = 1024 * 1024


class HeldElsewhere(Busy):
    """Another server holds the space; `holder` says which."""

    def __init__(self, space: str, holder: Holder) -> None:
        super().__init__(f"the space {space} is held by {holder.address or 'another server'}; ask there, or try again")
        self.space = space
        self.holder = holder


@dataclass(slots=True, eq=False)
class _Copy:
    """A copy of a space that another server holds, for reading."""

    memory: Memory
    sequence: int
    made: float


@dataclass(slots=True, eq=False)
class _Held:
    """A space that this server holds."""

    memory: Memory
    lease: Lease
    renewed: float  # by our own monotonic clock, before the database was asked
    used: float = 0.0
    users: int = 0


class Fleet:
    """Opens memories of spaces. Any server may be asked for any space; one at a time holds it.

    with Fleet("postgresql://…", "copies") as fleet:
        fleet.spaces.create("otto")
        with fleet.using("otto") as memory:
            memory.remember("Otto lives in Berlin")
    """

    def __init__(
        self,
        dsn: str,
        folder: str | Path,
        *,
        address: str = "",
        settings: Settings | None = None,
        background: bool = True,
        visitor: bool = False,
        **options: Any,
    ) -> None:
        """
        Args:
            dsn: Address of the PostgreSQL database.
            folder: Where this server keeps its copies; a fast disk. It may be empty at any start.
            address: URL at which other servers reach this one; without it they answer `busy` instead of forwarding.
            settings: Of the fleet (`fleet_…`: how much to keep, how long a lease is) and of each memory.
            background: Renew leases, evict and run maintenance on threads.
            visitor: It is no server: it is not listed, and nobody may pass a space on to it.
            options: Of each memory, such as `embedder`.
        """
        self.settings = settings or load_settings()
        if self.settings.key_from:
            raise InvalidInput(
                "a fleet cannot be encrypted: PostgreSQL has the rows as they are; encrypt its disk and that of the "
                "copies, and leave out key_from ($OMOIDE_KEY_FROM)"
            )
        self.lease_seconds = self.settings.fleet_lease_seconds
        self.folder = _private_folder(Path(folder))
        self.counts = FleetCounts()
        self.server = f"{os.uname().nodename}-{os.getpid()}-{secrets.token_hex(3)}"
        self.draining = False
        self.database = FleetDatabase(dsn)
        self.spaces = FleetSpaces(self.database, self.folder)
        self.address = address
        self._leases = LeaseTable(self.database, self.server, address, self.lease_seconds)
        self._options = {"settings": self.settings, **options}
        self._held: dict[str, _Held] = {}
        self._copies: dict[str, _Copy] = {}
        self._opening: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        if not visitor:
            self._leases.join()
            log("joined", server=self.server, address=address, database=self.database.name)
        self._threads = [
            threading.Thread(target=self._repeat, args=each, name=f"omoide-fleet-{each[0].__name__}", daemon=True)
            for each in ((self.tick, self.lease_seconds / 3), (self.maintenance_next, 1.0))
            if background
        ]
        for thread in self._threads:
            thread.start()

    # Memories

    @contextmanager
    def using(self, space: str) -> Iterator[Memory]:
        """The memory of a space, which stays open inside.

        Raises:
            HeldElsewhere: Another server holds the space.
            NotFound: There is no such space.
            Busy: PostgreSQL cannot be reached.
        """
        held = self._hold(space)
        try:
            yield held.memory
        finally:
            with self._lock:
                held.users -= 1
                held.used = monotonic()

    def _hold(self, space: str) -> _Held:
        if (held := self._current(space)) is not None:
            self.counts.hits += 1
            return held
        with self._lock:
            opening = self._opening.setdefault(space, threading.Lock())
        with opening:
            if (held := self._current(space)) is not None:
                return held
            self._drop(space, give_back=False)
            held = self._take(space)  # a copy for reading is closed by it
            with self._lock:
                self._held[space] = held
                held.users += 1
        self._evict()
        return held

    def _current(self, space: str) -> _Held | None:
        """The open memory, if its lease is certain: not lost, and renewed within its time by our own clock."""
        with self._lock:
            held = self._held.get(space)
            if held is None or held.lease.lost or monotonic() - held.renewed > self.lease_seconds:
                return None
            held.users += 1
            return held

    def _take(self, space: str) -> _Held:
        if self.draining or self._stop.is_set():
            raise Busy("this server is stopping; ask another one")
        with span("fleet.open", space=space):
            return self._opened(space)

    def _opened(self, space: str) -> _Held:
        renewed = monotonic()
        lease = self._leases.take(space)
        if isinstance(lease, Holder):
            raise HeldElsewhere(space, lease)
        self._close_copy(space)
        path = str(self.spaces.path(lease.uid))
        try:
            done = self._caught_up(lease, path)
            memory = Memory(path, replica=SpaceReplica(self.database, lease, self.counts.committed), **self._options)
        except BaseException:
            with suppress(OmoideError):
                self._leases.give_back([lease])
            raise
        self.counts.opened += 1
        self.counts.rebuilt += done.rebuilt
        self.counts.rows_caught_up += done.rows
        log("opened", space=space, epoch=lease.epoch, sequence=lease.sequence, rows=done.rows, rebuilt=done.rebuilt)
        return _Held(memory, lease, renewed, used=monotonic())

    def _caught_up(self, lease: Lease, path: str) -> CatchUp:
        """The file and PostgreSQL hold the same afterwards, in the format of this version."""
        done = catch_up.catch_up(self.database, lease.space, path)
        if not done.sequence or done.upgraded:  # the first transaction of a new space is an empty file
            copy_whole_file(self.database, lease, path)
            catch_up.mark(path, lease.uid, lease.sequence)
        lease.sequence = max(done.sequence, lease.sequence)
        return done

    def reading(self, space: str) -> tuple[Memory, int]:
        """A copy of a space that another server holds, and the last transaction that it has.

        It is brought up to date when it is older than a third of a lease. It may be closed while it is used, by a
        newer one; what then raises Closed can be repeated.
        """
        with self._lock:
            opening = self._opening.setdefault(space, threading.Lock())
        with opening:
            found = self._copies.get(space)
            if found is None or monotonic() - found.made > self.lease_seconds / 3:
                self._close_copy(space)
                made = monotonic()
                path = str(self.spaces.file(space))
                sequence = catch_up.catch_up(self.database, space, path).sequence
                memory = Memory(path, replica=ReadingReplica(space), **self._options)
                found = self._copies[space] = _Copy(memory, sequence, made)
            return found.memory, found.sequence

    def lag(self) -> int:
        """How many transactions the copies for reading are behind, all together."""
        with self._lock:
            copies = {name: each.sequence for name, each in self._copies.items()}
        now = leases.sequences(self.database, list(copies)) if copies else {}
        return sum(max(now[name] - copies[name], 0) for name in now)

    def _close_copy(self, space: str) -> None:
        if (found := self._copies.pop(space, None)) is not None:
            with suppress(OmoideError):
                found.memory.close()

    def holder(self, space: str) -> Holder:
        """Who has a space now. Raises NotFound."""
        return self._leases.holder(space)

    def is_ready(self) -> bool:
        """Whether this server takes requests: PostgreSQL answers, and nobody asked it to drain."""
        try:
            leases.ping(self.database)
        except OmoideError:
            return False
        return not self.draining and not self._stop.is_set()

    def release(self, space: str) -> None:
        """Closes a space and lets other servers have it."""
        self._drop(space, give_back=True)

    def _drop(self, space: str, *, give_back: bool) -> None:
        with self._lock:
            held = self._held.pop(space, None)
        if held is None:
            return
        with suppress(OmoideError):  # what waits to be written is refused where the lease is lost
            held.memory.close()
        if give_back and not held.lease.lost:
            self._leases.give_back([held.lease])
        log("closed", space=space, lost=held.lease.lost)

    def held(self) -> dict[str, int]:
        """The spaces that this server holds, and the last transaction of each."""
        with self._lock:
            return {name: each.lease.sequence for name, each in self._held.items()}

    # Work beside the requests

    def tick(self) -> None:
        """Renews leases, closes what was lost, is wanted elsewhere or is too much."""
        with self._lock:
            held = dict(self._held)
        asked = monotonic()
        sizes = {name: self._size(each) for name, each in held.items()}
        kept, leaving, draining = self._leases.renew([each.lease for each in held.values()], sizes)
        for name, each in held.items():
            if name in kept:
                each.renewed = asked
            else:
                each.lease.lost = True
                self.counts.lost += 1
                self._drop(name, give_back=False)
        self.draining = self.draining or draining
        for name in held if self.draining else leaving:
            self.release(name)
        for name, copy in list(self._copies.items()):
            if asked - copy.made > self.lease_seconds:
                self._close_copy(name)
        self._evict()
        self._trim_folder()

    def maintenance_next(self) -> bool:
        """Runs maintenance of one space whose time has come; returns whether there was one."""
        if not self.settings.fleet_maintenance_hours or self.draining:
            return False
        space = self._leases.due_for_maintenance(self.settings.fleet_maintenance_hours)
        if space is None:
            return False
        was_open = space in self.held()
        try:
            with self.using(space) as memory:
                memory.admin.maintain()
            self.counts.maintenance += 1
            log("maintenance", space=space)
        except HeldElsewhere:
            return True  # its new holder will
        except OmoideError as error:
            self.counts.maintenance_failed += 1
            log("maintenance failed", space=space, error=str(error))
        if not was_open:
            self.release(space)
        return True

    def _repeat(self, work: Callable[[], object], seconds: float) -> None:
        """Runs a background part until the server stops. A failure is noted and tried again."""
        while not self._stop.wait(seconds):
            try:
                work()
                self.counts.errors.pop(work.__name__, None)
            except Exception as error:  # PostgreSQL may be away for a while; the server outlives it
                self.counts.errors[work.__name__] = f"{type(error).__name__}: {error}"
                log("background error", part=work.__name__, error=str(error))

    def _evict(self) -> None:
        """Closes the memories used longest ago, above the limits."""
        crowded = _resident_megabytes() > self.settings.fleet_memory_size
        with self._lock:
            idle = sorted((each.used, name) for name, each in self._held.items() if not each.users)
            surplus = len(self._held) - self.settings.fleet_open_spaces
        for _, name in idle[: max(surplus, len(idle) // 4 if crowded else 0)]:
            self.counts.evicted += 1
            self.release(name)

    def _trim_folder(self) -> None:
        with self._lock:
            in_use = {str(self.spaces.path(each.lease.uid)) for each in self._held.values()}
            in_use |= {each.memory.path for each in self._copies.values()}
        files = sorted((each.stat().st_mtime, each.stat().st_size, str(each)) for each in self.folder.glob("*.db"))
        total = sum(size for _, size, _ in files)
        for _, size, path in files:
            if total <= self.settings.fleet_disk_size * _MEGABYTE:
                return
            if path not in in_use:
                catch_up.remove_file(path)
                total -= size

    def _size(self, held: _Held) -> int:
        with suppress(OSError):
            return os.path.getsize(held.memory.path)
        return 0

    # Whole spaces

    def import_file(self, space: str, path: str | Path) -> int:
        """Puts a memory file into a new or empty space, row by row. Returns the rows sent.

        Raises:
            CannotWrite: The space holds memories already.
        """
        with self._exclusive(space) as lease:
            if leases.has_memories(self.database, space):
                raise CannotWrite(f"the space {space} is not empty; import into a new one")
            with Memory(path, create=False, embedder=None):
                pass  # brings an older file to this version
            sent = copy_whole_file(self.database, lease, str(path))
        log("imported", space=space, rows=sent)
        return sent

    def export_file(self, space: str, path: str | Path) -> int:
        """Writes a space into a new memory file that belongs to no fleet. Returns the rows written."""
        if Path(path).exists():
            raise CannotWrite(f"{path} exists already; name a new file")
        return catch_up.write_copy(self.database, space, str(path))

    def verify(self, space: str, path: str | Path | None = None) -> list[str]:
        """Compares a file with PostgreSQL, row by row; without a file, the copy of this server. Returns differences."""
        if path is not None:
            return catch_up.differences(self.database, space, str(path))
        with self._exclusive(space) as lease:
            copy = str(self.spaces.path(lease.uid))
            self._caught_up(lease, copy)
            return catch_up.differences(self.database, space, copy)

    @contextmanager
    def _exclusive(self, space: str) -> Iterator[Lease]:
        """A lease without an open memory."""
        self.release(space)
        lease = self._leases.take(space)
        if isinstance(lease, Holder):
            raise HeldElsewhere(space, lease)
        try:
            yield lease
        finally:
            self._leases.give_back([lease])

    def status(self) -> dict[str, Any]:
        """The servers and spaces of the whole fleet."""
        return {
            "servers": leases.list_servers(self.database, self.lease_seconds),
            "spaces": leases.list_spaces(self.database),
        }

    def drain(self, server: str) -> None:
        """Asks a server to give back everything and to take nothing more."""
        leases.drain(self.database, server)

    def rebalance(self) -> list[tuple[str, str, str]]:
        """Asks servers with many spaces to pass some on. Returns (space, from, to)."""
        return leases.rebalance(self.database, self.lease_seconds)

    def close(self) -> None:
        """Closes every memory and gives back every lease. Closing twice is safe."""
        if self._stop.is_set():
            return
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=self.lease_seconds)
        for name in list(self._held):
            self._drop(name, give_back=False)
        for name in list(self._copies):
            self._close_copy(name)
        with suppress(OmoideError):  # leases that cannot be given back expire
            self._leases.leave()
        self.database.close()
        log("left", server=self.server)

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _private_folder(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"the folder {folder} cannot be created: {error.strerror}") from error
    return folder.resolve()


def _resident_megabytes() -> float:
    """The memory of this process; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE
