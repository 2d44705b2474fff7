"""Boards of live sessions, and what a reader of context packs was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omoide.store.engine.connection import Connection
from omoide.store.search.node_filter import NodeFilter


@dataclass(frozen=True, slots=True)
class BoardSnapshot:
    """A board as JSON, with the agent's system prompt. Times in microseconds."""

    session: str
    board: str
    system: str
    updated_at: int


def save_board(db: Connection, session: str, board: str, system: str, version: int) -> bool:
    """Saves a board over the version that was read (0: none); False if another version is stored by now."""
    found = db.execute(
        """
        INSERT INTO live_board (session, board, system, updated_at)
        SELECT :session, :board, :system, :now
        WHERE :version = 0 OR EXISTS (SELECT 1 FROM live_board WHERE session = :session)
        ON CONFLICT (session) DO UPDATE SET
            board = excluded.board,
            system = excluded.system,
            updated_at = excluded.updated_at
        WHERE coalesce(live_board.board ->> 'version', 0) = :version
        RETURNING session
        """,
        {"session": session, "board": board, "system": system, "now": db.now, "version": version},
    )
    return found.fetchone() is not None


def find_board(db: Connection, session: str) -> BoardSnapshot | None:
    found = db.execute(
        "SELECT session, board, system, updated_at FROM live_board WHERE session = ?", (session,)
    ).fetchone()
    return BoardSnapshot(*found) if found else None


def list_boards(db: Connection) -> list[BoardSnapshot]:
    """Newest first."""
    found = db.execute("SELECT session, board, system, updated_at FROM live_board ORDER BY updated_at DESC, session")
    return [BoardSnapshot(*row) for row in found]


def delete_board(db: Connection, session: str) -> None:
    db.execute("DELETE FROM live_board WHERE session = ?", (session,))


def session_episodes(db: Connection, session: str, after: int, limit: int) -> list[int]:
    """The latest episodes of a session after an id, in order."""
    return db.column(
        """
        SELECT node.id
        FROM node
        WHERE
            node.session_id = (SELECT id FROM session WHERE name = :session)
            AND node.kind = 'episode'
            AND node.state = 'live'
            AND node.attributes ->> 'compression' IS NULL  -- a summary is no turn
            AND node.id > :after
        ORDER BY node.id DESC
        LIMIT :limit
        """,
        {"session": session, "after": after, "limit": limit},
    )[::-1]


def visible_nodes(db: Connection, ids: Sequence[int], keep: NodeFilter) -> dict[int, int]:
    """The existing nodes that pass the filter, with the time of their last change in microseconds."""
    clause, values = keep.clause()
    found = db.execute(
        f"""
        SELECT node.id, node.updated_at
        FROM node
        WHERE node.id IN (SELECT value FROM json_each(:ids)) AND {clause}
        """,
        values | {"ids": ids},
    )
    return dict(found)


def visible_session_nodes(db: Connection, ids: Sequence[int], shared: bool) -> dict[int, int]:
    """The same for the session's own nodes: here its summary counts, although its turns answer queries for it."""
    found = db.execute(
        """
        SELECT id, updated_at
        FROM node
        WHERE
            id IN (SELECT value FROM json_each(:ids))
            AND state = 'live'
            AND (NOT :shared OR audience = 'shared' AND NOT sensitive)
        """,
        {"ids": ids, "shared": shared},
    )
    return dict(found)


def derived_pairs(db: Connection, ids: Sequence[int]) -> list[tuple[int, int]]:
    """(node, source) where both are among these."""
    found = db.execute(
        """
        SELECT source_id, target_id
        FROM edge
        WHERE
            type = 'derived_from'
            AND source_id IN (SELECT value FROM json_each(:ids))
            AND target_id IN (SELECT value FROM json_each(:ids))
        ORDER BY id
        """,
        {"ids": ids},
    )
    return list(found)


def replaced_pairs(db: Connection, ids: Sequence[int]) -> list[tuple[int, int, int]]:
    """(node, the version it replaced, the source of that one), where node and source are among these."""
    found = db.execute(
        """
        SELECT newer.source_id, newer.target_id, origin.target_id
        FROM edge AS newer JOIN edge AS origin ON origin.source_id = newer.target_id AND origin.type = 'derived_from'
        WHERE
            newer.type = 'supersedes'
            AND newer.source_id IN (SELECT value FROM json_each(:ids))
            AND origin.target_id IN (SELECT value FROM json_each(:ids))
        ORDER BY newer.id
        """,
        {"ids": ids},
    )
    return list(found)


def owner_names(db: Connection, session: str) -> list[str]:
    """All names of the user of this session, or of the last user."""
    return db.column(
        """
        SELECT entity_name.name
        FROM entity_name
        WHERE entity_name.entity_id = coalesce(
            (SELECT user_id FROM session WHERE name = :session),
            (SELECT user_id FROM session WHERE user_id IS NOT NULL ORDER BY last_at DESC LIMIT 1)
        )
        ORDER BY entity_name.is_alias, entity_name.name
        """,
        {"session": session},
    )


def facts_about(db: Connection, names: Sequence[str], keep: NodeFilter, limit: int) -> list[int]:
    """Facts about someone, most important and most certain first."""
    clause, values = keep.clause()
    return db.column(
        f"""
        SELECT node.id
        FROM node
        WHERE
            node.kind = 'fact'
            AND node.attributes ->> 'subject' IN (SELECT value FROM json_each(:names))
            AND {clause}
        ORDER BY node.importance DESC, node.confidence DESC, node.id DESC
        LIMIT :limit
        """,
        values | {"names": names, "limit": limit},
    )


# What a reader of context packs was given: ids of memories, and of entities as negative numbers.


_KEPT = 30 * 86_400 * 1_000_000  # microseconds: a conversation that rests longer is given everything again


def given_to(db: Connection, reader: bytes) -> frozenset[int]:
    """What the reader was given."""
    return frozenset(db.column("SELECT item FROM given WHERE reader = ?", (reader,)))


def said_in(db: Connection, session: str) -> frozenset[int]:
    """The episodes of a session, which its reader has before its eyes."""
    found = db.column(
        """
        SELECT node.id
        FROM node
        WHERE node.session_id = (SELECT id FROM session WHERE name = ?) AND node.kind = 'episode'
        """,
        (session,),
    )
    return frozenset(found)


def learned_only_from(db: Connection, ids: Sequence[int], known: Sequence[int]) -> frozenset[int]:
    """Those of `ids` that were made from `known` memories alone."""
    found = db.column(
        """
        SELECT source_id
        FROM edge
        WHERE type = 'derived_from' AND source_id IN (SELECT value FROM json_each(:ids))
        GROUP BY source_id
        HAVING min(target_id IN (SELECT value FROM json_each(:known)))
        """,
        {"ids": ids, "known": known},
    )
    return frozenset(found)


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
