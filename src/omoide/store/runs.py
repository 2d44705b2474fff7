"""Who looks after the file right now, and what came of it: the lease of the one runner, and a line for every run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import apsw

from omoide.clock import moment, moment_or_none
from omoide.errors import Busy
from omoide.store import rows

LEASE = 120_000_000  # microseconds: a killed runner holds up the next one for two minutes, a busy one renews four times
_NAME = "maintain"
_KEPT = 400  # rounds: a year of nights, and what was done by hand


@dataclass(frozen=True, slots=True)
class Round:
    """One maintenance: when, whether it was every job of the night, and how it ended."""

    id: int
    started_at: datetime
    ended_at: datetime | None
    whole: bool
    outcome: str


# ── the lease ─────────────────────────────────────────────────────────────────────────────────────────────────────


def take(db: apsw.Connection, holder: str, now: int) -> None:
    """Makes this the one runner, or says who is. One that ends later than any could is of a wrong clock."""
    held = db.execute("SELECT holder, since, until FROM lease WHERE name = ?", (_NAME,)).fetchone()
    if held is not None and held[0] != holder and now < held[2] <= now + LEASE:
        since = moment(held[1]).isoformat(timespec="seconds")
        raise Busy(f"{held[0]} has been maintaining this file since {since}; try again when it is done")
    db.execute(
        """
        INSERT INTO lease (name, holder, since, until)
        VALUES (:name, :holder, :now, :until)
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, since = excluded.since, until = excluded.until
        """,
        {"name": _NAME, "holder": holder, "now": now, "until": now + LEASE},
    )


def renew(db: apsw.Connection, holder: str, now: int) -> bool:
    """The heartbeat; False when somebody else has taken over, after a long sleep of the machine perhaps."""
    db.execute("UPDATE lease SET until = ? WHERE name = ? AND holder = ?", (now + LEASE, _NAME, holder))
    return bool(db.changes())


def give_back(db: apsw.Connection, holder: str) -> None:
    db.execute("DELETE FROM lease WHERE name = ? AND holder = ?", (_NAME, holder))


# ── the record ────────────────────────────────────────────────────────────────────────────────────────────────────


def begin_round(db: apsw.Connection, whole: bool, now: int) -> int:
    """Only the one runner begins a round: one that still says "running" was killed."""
    for table in ("run", "round"):
        db.execute(f"UPDATE {table} SET outcome = 'stopped', ended_at = ? WHERE outcome = 'running'", (now,))
    db.execute("INSERT INTO round (started_at, whole) VALUES (?, ?)", (now, int(whole)))
    id = db.last_insert_rowid()
    db.execute("DELETE FROM round WHERE id <= ?", (id - _KEPT,))
    return id


def end_round(db: apsw.Connection, id: int, outcome: str, now: int) -> None:
    db.execute("UPDATE round SET outcome = ?, ended_at = ? WHERE id = ?", (outcome, now, id))


def begin(db: apsw.Connection, round_id: int, job: str, now: int) -> int:
    db.execute("INSERT INTO run (round_id, job, started_at) VALUES (?, ?, ?)", (round_id, job, now))
    return db.last_insert_rowid()


def end(db: apsw.Connection, id: int, outcome: str, counts: Mapping[str, int], why: str, now: int) -> None:
    db.execute(
        "UPDATE run SET outcome = :outcome, counts = :counts, why = :why, ended_at = :now WHERE id = :id",
        {"id": id, "outcome": outcome, "counts": rows.dump(dict(counts)), "why": why or None, "now": now},
    )


def last_round(db: apsw.Connection, *, whole: bool = False) -> Round | None:
    """The latest by its place in the record, not by its time: a clock may have been wrong. With `whole`, the latest
    that did every job of the night; one that was stopped did not."""
    found = db.execute(
        """
        SELECT id, started_at, ended_at, whole, outcome
        FROM round
        WHERE NOT :whole OR (whole AND outcome IN ('done', 'failed'))
        ORDER BY id DESC
        LIMIT 1
        """,
        {"whole": whole},
    ).fetchone()
    if found is None:
        return None
    return Round(found[0], moment(found[1]), moment_or_none(found[2]), bool(found[3]), found[4])


def last_run(db: apsw.Connection, job: str) -> datetime | None:
    """When a job last began that was not stopped; the latest by its place in the record."""
    found = db.execute(
        "SELECT started_at FROM run WHERE job = ? AND outcome NOT IN ('running', 'stopped') ORDER BY id DESC LIMIT 1",
        (job,),
    ).get
    return moment_or_none(found)


def failed_jobs(db: apsw.Connection, round_id: int) -> list[str]:
    return [row[0] for row in db.execute("SELECT job FROM run WHERE round_id = ? AND outcome = 'failed'", (round_id,))]


# ── how far the scrub has read ────────────────────────────────────────────────────────────────────────────────────


def scrubbed(db: apsw.Connection) -> int:
    """The node after which it goes on."""
    return int(db.execute("SELECT value FROM counter WHERE name = 'scrubbed'").get or 0)


def scrubbed_to(db: apsw.Connection, node_id: int) -> None:
    db.execute(
        """
        INSERT INTO counter (name, value)
        VALUES ('scrubbed', ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """,
        (node_id,),
    )
