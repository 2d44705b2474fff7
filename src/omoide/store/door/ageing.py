"""Ageing: what leaves use and comes back, what is one thing twice, and where the nightly jobs left off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import apsw

from omoide.domain import Node
from omoide.errors import InvalidInput
from omoide.store.ageing import archive, deduplicate, retention
from omoide.store.ageing.archive import ArchiveRequest
from omoide.store.ageing.deduplicate import ComparedNodes
from omoide.store.ageing.retention import AgedNode, Orphan, PruneQuota
from omoide.store.door.opened import Opened
from omoide.store.engine import cursors, stats
from omoide.store.engine.stats import SpaceUse
from omoide.store.erasure import tombstones
from omoide.store.records import nodes
from omoide.store.search import vectors

Why = Callable[[AgedNode], ArchiveRequest]
"""How a node leaves use, and the reason that its history keeps."""
_Choose = Callable[[apsw.Connection, Sequence[int] | None], list[AgedNode]]


class Ageing(Opened):
    """Jobs choose while reading, and look again at what they chose in the short transaction that acts."""

    def archive(self, id: int, reason: str) -> Node:
        """Takes one node out of use by hand."""

        def work(db: apsw.Connection) -> Node:
            before = nodes.require(db, id)
            if before.state != "live":
                raise InvalidInput(f"node {id} is {before.state} already")
            archive.archive_nodes(db, [ArchiveRequest(id, reason)], self._clock())
            return nodes.require(db, id)

        return self._write(work)

    def unarchive(self, id: int) -> Node:
        """Puts a node back into use, as it was; its vector is made anew."""

        def work(db: apsw.Connection) -> Node:
            before = nodes.require(db, id)
            if before.state not in ("archived", "expired"):
                raise InvalidInput(f"node {id} is {before.state}: only what is archived or expired can be unarchived")
            name = before.attributes.get("name") if before.kind == "preference" else None
            held = nodes.find_preference(db, before.attributes["category"], name) if name else None
            if held is not None:
                raise InvalidInput(f"preference {name!r} is held by node {held.id} now; archive that one first")
            if not archive.restore_node(db, id):
                raise InvalidInput(f"node {id} left without its words, as archive_verbatim = 0 has it; they are gone")
            vectors.enqueue(db, [id])
            return nodes.require(db, id)

        return self._write(work)

    def archived(self) -> int:
        """How many nodes have their words in the archive."""
        return self._read(archive.archived_count)

    # ── what leaves by policy ─────────────────────────────────────────────────────────────────────────────────────

    def fade(self, now: int, below: float, after: int, limit: int, why: Why | None) -> list[AgedNode]:
        """The next learned nodes that have faded; with `why` they leave use, without it they are only told."""
        return self._age(lambda db, among: retention.low_confidence(db, now, below, after, limit, among), now, why)

    def expire(self, now: int, after: int, limit: int, why: Why | None) -> list[AgedNode]:
        """The same of episodes that are past their date."""
        return self._age(lambda db, among: retention.expired_episodes(db, now, after, limit, among), now, why)

    def leave_traces(self, now: int, before: int, after: int, limit: int, why: Why | None) -> list[AgedNode]:
        """The same of traces that happened before a time and that nothing known refers to."""
        return self._age(lambda db, among: retention.old_traces(db, before, after, limit, among), now, why)

    def _age(self, choose: _Choose, now: int, why: Why | None) -> list[AgedNode]:
        found = self._read(lambda db: choose(db, None))
        if why is None or not found:
            return found

        def work(db: apsw.Connection) -> list[AgedNode]:
            still = choose(db, [each.id for each in found])
            archive.archive_nodes(db, [why(each) for each in still], now)
            return still

        return self._write(work)

    # ── size ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def size(self) -> int:
        """Bytes of the file."""
        return self._read(stats.file_size)

    def held(self) -> int:
        """Bytes of the pages that hold anything: more than is in use, and told without reading them."""
        return self._read(stats.used_bytes)

    def space(self) -> SpaceUse:
        """How the file's room is taken; reads all of it."""
        return self._read(stats.measure_space)

    def prune_quota(self, now: int, percent: float, tight: bool) -> PruneQuota:
        """How many of the least used this night may take."""
        return self._read(lambda db: retention.prune_quota(db, now, percent, tight))

    def least_used(self, now: int, limit: int) -> list[AgedNode]:
        return self._read(lambda db: retention.least_used(db, now, limit))

    def prune(self, night: PruneQuota, leaving: Sequence[ArchiveRequest]) -> PruneQuota:
        """Archives some of a quota; what is left of it."""
        return self._write(lambda db: retention.prune(db, night, list(leaving)))

    def give_back(self, pages: int) -> bool:
        """Gives empty pages back to the disk, some at a time; False where only writing the file anew can."""
        if not self._read(stats.vacuums_incrementally):
            return False
        self._write(lambda db: stats.release_pages(db, pages))
        return True

    def rewrite_file(self) -> None:
        """VACUUM: writers wait while it runs, and the disk needs room for the file twice."""
        self._file.alone(stats.vacuum)

    # ── twins ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def same_wording(self) -> list[list[int]]:
        return self._read(deduplicate.same_text_groups)

    def current_model(self) -> int | None:
        """The model whose vectors are here, if there is one."""
        found = self._read(vectors.current_model)
        return found[0] if found else None

    def fresh_vectors(self, model_id: int, after: int, limit: int) -> list[tuple[int, int]]:
        return self._read(lambda db: deduplicate.new_vectors(db, model_id, after, limit))

    def comparable(self, ids: Sequence[int]) -> list[int]:
        return self._read(lambda db: deduplicate.may_have_duplicate(db, ids))

    def compared(self, ids: Sequence[int]) -> ComparedNodes:
        return self._read(lambda db: deduplicate.compare(db, ids))

    def unite(self, kept: int, gone: int, now: int) -> bool:
        return self._write(lambda db: deduplicate.merge_duplicates(db, kept, gone, now))

    # ── orphans ───────────────────────────────────────────────────────────────────────────────────────────────────

    def orphaned_entities(self, before: int, after: int, limit: int, *, drop: bool) -> list[Orphan]:
        found = self._read(lambda db: retention.orphaned_entities(db, before, after, limit))
        if not drop or not found:
            return found

        def work(db: apsw.Connection) -> list[Orphan]:
            still = retention.orphaned_entities(db, before, after, limit, [each.id for each in found])
            retention.delete_entities(db, [each.id for each in still])
            return still

        return self._cleaned(self._write(work))

    def ended_links(self, before: int, after: int, limit: int, *, drop: bool) -> list[Orphan]:
        found = self._read(lambda db: retention.ended_links(db, before, after, limit))
        if not drop or not found:
            return found

        def work(db: apsw.Connection) -> list[Orphan]:
            still = retention.ended_links(db, before, after, limit, [each.id for each in found])
            retention.delete_links(db, [each.id for each in still])
            return still

        return self._write(work)

    def _cleaned(self, gone: list[Orphan]) -> list[Orphan]:
        """Where something was forgotten, a name that nothing holds any more may be what was to be forgotten."""
        armed: bool = self._file.read(tombstones.any_tombstones)
        if gone and armed:
            self._after_forgotten_rows()
        return gone

    # ── where jobs left off ───────────────────────────────────────────────────────────────────────────────────────

    def bookmark(self, name: str) -> Any:
        return self._read(lambda db: cursors.get_cursor(db, name))

    def put_bookmark(self, name: str, value: Any) -> None:
        self._write(lambda db: cursors.set_cursor(db, name, value))

    def newest_recorded(self) -> int | None:
        return self._read(retention.newest_recorded)
