"""Forgetting: what would go, erasing it for good, and the log of what was erased."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace

import apsw

from omoide.clock import Clock, to_datetime
from omoide.domain import Node
from omoide.errors import Busy, CannotWrite, InvalidInput
from omoide.ids import UlidFactory
from omoide.store.door.opened import Opened
from omoide.store.engine.connection import IN_MEMORY
from omoide.store.erasure import byte_scan, closure, erase, receipts, tombstones
from omoide.store.erasure.erase import ErasedContent
from omoide.store.erasure.receipts import (
    ByteScan,
    ErasureClosure,
    ErasurePlan,
    ErasurePreview,
    ErasureReceipt,
    ErasureTarget,
    IdStates,
    KnownCopy,
)
from omoide.store.exchange import backup
from omoide.store.learning import unlearned
from omoide.store.learning.unlearned import UnlearnedSegment
from omoide.store.records import nodes

_KINDS = ("backup", "export", "migration")


class _Rehearsed(Exception):
    """Takes everything back that was done to see what would be done."""

    def __init__(self, gone: ErasedContent, left: dict[int, Node]) -> None:
        super().__init__()
        self.gone = gone
        self.left = left  # what stays, as it would read


class Forgetting(Opened):
    """Rows go in one transaction; then their bytes, which may be tried again as often as it takes."""

    def __init__(self, path: str, clock: Clock, ids: UlidFactory, busy_timeout: float) -> None:
        super().__init__(path, clock, ids, busy_timeout)
        self._unseen: dict[
            int, ErasedContent
        ] = {}  # erasures of this process that could not be finished: what to look for

    def named(self, target: ErasureTarget) -> frozenset[int]:
        return self._read(lambda db: closure.find_targets(db, target))

    def closure(self, ids: Collection[int]) -> ErasureClosure:
        return self._read(lambda db: closure.find_closure(db, ids))

    def sources_of(self, ids: Collection[int]) -> frozenset[int]:
        return self._read(lambda db: closure.sources_of(db, ids))

    def only_said(self, words: Collection[str], ids: Collection[int]) -> frozenset[str]:
        return self._read(lambda db: closure.words_said_only_by(db, words, ids))

    def lesson_around(self, id: int) -> UnlearnedSegment | None:
        return self._read(lambda db: unlearned.segment_of_turn(db, id))

    def rehearse(self, erasing: ErasurePlan) -> ErasurePreview | None:
        """Erases and takes it back: a preview that cannot differ from what it announces. None if it is outdated."""

        def work(db: apsw.Connection) -> None:
            if erase.is_current(db, erasing):
                gone = erase.erase(db, erasing, self._clock(), rehearsal=True)
                raise _Rehearsed(gone, nodes.fetch(db, [*gone.receipt.rederived, *gone.receipt.reinstated]))

        try:
            self._write(work)
        except _Rehearsed as seen:
            return self._preview(seen.gone, seen.left)
        return None

    def erase(self, erasing: ErasurePlan) -> ErasureReceipt | None:
        """Erases, then cleans up behind it. None if somebody wrote meanwhile what it would have to take along."""

        def work(db: apsw.Connection) -> ErasedContent | None:
            return erase.erase(db, erasing, self._clock()) if erase.is_current(db, erasing) else None

        gone = self._write(work)
        if gone is None:
            return None
        self._clean_up(gone)
        return self._read(lambda db: receipts.get_receipt(db, gone.receipt.id))

    def finish_erasures(self) -> list[ErasureReceipt]:
        """What a crash or a reader kept from being cleaned up. Only the process that erased knows what to look for."""
        waiting = self._read(receipts.pending_receipts)
        if waiting:
            self._clean_up(None)
        return self._read(lambda db: [receipts.get_receipt(db, each.id) for each in waiting])

    def _clean_up(self, gone: ErasedContent | None) -> None:
        """Makes the file anew without its free pages, cuts the log, looks at the bytes, and says so in the receipts."""
        why = self._rewritten()
        if gone is not None:
            self._unseen[gone.receipt.id] = gone
        seen = {id: self._looked(each) for id, each in self._unseen.items()}

        def work(db: apsw.Connection) -> None:
            for each in receipts.pending_receipts(db):
                look, copies = seen.get(each.id, (each.scan if why or each.scan.clean else ByteScan(), each.copies))
                receipts.finish_receipt(db, replace(each, scan=look, copies=copies, pending=why), self._clock())

        self._write(work)
        if not why:
            self._unseen.clear()

    def _looked(self, gone: ErasedContent) -> tuple[ByteScan, tuple[KnownCopy, ...]]:
        seen = self._read(lambda db: byte_scan.scan_files(db, self.path, gone.search_terms))
        return seen, self._copies(gone.search_terms, gone.since)

    def _after_forgotten_rows(self) -> None:
        """As after an erasure. If it cannot be done now, the last erasure is not finished, and is tried again."""
        if why := self._rewritten():
            self._write(lambda db: receipts.reopen_last_receipt(db, why))

    def _rewritten(self) -> tuple[str, ...]:
        """What could not be done, and why."""

        def work(db: apsw.Connection) -> tuple[str, ...]:
            with suppress(apsw.BusyError):  # of a reader: the log is cut at its end, or by the next try
                db.execute("VACUUM")
                if self.path == IN_MEMORY or erase.checkpoint_log(db):
                    db.execute("PRAGMA secure_delete = OFF")
                    return ()
            return ("the log could not be cut while somebody reads an older state of the file; try again",)

        try:
            return self._file.alone(work)
        except (Busy, CannotWrite) as error:
            return (str(error),)

    def _copies(self, search_terms: Sequence[str | bytes], since: int) -> tuple[KnownCopy, ...]:
        """Copies that may hold what was erased: made since it was recorded, or seen to hold it."""
        known = {copy.path: copy for copy in self._read(lambda db: receipts.known_copies(db, since))}
        found = [
            replace(copy, holds=_holds(copy.path, search_terms) if os.path.exists(copy.path) else None)
            for copy in known.values()
            if backup.partial_exists(copy.path) or not backup.is_partial(copy.path)
        ]
        left = [] if self.path == IN_MEMORY else backup.partials_beside(os.path.realpath(self.path))
        for path in (*byte_scan.copies_beside(self.path), *left):
            if path not in known and (not search_terms or _holds(path, search_terms)):
                made = to_datetime(int(os.stat(path).st_mtime * 1_000_000))
                kind = "migration" if ".before-" in os.path.basename(path) else "backup"
                found.append(KnownCopy(path, kind, made, True if search_terms else None))
        return tuple(found)

    def _preview(self, gone: ErasedContent, found: dict[int, Node]) -> ErasurePreview:
        return ErasurePreview(
            nodes=gone.nodes,
            counts=gone.receipt.counts,
            entities=gone.entities,
            relations=gone.relations,
            sessions=gone.sessions,
            rederived=tuple(found[id] for id in gone.receipt.rederived if id in found),
            reinstated=tuple(found[id] for id in gone.receipt.reinstated if id in found),
            still_stated=gone.still_stated,
            copies=self._copies(gone.search_terms, gone.since),
            cleared_texts=gone.cleared_texts,
            mentions=gone.mentions,
        )

    # ── the log ───────────────────────────────────────────────────────────────────────────────────────────────

    def receipts(self, limit: int) -> list[ErasureReceipt]:
        return self._read(lambda db: receipts.list_receipts(db, limit))

    def receipt_of(self, ids: tuple[int, ...]) -> ErasureReceipt | None:
        """Of nodes that were all erased already."""
        return self._read(lambda db: receipts.receipt_of_nodes(db, ids))

    def receipt_asked(self, target: ErasureTarget) -> ErasureReceipt | None:
        """Of what was erased already under the same name, and is not there any more."""

        def read(db: apsw.Connection) -> ErasureReceipt | None:
            found = tombstones.find_erasure_of_request(db, target.words) if target.words is not None else None
            return None if found is None else receipts.get_receipt(db, found)

        return self._read(read)

    def account(self) -> IdStates:
        """Where every id is that was ever given."""
        return self._read(receipts.count_id_states)

    def note_copy(self, path: str, kind: str) -> None:
        """A backup, an export or a migration's copy was written there: receipts will name it."""
        if kind not in _KINDS:
            raise InvalidInput(f"kind: expected {', '.join(_KINDS)}, got {kind!r}")
        self._write(lambda db: receipts.add_copy(db, os.path.realpath(path), kind, self._clock()))

    def drop_copy(self, path: str) -> None:
        """It is there no longer."""
        self._write(lambda db: receipts.remove_copy(db, os.path.realpath(path)))

    def copies(self) -> list[KnownCopy]:
        return self._read(receipts.known_copies)

    def erased_ulids(self, ulids: Sequence[str]) -> frozenset[str]:
        """Those of the ULIDs whose node was erased on request: an import leaves them out."""

        def read(db: apsw.Connection) -> frozenset[str]:
            guard = tombstones.TombstoneGuard(db, self._clock())
            return frozenset(each for each in ulids if guard.knows(each) is not None)

        return self._read(read)


def _holds(copy: str, search_terms: Sequence[str | bytes]) -> bool:
    """Of a folder, any file in it; of a file that was put aside, also its log."""
    if os.path.isdir(copy):
        return any(byte_scan.file_holds(each, search_terms) for each in byte_scan.files_in(copy))
    files = (copy, f"{copy}-wal", f"{copy}-journal")
    return any(byte_scan.file_holds(each, search_terms) for each in files) or byte_scan.copy_archive_holds(
        copy, search_terms
    )
