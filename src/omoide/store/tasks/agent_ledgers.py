"""Handoffs between agents, and ledgers: the current state of each agent with all its checkpoints."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from omoide.clock import to_datetime
from omoide.domain import Draft, Node
from omoide.domain.kinds import Handoff
from omoide.domain.task import Ledger, LedgerCheckpoint, ledger_text
from omoide.errors import Conflict, NotFound
from omoide.language import tokens
from omoide.store.engine.connection import Connection
from omoide.store.records import nodes, rows
from omoide.store.records.nodes import TextChange


def require_handoff(db: Connection, id: int) -> Handoff:
    node = nodes.require(db, id)
    if not isinstance(node, Handoff):
        raise Conflict(f"memory {id} is a {node.kind}, not a handoff")
    return node


def accept_handoff(db: Connection, id: int, agent: str) -> Handoff:
    """Accepts a handoff for an agent. Accepting again changes nothing; another agent gets InvalidInput."""
    handoff = require_handoff(db, id)
    if handoff.accepted_by == agent and handoff.accepted_at is not None:
        return handoff
    if handoff.accepted_at is not None:
        raise Conflict(f"handoff {id} was accepted by {handoff.accepted_by or 'someone'} at {handoff.accepted_at}")
    if handoff.state != "live":
        raise Conflict(f"handoff {id} is {handoff.state} and cannot be accepted")
    if not handoff.may_be_accepted_by(agent):
        raise Conflict(f"handoff {id} is addressed to {handoff.to_agent}, not to {agent}")
    own = {name: value for name, value in handoff.attributes.items() if value not in (None, ())}
    attributes = own | {"accepted_at": to_datetime(db.now).isoformat(), "accepted_by": agent}
    nodes.update(db, id, TextChange(), {"attributes": attributes}, "accepted")
    return require_handoff(db, id)


def list_handoffs(db: Connection, agent: str | None, only_open: bool, limit: int) -> list[Node]:
    """Newest first: all, or those an agent may accept or has accepted."""
    found = db.execute(
        """
        SELECT id, attributes
        FROM node
        WHERE kind = 'handoff' AND state = 'live' AND (NOT :open OR attributes ->> 'accepted_at' IS NULL)
        ORDER BY event_at DESC, id DESC
        """,
        {"open": only_open},
    )
    ids: list[int] = []
    for id, attributes in found:
        if agent is None or _concerns(json.loads(attributes or "{}"), agent):
            ids.append(id)
        if len(ids) == limit:
            break
    return nodes.fetch_in_order(db, ids)


def _concerns(attributes: dict[str, str], agent: str) -> bool:
    if (by := attributes.get("accepted_by")) is not None:
        return by == agent
    to = attributes.get("to_agent")
    return to is None or fnmatchcase(agent, to)


_STATE = "tasks_completed, nullif(current_task, ''), state, context"
_SELECT_LEDGER = f"SELECT agent_id, last_checkpoint, {_STATE}, node_id, details FROM ledger "


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerUpdate:
    """The state an agent reports. None leaves a value unchanged; `task` "" means no current task."""

    agent: str
    task: str | None = None
    state: Mapping[str, Any] | None = None
    context: Mapping[str, Any] | None = None
    completed: int = 0  # finished since the last checkpoint: added, so that concurrent updates both count
    at: int | None = None
    details: Mapping[str, Any] | None = None
    total: int | None = None  # finished in total, as counted by another program


def find_ledger(db: Connection, agent: str) -> Ledger | None:
    found = db.execute(_SELECT_LEDGER + "WHERE agent_id = ?", (agent,)).fetchone()
    return rows.record(Ledger, found) if found else None


def require_ledger(db: Connection, agent: str) -> Ledger:
    ledger = find_ledger(db, agent)
    if ledger is None:
        raise NotFound(f"there is no ledger of {agent!r}; checkpoint({agent!r}) creates one")
    return ledger


def list_ledgers(db: Connection) -> list[Ledger]:
    return [rows.record(Ledger, row) for row in db.execute(_SELECT_LEDGER + "ORDER BY last_checkpoint DESC, agent_id")]


def add_checkpoint(db: Connection, update: LedgerUpdate, mentioned: Callable[[str], tuple[int, ...]]) -> Ledger:
    """Updates the ledger and adds a checkpoint to its history."""
    ledger = find_ledger(db, update.agent)
    at = db.now if update.at is None else update.at
    state = dict(update.state if update.state is not None else ledger.state if ledger else {})
    context = dict(update.context if update.context is not None else ledger.context if ledger else {})
    task = update.task if update.task is not None else ledger.current_task if ledger else None
    done = update.total if update.total is not None else (ledger.tasks_completed if ledger else 0) + update.completed
    details = update.details if update.details is not None else ledger.details if ledger else None
    node = _ledger_note(db, ledger, ledger_text(update.agent, task or None, done, state, context), mentioned)
    values: dict[str, Any] = {
        "agent_id": update.agent,
        "tasks_completed": done,
        "state": rows.to_json(state),
        "context": rows.to_json(context),
    }
    db.upsert(
        "ledger",
        ["agent_id"],
        **values,
        last_checkpoint=at,
        current_task=task or None,
        node_id=node,
        details=rows.to_json(details),
    )
    db.insert("checkpoint", **values, at=at, current_task=task or "")
    return require_ledger(db, update.agent)


def list_checkpoints(db: Connection, agent: str, limit: int) -> list[LedgerCheckpoint]:
    """Newest first."""
    require_ledger(db, agent)
    found = db.execute(
        f"""
        SELECT agent_id, at, {_STATE}
        FROM checkpoint
        WHERE agent_id = ?
        ORDER BY id DESC
        LIMIT ?
        """,
        (agent, limit),
    )
    return [rows.record(LedgerCheckpoint, row) for row in found]


def _ledger_note(
    db: Connection, ledger: Ledger | None, text: str, mentioned: Callable[[str], tuple[int, ...]]
) -> int | None:
    """Updates the one note per agent by which search finds its current state."""
    before = nodes.fetch(db, [ledger.node_id]) if ledger is not None and ledger.node_id is not None else {}
    for node in before.values():
        if node.state == "live":
            words = TextChange(text=text, token_count=tokens.estimate(text), entities=mentioned(text))
            if text != node.text:
                nodes.update(db, node.id, words, {}, "checkpoint")
            return node.id
    draft = Draft(
        kind="note",
        text=text,
        event_at=db.now,
        valid_from=db.now,
        origin="agent",
        source_type="agent",
        attributes={"category": "ledger"},
        token_count=tokens.estimate(text),
        entities=mentioned(text),
    )
    node = nodes.insert(db, [draft])[0]
    return None if node.state == "erased" else node.id
