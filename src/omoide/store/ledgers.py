"""Ledgers: one row an agent, every checkpoint kept, and a node by which a search finds them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import apsw

from omoide import tokens
from omoide.clock import moment
from omoide.errors import NotFound
from omoide.ids import Ids
from omoide.layers import Draft
from omoide.layers.ledger import Checkpoint, Ledger, worded
from omoide.store import nodes, rows
from omoide.store.nodes import Rewording

_SELECT = """
    SELECT agent_id, last_checkpoint, tasks_completed, current_task, state, context, node_id, details
    FROM ledger
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What an agent says of where it stands; None leaves what stands, `task` "" means that none is at hand."""

    agent: str
    task: str | None = None
    state: Mapping[str, Any] | None = None
    context: Mapping[str, Any] | None = None
    completed: int = 0  # tasks more than before: added, so that two who count at once both count
    at: int | None = None
    details: Mapping[str, Any] | None = None
    total: int | None = None  # tasks in all, where another program counted them


def find(db: apsw.Connection, agent: str) -> Ledger | None:
    found = db.execute(_SELECT + "WHERE agent_id = ?", (agent,)).fetchone()
    return _record(found) if found else None


def require(db: apsw.Connection, agent: str) -> Ledger:
    held = find(db, agent)
    if held is None:
        raise NotFound(f"there is no ledger of {agent!r}; checkpoint({agent!r}) begins one")
    return held


def all_of(db: apsw.Connection) -> list[Ledger]:
    return [_record(row) for row in db.execute(_SELECT + "ORDER BY last_checkpoint DESC, agent_id")]


def checkpoint(
    db: apsw.Connection, told: Standing, now: int, ids: Ids, mentioned: Callable[[str], tuple[int, ...]]
) -> Ledger:
    """The ledger as it stands now; where it stood is in its history."""
    held = find(db, told.agent)
    at = now if told.at is None else told.at
    state = dict(told.state if told.state is not None else held.state if held else {})
    context = dict(told.context if told.context is not None else held.context if held else {})
    task = told.task if told.task is not None else held.current_task if held else None
    done = told.total if told.total is not None else (held.tasks_completed if held else 0) + told.completed
    node = _told(db, held, worded(told.agent, task or None, done, state, context), now, ids, mentioned)
    values = {
        "agent": told.agent,
        "at": at,
        "done": done,
        "task": task or None,
        "state": rows.dump(state),
        "context": rows.dump(context),
        "node": node,
        "details": rows.dump(told.details if told.details is not None else held.details if held else None),
    }
    db.execute(
        """
        INSERT INTO ledger
            (agent_id, last_checkpoint, tasks_completed, current_task, state, context, node_id, details)
        VALUES (:agent, :at, :done, :task, :state, :context, :node, :details)
        ON CONFLICT (agent_id) DO UPDATE SET
            last_checkpoint = excluded.last_checkpoint,
            tasks_completed = excluded.tasks_completed,
            current_task = excluded.current_task,
            state = excluded.state,
            context = excluded.context,
            node_id = excluded.node_id,
            details = excluded.details
        """,
        values,
    )
    db.execute(
        """
        INSERT INTO checkpoint (agent_id, at, tasks_completed, current_task, state, context)
        VALUES (:agent, :at, :done, :task, :state, :context)
        """,
        {name: values[name] for name in ("agent", "at", "done", "state", "context")} | {"task": task or ""},
    )
    return require(db, told.agent)


def history(db: apsw.Connection, agent: str, limit: int) -> list[Checkpoint]:
    """Its checkpoints, the latest first."""
    require(db, agent)
    found = db.execute(
        """
        SELECT agent_id, at, tasks_completed, current_task, state, context
        FROM checkpoint
        WHERE agent_id = ?
        ORDER BY id DESC
        LIMIT ?
        """,
        (agent, limit),
    )
    return [Checkpoint(**_shared(row)) for row in found]


def _told(
    db: apsw.Connection,
    held: Ledger | None,
    text: str,
    now: int,
    ids: Ids,
    mentioned: Callable[[str], tuple[int, ...]],
) -> int | None:
    """One note an agent, its words renewed: a search finds where it stands, not where it stood."""
    before = nodes.fetch(db, [held.node_id]) if held is not None and held.node_id is not None else {}
    for node in before.values():
        if node.state == "live":
            words = Rewording(text=text, token_count=tokens.estimate(text), entities=mentioned(text))
            if text != node.text:
                nodes.rewrite(db, node.id, now, words, {}, "checkpoint")
            return node.id
    draft = Draft(
        kind="note",
        text=text,
        event_at=now,
        valid_from=now,
        origin="agent",
        source_type="agent",
        attributes={"category": "ledger"},
        token_count=tokens.estimate(text),
        entities=mentioned(text),
    )
    node = nodes.insert(db, [draft], now, ids)[0]
    return None if node.state == "erased" else node.id


def _record(row: tuple[Any, ...]) -> Ledger:
    return Ledger(**_shared(row), node_id=row[6], details=json.loads(row[7]) if row[7] else None)


def _shared(row: tuple[Any, ...]) -> dict[str, Any]:
    return {
        "agent_id": row[0],
        "last_checkpoint": moment(row[1]),
        "tasks_completed": row[2],
        "current_task": row[3] or None,
        "state": json.loads(row[4]),
        "context": json.loads(row[5]),
    }
