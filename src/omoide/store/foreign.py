"""What came from other programs: by what they called it, and the files that hold no memory."""

from __future__ import annotations

import json
from typing import Any

import apsw

from omoide.layers import Node
from omoide.layers.edge import RELATIONS
from omoide.store import nodes


def by_key(db: apsw.Connection, key: bytes) -> Node | None:
    found = db.execute("SELECT id FROM node WHERE key = ?", (key,)).get
    return None if found is None else nodes.require(db, found)


def by_ulid(db: apsw.Connection, ulid: str) -> Node | None:
    found = db.execute("SELECT id FROM node WHERE ulid = ?", (ulid,)).get
    return None if found is None else nodes.require(db, found)


def exported(db: apsw.Connection) -> list[int]:
    """The memories that a `.loki/memory` folder holds: all that came from one, and ours of the same kinds."""
    found = db.execute(
        """
        SELECT id
        FROM node
        WHERE
            details ->> '$.loki' IS NOT NULL
            OR state = 'live' AND kind IN ('pattern', 'antipattern', 'fact', 'note', 'handoff')
            AND coalesce(attributes ->> 'category', '') <> 'ledger'
            OR id IN (SELECT node_id FROM task WHERE number IS NOT NULL)
        ORDER BY id
        """
    )
    return [int(row[0]) for row in found]


def links(db: apsw.Connection) -> list[tuple[int, str, int]]:
    """Every link of the kinds that Loki knows."""
    found = db.execute(
        """
        SELECT source_id, type, target_id
        FROM edge
        WHERE type IN (SELECT value FROM json_each(?)) AND valid_until IS NULL
        ORDER BY id
        """,
        (json.dumps(RELATIONS),),
    )
    return list(found)


def keep(db: apsw.Connection, path: str, body: Any) -> bool:
    """Keeps a file as it is; tells whether that is new."""
    dumped = json.dumps(body, ensure_ascii=False)
    if db.execute("SELECT body FROM foreign_file WHERE path = ?", (path,)).get == dumped:
        return False
    db.execute(
        "INSERT INTO foreign_file (path, body) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET body = excluded.body",
        (path, dumped),
    )
    return True


def kept(db: apsw.Connection) -> dict[str, Any]:
    return {path: json.loads(body) for path, body in db.execute("SELECT path, body FROM foreign_file ORDER BY path")}


def ended_since(db: apsw.Connection, since: int) -> list[tuple[int, dict[str, Any]]]:
    """(when it began, its fields) of the tasks that are over."""
    found = db.execute(
        """
        SELECT node.event_at, node.attributes
        FROM task
        JOIN node ON node.id = task.node_id
        WHERE task.number IS NOT NULL AND node.event_at >= :since
        ORDER BY node.event_at
        """,
        {"since": since},
    )
    return [(int(at), json.loads(attributes or "{}")) for at, attributes in found]
