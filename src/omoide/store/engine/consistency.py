"""Checks of derived columns and references, with repairs, and remarks on a sound file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sized
from dataclasses import dataclass

from omoide.domain.entity import name_key
from omoide.language.sentences import states_preference
from omoide.store.engine import maintenance_log
from omoide.store.engine.connection import Connection
from omoide.store.entities import mentions


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: its name, whether it passed, details, whether it was repaired."""

    check: str
    ok: bool
    detail: str
    repaired: bool = False

    @classmethod
    def of(cls, check: str, wrong: Sized, problem: str, sound: str, repair: bool) -> Finding:
        """What was found wrong, if anything, and repaired if that was asked for."""
        return cls(check, not wrong, problem if wrong else sound, repaired=bool(wrong) and repair)


def check_sessions(db: Connection, repair: bool) -> Finding:
    """Episode counts and last episodes of sessions, to which the next turn is linked."""
    wrong = db.execute(
        """
        SELECT session.id, count(node.id), max(node.id)
        FROM session
        LEFT JOIN node ON
            node.session_id = session.id AND node.kind = 'episode'
            AND node.attributes ->> 'compression' IS NULL  -- a summary is no turn
        GROUP BY session.id
        HAVING
            count(node.id) <> session.episode_count
            OR (count(node.id) AND session.last_node_id NOT IN (SELECT id FROM node WHERE session_id = session.id))
        """
    ).fetchall()
    if wrong and repair:
        db.executemany(
            """
            UPDATE session
            SET
                episode_count = ?,
                last_node_id = iif(last_node_id IN (SELECT id FROM node WHERE session_id = session.id), last_node_id, ?)
            WHERE id = ?
            """,
            [(count, last, id) for id, count, last in wrong],
        )
    problem = f"{len(wrong)} sessions have wrong episode counts"
    return Finding.of("sessions", wrong, problem, "all sessions have correct episode counts", repair)


def check_entity_names(db: Connection, repair: bool) -> Finding:
    """Every entity must be found by its own name and must have been mentioned if nodes refer to it."""
    found = db.execute(
        """
        SELECT
            entity.id,
            entity.name,
            entity.mention_count < 1 AND EXISTS (
                SELECT 1
                FROM node_entity
                JOIN node ON node.id = node_entity.node_id
                WHERE node_entity.entity_id = entity.id AND node.kind = 'episode'
            ),
            (SELECT json_group_array(key) FROM entity_name WHERE entity_id = entity.id) AS keys
        FROM entity
        """
    )
    wrong = [
        (id, name)
        for id, name, uncounted, keys in found
        if uncounted or f'"{_json_escaped(name_key(name) or name)}"' not in keys
    ]
    if wrong and repair:
        for id, name in wrong:
            db.execute(
                "INSERT INTO entity_name (key, entity_id, name, is_alias) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING",
                (name_key(name) or name, id, name),
            )
            mentions.recount_mentions(db, id)
    problem = f"{len(wrong)} entities are not found by their own name or have no mention time"
    return Finding.of("names", wrong, problem, "every entity is found by its name", repair)


def _json_escaped(key: str) -> str:
    return key.replace("\\", "\\\\").replace('"', '\\"')


def check_instruction_marks(db: Connection, repair: bool) -> Finding:
    """The instruction mark of turns, derived from their text. An edited turn keeps its mark."""
    found = db.execute(
        """
        SELECT id, text, attributes ->> 'states_preference' = 1
        FROM node
        WHERE
            kind = 'episode' AND state NOT IN ('archived', 'withdrawn')  -- whose words are packed
            AND (role = 'user' AND origin = 'user' OR attributes ->> 'states_preference' = 1)
            AND coalesce(attributes ->> 'compression', 'raw') = 'raw'
            AND NOT EXISTS (
                SELECT 1 FROM change WHERE change.node_id = node.id AND change.before ->> 'text' IS NOT NULL
            )
        """
    )
    # Turns of others, or of another type, are never instructions.
    wrong = [(id, states_preference(text)) for id, text, marked in found if bool(marked) != states_preference(text)]
    if wrong and repair:
        db.executemany(
            """
            UPDATE node
            SET attributes = iif(
                :marked,
                json_set(coalesce(attributes, '{}'), '$.states_preference', json('true')),
                json_remove(attributes, '$.states_preference')
            )
            WHERE id = :id
            """,
            [{"id": id, "marked": marked} for id, marked in wrong],
        )
    problem = f"{len(wrong)} turns have a wrong instruction mark"
    return Finding.of("preference marks", wrong, problem, "every instruction is marked", repair)


def check_sequences(db: Connection, repair: bool) -> Finding:
    """Ids are never reused: the sequences must not be below the highest id."""
    wrong = [
        (table, last)
        for table in ("node", "entity", "relation", "vector")
        if (last := db.execute(f"SELECT max(id) FROM {table}").get) is not None
        and last > (db.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = ?", (table,)).get or 0)
    ]
    if wrong and repair:
        for table, last in wrong:
            db.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))
    named = ", ".join(table for table, _ in wrong)
    return Finding.of("ids", wrong, f"ids of {named} could be reused", "no id can be reused", repair)


