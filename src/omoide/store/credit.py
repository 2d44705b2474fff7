"""Outcome credit in the file: what stood before a task when it succeeded or failed, counted once a task."""

from __future__ import annotations

import json
from collections.abc import Sequence

import apsw

from omoide.layers import Procedure, Skill
from omoide.layers.credit import Credit, at_place, usual
from omoide.store import nodes


def count(db: apsw.Connection, task_id: int, outcome: str, now: int) -> None:
    """Credits or debits what a task was told; called in the transaction that ends it, so that it is done once."""
    told: list[tuple[int, int, bool]] = [
        (int(node), int(place), bool(used))
        for node, place, used in db.execute(
            "SELECT node_id, place, used FROM handed_out WHERE task_id = ? ORDER BY node_id", (task_id,)
        )
    ]
    for node_id in (node for node, _, used in told if used):
        _follow(db, node_id, outcome, now)
    # What came out half says nothing of what was told; and a task that was told nothing is of work that memory does
    # not know: whether it goes well tells nothing of those that were told something.
    if outcome not in ("success", "failure") or not told:
        return
    won = outcome == "success"
    db.execute(
        "INSERT INTO counter VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1",
        ("tasks_succeeded" if won else "tasks_failed",),
    )
    db.executemany(
        """
        INSERT INTO credit (node_id, succeeded, failed, tasks, updated_at)
        VALUES (:node, :succeeded, :failed, 1, :now)
        ON CONFLICT (node_id) DO UPDATE SET
            succeeded = succeeded + excluded.succeeded,
            failed = failed + excluded.failed,
            tasks = tasks + 1,
            updated_at = excluded.updated_at
        """,
        [
            {"node": node, "succeeded": won * at_place(place), "failed": (not won) * at_place(place), "now": now}
            for node, place, _ in told
        ],
    )


def _follow(db: apsw.Connection, node_id: int, outcome: str, now: int) -> None:
    """The procedure or skill that was used has this outcome too, on the version that holds today."""
    node = nodes.require(db, nodes.current(db, node_id))
    if isinstance(node, Procedure | Skill) and node.state == "live":
        nodes.count_outcome(db, node.id, outcome, now)


def usual_rate(db: apsw.Connection) -> float:
    """How often tasks succeed here that were told something."""
    counts = {
        str(name): int(value)
        for name, value in db.execute(
            "SELECT name, value FROM counter WHERE name IN ('tasks_succeeded', 'tasks_failed')"
        )
    }
    return usual(counts.get("tasks_succeeded", 0), counts.get("tasks_failed", 0))


def of(db: apsw.Connection, ids: Sequence[int]) -> dict[int, Credit]:
    """The credit of those that have some."""
    found = db.execute(
        "SELECT node_id, succeeded, failed, tasks FROM credit WHERE node_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return {int(id): Credit(succeeded, failed, int(tasks)) for id, succeeded, failed, tasks in found}


def all_of(db: apsw.Connection, least_tasks: int) -> dict[int, Credit]:
    """Of every live memory that so many tasks were told."""
    found = db.execute(
        """
        SELECT credit.node_id, credit.succeeded, credit.failed, credit.tasks
        FROM credit
        JOIN node ON node.id = credit.node_id
        WHERE node.state = 'live' AND credit.tasks >= ?
        ORDER BY credit.node_id
        """,
        (least_tasks,),
    )
    return {int(id): Credit(succeeded, failed, int(tasks)) for id, succeeded, failed, tasks in found}
