"""Lessons: bindings to triggers, and outcome credit of the memories that tasks were given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.clock import to_datetime
from omoide.domain import Node, Procedure, Skill
from omoide.domain.importance import Credit, credit_effect, position_weight, usual_success_rate
from omoide.domain.trigger import Binding, Trigger, TriggerEvent
from omoide.store.engine.connection import Connection
from omoide.store.records import nodes


def count_outcome(db: Connection, task_id: int, outcome: str) -> None:
    """Credits or debits the memories a task was given; called once, in the transaction that ends it."""
    given = "SELECT node_id, place, used FROM handed_out WHERE task_id = ? ORDER BY node_id"
    reminders = list(db.execute(given, (task_id,)))
    for node_id in (node for node, _, used in reminders if used):
        _credit_procedure(db, node_id, outcome)
    # A partial outcome says nothing about the memories; a task that got no memories says nothing about
    # tasks that did.
    if outcome not in ("success", "failure") or not reminders:
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
            {"node": node, "succeeded": won * weight, "failed": (not won) * weight, "now": db.now}
            for node, place, _ in reminders
            for weight in [position_weight(place)]
        ],
    )


def _credit_procedure(db: Connection, node_id: int, outcome: str) -> None:
    """Adds the outcome to the current version of the procedure or skill that was used."""
    node = nodes.require(db, nodes.latest_version(db, node_id))
    if isinstance(node, Procedure | Skill) and node.state == "live":
        nodes.count_outcome(db, node.id, outcome)


def base_success_rate(db: Connection) -> float:
    """The success rate of tasks that were given memories."""
    counts = dict(db.execute("SELECT name, value FROM counter WHERE name IN ('tasks_succeeded', 'tasks_failed')"))
    return usual_success_rate(counts.get("tasks_succeeded", 0), counts.get("tasks_failed", 0))


def credits_of(db: Connection, ids: Sequence[int]) -> dict[int, Credit]:
    """The credit of those nodes that have any."""
    given = "SELECT node_id, succeeded, failed, tasks FROM credit WHERE node_id IN (SELECT value FROM json_each(?))"
    return {id: Credit(*values) for id, *values in db.execute(given, (ids,))}


def all_credits(db: Connection, least_tasks: int) -> dict[int, Credit]:
    """Live memories given to at least so many tasks."""
    found = db.execute(
        """
        SELECT credit.node_id, credit.succeeded, credit.failed, credit.tasks
        FROM credit
        JOIN node ON node.id = credit.node_id
        WHERE node.state IN ('live', 'archived') AND credit.tasks >= ?
        ORDER BY credit.node_id
        """,
        (least_tasks,),
    )
    return {id: Credit(*values) for id, *values in found}


@dataclass(frozen=True, slots=True)
class Reminder:
    """A lesson whose trigger matched, and why."""

    node: Node
    why: str
    trigger: Trigger


def bind(db: Connection, node_id: int, trigger: Trigger) -> Binding:
    """Binds a lesson to a trigger; binding twice changes nothing."""
    nodes.require(db, node_id)
    given = {
        "node": node_id,
        "tool": trigger.tool or "",
        "path": trigger.path or "",
        "command": trigger.command or "",
        "error": trigger.error or "",
        "key": trigger.key,
        "weight": trigger.weight,
        "now": db.now,
    }
    db.execute(
        """
        INSERT INTO binding (node_id, tool, path, command, error, key, weight, created_at)
        VALUES (:node, :tool, :path, :command, :error, :key, :weight, :now)
        ON CONFLICT DO NOTHING
        """,
        given,
    )
    return next(each for each in bindings_of(db, node_id) if each.trigger == trigger)


def bindings_of(db: Connection, node_id: int | None = None) -> list[Binding]:
    """Bindings of a lesson, or all, in order of creation."""
    found = db.execute(
        """
        SELECT id, node_id, created_at, tool, path, command, error
        FROM binding
        WHERE :node IS NULL OR node_id = :node
        ORDER BY id
        """,
        {"node": node_id},
    )
    return [Binding(id, node, _trigger(*parts), to_datetime(at)) for id, node, at, *parts in found]


def unbind(db: Connection, node_id: int, id: int | None) -> int:
    """Removes one binding of a lesson, or all; returns how many."""
    nodes.require(db, node_id)
    db.execute("DELETE FROM binding WHERE node_id = :node AND (:id IS NULL OR id = :id)", {"node": node_id, "id": id})
    return db.changes()


def triggered_lessons(
    db: Connection, happened: TriggerEvent, limit: int, sensitive: bool, audience: str
) -> list[Reminder]:
    """Lessons whose whole trigger matches, most specific first; a superseded one is replaced by its successor."""
    if not happened.keys:
        return []
    # Ordered by keys, not nodes, so that a lookup reads only the matching bindings.
    found = db.execute(
        """
        SELECT binding.node_id, binding.tool, binding.path, binding.command, binding.error
        FROM json_each(:keys) AS wanted
        CROSS JOIN binding ON binding.key = wanted.value
        ORDER BY binding.weight DESC, binding.node_id DESC
        """,
        {"keys": happened.keys},
    )
    reminders: list[Reminder] = []
    fetched: dict[int, Node] = {}
    matched = list(_matching(found, happened))
    for place, (node_id, why, trigger) in enumerate(matched):
        if node_id not in fetched:  # reading nodes is the main cost: fetch only as many as can be returned
            fetched |= nodes.fetch(db, [id for id, _, _ in matched[place : place + limit]])
        node = fetched.get(node_id) or nodes.require(db, node_id)
        node = _current_version(db, node_id) if node.state == "superseded" else node
        if node.id in {each.node.id for each in reminders} or not _is_visible(node, sensitive, audience, db.now):
            continue
        reminders.append(Reminder(node, why, trigger))
        if len(reminders) == limit:
            break
    return reminders


def _matching(found: Iterable[tuple[Any, ...]], happened: TriggerEvent) -> Iterator[tuple[int, str, Trigger]]:
    """Each lesson once, by its most specific matching trigger."""
    seen: set[int] = set()
    for node_id, *parts in found:
        trigger = _trigger(*parts)
        why = None if node_id in seen else trigger.reason(happened)
        if why is not None:
            seen.add(node_id)
            yield node_id, why, trigger


def _current_version(db: Connection, id: int) -> Node:
    node = nodes.require(db, id)
    return nodes.require(db, nodes.latest_version(db, id)) if node.state == "superseded" else node


def _is_visible(node: Node, sensitive: bool, audience: str, now: int) -> bool:
    over = node.valid_until is not None and node.valid_until <= to_datetime(now)
    return (
        node.state == "live"
        and not over
        and (sensitive or not node.sensitive)
        and (audience == "private" or (node.audience == "shared" and not node.sensitive))
    )


def _trigger(tool: str, path: str, command: str, error: str) -> Trigger:
    return Trigger(tool=tool or None, path=path or None, command=command or None, error=error or None)


def outcome_effects(db: Connection, ids: Sequence[int]) -> dict[int, float]:
    """The effect of memories on tasks, from -1 (harmful) to 1 (helpful); those without one are left out."""
    found = credits_of(db, ids)
    rate = base_success_rate(db) if found else 0.5
    return {id: effect for id, each in found.items() if (effect := credit_effect(each, rate))}


def success_rate_and_credits(db: Connection, least_tasks: int) -> tuple[float, dict[int, Credit]]:
    """The usual success rate of tasks, and the credit of memories that at least `least_tasks` tasks were given."""
    return base_success_rate(db), all_credits(db, least_tasks)
