"""What a reader of context packs was given: ids of memories, and of entities as negative numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence

from omoide.store.engine.connection import Connection

_KEPT = 30 * 86_400 * 1_000_000  # microseconds: a conversation that rests longer is given everything again


def given_to(db: Connection, reader: bytes) -> frozenset[int]:
    """What the reader was given."""
    return frozenset(int(row[0]) for row in db.execute("SELECT item FROM given WHERE reader = ?", (reader,)))


def said_in(db: Connection, session: str) -> frozenset[int]:
    """The episodes of a session, which its reader has before its eyes."""
    found = db.execute(
        """
        SELECT node.id
        FROM node
        WHERE node.session_id = (SELECT id FROM session WHERE name = ?) AND node.kind = 'episode'
        """,
        (session,),
    )
    return frozenset(int(row[0]) for row in found)


def learned_only_from(db: Connection, ids: Sequence[int], known: Sequence[int]) -> frozenset[int]:
    """Those of `ids` that were made from `known` memories alone."""
    found = db.execute(
        """
        SELECT source_id
        FROM edge
        WHERE type = 'derived_from' AND source_id IN (SELECT value FROM json_each(:ids))
        GROUP BY source_id
        HAVING min(target_id IN (SELECT value FROM json_each(:known)))
        """,
        {"ids": json.dumps(list(ids)), "known": json.dumps(list(known))},
    )
    return frozenset(int(row[0]) for row in found)


def record_given(db: Connection, reader: bytes, items: Sequence[int]) -> None:
    """Notes what the reader is given, and deletes what is old."""
    db.execute("DELETE FROM given WHERE at < ?", (db.now - _KEPT,))
    db.executemany(
        "INSERT INTO given (reader, item, at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at",
        [(reader, item, db.now) for item in items],
    )


def forget_given(db: Connection, reader: bytes) -> None:
    """The reader has lost what it was given: its context was compacted or emptied."""
    db.execute("DELETE FROM given WHERE reader = ?", (reader,))
