"""Other systems' memories in, and what people read out."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.domain import Entity, Node, Relation
from omoide.store.door.opened import Opened
from omoide.store.exchange import import_foreign, readable_export


class Taking(Opened):
    """A batch is one transaction."""

    def take_foreign(self, batch: Sequence[import_foreign.ForeignItem]) -> list[str]:
        return self._write(lambda db: import_foreign.import_foreign(db, batch))

    def is_foreign_here(self, batch: Sequence[import_foreign.ForeignItem]) -> list[bool]:
        return self._read(lambda db: import_foreign.are_known(db, batch))

    def page_names(self, shared: bool) -> list[tuple[int, str]]:
        """(id, name) of every entity that has a page."""
        return self._read(lambda db: readable_export.readable_entities(db, shared))

    def page_days(self, zone_of: readable_export.DayOf, shared: bool) -> dict[str, list[int]]:
        return self._read(lambda db: readable_export.nodes_by_day(db, zone_of, shared))

    def page(self, entity_id: int, shared: bool) -> tuple[Entity, list[Node], list[Relation]]:
        return self._read(lambda db: readable_export.entity_page(db, entity_id, shared))

    def copy_views(self, path: str) -> dict[str, int]:
        """The views of the seeds as tables of a plain SQLite file, from one state of this one."""
        return self._read(lambda db: readable_export.copy_views(db, path))
