"""What a job could not do: one item with its error, tried again after growing pauses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from omoide.clock import to_datetime
from omoide.store.engine.connection import Connection

_FIRST_PAUSE = 60_000_000  # microseconds; doubled with each failure
_LONGEST_PAUSE = 30 * 86_400_000_000


@dataclass(frozen=True, slots=True)
class SetAside:
    """An item that a job failed on, how often, and when it is tried again."""

    job: str
    item: str
    error: str
    failures: int
    since: datetime
    retry_at: datetime


def set_aside(db: Connection, job: str, item: str, error: str) -> SetAside:
    """Records a failure. Each further one doubles the pause, up to a month."""
    row = (job, item)
    before = db.execute("SELECT failures FROM set_aside WHERE job = ? AND item = ?", row).get or 0
    pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(before, 20))
    db.execute(
        """
        INSERT INTO set_aside (job, item, error, failures, since, retry_at)
        VALUES (:job, :item, :error, 1, :now, :retry_at)
        ON CONFLICT (job, item) DO UPDATE SET
            error = excluded.error,
            failures = failures + 1,
            retry_at = excluded.retry_at
        """,
        {"job": job, "item": item, "error": error, "now": db.now, "retry_at": db.now + pause},
    )
    return next(each for each in list_set_aside(db) if (each.job, each.item) == row)


def take_back(db: Connection, job: str, item: str) -> None:
    """Removes the record of an item that succeeded or is gone."""
    db.execute("DELETE FROM set_aside WHERE job = ? AND item = ?", (job, item))


def list_set_aside(db: Connection, job: str | None = None) -> list[SetAside]:
    """Everything that failed and was not done since, the longest waiting first."""
    found = db.execute(
        """
        SELECT job, item, error, failures, since, retry_at
        FROM set_aside
        WHERE :job IS NULL OR job = :job
        ORDER BY since, job, item
        """,
        {"job": job},
    )
    return [
        SetAside(job, item, error, failures, to_datetime(since), to_datetime(retry_at))
        for job, item, error, failures, since, retry_at in found
    ]