DERIVED_CHECKS: tuple[Callable[[Connection, bool], Finding], ...] = (
    check_sessions,
    check_entity_names,
    check_instruction_marks,
    check_sequences,
)


# Rows that are meaningless without the row they refer to: deleted.
_DEPENDENT_ROWS = {
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
    "job_run": "run_id NOT IN (SELECT id FROM maintenance_run)",
}
# Optional references of other rows (table, column, target): cleared.
_OPTIONAL_REFERENCES = (
    ("node", "narrative_id", "node"),
    ("session", "user_id", "entity"),
    ("relation", "source_node_id", "node"),
)


def check_foreign_keys(db: Connection, repair: bool) -> Finding:
    """Uses foreign keys, so that new tables are covered too."""
    seen = Counter(table for table, *_ in db.execute("PRAGMA foreign_key_check"))
    if not seen:
        return Finding("links", True, "all references are valid")
    if repair:
        _repair_references(db)
    left = [table for table, *_ in db.execute("PRAGMA foreign_key_check")]
    tables = ", ".join(f"{table} {count}" for table, count in sorted(seen.items()))
    detail = f"{seen.total()} references are broken ({tables})"
    if repair and left:
        detail += f"; {len(left)} in {', '.join(sorted(set(left)))} cannot be repaired: restore them from a backup"
    return Finding("links", False, detail, repaired=repair and not left)


def _repair_references(db: Connection) -> None:
    _recreate_sessions(db)
    for table, column, other in _OPTIONAL_REFERENCES:
        db.execute(f"UPDATE {table} SET {column} = NULL WHERE {column} NOT IN (SELECT id FROM {other})")
    for table, nowhere in _DEPENDENT_ROWS.items():
        db.execute(f"DELETE FROM {table} WHERE {nowhere}")


def _recreate_sessions(db: Connection) -> None:
    """Creates missing sessions again from their nodes."""
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


def remarks(db: Connection) -> list[Finding]:
    return [check_maintenance(db), remark_contradictions(db), remark_duplicates(db), remark_backlog(db)]


def remark_contradictions(db: Connection) -> Finding:
    count = db.execute(
        """
        SELECT count(*)
        FROM edge
        JOIN node AS one ON one.id = edge.source_id AND one.state = 'live'
        JOIN node AS other ON other.id = edge.target_id AND other.state = 'live'
        WHERE edge.type = 'contradicts'
        """
    ).get
    if not count:
        return Finding("contradictions", True, "no two memories contradict each other")
    pairs = "1 pair of memories" if count == 1 else f"{count} pairs of memories"
    return Finding("contradictions", True, f"{pairs} contradict each other; `omoide review contradictions` lists them")


def remark_duplicates(db: Connection) -> Finding:
    """Among learned memories: turns may repeat. Maintenance merges them; the doctor only reports."""
    groups, extra, first = db.execute(
        """
        SELECT count(*), coalesce(sum(held - 1), 0), min(first)
        FROM (
            SELECT count(*) AS held, min(id) AS first
            FROM node
            WHERE kind <> 'episode' AND state = 'live'
            GROUP BY kind, content_hash
            -- of two subjects the same may be true; a text without a subject repeats any of them
            HAVING count(*) > max(1, count(DISTINCT attributes ->> 'subject'))
        )
        """
    ).fetchone() or (0, 0, None)
    if not groups:
        return Finding("duplicates", True, "no two memories have the same text")
    return Finding("duplicates", True, f"{extra} memories repeat another, first node {first}")


def remark_backlog(db: Connection) -> Finding:
    waiting, failed, reason = db.execute(
        """
        SELECT count(*), count(learn_error), max(learn_error)
        FROM session
        WHERE learning = 'pending'
        """
    ).fetchone() or (0, 0, None)
    if not waiting:
        return Finding("learning", True, "every ended session was learned from")
    told = f"; {failed} failed ({reason})" if failed else ""
    verb = "conversation waits" if waiting == 1 else "conversations wait"
    return Finding("learning", True, f"{waiting} {verb} to be learned from{told}")


def check_maintenance(db: Connection) -> Finding:
    """Whether the last run did everything. Never repaired here: the next run tries again."""
    aside = maintenance_log.list_set_aside(db)
    if aside:
        first = f"{aside[0].job}, {aside[0].item}: {aside[0].error}"
        count = f"{len(aside)} item{'s' if len(aside) > 1 else ''}"
        return Finding("maintenance", False, f"{count} set aside and tried again later, first {first}")
    last = maintenance_log.last_run(db)
    failed = maintenance_log.failed_jobs(db, last.id) if last else []
    if failed:
        why = f"jobs of the last run failed: {', '.join(failed)}; run `omoide admin maintain`"
        return Finding("maintenance", False, why)
    return Finding("maintenance", True, "nothing failed" if last else "it has not run yet")
