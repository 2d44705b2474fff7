"""What became of the rows of an import: which ids became which, and how many were new."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from omoide.errors import InvalidInput


class Moved:
    """Which ids became which, where they are not the same: sixteen bytes each. Asked for in the order of the file."""

    def __init__(self) -> None:
        self._there: array[int] = array("q")
        self._here: array[int] = array("q")  # 0: it was not taken

    def note(self, there: int, here: int) -> None:
        if there == here:
            return
        if self._there and there <= self._there[-1]:
            raise InvalidInput(f"id {there} stands behind id {self._there[-1]}; the lines are not in their order")
        self._there.append(there)
        self._here.append(here)

    def get(self, there: int) -> int | None:
        place = bisect_left(self._there, there)
        if place == len(self._there) or self._there[place] != there:
            return there
        return self._here[place] or None

    def __len__(self) -> int:
        return len(self._there)


@dataclass(slots=True)
class Tally:
    """What became of the rows, table by table, and the first of those whose id changed: (table, there, here)."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    forgotten: int = 0  # nodes that were left out because they were forgotten here on request
    moved: list[tuple[str, int, int]] = field(default_factory=list)

    def count(self, table: str, outcome: str) -> None:
        self.counts.setdefault(table, Counter())[outcome] += 1

    def uncount(self, table: str, gone: int) -> None:
        """Rows that had been added and could not stay."""
        if gone:
            counted = self.counts[table]
            counted["added"] -= gone
            counted["skipped"] += gone
            self.counts[table] = +counted


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an export: its number, the table it belongs to, its fields."""

    number: int
    table: str
    fields: dict[str, Any]
