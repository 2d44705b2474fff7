"""What learning found in a turn and did not keep, and why: kept for a month, for the inbox of the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from omoide.clock import DAY
from omoide.store.engine.connection import Connection

_KEPT = 30 * DAY
_LONGEST = 1_000  # characters


@dataclass(frozen=True, slots=True)
class RefusedStatement:
    """A statement of a turn that was not kept. The time is in microseconds."""

    id: int
    node: int
    kind: str
    text: str
    reason: str
    at: int


def note(db: Connection, refused: Iterable[tuple[int, str, str, str]]) -> None:
    """Notes (turn, kind, text, reason) of each; older ones than a month are deleted."""
    rows = [(turn, kind, text[:_LONGEST], reason[:_LONGEST], db.now) for turn, kind, text, reason in refused]
    if not rows:
        return
    db.execute("DELETE FROM refusal WHERE at < ?", (db.now - _KEPT,))
    db.executemany("INSERT OR IGNORE INTO refusal (node_id, kind, text, reason, at) VALUES (?, ?, ?, ?, ?)", rows)


def since(db: Connection, since: int, limit: int) -> list[RefusedStatement]:
    """Those since a moment, the latest first."""
    found = db.execute(
        """
        SELECT id, node_id, kind, text, reason, at
        FROM refusal
        WHERE at >= :since
        ORDER BY id DESC
        LIMIT :limit
        """,
        {"since": since, "limit": limit},
    )
    return [RefusedStatement(*row) for row in found]


def find(db: Connection, id: int) -> RefusedStatement | None:
    row = db.execute("SELECT id, node_id, kind, text, reason, at FROM refusal WHERE id = ?", (id,)).fetchone()
    return None if row is None else RefusedStatement(*row)


def delete(db: Connection, id: int) -> None:
    db.execute("DELETE FROM refusal WHERE id = ?", (id,))
