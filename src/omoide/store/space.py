"""The room that the file takes on the disk, and giving back what it no longer needs."""

from __future__ import annotations

from dataclasses import dataclass

import apsw

_INCREMENTAL = 2  # of PRAGMA auto_vacuum


@dataclass(frozen=True, slots=True)
class Space:
    """Bytes of the file, and how many of them hold nothing."""

    bytes: int
    free: int

    @property
    def used(self) -> int:
        return self.bytes - self.free


def measured(db: apsw.Connection) -> Space:
    page = int(db.pragma("page_size"))
    return Space(int(db.pragma("page_count")) * page, int(db.pragma("freelist_count")) * page)


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
