"""Which nodes have had their time: faded, past their date, old traces, the bottom of a file that is too large."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from omoide.store.confidence import PROTECTED, TODAY

_SHOWN = 200  # characters of a text, for the report

# What a person took out of the archive stays out of it, whatever a policy says.
_RESTORED = "EXISTS (SELECT 1 FROM change WHERE change.node_id = node.id AND change.verb = 'restored')"
# Learning has passed an episode. What was said outside a session is never learned from, so it is never let go.
_LEARNED = """EXISTS (
    SELECT 1 FROM session WHERE session.id = node.session_id AND session.learned_upto >= node.id
)"""
_COMPRESSION = "coalesce(node.attributes ->> 'compression', 'raw')"
# A shorter form tells what a raw episode told. It may have been replaced by one that is shorter still.
_COVERED = """EXISTS (
    SELECT 1
    FROM edge
    JOIN node AS shorter ON shorter.id = edge.source_id
    WHERE
        edge.target_id = node.id AND edge.type = 'derived_from' AND shorter.kind = 'episode'
        AND shorter.state IN ('live', 'superseded', 'expired')
        AND shorter.attributes ->> 'compression' IN ('compressed', 'distilled')
)"""
# Or there is nothing in it to be told: greetings.
_PASSED_OVER = "EXISTS (SELECT 1 FROM change WHERE change.node_id = node.id AND change.verb = 'passed over')"
# Of what a compressed episode was made from, everything was learned from.
_SOURCES_LEARNED = """NOT EXISTS (
    SELECT 1
    FROM edge
    JOIN node AS longer ON longer.id = edge.target_id
    LEFT JOIN session ON session.id = longer.session_id
    WHERE
        edge.source_id = node.id AND edge.type = 'derived_from' AND longer.kind = 'episode'
        AND coalesce(session.learned_upto, 0) < longer.id
)"""
_REFERENCED = """EXISTS (
    SELECT 1
    FROM edge
    JOIN node AS known ON known.id = iif(edge.source_id = node.id, edge.target_id, edge.source_id)
    WHERE
        (edge.target_id = node.id OR edge.source_id = node.id) AND edge.type IN ('derived_from', 'example_of')
        AND known.kind NOT IN ('episode', 'narrative', 'handoff') AND known.state IN ('live', 'superseded')
)"""
# Koshi's order of use: what helped rises, what nobody touched for long sinks. As recall's Hebbian multiplies.
_USE = """
    exp(min(700.0, node.score * 0.2))
    / (1 + max(0, :now - coalesce(node.last_hit_at, node.recorded_at)) / 86400e6 * 0.01)
"""
_IMPORTANT = 6  # Kira-L: a compressed episode of this weight stays for ever


@dataclass(frozen=True, slots=True)
class Aged:
    """A node that leaves use, and what speaks for that: the confidence left, or how it was compressed."""

    id: int
    kind: str
    text: str
    sign: Any


def fading(
    db: apsw.Connection, now: int, below: float, after: int, limit: int, among: Sequence[int] | None = None
) -> list[Aged]:
    """Learned nodes that nobody vouches for and of whose confidence hardly anything is left; in order of id."""
    return _aged(
        db,
        f"""
        node.kind NOT IN ('episode', 'narrative', 'handoff') AND node.decay_rate > 0
        AND NOT {PROTECTED} AND NOT {_RESTORED} AND {TODAY} < :below
        """,
        TODAY,
        {"now": now, "below": below, "after": after, "limit": limit},
        among,
    )


def expiring(db: apsw.Connection, now: int, after: int, limit: int, among: Sequence[int] | None = None) -> list[Aged]:
    """Episodes past their date, learned from, and, where they are raw, told shorter or empty; in order of id."""
    return _aged(
        db,
        f"""
        node.kind = 'episode' AND node.expires_at IS NOT NULL AND node.expires_at <= :now AND NOT {_RESTORED}
        AND CASE {_COMPRESSION}
            WHEN 'raw' THEN {_LEARNED} AND ({_COVERED} OR {_PASSED_OVER})
            WHEN 'compressed' THEN node.importance < {_IMPORTANT} AND {_SOURCES_LEARNED}
            ELSE 0
        END
        """,
        _COMPRESSION,
        {"now": now, "after": after, "limit": limit},
        among,
        "node_expiring",
    )


def old_traces(
    db: apsw.Connection, before: int, after: int, limit: int, among: Sequence[int] | None = None
) -> list[Aged]:
    """Episodes of a task from before a time that nothing known refers to; in order of id."""
    return _aged(
        db,
        f"""
        node.kind = 'episode' AND (node.task_id IS NOT NULL OR node.attributes ->> 'goal' IS NOT NULL)
        AND node.event_at < :before AND NOT {_RESTORED} AND NOT {_REFERENCED}
        AND (node.session_id IS NULL OR {_LEARNED})
        """,
        "coalesce(node.task_id, node.attributes ->> 'goal')",
        {"before": before, "after": after, "limit": limit},
        among,
        "node_trace",
    )


def least_used(db: apsw.Connection, now: int, limit: int) -> list[Aged]:
    """The bottom of all live nodes by use, never what is protected; episodes not learned from yet come last."""
    found = db.execute(
        f"""
        SELECT node.id, node.kind, substr(node.text, 1, {_SHOWN}), {_USE} AS used
        FROM node
        WHERE node.state = 'live' AND NOT {_RESTORED} AND (node.kind = 'episode' OR NOT {PROTECTED})
        ORDER BY
            node.kind = 'episode' AND NOT {_LEARNED},
            used,
            node.id
        LIMIT :limit
        """,
        {"now": now, "limit": limit},
    )
    return [Aged(*row) for row in found]


def live(db: apsw.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM node WHERE state = 'live'").get)


def newest(db: apsw.Connection) -> int | None:
    """When the last node was recorded: what the clock said then."""
    found = db.execute("SELECT recorded_at FROM node ORDER BY id DESC LIMIT 1").get
    return None if found is None else int(found)


def _aged(
    db: apsw.Connection,
    condition: str,
    sign: str,
    values: dict[str, Any],
    among: Sequence[int] | None,
    index: str | None = None,
) -> list[Aged]:
    """Live nodes of a condition; with `among` only of these, so that a writer can look again before it acts."""
    which = "" if among is None else "AND node.id IN (SELECT value FROM json_each(:among))"
    found = db.execute(
        f"""
        SELECT node.id, node.kind, substr(node.text, 1, {_SHOWN}), {sign}
        FROM node {"" if index is None else f"INDEXED BY {index}"}
        WHERE node.state = 'live' AND node.id > :after AND {condition} {which}
        ORDER BY node.id
        LIMIT :limit
        """,
        values | ({} if among is None else {"among": json.dumps(list(among))}),
    )
    return [Aged(*row) for row in found]
