"""Handoffs: listed for whom they are for, accepted by exactly one."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase

import apsw

from omoide.clock import moment
from omoide.errors import InvalidInput
from omoide.layers import Node
from omoide.layers.episodic import Handoff
from omoide.store import nodes
from omoide.store.nodes import Rewording


def require(db: apsw.Connection, id: int) -> Handoff:
    node = nodes.require(db, id)
    if not isinstance(node, Handoff):
        raise InvalidInput(f"node {id} is a {node.kind}, not a handoff")
    return node


def accept(db: apsw.Connection, id: int, agent: str, now: int) -> Handoff:
    """The first who accepts has it: accepting again changes nothing, and whoever comes later is told whose it is."""
    held = require(db, id)
    if held.accepted_by == agent and held.accepted_at is not None:
        return held
    if held.accepted_at is not None:
        raise InvalidInput(f"handoff {id} was accepted by {held.accepted_by or 'somebody'} at {held.accepted_at}")
    if held.state != "live":
        raise InvalidInput(f"handoff {id} is {held.state}; there is nothing to accept any more")
    if not held.may_be_accepted_by(agent):
        raise InvalidInput(f"handoff {id} is addressed to {held.to_agent}, not to {agent}")
    own = {name: value for name, value in held.attributes.items() if value not in (None, ())}
    attributes = own | {"accepted_at": moment(now).isoformat(), "accepted_by": agent}
    nodes.rewrite(db, id, now, Rewording(), {"attributes": attributes}, "accepted")
    return require(db, id)


def listed(db: apsw.Connection, agent: str | None, only_open: bool, limit: int) -> list[Node]:
    """The latest first: all, or those that an agent may accept or has accepted."""
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
    held = nodes.fetch(db, ids)
    return [held[id] for id in ids]


def _concerns(attributes: dict[str, str], agent: str) -> bool:
    if (by := attributes.get("accepted_by")) is not None:
        return by == agent
    to = attributes.get("to_agent")
    return to is None or fnmatchcase(agent, to)
