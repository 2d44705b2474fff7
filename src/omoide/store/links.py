"""Links that lead nowhere: cut where nothing is lost by it, led to a new row where a memory would lose its place."""

from __future__ import annotations

from collections import Counter

import apsw

from omoide.store.finding import Finding

# Rows that say nothing without the row they belong to.
_BELONGING = {
    "edge": "source_id NOT IN (SELECT id FROM node) OR target_id NOT IN (SELECT id FROM node)",
    "node_entity": "node_id NOT IN (SELECT id FROM node) OR entity_id NOT IN (SELECT id FROM entity)",
    "change": "node_id NOT IN (SELECT id FROM node)",
    "embedding_queue": "node_id NOT IN (SELECT id FROM node)",
    "vector": "node_id NOT IN (SELECT id FROM node) OR model_id NOT IN (SELECT id FROM embedding_model)",
    "token_state": "vector_id NOT IN (SELECT id FROM vector)",
    "entity_vector": """
        entity_id NOT IN (SELECT id FROM entity) OR model_id NOT IN (SELECT id FROM embedding_model)
    """,
    "entity_name": "entity_id NOT IN (SELECT id FROM entity)",
    "entity_change": "entity_id NOT IN (SELECT id FROM entity)",
    "journal": "session_id NOT IN (SELECT id FROM session)",
    "run": "round_id NOT IN (SELECT id FROM round)",
}
# Columns of rows that stand by themselves: (table, column, where it should lead).
_OPTIONAL = (
    ("node", "narrative_id", "node"),
    ("session", "user_id", "entity"),
    ("relation", "source_node_id", "node"),
)


def check(db: apsw.Connection, repair: bool) -> Finding:
    """By foreign keys: whatever table somebody adds is looked at too."""
    seen = Counter(table for table, *_ in db.execute("PRAGMA foreign_key_check"))
    if not seen:
        return Finding("links", True, "every link leads to a row")
    if repair:
        _mend(db)
    left = [table for table, *_ in db.execute("PRAGMA foreign_key_check")]
    detail = f"{seen.total()} lead nowhere ({', '.join(f'{table} {count}' for table, count in sorted(seen.items()))})"
    if repair and left:
        detail += f"; {len(left)} in {', '.join(sorted(set(left)))} cannot be mended: restore them from a backup"
    return Finding("links", False, detail, repaired=repair and not left)


def _mend(db: apsw.Connection) -> None:
    _found_sessions_again(db)
    for table, column, other in _OPTIONAL:
        db.execute(f"UPDATE {table} SET {column} = NULL WHERE {column} NOT IN (SELECT id FROM {other})")
    for table, nowhere in _BELONGING.items():
        db.execute(f"DELETE FROM {table} WHERE {nowhere}")


def _found_sessions_again(db: apsw.Connection) -> None:
    """What was said together stays together: the session is made again from what was said in it."""
    db.execute(
        """
        INSERT INTO session
            (id, name, started_at, last_at, ended_at, episode_count, last_node_id, first_seen_at, learning)
        SELECT
            session_id,
            'recovered ' || session_id,
            min(event_at),
            max(event_at),
            max(event_at),
            count(*) FILTER (WHERE kind = 'episode'),
            max(id) FILTER (WHERE kind = 'episode'),
            min(recorded_at),
            'pending'
        FROM node
        WHERE session_id IS NOT NULL AND session_id NOT IN (SELECT id FROM session)
        GROUP BY session_id
        """
    )
