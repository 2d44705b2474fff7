"""Ageing: what leaves use and comes back, what is one thing twice, and where the nightly jobs left off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import apsw

from omoide.errors import InvalidInput
from omoide.layers import Node
from omoide.store import ageing, archive, bookmark, nodes, orphans, prune, queue, space, tombstone, twins, vectors
from omoide.store.ageing import Aged
from omoide.store.archive import Leaving
from omoide.store.door.opened import Opened
from omoide.store.orphans import Orphan
from omoide.store.prune import Quota
from omoide.store.space import Space
from omoide.store.twins import Compared

Why = Callable[[Aged], Leaving]
"""How a node leaves use, and the reason that its history keeps."""
_Choose = Callable[[apsw.Connection, Sequence[int] | None], list[Aged]]


class Ageing(Opened):
    """Jobs choose while reading, and look again at what they chose in the short transaction that acts."""

    def archive(self, id: int, reason: str) -> Node:
        """Takes one node out of use by hand."""

        def work(db: apsw.Connection) -> Node:
            before = nodes.require(db, id)
            if before.state != "live":
                raise InvalidInput(f"node {id} is {before.state} already")
            archive.pack(db, [Leaving(id, reason)], self._clock())
            return nodes.require(db, id)

        return self._write(work)

    def unarchive(self, id: int) -> Node:
        """Puts a node back into use, as it was; its vector is made anew."""

        def work(db: apsw.Connection) -> Node:
            before = nodes.require(db, id)
            if before.state not in ("archived", "expired"):
                raise InvalidInput(f"node {id} is {before.state}: only what is archived or expired can be unarchived")
            name = before.attributes.get("name") if before.kind == "preference" else None
            held = nodes.preference(db, before.attributes["category"], name) if name else None
            if held is not None:
                raise InvalidInput(f"preference {name!r} is held by node {held.id} now; archive that one first")
            if not archive.restore(db, id, self._clock()):
                raise InvalidInput(f"node {id} left without its words, as archive_verbatim = 0 has it; they are gone")
            queue.add(db, [id])
            return nodes.require(db, id)

        return self._write(work)

    def archived(self) -> int:
        """How many nodes have their words in the archive."""
        return self._read(archive.count)

    # ── what leaves by policy ─────────────────────────────────────────────────────────────────────────────────────

    def fade(self, now: int, below: float, after: int, limit: int, why: Why | None) -> list[Aged]:
        """The next learned nodes that have faded; with `why` they leave use, without it they are only told."""
        return self._age(lambda db, among: ageing.fading(db, now, below, after, limit, among), now, why)

    def expire(self, now: int, after: int, limit: int, why: Why | None) -> list[Aged]:
        """The same of episodes that are past their date."""
        return self._age(lambda db, among: ageing.expiring(db, now, after, limit, among), now, why)

    def leave_traces(self, now: int, before: int, after: int, limit: int, why: Why | None) -> list[Aged]:
        """The same of traces that happened before a time and that nothing known refers to."""
        return self._age(lambda db, among: ageing.old_traces(db, before, after, limit, among), now, why)

    def _age(self, choose: _Choose, now: int, why: Why | None) -> list[Aged]:
        found = self._read(lambda db: choose(db, None))
        if why is None or not found:
            return found

        def work(db: apsw.Connection) -> list[Aged]:
            still = choose(db, [each.id for each in found])
            archive.pack(db, [why(each) for each in still], now)
            return still

        return self._write(work)

    # ── size ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def size(self) -> int:
        """Bytes of the file."""
        return self._read(space.size)

    def held(self) -> int:
        """Bytes of the pages that hold anything: more than is in use, and told without reading them."""
        return self._read(space.pages)

    def space(self) -> Space:
        """How the file's room is taken; reads all of it."""
        return self._read(space.measured)

    def prune_quota(self, now: int, percent: float, tight: bool) -> Quota:
        """How many of the least used this night may take."""
        return self._read(lambda db: prune.quota(db, now, percent, tight))

    def least_used(self, now: int, limit: int) -> list[Aged]:
        return self._read(lambda db: ageing.least_used(db, now, limit))

    def prune(self, night: Quota, leaving: Sequence[Leaving]) -> Quota:
        """Archives some of a quota; what is left of it."""
        return self._write(lambda db: prune.take(db, night, list(leaving)))

    def give_back(self, pages: int) -> bool:
        """Gives empty pages back to the disk, some at a time; False where only writing the file anew can."""
        if not self._read(space.is_incremental):
            return False
        self._write(lambda db: space.give_back(db, pages))
        return True

    def rewrite_file(self) -> None:
        """VACUUM: writers wait while it runs, and the disk needs room for the file twice."""
        self._file.alone(space.rewrite)

    # ── twins ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def same_wording(self) -> list[list[int]]:
        return self._read(twins.same_wording)

    def current_model(self) -> int | None:
        """The model whose vectors are here, if there is one."""
        found = self._read(vectors.current)
        return found[0] if found else None

    def fresh_vectors(self, model_id: int, after: int, limit: int) -> list[tuple[int, int]]:
        return self._read(lambda db: twins.fresh(db, model_id, after, limit))

    def comparable(self, ids: Sequence[int]) -> list[int]:
        return self._read(lambda db: twins.comparable(db, ids))

    def compared(self, ids: Sequence[int]) -> Compared:
        return self._read(lambda db: twins.compared(db, ids))

    def unite(self, kept: int, gone: int, now: int) -> bool:
        return self._write(lambda db: twins.unite(db, kept, gone, now))

    # ── orphans ───────────────────────────────────────────────────────────────────────────────────────────────────

    def orphaned_entities(self, before: int, after: int, limit: int, *, drop: bool) -> list[Orphan]:
        found = self._read(lambda db: orphans.entities(db, before, after, limit))
        if not drop or not found:
            return found

        def work(db: apsw.Connection) -> list[Orphan]:
            still = orphans.entities(db, before, after, limit, [each.id for each in found])
            orphans.drop_entities(db, [each.id for each in still])
            return still

        return self._cleaned(self._write(work))

    def ended_links(self, before: int, after: int, limit: int, *, drop: bool) -> list[Orphan]:
        found = self._read(lambda db: orphans.links(db, before, after, limit))
        if not drop or not found:
            return found

        def work(db: apsw.Connection) -> list[Orphan]:
            still = orphans.links(db, before, after, limit, [each.id for each in found])
            orphans.drop_links(db, [each.id for each in still])
            return still

        return self._write(work)

    def _cleaned(self, gone: list[Orphan]) -> list[Orphan]:
        """Where something was forgotten, a name that nothing holds any more may be what was to be forgotten."""
        armed: bool = self._file.read(tombstone.any_at_all)
        if gone and armed:
            self._after_forgotten_rows()
        return gone

    # ── where jobs left off ───────────────────────────────────────────────────────────────────────────────────────

    def bookmark(self, name: str) -> Any:
        return self._read(lambda db: bookmark.get(db, name))

    def put_bookmark(self, name: str, value: Any) -> None:
        self._write(lambda db: bookmark.put(db, name, value))

    def newest_recorded(self) -> int | None:
        return self._read(ageing.newest)
