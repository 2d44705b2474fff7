"""Traces as learning reads them: what makes two of them alike, which belong together, which are still to be read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from omoide.store import vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The part of a trace that tells what it is like; `number` is its place in the order in which tasks ended."""

    id: int
    number: int
    cluster: int | None
    goal: str
    type: str | None
    phase: str | None
    outcome: str
    files: tuple[str, ...]
    constraints: tuple[str, ...]
    actions: tuple[dict[str, Any], ...]
    errors: tuple[dict[str, Any], ...]
    labels: tuple[str, bool, str]  # origin, sensitive, audience: what differs in these is never mixed
    vector: bytes | None  # float16 of the current model


def unlearned(db: apsw.Connection) -> bool:
    return db.execute("SELECT 1 FROM task WHERE number IS NOT NULL AND cluster IS NULL LIMIT 1").get is not None


def read(db: apsw.Connection, latest: int) -> list[Trace]:
    """The latest that are over, and all that are not learned from, in the order in which they ended."""
    model = vectors.current(db)
    found = db.execute(
        """
        SELECT
            task.node_id, task.number, task.cluster, node.attributes, node.origin, node.sensitive, node.audience,
            vector.data
        FROM task
        JOIN node ON node.id = task.node_id
        LEFT JOIN vector ON vector.node_id = node.id AND vector.model_id = :model
        WHERE
            node.state = 'live'
            AND (
                task.number > (SELECT coalesce(max(number), 0) FROM task) - :latest
                OR task.number IS NOT NULL AND task.cluster IS NULL
            )
        ORDER BY task.number
        """,
        {"latest": latest, "model": model[0] if model else None},
    )
    return [_trace(row) for row in found if (json.loads(row[3] or "{}")).get("goal")]


def mark(db: apsw.Connection, cluster: int, members: Sequence[int]) -> bool:
    """Marks traces as learned from; False when another process has done so meanwhile, or one of them is gone."""
    free = db.execute(
        """
        SELECT count(*)
        FROM task
        WHERE node_id IN (SELECT value FROM json_each(?)) AND number IS NOT NULL AND cluster IS NULL
        """,
        (json.dumps(list(members)),),
    ).get
    if free != len(members):
        return False
    db.execute(
        "UPDATE task SET cluster = ? WHERE node_id IN (SELECT value FROM json_each(?))",
        (cluster, json.dumps(list(members))),
    )
    return True


def _trace(row: tuple[Any, ...]) -> Trace:
    id, number, cluster, attributes, origin, sensitive, audience, vector = row
    held = json.loads(attributes)
    return Trace(
        id=int(id),
        number=int(number),
        cluster=cluster,
        goal=held["goal"],
        type=held.get("task_type"),
        phase=held.get("phase"),
        outcome=held.get("outcome", "pending"),
        files=tuple(map(str, held.get("files_involved", ()))),
        constraints=tuple(map(str, held.get("constraints", ()))),
        actions=tuple(each for each in held.get("action_log", ()) if isinstance(each, dict)),
        errors=tuple(each for each in held.get("errors_encountered", ()) if isinstance(each, dict)),
        labels=(str(origin), bool(sensitive), str(audience)),
        vector=vector,
    )
