"""The room that the file takes on the disk, and giving back what it no longer needs."""

from __future__ import annotations

from dataclasses import dataclass

import apsw

_INCREMENTAL = 2  # of PRAGMA auto_vacuum
# A row that has lost its words leaves its page half empty, so pages alone do not tell what is held. Reads every page.
_PAGES = """
    SELECT
        coalesce(sum(pgsize) FILTER (WHERE name GLOB 'archive*'), 0),
        coalesce(sum(unused) FILTER (WHERE name NOT GLOB 'archive*'), 0)
    FROM dbstat
    WHERE aggregate = TRUE
"""


@dataclass(frozen=True, slots=True)
class Space:
    """Bytes of the file; in its empty pages; of the archive's words and their index; empty inside the other pages."""

    bytes: int
    free: int
    archive: int
    slack: int

    @property
    def in_use(self) -> int:
        """What live nodes take: their rows, vectors and full text."""
        return self.bytes - self.free - self.archive - self.slack


def measured(db: apsw.Connection) -> Space:
    page = int(db.pragma("page_size"))
    archive, slack = next(iter(db.execute(_PAGES)))
    return Space(int(db.pragma("page_count")) * page, int(db.pragma("freelist_count")) * page, archive, slack)


def size(db: apsw.Connection) -> int:
    return int(db.pragma("page_count")) * int(db.pragma("page_size"))


def pages(db: apsw.Connection) -> int:
    """Bytes of the pages that hold anything: no more than these can be in use. Costs nothing to ask."""
    return (int(db.pragma("page_count")) - int(db.pragma("freelist_count"))) * int(db.pragma("page_size"))


def is_incremental(db: apsw.Connection) -> bool:
    return bool(db.pragma("auto_vacuum") == _INCREMENTAL)


def give_back(db: apsw.Connection, pages: int) -> None:
    """Cuts so many empty pages off the end of the file: a short transaction like any other."""
    for _ in db.execute(f"PRAGMA incremental_vacuum({int(pages)})"):
        pass


def rewrite(db: apsw.Connection) -> None:
    """VACUUM: the file is written anew, without its empty pages, so that from now on pages can be given back in pieces.

    It may not run inside a transaction. Readers go on reading, writers wait for it, and for its time the disk holds
    the file and a log as large.
    """
    db.pragma("auto_vacuum", _INCREMENTAL)
    db.execute("VACUUM")
