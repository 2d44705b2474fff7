"""Columns that follow from others: counts, marks and names, held against what they follow from."""

from __future__ import annotations

from collections.abc import Callable

import apsw

from omoide.layers.entity import name_key
from omoide.layers.wish import is_wish
from omoide.store import spoken
from omoide.store.finding import Finding


def sessions(db: apsw.Connection, repair: bool) -> Finding:
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


def names(db: apsw.Connection, repair: bool) -> Finding:
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
        if uncounted or f'"{_quoted(name_key(name) or name)}"' not in keys
    ]
    if wrong and repair:
        for id, name in wrong:
            db.execute(
                "INSERT INTO entity_name (key, entity_id, name, is_alias) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING",
                (name_key(name) or name, id, name),
            )
            spoken.recount(db, id)
    detail = (
        f"{len(wrong)} entities are not found by their own name, or were never mentioned"
        if wrong
        else ("every entity is found by its name")
    )
    return Finding("names", not wrong, detail, repaired=bool(wrong) and repair)


def _quoted(key: str) -> str:
    return key.replace("\\", "\\\\").replace('"', '\\"')


def wishes(db: apsw.Connection, repair: bool) -> Finding:
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
    wrong = [(id, is_wish(text)) for id, text, marked in found if bool(marked) != is_wish(text)]
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


def ids(db: apsw.Connection, repair: bool) -> Finding:
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


CHECKS: tuple[Callable[[apsw.Connection, bool], Finding], ...] = (sessions, names, wishes, ids)
