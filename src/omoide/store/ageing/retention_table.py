"""Retention as the maintenance jobs use it: select in a read, check again and act in a short write."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from omoide.store.ageing import archive, carried, retention
from omoide.store.ageing.archive import ArchiveRequest
from omoide.store.ageing.carried import RetentionDecision
from omoide.store.ageing.retention import AgedNode, Orphan
from omoide.store.engine.connection import Connection
from omoide.store.engine.file import DatabaseFile, Table, reads, writes
from omoide.store.erasure import tombstones

ArchiveReason = Callable[[AgedNode], ArchiveRequest]
"""How a node leaves use, and the reason that its history keeps."""
_Select = Callable[[Connection, Sequence[int] | None], list[AgedNode]]


class RetentionTable(Table):
    """Every job can run without effect: without a reason, or without `drop`, it only returns what it would act on."""

    prune_quota = reads(retention.prune_quota)
    least_used = reads(retention.least_used)
    newest_recorded = reads(retention.newest_recorded)
    prune = writes(retention.prune)

    def __init__(self, file: DatabaseFile, clean_up: Callable[[], None]) -> None:
        super().__init__(file)
        self._clean_up = clean_up

    def fade(self, now: int, below: float, after: int, limit: int, why: ArchiveReason | None) -> list[AgedNode]:
        """Archives the next learned nodes whose confidence fell below a threshold."""
        return self._age(lambda db, among: retention.low_confidence(db, now, below, after, limit, among), now, why)

    def decide_turns(self, now: int, after: int, limit: int, *, apply: bool) -> list[RetentionDecision]:
        """Decides about the next turns past their retention date: archived if live memories carry their content."""
        found = self._file.read(carried.decide_due_turns, now, after, limit)
        if not apply or not found:
            return found

        def work(db: Connection) -> list[RetentionDecision]:
            still = carried.decide_due_turns(db, now, after, limit, [each.id for each in found])
            carried.apply_decisions(db, still, now)
            return still

        return self._file.write(work)

    def expire(
        self, now: int, after: int, limit: int, why: ArchiveReason | None, *, delete: bool = False
    ) -> list[AgedNode]:
        """Archives the next episodes that are past their expiry; with `delete` their text is deleted."""
        return self._age(lambda db, among: retention.expired_episodes(db, now, after, limit, among), now, why, delete)

    def expire_traces(self, now: int, before: int, after: int, limit: int, why: ArchiveReason | None) -> list[AgedNode]:
        """Archives the next task traces that are older than a time and that no learned node refers to."""
        return self._age(lambda db, among: retention.old_traces(db, before, after, limit, among), now, why)

    def _age(self, select: _Select, now: int, why: ArchiveReason | None, delete: bool = False) -> list[AgedNode]:
        found = self._file.read(select, None)
        if why is None or not found:
            return found

        def work(db: Connection) -> list[AgedNode]:
            still = select(db, [each.id for each in found])
            gone = archive.archive_nodes(db, [why(each) for each in still], now)
            if delete:
                archive.delete_texts(db, gone)
            return still

        return self._file.write(work)

    def orphaned_entities(self, before: int, after: int, limit: int, *, drop: bool) -> list[Orphan]:
        """Entities that nothing mentions any more. Dropping one also removes its bytes: it may have been erased."""
        found = self._file.read(retention.orphaned_entities, before, after, limit)
        if not drop or not found:
            return found

        def work(db: Connection) -> tuple[list[Orphan], bool]:
            still = retention.orphaned_entities(db, before, after, limit, [each.id for each in found])
            retention.delete_entities(db, [each.id for each in still])
            return still, tombstones.any_tombstones(db)

        gone, erased_before = self._file.write(work)
        if gone and erased_before:
            self._clean_up()
        return gone

    def ended_links(self, before: int, after: int, limit: int, *, drop: bool) -> list[Orphan]:
        """Links and relations that ended before a time."""
        found = self._file.read(retention.ended_links, before, after, limit)
        if not drop or not found:
            return found

        def work(db: Connection) -> list[Orphan]:
            still = retention.ended_links(db, before, after, limit, [each.id for each in found])
            retention.delete_links(db, [each.id for each in still])
            return still

        return self._file.write(work)
