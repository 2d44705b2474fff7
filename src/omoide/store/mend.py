"""Before nodes go: what stood around them is joined again, and what they had replaced holds again."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw

from omoide.store import edges, nodes


def join_talk(db: apsw.Connection, ids: Collection[int], now: int) -> None:
    """What was said before a gap is followed by what was said after it."""
    for id in sorted(ids):
        before = db.execute("SELECT source_id FROM edge WHERE target_id = ? AND type = 'temporal'", (id,)).get
        after = db.execute("SELECT target_id FROM edge WHERE source_id = ? AND type = 'temporal'", (id,)).get
        db.execute("DELETE FROM edge WHERE type = 'temporal' AND (source_id = :id OR target_id = :id)", {"id": id})
        if before is not None and after is not None:
            edges.insert(db, before, after, "temporal", now)


def bequeath(db: apsw.Connection, ids: Collection[int], now: int) -> list[int]:
    """What gave way to a node that goes gives way to whatever replaced that one. Those that nothing replaces."""
    gone = set(ids)
    found = db.execute(
        """
        SELECT DISTINCT edge.target_id
        FROM edge
        JOIN node ON node.id = edge.target_id
        WHERE
            edge.type = 'supersedes' AND node.state = 'superseded'
            AND edge.source_id IN (SELECT value FROM json_each(:ids))
            AND edge.target_id NOT IN (SELECT value FROM json_each(:ids))
        ORDER BY 1
        """,
        {"ids": json.dumps(list(gone))},
    )
    free = []
    for (id,) in list(found):
        heir = _heir(db, id, gone)
        if heir is None:
            free.append(id)
        else:
            edges.insert(db, heir, id, "supersedes", now)
    return free


def revive(db: apsw.Connection, ids: Collection[int], now: int) -> tuple[int, ...]:
    """Once their successors are gone, they hold again."""
    revived = [id for id in ids if _may_live(db, id)]
    for id in revived:
        _live(db, id, now)
    return tuple(revived)


def _heir(db: apsw.Connection, id: int, gone: set[int]) -> int | None:
    """The first kept successor in the chain."""
    seen, ahead = {id}, [id]
    while ahead:
        found = db.execute(
            """
            SELECT source_id FROM edge
            WHERE type = 'supersedes' AND target_id IN (SELECT value FROM json_each(?)) ORDER BY id DESC
            """,
            (json.dumps(ahead),),
        )
        ahead = [row[0] for row in found if row[0] not in seen]
        seen |= set(ahead)
        kept = next((each for each in ahead if each not in gone), None)
        if kept is not None:
            return kept
    return None


def _may_live(db: apsw.Connection, id: int) -> bool:
    """At most one preference lives under a name."""
    node = nodes.require(db, id)
    if node.kind != "preference" or not node.attributes.get("name"):
        return True
    return nodes.preference(db, node.attributes.get("category") or "other", node.attributes["name"]) is None


def _live(db: apsw.Connection, id: int, now: int) -> None:
    """Its end was set when it was replaced, and is told by the change of then."""
    until = db.execute(
        """
        SELECT before ->> 'valid_until'
        FROM change
        WHERE node_id = ? AND verb = 'superseded'
        ORDER BY id DESC
        LIMIT 1
        """,
        (id,),
    ).get
    db.execute(
        "UPDATE node SET state = 'live', state_at = :now, updated_at = :now, valid_until = :until WHERE id = :id",
        {"id": id, "now": now, "until": until},
    )
    db.execute("INSERT INTO change (node_id, at, verb) VALUES (?, ?, 'revived')", (id, now))
