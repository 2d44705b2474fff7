"""What an agent that comes back asks first: what was said last, what became known since, what went wrong before."""

from __future__ import annotations

import json
from collections.abc import Sequence

import apsw

from omoide.layers import Node
from omoide.store.narratives import VISIBLE, held


def learned_since(db: apsw.Connection, after: int, limit: int, *, shared: bool, sensitive: bool) -> list[Node]:
    """What became known after a node was stored, the latest first; turns and what sums them up aside."""
    found = db.execute(
        f"""
        SELECT node.id
        FROM node
        WHERE
            node.id > :after AND node.state = 'live' AND node.kind NOT IN ('episode', 'narrative') AND {VISIBLE}
        ORDER BY node.id DESC
        LIMIT :limit
        """,
        {"after": after, "limit": limit, "shared": shared, "sensitive": sensitive},
    )
    return held(db, [row[0] for row in found])


def mistakes(db: apsw.Connection, limit: int, *, shared: bool, sensitive: bool) -> list[Node]:
    """What fails, and what had to be corrected, the latest first."""
    found = db.execute(
        f"""
        SELECT node.id
        FROM node
        WHERE
            node.state = 'live' AND {VISIBLE}
            AND node.kind <> 'episode' AND node.kind <> 'narrative'  -- said so that the index over the others serves
            AND (node.kind = 'antipattern' OR node.source_type = 'corrected')
        ORDER BY node.kind <> 'antipattern', node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        {"limit": limit, "shared": shared, "sensitive": sensitive},
    )
    return held(db, [row[0] for row in found])


def last_turn(db: apsw.Connection, session: str) -> int:
    """The newest episode of a session, 0 for none."""
    found = db.execute("SELECT last_node_id FROM session WHERE name = ?", (session,)).get
    return 0 if found is None else int(found)


def latest_turns(db: apsw.Connection, sessions: Sequence[str], limit: int) -> list[Node]:
    """The latest live turns of some sessions, in order."""
    found = db.execute(
        """
        SELECT node.id
        FROM node
        WHERE
            node.session_id IN (SELECT id FROM session WHERE name IN (SELECT value FROM json_each(:sessions)))
            AND node.kind = 'episode' AND node.state = 'live' AND node.attributes ->> 'compression' IS NULL
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        {"sessions": json.dumps(list(sessions)), "limit": limit},
    )
    return held(db, [row[0] for row in found])[::-1]
