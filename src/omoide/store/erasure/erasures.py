"""Erasing in two steps: rows in one transaction, then their bytes, which can be tried again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import apsw

from omoide.clock import to_datetime
from omoide.domain import Node
from omoide.errors import Busy, CannotWrite
from omoide.store.engine import connection
from omoide.store.engine.connection import IN_MEMORY, Connection, SourcesChanged
from omoide.store.engine.file import DatabaseFile, Table, reads
from omoide.store.erasure import byte_scan, closure, erase, receipts, tombstones
from omoide.store.erasure.erase import ErasedContent
from omoide.store.erasure.receipts import (
    ByteScan,
    ErasurePlan,
    ErasurePreview,
    ErasureReceipt,
    ErasureTarget,
    KnownCopy,
)
from omoide.store.erasure.stored_secrets import Redactor, StoredSecretsReport, find_secrets, redact_rows
from omoide.store.exchange import backup
from omoide.store.records import nodes


class _Rehearsed(Exception):
    """Rolls back an erasure that was only a preview."""

    def __init__(self, erased: ErasedContent, remaining: dict[int, Node]) -> None:
        super().__init__()
        self.erased = erased
        self.remaining = remaining  # what stays, as it would read


def _receipt_for_request(db: Connection, target: ErasureTarget) -> ErasureReceipt | None:
    """The receipt of an earlier erasure of the same words."""
    found = tombstones.find_erasure_of_request(db, target.words) if target.words is not None else None
    return None if found is None else receipts.get_receipt(db, found)


def _erased_ulids(db: Connection, ulids: Sequence[str]) -> frozenset[str]:
    """Those of the ULIDs whose node was erased on request: an import leaves them out."""
    guard = tombstones.TombstoneGuard(db, db.now)
    return frozenset(each for each in ulids if guard.knows(each) is not None)


def clean_up_after_deletion(file: DatabaseFile) -> None:
    """Removes the bytes of rows that were deleted or refused because they had been erased before.

    If that fails, the last erasure counts as unfinished and is tried again.
    """
    if why := _rewrite_file(file):
        file.write(receipts.reopen_last_receipt, why)


def _rewrite_file(file: DatabaseFile, *, rebuild: bool = True) -> tuple[str, ...]:
    """Moves the log into the file and empties it. What could not be done, and why."""

    def work(db: Connection) -> tuple[str, ...]:
        with suppress(apsw.BusyError):  # a reader: the log is truncated when it ends, or by the next try
            if rebuild:
                db.execute("VACUUM")
            if file.path == IN_MEMORY or erase.checkpoint_log(db):
                db.execute("PRAGMA secure_delete = FAST")
                return ()
        return ("the log could not be truncated while a reader uses an older state of the file; try again",)

    try:
        return file.alone(work)
    except (Busy, CannotWrite) as error:
        return (str(error),)


class ErasureTable(Table):
    """What an erasure covers, erasing, and the receipts."""

    last_erasure = reads(connection.last_erasure)
    find_targets = reads(closure.find_targets)
    find_closure = reads(closure.find_closure)
    compare = reads(erase.compare)
    sources_of = reads(closure.sources_of)
    words_said_only_by = reads(closure.words_said_only_by)
    list_receipts = reads(receipts.list_receipts)
    receipt_of_nodes = reads(receipts.receipt_of_nodes)
    receipt_for_request = reads(_receipt_for_request)
    count_id_states = reads(receipts.count_id_states)
    erased_ulids = reads(_erased_ulids)

    def __init__(self, file: DatabaseFile) -> None:
        super().__init__(file)
        self._unfinished: dict[int, ErasedContent] = {}  # erasures of this process whose bytes may remain

    def rehearse(self, plan: ErasurePlan) -> ErasurePreview | None:
        """Erases and rolls back, so that the preview is exact. None if the plan is outdated."""

        def work(db: Connection) -> None:
            if erase.is_current(db, plan):
                erased = erase.erase(db, plan, db.now, rehearsal=True)
                raise _Rehearsed(erased, nodes.fetch(db, [*erased.receipt.rederived, *erased.receipt.reinstated]))

        try:
            self._file.write(work)
        except _Rehearsed as rehearsed:
            erased, remaining = self._searchable(rehearsed.erased, rehearsal=True), rehearsed.remaining
            kept = erased.receipt
            return replace(
                erased.preview,
                rederived=tuple(remaining[id] for id in kept.rederived if id in remaining),
                reinstated=tuple(remaining[id] for id in kept.reinstated if id in remaining),
                copies=self._copies(erased.search_terms, erased.since),
            )
        except SourcesChanged:
            pass
        return None

    def erase(self, plan: ErasurePlan) -> ErasureReceipt | None:
        """Erases rows and bytes. None if the plan is outdated: something was written that it would have to include."""

        def work(db: Connection) -> ErasedContent | None:
            return erase.erase(db, plan, db.now) if erase.is_current(db, plan) else None

        try:
            erased = self._file.write(work)
        except SourcesChanged:
            erased = None
        if erased is None:
            return None
        self._clean_up(self._searchable(erased))
        return self._file.read(receipts.get_receipt, erased.receipt.id)

    def _searchable(self, erased: ErasedContent, *, rehearsal: bool = False) -> ErasedContent:
        """With what to search for in the bytes, which is compared with every kept text: not while writing."""
        return self._file.read(erase.with_search_terms, erased, rehearsal=rehearsal)

    def finish_pending(self) -> list[ErasureReceipt]:
        """Cleans up after erasures that a crash or a reader interrupted."""
        pending = self._file.read(receipts.pending_receipts)
        if pending:
            self._clean_up(None)
        return [self._file.read(receipts.get_receipt, each.id) for each in pending]

    def redact(self, redactor: Redactor, *, dry_run: bool) -> StoredSecretsReport:
        """Replaces the secrets in all that is stored, and their bytes. `dry_run`: only says where they are."""
        found = tuple(self._file.read(find_secrets, redactor))
        if dry_run or not found:
            return StoredSecretsReport(found, redacted=False, copies=self._copies((), 0) if found else ())
        self._file.write(redact_rows, redactor, found)
        return StoredSecretsReport(found, redacted=True, copies=self._copies((), 0), pending=_rewrite_file(self._file))

    def _clean_up(self, erased: ErasedContent | None) -> None:
        """Truncates the log, scans the bytes, and completes the receipts.

        Deleted rows were overwritten. The file is rebuilt if a copy is found in the gap of a page that was split, and
        where the scan cannot tell: no word was left to search for, or an erasure of another process is unfinished.
        """
        if erased is not None:
            self._unfinished[erased.receipt.id] = erased
        own = dict(self._unfinished)
        why = _rewrite_file(self._file, rebuild=False)
        found = {id: self._scan(each) for id, each in own.items()}
        seen = bool(own) and all(scan.clean and scan.searched for scan in found.values())
        if not seen or {each.id for each in self._file.read(receipts.pending_receipts)} - own.keys():
            why = _rewrite_file(self._file)
            found = {id: self._scan(each) for id, each in own.items()}
        scans = {id: (scan, self._copies(own[id].search_terms, own[id].since)) for id, scan in found.items()}

        def work(db: Connection) -> None:
            own = (receipts.get_receipt(db, id) for id in scans)  # another process may have finished it without a scan
            for each in {each.id: each for each in (*receipts.pending_receipts(db), *own)}.values():
                scan, copies = scans.get(each.id, (each.scan if why or each.scan.clean else ByteScan(), each.copies))
                pending = () if each.scan.clean and not each.pending else why
                receipts.finish_receipt(db, replace(each, scan=scan, copies=copies, pending=pending), db.now)

        self._file.write(work)
        if not why:
            for id in scans:
                self._unfinished.pop(id, None)

    def _scan(self, erased: ErasedContent) -> ByteScan:
        return self._file.read(byte_scan.scan_files, self._file.path, erased.search_terms)

    def _copies(self, search_terms: Sequence[str | bytes], since: int) -> tuple[KnownCopy, ...]:
        """Copies that may hold erased content: made since it was recorded, or seen to hold it."""

        def holds(copy: str) -> bool | None:
            return byte_scan.copy_holds(copy, search_terms, self._file.key)

        known = {copy.path: copy for copy in self._file.read(receipts.known_copies, since)}
        found = [
            replace(copy, holds=holds(copy.path) if os.path.exists(copy.path) else None)
            for copy in known.values()
            if backup.partial_exists(copy.path) or not backup.is_partial(copy.path)
        ]
        path = self._file.path
        remaining = [] if path == IN_MEMORY else backup.partials_beside(os.path.realpath(path))
        for copy in (*byte_scan.copies_beside(path), *remaining):
            held = None if copy in known or not search_terms else holds(copy)
            if copy not in known and held is not False:
                made = to_datetime(int(os.stat(copy).st_mtime * 1_000_000))
                kind = "migration" if ".before-" in os.path.basename(copy) else "backup"
                found.append(KnownCopy(copy, kind, made, held))
        return tuple(found)
