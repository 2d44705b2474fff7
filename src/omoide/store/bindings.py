"""Lessons bound to triggers: found by their keys, whatever else is in the file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import apsw

from omoide.clock import moment
from omoide.layers import Node
from omoide.layers.binding import Binding
from omoide.layers.trigger import Happened, Trigger
from omoide.store import nodes

_SELECT = """
    SELECT binding.id, binding.node_id, binding.tool, binding.path, binding.command, binding.error, binding.created_at
    FROM binding
"""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A lesson that is told because of what happens, and why."""

    node: Node
    why: str
    trigger: Trigger


def bind(db: apsw.Connection, node_id: int, trigger: Trigger, now: int) -> Binding:
    """Binding the same twice is binding once."""
    nodes.require(db, node_id)
    given = {
        "node": node_id,
        "tool": trigger.tool or "",
        "path": trigger.path or "",
        "command": trigger.command or "",
        "error": trigger.error or "",
        "key": trigger.key,
        "weight": trigger.weight,
        "now": now,
    }
    db.execute(
        """
        INSERT INTO binding (node_id, tool, path, command, error, key, weight, created_at)
        VALUES (:node, :tool, :path, :command, :error, :key, :weight, :now)
        ON CONFLICT DO NOTHING
        """,
        given,
    )
    return next(each for each in of(db, node_id) if each.trigger == trigger)


def of(db: apsw.Connection, node_id: int | None = None) -> list[Binding]:
    """What a lesson is bound to, or every binding, in the order in which they were made."""
    found = db.execute(_SELECT + "WHERE :node IS NULL OR node_id = :node ORDER BY id", {"node": node_id})
    return [_record(row) for row in found]


def unbind(db: apsw.Connection, node_id: int, id: int | None) -> int:
    """Takes away one binding of a lesson, or all; tells how many."""
    nodes.require(db, node_id)
    db.execute("DELETE FROM binding WHERE node_id = :node AND (:id IS NULL OR id = :id)", {"node": node_id, "id": id})
    return db.changes()


def lessons(
    db: apsw.Connection, happened: Happened, limit: int, *, sensitive: bool, audience: str, now: int
) -> list[Reminder]:
    """Those whose whole trigger holds, the most specific first; a superseded one in its successor's words."""
    if not happened.keys:
        return []
    # In the order of the keys' rows, not of the nodes: ten thousand bindings are not looked at for a handful.
    found = db.execute(
        """
        SELECT binding.node_id, binding.tool, binding.path, binding.command, binding.error
        FROM json_each(:keys) AS wanted
        CROSS JOIN binding ON binding.key = wanted.value
        ORDER BY binding.weight DESC, binding.node_id DESC
        """,
        {"keys": json.dumps(happened.keys)},
    )
    told: list[Reminder] = []
    held: dict[int, Node] = {}
    met = list(_met(found, happened))
    for place, (node_id, why, trigger) in enumerate(met):
        if node_id not in held:  # as many at once as are told at most: reading them is what a lookup costs
            held |= nodes.fetch(db, [id for id, _, _ in met[place : place + limit]])
        node = held.get(node_id) or nodes.require(db, node_id)
        node = _standing(db, node_id) if node.state == "superseded" else node
        if node.id in {each.node.id for each in told} or not _may_tell(node, sensitive, audience, now):
            continue
        told.append(Reminder(node, why, trigger))
        if len(told) == limit:
            break
    return told


def _met(found: Iterable[tuple[Any, ...]], happened: Happened) -> Iterator[tuple[int, str, Trigger]]:
    """Each lesson once, by its most specific trigger that holds."""
    seen: set[int] = set()
    for node_id, *parts in found:
        trigger = _trigger(*parts)
        why = None if node_id in seen else trigger.reason(happened)
        if why is not None:
            seen.add(node_id)
            yield node_id, why, trigger


def _standing(db: apsw.Connection, id: int) -> Node:
    node = nodes.require(db, id)
    return nodes.require(db, nodes.current(db, id)) if node.state == "superseded" else node


def _may_tell(node: Node, sensitive: bool, audience: str, now: int) -> bool:
    over = node.valid_until is not None and node.valid_until <= moment(now)
    return (
        node.state == "live"
        and not over
        and (sensitive or not node.sensitive)
        and (audience == "private" or (node.audience == "shared" and not node.sensitive))
    )


def _record(row: tuple[int, int, str, str, str, str, int]) -> Binding:
    id, node_id, tool, path, command, error, at = row
    return Binding(id, node_id, _trigger(tool, path, command, error), moment(at))


def _trigger(tool: str, path: str, command: str, error: str) -> Trigger:
    return Trigger(tool=tool or None, path=path or None, command=command or None, error=error or None)
