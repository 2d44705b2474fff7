"""What a check has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from omoide.domain.entity import name_key
from omoide.language.preference_statements import states_preference
from omoide.store.engine.connection import Connection
from omoide.store.entities import mentions


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: what was looked at, whether it holds, what was seen, whether it was mended."""

    check: str
    ok: bool
    detail: str
    repaired: bool = False


# Columns that follow from others: counts, marks and names, held against what they follow from.


def check_sessions(db: Connection, repair: bool) -> Finding:
    """How many episodes, and which is the last: the next turn is linked to it."""
    wrong = list(
        db.execute(
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
        )
    )
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
    detail = f"{len(wrong)} sessions miscount their episodes" if wrong else "every session counts its episodes right"
    return Finding("sessions", not wrong, detail, repaired=bool(wrong) and repair)


def check_entity_names(db: Connection, repair: bool) -> Finding:
    """An entity is found by its names: its own must be among them, and whoever is spoken of was mentioned."""
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
    detail = (
        f"{len(wrong)} entities are not found by their own name, or were never mentioned"
        if wrong
        else ("every entity is found by its name")
    )
    return Finding("names", not wrong, detail, repaired=bool(wrong) and repair)


def _json_escaped(key: str) -> str:
    return key.replace("\\", "\\\\").replace('"', '\\"')


def check_instruction_marks(db: Connection, repair: bool) -> Finding:
    """The mark of a lasting wish, made from the words of a turn. One that was reworded keeps the mark it had."""
    found = db.execute(
        """
        SELECT id, text, attributes ->> 'wish' = 1
        FROM node
        WHERE
            kind = 'episode' AND state NOT IN ('archived', 'expired')  -- whose words are packed
            AND (role = 'user' AND origin = 'user' OR attributes ->> 'wish' = 1)
            AND coalesce(attributes ->> 'compression', 'raw') = 'raw'
            AND NOT EXISTS (
                SELECT 1 FROM change WHERE change.node_id = node.id AND change.before ->> 'text' IS NOT NULL
            )
        """
    )
    # What was observed by somebody else, or as something else, is none even if its words are.
    wrong = [(id, states_preference(text)) for id, text, marked in found if bool(marked) != states_preference(text)]
    if wrong and repair:
        db.executemany(
            """
            UPDATE node
            SET attributes = iif(
                :wish,
                json_set(coalesce(attributes, '{}'), '$.wish', json('true')),
                json_remove(attributes, '$.wish')
            )
            WHERE id = :id
            """,
            [{"id": id, "wish": wish} for id, wish in wrong],
        )
    detail = f"{len(wrong)} turns are marked wrongly" if wrong else "every turn that states a wish is marked"
    return Finding("wishes", not wrong, detail, repaired=bool(wrong) and repair)


def check_sequences(db: Connection, repair: bool) -> Finding:
    """An id is never given twice: what was given last is remembered apart from the rows."""
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
    detail = f"ids of {named} could be given again" if wrong else "no id can be given again"
    return Finding("ids", not wrong, detail, repaired=bool(wrong) and repair)


DERIVED_CHECKS: tuple[Callable[[Connection, bool], Finding], ...] = (
    check_sessions,
    check_entity_names,
    check_instruction_marks,
    check_sequences,
)


# Links that lead nowhere: cut where nothing is lost by it, led to a new row where a memory would lose its place.


# Rows that say nothing without the row they belong to.
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
# Columns of rows that stand by themselves: (table, column, where it should lead).
_OPTIONAL_REFERENCES = (
    ("node", "narrative_id", "node"),
    ("session", "user_id", "entity"),
    ("relation", "source_node_id", "node"),
)


def check_foreign_keys(db: Connection, repair: bool) -> Finding:
    """By foreign keys: whatever table somebody adds is looked at too."""
    seen = Counter(table for table, *_ in db.execute("PRAGMA foreign_key_check"))
    if not seen:
        return Finding("links", True, "every link leads to a row")
    if repair:
        _repair_references(db)
    left = [table for table, *_ in db.execute("PRAGMA foreign_key_check")]
    detail = f"{seen.total()} lead nowhere ({', '.join(f'{table} {count}' for table, count in sorted(seen.items()))})"
    if repair and left:
        detail += f"; {len(left)} in {', '.join(sorted(set(left)))} cannot be mended: restore them from a backup"
    return Finding("links", False, detail, repaired=repair and not left)


def _repair_references(db: Connection) -> None:
    _recreate_sessions(db)
    for table, column, other in _OPTIONAL_REFERENCES:
        db.execute(f"UPDATE {table} SET {column} = NULL WHERE {column} NOT IN (SELECT id FROM {other})")
    for table, nowhere in _DEPENDENT_ROWS.items():
        db.execute(f"DELETE FROM {table} WHERE {nowhere}")


def _recreate_sessions(db: Connection) -> None:
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


# What is sound and still worth knowing: contradictions, exact duplicates, what waits to be learned from.


def remarks(db: Connection) -> list[Finding]:
    return [remark_contradictions(db), remark_duplicates(db), remark_backlog(db)]


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
    return Finding("contradictions", True, f"{_duplicate_pairs(count)} contradict each other; `omoide weak` shows them")


def remark_duplicates(db: Connection) -> Finding:
    """Of what is known: a turn may well be said twice. The nightly maintenance unites them; a doctor does not judge."""
    groups, extra, first = db.execute(
        """
        SELECT count(*), coalesce(sum(held - 1), 0), min(first)
        FROM (
            SELECT count(*) AS held, min(id) AS first
            FROM node
            WHERE kind <> 'episode' AND state = 'live'
            GROUP BY kind, content_hash, audience, coalesce(attributes, '')
            HAVING count(*) > 1
        )
        """
    ).fetchone() or (0, 0, None)
    if not groups:
        return Finding("duplicates", True, "nothing is known twice in the same words")
    return Finding("duplicates", True, f"{extra} memories say the same as another, first node {first}")


def remark_backlog(db: Connection) -> Finding:
    waiting, failed, reason = db.execute(
        """
        SELECT count(*), count(learn_error), max(learn_error)
        FROM session
        WHERE learning = 'pending'
        """
    ).fetchone() or (0, 0, None)
    if not waiting:
        return Finding("learning", True, "every conversation that is over was learned from")
    told = f"; {failed} failed ({reason})" if failed else ""
    verb = "conversation waits" if waiting == 1 else "conversations wait"
    return Finding("learning", True, f"{waiting} {verb} to be learned from{told}")


def _duplicate_pairs(count: int) -> str:
    return "1 pair of memories" if count == 1 else f"{count} pairs of memories"
