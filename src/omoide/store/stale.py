"""What no longer holds: which nodes' words or vectors changed or went, for those who keep them in memory."""

from __future__ import annotations

from typing import Literal

import apsw

What = Literal["words", "vector"]


def position(db: apsw.Connection) -> int:
    """The end of the log: whoever reads everything now need not look at what stands before it."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM stale").get)


def since(db: apsw.Connection, what: What, after: int) -> list[int] | None:
    """The nodes that changed after a position, in order; None if the log no longer reaches back so far."""
    if int(db.execute("SELECT coalesce(min(id), 1) FROM stale").get) > after + 1:
        return None
    found = db.execute("SELECT node_id FROM stale WHERE id > ? AND what = ? ORDER BY id", (after, what))
    return [row[0] for row in found]


def everything(db: apsw.Connection) -> None:
    """Nothing that anybody holds can be relied on: a gap in the log makes all start over."""
    db.execute("DELETE FROM stale")
    db.execute(
        """
        INSERT INTO stale (id, what, node_id)
        SELECT coalesce(max(seq), 0) + 2, 'words', 0
        FROM sqlite_sequence
        WHERE name = 'stale'
        """
    )
