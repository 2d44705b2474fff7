"""Forgetting: what would go, erasing it for good, and the log of what was erased."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace

import apsw

from omoide.clock import Clock, moment
from omoide.errors import Busy, CannotWrite, InvalidInput
from omoide.ids import Ids
from omoide.layers import Node
from omoide.store import closure, erase, learning, nodes, parts, receipts, scan, tombstone
from omoide.store.connection import MEMORY
from omoide.store.door.opened import Opened
from omoide.store.erase import Gone
from omoide.store.forgotten import Account, Closure, Copy, Erasing, Preview, Receipt, Scan, Target
from omoide.store.learning import Lesson

_KINDS = ("backup", "export", "migration")


class _Rehearsed(Exception):
    """Takes everything back that was done to see what would be done."""

    def __init__(self, gone: Gone, left: dict[int, Node]) -> None:
        super().__init__()
        self.gone = gone
        self.left = left  # what stays, as it would read


class Forgetting(Opened):
    """Rows go in one transaction; then their bytes, which may be tried again as often as it takes."""

    def __init__(self, path: str, clock: Clock, ids: Ids, busy_timeout: float) -> None:
        super().__init__(path, clock, ids, busy_timeout)
        self._unseen: dict[int, Gone] = {}  # erasures of this process that could not be finished: what to look for

    def named(self, target: Target) -> frozenset[int]:
        return self._read(lambda db: closure.named(db, target))

    def closure(self, ids: Collection[int]) -> Closure:
        return self._read(lambda db: closure.closed(db, ids))

    def sources_of(self, ids: Collection[int]) -> frozenset[int]:
        return self._read(lambda db: closure.sources(db, ids))

    def only_said(self, words: Collection[str], ids: Collection[int]) -> frozenset[str]:
        return self._read(lambda db: closure.only_said(db, words, ids))

    def lesson_around(self, id: int) -> Lesson | None:
        return self._read(lambda db: learning.around(db, id))

    def rehearse(self, erasing: Erasing) -> Preview | None:
        """Erases and takes it back: a preview that cannot differ from what it announces. None if it is outdated."""

        def work(db: apsw.Connection) -> None:
            if erase.is_still(db, erasing):
                gone = erase.erase(db, erasing, self._clock(), rehearsal=True)
                raise _Rehearsed(gone, nodes.fetch(db, [*gone.receipt.stays, *gone.receipt.revived]))

        try:
            self._write(work)
        except _Rehearsed as seen:
            return self._preview(seen.gone, seen.left)
        return None

    def erase(self, erasing: Erasing) -> Receipt | None:
        """Erases, then cleans up behind it. None if somebody wrote meanwhile what it would have to take along."""

        def work(db: apsw.Connection) -> Gone | None:
            return erase.erase(db, erasing, self._clock()) if erase.is_still(db, erasing) else None

        gone = self._write(work)
        if gone is None:
            return None
        self._clean_up(gone)
        return self._read(lambda db: receipts.get(db, gone.receipt.id))

    def finish_erasures(self) -> list[Receipt]:
        """What a crash or a reader kept from being cleaned up. Only the process that erased knows what to look for."""
        waiting = self._read(receipts.pending)
        if waiting:
            self._clean_up(None)
        return self._read(lambda db: [receipts.get(db, each.id) for each in waiting])

    def _clean_up(self, gone: Gone | None) -> None:
        """Makes the file anew without its free pages, cuts the log, looks at the bytes, and says so in the receipts."""
        why = self._rewritten()
        if gone is not None:
            self._unseen[gone.receipt.id] = gone
        seen = {id: self._looked(each) for id, each in self._unseen.items()}

        def work(db: apsw.Connection) -> None:
            for each in receipts.pending(db):
                look, copies = seen.get(each.id, (each.scan if why or each.scan.clean else Scan(), each.copies))
                receipts.finish(db, replace(each, scan=look, copies=copies, pending=why), self._clock())

        self._write(work)
        if not why:
            self._unseen.clear()

    def _looked(self, gone: Gone) -> tuple[Scan, tuple[Copy, ...]]:
        seen = self._read(lambda db: scan.scan(db, self.path, gone.needles))
        return seen, self._copies(gone.needles, gone.since)

    def _after_forgotten_rows(self) -> None:
        """As after an erasure. If it cannot be done now, the last erasure is not finished, and is tried again."""
        if why := self._rewritten():
            self._write(lambda db: receipts.reopen(db, why))

    def _rewritten(self) -> tuple[str, ...]:
        """What could not be done, and why."""

        def work(db: apsw.Connection) -> tuple[str, ...]:
            with suppress(apsw.BusyError):  # of a reader: the log is cut at its end, or by the next try
                db.execute("VACUUM")
                if self.path == MEMORY or erase.checkpointed(db):
                    db.execute("PRAGMA secure_delete = OFF")
                    return ()
            return ("the log could not be cut while somebody reads an older state of the file; try again",)

        try:
            return self._file.alone(work)
        except (Busy, CannotWrite) as error:
            return (str(error),)

    def _copies(self, needles: Sequence[str | bytes], since: int) -> tuple[Copy, ...]:
        """Copies that may hold what was erased: made since it was recorded, or seen to hold it."""
        known = {copy.path: copy for copy in self._read(lambda db: receipts.copies(db, since))}
        found = [
            replace(copy, holds=_holds(copy.path, needles) if os.path.exists(copy.path) else None)
            for copy in known.values()
            if parts.is_there(copy.path) or not parts.is_part(copy.path)
        ]
        left = [] if self.path == MEMORY else parts.beside(os.path.realpath(self.path))
        for path in (*scan.copies_beside(self.path), *left):
            if path not in known and (not needles or _holds(path, needles)):
                made = moment(int(os.stat(path).st_mtime * 1_000_000))
                kind = "migration" if ".before-" in os.path.basename(path) else "backup"
                found.append(Copy(path, kind, made, True if needles else None))
        return tuple(found)

    def _preview(self, gone: Gone, found: dict[int, Node]) -> Preview:
        return Preview(
            nodes=gone.nodes,
            counts=gone.receipt.counts,
            entities=gone.entities,
            relations=gone.relations,
            sessions=gone.sessions,
            stays=tuple(found[id] for id in gone.receipt.stays if id in found),
            revived=tuple(found[id] for id in gone.receipt.revived if id in found),
            still_says=gone.still_says,
            copies=self._copies(gone.needles, gone.since),
            swept=gone.swept,
            mentions=gone.mentions,
        )

    # ── the log ───────────────────────────────────────────────────────────────────────────────────────────────

    def receipts(self, limit: int) -> list[Receipt]:
        return self._read(lambda db: receipts.all_of_them(db, limit))

    def receipt_of(self, ids: tuple[int, ...]) -> Receipt | None:
        """Of nodes that were all erased already."""
        return self._read(lambda db: receipts.of_nodes(db, ids))

    def receipt_asked(self, target: Target) -> Receipt | None:
        """Of what was erased already under the same name, and is not there any more."""

        def read(db: apsw.Connection) -> Receipt | None:
            found = tombstone.erasure_of(db, target.words) if target.words is not None else None
            return None if found is None else receipts.get(db, found)

        return self._read(read)

    def account(self) -> Account:
        """Where every id is that was ever given."""
        return self._read(receipts.account)

    def note_copy(self, path: str, kind: str) -> None:
        """A backup, an export or a migration's copy was written there: receipts will name it."""
        if kind not in _KINDS:
            raise InvalidInput(f"kind: expected {', '.join(_KINDS)}, got {kind!r}")
        self._write(lambda db: receipts.note_copy(db, os.path.realpath(path), kind, self._clock()))

    def drop_copy(self, path: str) -> None:
        """It is there no longer."""
        self._write(lambda db: receipts.drop_copy(db, os.path.realpath(path)))

    def copies(self) -> list[Copy]:
        return self._read(receipts.copies)

    def erased_ulids(self, ulids: Sequence[str]) -> frozenset[str]:
        """Those of the ULIDs whose node was erased on request: an import leaves them out."""

        def read(db: apsw.Connection) -> frozenset[str]:
            guard = tombstone.Guard(db, self._clock())
            return frozenset(each for each in ulids if guard.knows(each) is not None)

        return self._read(read)


def _holds(copy: str, needles: Sequence[str | bytes]) -> bool:
    """Of a folder, any file in it; of a file that was put aside, also its log."""
    if os.path.isdir(copy):
        return any(scan.holds(each, needles) for each in scan.files_in(copy))
    files = (copy, f"{copy}-wal", f"{copy}-journal")
    return any(scan.holds(each, needles) for each in files) or scan.packs(copy, needles)
