"""Retention as the maintenance jobs use it: select in a read, check again and act in a short write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from omoide.store.ageing import archive, carried, retention
from omoide.store.ageing.archive import ArchiveRequest
from omoide.store.ageing.carried import RetentionDecision
from omoide.store.ageing.retention import AgedNode, Orphan
from omoide.store.engine.connection import Connection
from omoide.store.engine.file import DatabaseFile, Table, reads, writes
from omoide.store.erasure import tombstones

ArchiveReason = Callable[[AgedNode], ArchiveRequest]
"""How a node leaves use, and the reason that its history keeps."""
_Select = Callable[..., list[AgedNode]]  # of a connection; after, limit and among by name


@dataclass(frozen=True, slots=True)
class Batch:
    """The nodes to consider next: at most so many after an id; with `among` only these."""

    after: int
    limit: int
    among: Sequence[int] | None = None


class RetentionTable(Table):
    """Every job can run without effect: without a reason, or without `drop`, it only returns what it would act on."""

    prune_quota = reads(retention.prune_quota)
    least_used = reads(retention.least_used)
    newest_recorded = reads(retention.newest_recorded)
    live_ids = reads(retention.live_ids)
    entity_ids = reads(retention.entity_ids)
    ended_link_ids = reads(retention.ended_link_ids)
    prune = writes(retention.prune)

    def __init__(self, file: DatabaseFile, clean_up: Callable[[], None]) -> None:
        super().__init__(file)
        self._clean_up = clean_up

    def fade(self, now: int, below: float, batch: Batch, why: ArchiveReason | None) -> list[AgedNode]:
        """Archives the next learned nodes whose confidence fell below a threshold."""
        return self._age(partial(retention.low_confidence, now=now, below=below), batch, now, why)

    def decide_turns(self, now: int, batch: Batch, *, apply: bool) -> list[RetentionDecision]:
        """Decides about the next turns past their retention date: archived if live memories carry their content."""
        after, limit = batch.after, batch.limit
        found = self._file.read(carried.decide_due_turns, now, after, limit, batch.among)
        if not apply or not found:
            return found

        def work(db: Connection) -> list[RetentionDecision]:
            still = carried.decide_due_turns(db, now, after, limit, [each.id for each in found])
            carried.apply_decisions(db, still, now)
            return still

        return self._file.write(work)

    def expire(self, now: int, batch: Batch, why: ArchiveReason | None, *, delete: bool = False) -> list[AgedNode]:
        """Archives the next episodes that are past their expiry; with `delete` their text is deleted."""
        return self._age(partial(retention.expired_episodes, now=now), batch, now, why, delete)

    def expire_traces(self, now: int, before: int, batch: Batch, why: ArchiveReason | None) -> list[AgedNode]:
        """Archives the next task traces that are older than a time and that no learned node refers to."""
        return self._age(partial(retention.old_traces, before=before), batch, now, why)

    def _age(
        self, select: _Select, batch: Batch, now: int, why: ArchiveReason | None, delete: bool = False
    ) -> list[AgedNode]:
        after, limit = batch.after, batch.limit
        found = self._file.read(lambda db: select(db, after=after, limit=limit, among=batch.among))
        if why is None or not found:
            return found

        def work(db: Connection) -> list[AgedNode]:
            still = select(db, after=after, limit=limit, among=[each.id for each in found])
            gone = archive.archive_nodes(db, [why(each) for each in still], now)
            if delete:
                archive.delete_texts(db, gone)
            return still

        return self._file.write(work)

    def orphaned_entities(self, before: int, batch: Batch, *, drop: bool) -> list[Orphan]:
        """Entities that nothing mentions any more. Dropping one also removes its bytes: it may have been erased."""
        found = self._file.read(retention.orphaned_entities, before, batch.after, batch.limit, batch.among)
        if not drop or not found:
            return found

        def work(db: Connection) -> tuple[list[Orphan], bool]:
            still = retention.orphaned_entities(db, before, batch.after, batch.limit, [each.id for each in found])
            retention.delete_entities(db, [each.id for each in still])
            return still, tombstones.any_tombstones(db)

        gone, erased_before = self._file.write(work)
        if gone and erased_before:
            self._clean_up()
        return gone

    def ended_links(self, before: int, batch: Batch, *, drop: bool) -> list[Orphan]:
        """Links and relations that ended before a time."""
        found = self._file.read(retention.ended_links, before, batch.after, batch.limit, batch.among)
        if not drop or not found:
            return found

        def work(db: Connection) -> list[Orphan]:
            still = retention.ended_links(db, before, batch.after, batch.limit, [each.id for each in found])
            retention.delete_links(db, [each.id for each in still])
            return still

        return self._file.write(work)
