"""Tasks: start, entries, errors, end, abandoned tasks, and the memories handed out to them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.clock import to_micros
from omoide.domain import Draft, Node
from omoide.domain.importance import classify_importance
from omoide.domain.kinds import Episode
from omoide.domain.node import validate_attributes
from omoide.domain.task import CRASHED, TaskEvent, rounded_seconds, trace_attributes, trace_text
from omoide.errors import Conflict, InvalidInput, NotFound
from omoide.language import tokens
from omoide.store.engine import gate
from omoide.store.engine.connection import Connection
from omoide.store.records import nodes, rows
from omoide.store.records.nodes import TextChange
from omoide.store.tasks import lessons

FindEntities = Callable[[str], tuple[int, ...]]
"""Finds the entities that a text mentions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEnding:
    """How a task ended; `error` says why it failed."""

    outcome: str
    commit: str | None = None
    error: Mapping[str, Any] | None = None
    credited: bool = True  # False: the task block still runs and may fail


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A task without an end."""

    id: int
    seen_at: int
    process: str | None  # its mark (see store/engine/gate.py)


def start_task(db: Connection, draft: Draft, process: str | None) -> Node:
    """Starts a task as an episode with a pending outcome. The same key returns the same task."""
    node = nodes.insert(db, [draft])[0]
    if node.state == "erased":  # erased on request: not started again
        return node
    if node.task_id is None:
        db.execute("UPDATE node SET task_id = 'task-' || id WHERE id = ?", (node.id,))
    db.execute(
        """
        INSERT INTO task (node_id, started_at, seen_at, process)
        VALUES (:id, :started, :now, :process)
        ON CONFLICT DO NOTHING
        """,
        {"id": node.id, "started": to_micros(node.event_at), "now": db.now, "process": rows.to_json(process)},
    )
    return nodes.require(db, node.id)


def record_tasks(db: Connection, drafts: Sequence[Draft]) -> list[Node]:
    """Stores traces of finished tasks. They were given no memories, so nothing is credited."""
    stored = []
    for draft in drafts:
        node = start_task(db, draft, None)
        if node.state != "erased":
            _assign_number(db, node.id)
        stored.append(node)
    return stored


def add_entry(db: Connection, id: int, what: str, body: Mapping[str, Any]) -> int:
    """Adds an entry to a task and returns its id."""
    require_open(db, id)
    entry = db.insert("task_entry", task_id=id, at=db.now, what=what, body=rows.to_json(dict(body)))
    _note_activity(db, id)
    return entry


def _note_activity(db: Connection, id: int) -> None:
    db.execute("UPDATE task SET seen_at = max(seen_at, ?) WHERE node_id = ?", (db.now, id))


def resolve_error(db: Connection, id: int, entry: int | None, resolution: str) -> None:
    """Records what resolved an error, by default the latest unresolved one; a later resolution replaces it."""
    if entry is None:
        entry = latest_error(db, id)
    require_open(db, id)
    db.execute(
        """
        UPDATE task_entry
        SET body = json_set(body, '$.resolution', :resolution)
        WHERE id = :entry AND task_id = :id AND what = 'error'
        """,
        {"resolution": resolution, "entry": entry, "id": id},
    )
    if not db.changes():
        raise NotFound(f"task {id} has no error {entry}")
    _note_activity(db, id)


def latest_error(db: Connection, id: int) -> int:
    """The last unresolved error of a task."""
    require_open(db, id)
    found = db.execute(
        """
        SELECT max(id)
        FROM task_entry
        WHERE task_id = ? AND what = 'error' AND body ->> 'resolution' IS NULL
        """,
        (id,),
    ).get
    if found is None:
        raise NotFound(f"task {id} has no unresolved error")
    return int(found)


def get_trace(db: Connection, id: int) -> Node:
    """The trace of a task; while it is open, with all entries so far."""
    started, number = _require_task(db, id)
    node = nodes.require(db, id)
    if number is not None:
        return node
    attributes = _filled_fields(node) | trace_attributes(_entries(db, id), started, _filled_fields(node))
    row = list(db.execute(rows.SELECT + "WHERE node.id = ?", (id,)).fetchone() or ())
    row[rows.COLUMNS.index("attributes")] = rows.to_json(validate_attributes(Episode, attributes))
    return rows.node_from_row(tuple(row))


def finish_task(db: Connection, id: int, ending: TaskEnding, mentioned: FindEntities) -> Node:
    """Ends a task: folds its entries into the trace and credits the memories it was given.

    Ending it again with the same outcome changes nothing.
    """
    started, number = _require_task(db, id)
    node = nodes.require(db, id)
    if number is not None:
        if node.attributes.get("outcome") == ending.outcome:
            return node
        raise Conflict(f"task {id} has ended already: {node.attributes.get('outcome')}")
    entries = _entries(db, id)
    last = max((each.at for each in entries), default=started) if _is_crash(ending) else db.now
    if ending.error is not None:
        entries.append(TaskEvent(0, last, "error", ending.error))
    attributes = _filled_fields(node) | trace_attributes(entries, started, _filled_fields(node))
    attributes |= {"outcome": ending.outcome, "duration_seconds": rounded_seconds(last - started)}
    if ending.commit is not None:
        attributes["git_commit"] = ending.commit
    ended = _rewrite_trace(db, node, attributes, mentioned)
    db.execute("DELETE FROM task_entry WHERE task_id = ?", (id,))
    _assign_number(db, id)
    if ending.credited and not _is_crash(ending):  # a crash says nothing about the memories
        lessons.count_outcome(db, id, ending.outcome)
    return ended


def settle_credit(db: Connection, id: int, error: Mapping[str, Any] | None, mentioned: FindEntities) -> Node:
    """Credits a task that was ended without credit; a later error turns it into a failure."""
    started, _ = _require_task(db, id)
    node = nodes.require(db, id)
    attributes = _filled_fields(node)
    errors = [*attributes.get("errors_encountered", ())]
    if error is not None:
        if error["message"] not in (each.get("message") for each in errors):  # recorded before it was raised
            errors.append(dict(error))
        attributes |= {
            "outcome": "failure",
            "errors_encountered": errors,
            "duration_seconds": rounded_seconds(db.now - started),
        }
        node = _rewrite_trace(db, node, attributes, mentioned)
    lessons.count_outcome(db, id, str(attributes["outcome"]))
    return node


def _rewrite_trace(db: Connection, node: Node, attributes: Mapping[str, Any], mentioned: FindEntities) -> Node:
    text = trace_text(attributes)
    weight = classify_importance(text, type="action", role=node.role, outcome=attributes["outcome"], tags=node.tags)
    words = TextChange(text=text, token_count=tokens.estimate(text), entities=mentioned(text))
    values = {"attributes": validate_attributes(Episode, attributes), "importance": max(weight, node.importance)}
    return nodes.update(db, node.id, words, values, "learned")


def hand_out(db: Connection, id: int, node_ids: Sequence[int]) -> None:
    """Records the memories given to a task, best first, without its own trace. The best place counts."""
    require_open(db, id)
    db.executemany(
        """
        INSERT INTO handed_out (task_id, node_id, place)
        SELECT :task, id, :place FROM node WHERE id = :node AND id <> :task
        ON CONFLICT (task_id, node_id) DO UPDATE SET place = min(place, excluded.place)
        """,
        [{"task": id, "node": node, "place": place} for place, node in enumerate(node_ids, start=1)],
    )
    _note_activity(db, id)


def mark_used(db: Connection, id: int, node_id: int) -> None:
    """Marks a procedure or skill as used by a task; it counts as first place."""
    require_open(db, id)
    nodes.require(db, node_id)
    db.execute(
        """
        INSERT INTO handed_out (task_id, node_id, place, used)
        VALUES (?, ?, 1, 1)
        ON CONFLICT (task_id, node_id) DO UPDATE SET place = 1, used = 1
        """,
        (id, node_id),
    )


def handed_out(db: Connection, id: int) -> list[tuple[int, int, bool]]:
    """(node, place, whether it was used) of the memories given to a task."""
    found = db.execute("SELECT node_id, place, used FROM handed_out WHERE task_id = ? ORDER BY place, node_id", (id,))
    return [(int(node), int(place), bool(used)) for node, place, used in found]


def open_tasks(db: Connection) -> list[OpenTask]:
    """Open tasks, longest silent first."""
    found = db.execute("SELECT node_id, seen_at, process FROM task WHERE number IS NULL ORDER BY seen_at, node_id")
    marked = ((id, seen, json.loads(process or "null")) for id, seen, process in found)
    return [OpenTask(id, seen, mark if isinstance(mark, str) else None) for id, seen, mark in marked]


def recent_tasks(db: Connection, limit: int, only_open: bool) -> list[Node]:
    """Newest first."""
    found = db.column(
        """
        SELECT task.node_id
        FROM task
        JOIN node ON node.id = task.node_id
        WHERE node.state = 'live' AND (task.number IS NULL OR NOT :only_open)
        ORDER BY task.started_at DESC, task.node_id DESC
        LIMIT :limit
        """,
        {"limit": limit, "only_open": only_open},
    )
    return [get_trace(db, id) for id in found]


def find_task(db: Connection, task_id: str) -> int:
    """The id of a task by its name."""
    found = db.execute(
        """
        SELECT task.node_id
        FROM node
        JOIN task ON task.node_id = node.id
        WHERE node.task_id = ?
        ORDER BY task.node_id DESC
        """,
        (task_id,),
    ).get
    if found is None:
        raise NotFound(f"there is no task {task_id!r}; `omoide tasks list` shows the latest")
    return int(found)


def require_open(db: Connection, id: int) -> None:
    """Raises InvalidInput if the task has ended."""
    _, number = _require_task(db, id)
    if number is not None:
        outcome = nodes.require(db, id).attributes.get("outcome")
        raise Conflict(f"task {id} has ended already: {outcome}; start another")


def _require_task(db: Connection, id: int) -> tuple[int, int | None]:
    if isinstance(id, bool) or not isinstance(id, int):
        raise InvalidInput(f"a task id is a whole number, got {id!r}")
    found = db.execute("SELECT started_at, number FROM task WHERE node_id = ?", (min(max(id, -1), 2**62),)).fetchone()
    if found is None:
        raise NotFound(f"there is no task {id}; `omoide tasks list` shows the latest")
    return int(found[0]), found[1]


def _entries(db: Connection, id: int) -> list[TaskEvent]:
    found = db.execute("SELECT id, at, what, body FROM task_entry WHERE task_id = ? ORDER BY id", (id,))
    return [TaskEvent(int(entry), int(at), str(what), json.loads(body)) for entry, at, what, body in found]


def _assign_number(db: Connection, id: int) -> None:
    """Gives a finished task its number in order of ending."""
    db.execute(
        """
        UPDATE task
        SET number = (SELECT coalesce(max(number), 0) + 1 FROM task), seen_at = max(seen_at, :now), process = NULL
        WHERE node_id = :id AND number IS NULL
        """,
        {"id": id, "now": db.now},
    )


def _filled_fields(node: Node) -> dict[str, Any]:
    """Attributes with a value, as stored."""
    return {name: value for name, value in node.attributes.items() if value not in (None, (), False)}


def _is_crash(ending: TaskEnding) -> bool:
    return ending.error is not None and ending.error.get("type") == CRASHED


_HOUR_MICROSECONDS = 3_600_000_000


def crash_ending(task: OpenTask) -> TaskEnding:
    """The ending of an abandoned task."""
    who = f"process {task.process.partition('-')[0]} has ended" if task.process else "no activity for a long time"
    return TaskEnding(outcome="failure", error={"type": CRASHED, "message": who, "resolution": None})


def abandoned_tasks(db: Connection, lease_hours: float) -> list[OpenTask]:
    """Open tasks whose process has ended, or that were silent for longer than their lease."""
    found = []
    for task in open_tasks(db):
        gone = None if task.process is None else gate.mark_has_ended(task.process)
        if db.now - task.seen_at > lease_hours * _HOUR_MICROSECONDS if gone is None else gone:
            found.append(task)
    return found
