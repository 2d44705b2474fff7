"""Other systems' memories in, and what people read out."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.layers import Entity, Node, Relation
from omoide.store import leaving, taken, views
from omoide.store.door.opened import Opened


class Taking(Opened):
    """A batch is one transaction."""

    def take_foreign(self, batch: Sequence[taken.Foreign]) -> list[str]:
        return self._write(lambda db: taken.take(db, batch, self._clock(), self._ids))

    def is_foreign_here(self, batch: Sequence[taken.Foreign]) -> list[bool]:
        return self._read(lambda db: taken.are_here(db, batch))

    def page_names(self, shared: bool) -> list[tuple[int, str]]:
        """(id, name) of every entity that has a page."""
        return self._read(lambda db: leaving.entities(db, shared))

    def page_days(self, zone_of: leaving.DayOf, shared: bool) -> dict[str, list[int]]:
        return self._read(lambda db: leaving.days(db, zone_of, shared))

    def page(self, entity_id: int, shared: bool) -> tuple[Entity, list[Node], list[Relation]]:
        return self._read(lambda db: leaving.page(db, entity_id, shared))

    def copy_views(self, path: str) -> dict[str, int]:
        """The views of the seeds as tables of a plain SQLite file, from one state of this one."""
        return self._read(lambda db: views.copy(db, path))
