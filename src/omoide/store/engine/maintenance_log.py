"""What maintenance records: its lease, runs and jobs, daily spending, items set aside after a failure, and cursors."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from omoide.clock import to_datetime, to_datetime_or_none
from omoide.errors import Busy
from omoide.store.engine import gate, night_journal
from omoide.store.engine.connection import Connection
from omoide.store.records import rows

LEASE_MICROSECONDS = 120_000_000  # renewed four times in it; counts only where a process cannot be seen to be gone
_LEASE_NAME = "maintain"
_RUNS_KEPT = 400  # a year of nightly runs


@dataclass(frozen=True, slots=True)
class MaintenanceRun:
    """One maintenance run: when, whether it ran all jobs, and how it ended."""

    id: int
    started_at: datetime
    ended_at: datetime | None
    whole: bool
    outcome: str


def take_lease(db: Connection, holder: str, running: Collection[str] = ()) -> None:
    """Takes the lease, or raises Busy. The lease of a process that is gone counts no longer.

    Nor does one of this process whose run is over, and which could not be released: `running` are the others.

    A lease that ends too far in the future comes from a wrong clock.
    """
    held = db.execute("SELECT holder, since, until, mark FROM lease WHERE name = ?", (_LEASE_NAME,)).fetchone()
    valid = held is not None and db.now < held[2] <= db.now + LEASE_MICROSECONDS
    is_over = held is not None and held[3] == gate.process_mark() and held[0] not in running
    if held is not None and valid and held[0] != holder and not is_over and not gate.mark_has_ended(held[3]):
        since = to_datetime(held[1]).isoformat(timespec="seconds")
        raise Busy(f"{held[0]} has been maintaining this file since {since}; try again when it is done")
    until = db.now + LEASE_MICROSECONDS
    mark = gate.process_mark()
    db.upsert("lease", ["name"], name=_LEASE_NAME, holder=holder, mark=mark, since=db.now, until=until)


def renew_lease(db: Connection, holder: str) -> bool:
    """Renews the lease; False if another runner has taken over."""
    db.execute(
        "UPDATE lease SET until = ? WHERE name = ? AND holder = ?", (db.now + LEASE_MICROSECONDS, _LEASE_NAME, holder)
    )
    return bool(db.changes())


def release_lease(db: Connection, holder: str) -> None:
    db.execute("DELETE FROM lease WHERE name = ? AND holder = ?", (_LEASE_NAME, holder))


def begin_run(db: Connection, whole: bool) -> int:
    """Starts a run. Only the lease holder calls this, so runs that are still "running" were killed."""
    for table in ("job_run", "maintenance_run"):
        db.execute(f"UPDATE {table} SET outcome = 'stopped', ended_at = ? WHERE outcome = 'running'", (db.now,))
    id = db.insert("maintenance_run", started_at=db.now, is_full=int(whole))
    db.execute("DELETE FROM maintenance_run WHERE id <= ?", (id - _RUNS_KEPT,))
    night_journal.drop_old_records(db)
    return id


def end_run(db: Connection, id: int, outcome: str) -> None:
    db.update("maintenance_run", id, {"outcome": outcome, "ended_at": db.now})


def begin_job(db: Connection, round_id: int, job: str) -> int:
    return db.insert("job_run", run_id=round_id, job=job, started_at=db.now)


def end_job(db: Connection, id: int, outcome: str, counts: Mapping[str, int], why: str) -> None:
    counted = rows.to_json(dict(counts))
    db.update("job_run", id, {"outcome": outcome, "counts": counted, "why": why or None, "ended_at": db.now})


def last_run(db: Connection, *, whole: bool = False) -> MaintenanceRun | None:
    """The latest run by id, since clocks may be wrong. With `whole`, the latest that ran all jobs to the end."""
    found = db.execute(
        """
        SELECT id, started_at, ended_at, is_full, outcome
        FROM maintenance_run
        WHERE NOT :whole OR (is_full AND outcome IN ('done', 'failed'))
        ORDER BY id DESC
        LIMIT 1
        """,
        {"whole": whole},
    ).fetchone()
    return None if found is None else rows.record(MaintenanceRun, found)


def last_job_run(db: Connection, job: str) -> datetime | None:
    """When a job last started and was not stopped; the latest by id."""
    found = db.execute(
        """
        SELECT started_at
        FROM job_run
        WHERE job = ? AND outcome NOT IN ('running', 'stopped')
        ORDER BY id DESC
        LIMIT 1
        """,
        (job,),
    ).get
    return to_datetime_or_none(found)


def failed_jobs(db: Connection, round_id: int) -> list[str]:
    return db.column("SELECT job FROM job_run WHERE run_id = ? AND outcome = 'failed'", (round_id,))


def job_cursor(db: Connection, name: str) -> int:
    """How far a job has come that reads memory after memory; 0 if it has not begun."""
    return int(db.execute("SELECT value FROM counter WHERE name = ?", (name,)).get or 0)


def set_job_cursor(db: Connection, name: str, value: int) -> None:
    db.upsert("counter", ["name"], name=name, value=value)


@dataclass(frozen=True, slots=True)
class DailySpending:
    """Language model usage of one day."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0  # dollars


def spending_on(db: Connection, day: str) -> DailySpending:
    found = db.execute("SELECT calls, input_tokens, output_tokens, cost FROM spending WHERE day = ?", (day,)).fetchone()
    return DailySpending(*found) if found else DailySpending()


def _add_spending(db: Connection, day: str, spent: DailySpending) -> None:
    db.execute(
        """
        INSERT INTO spending (day, calls, input_tokens, output_tokens, cost)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (day) DO UPDATE SET
            calls = calls + excluded.calls,
            input_tokens = input_tokens + excluded.input_tokens,
            output_tokens = output_tokens + excluded.output_tokens,
            cost = max(0, cost + excluded.cost)
        """,
        (day, spent.calls, spent.input_tokens, spent.output_tokens, spent.cost),
    )


def reserve_today(db: Connection, cost: float, limit: float) -> str | None:
    """The day that a cost was reserved from, or None if less than that is left of the daily limit."""
    day = to_datetime(db.now).date().isoformat()
    if spending_on(db, day).cost + cost > limit:
        return None
    _add_spending(db, day, DailySpending(cost=cost))
    return day


def settle_spending(db: Connection, day: str, reserved: float, spent: DailySpending) -> None:
    """Replaces a reservation by what was spent."""
    _add_spending(db, day, replace(spent, cost=spent.cost - reserved))


# What a job could not do: one item with its error, tried again after growing pauses.


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
    return [rows.record(SetAside, row) for row in found]


# Cursors: where a maintenance job stopped. A lost cursor only makes the job start over.


def get_cursor(db: Connection, name: str) -> Any:
    """The saved value, or None."""
    found = db.execute("SELECT value FROM cursor WHERE name = ?", (name,)).get
    return None if found is None else json.loads(found)


def set_cursor(db: Connection, name: str, value: Any) -> None:
    db.upsert("cursor", ["name"], name=name, value=rows.to_json(value))
