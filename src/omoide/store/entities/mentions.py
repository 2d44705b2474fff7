"""Which nodes mention which entities, and what follows for an entity: its count, times and importance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from omoide.domain.entity import MAX_NAME_SEARCH_CHARACTERS, MAX_NAME_WORDS, name_key
from omoide.domain.importance import entity_importance
from omoide.language.text import has_unspaced_script, match_expression
from omoide.store.engine.connection import TEXT_WITH_ARCHIVE, Connection

_BACKFILL = 500  # the newest earlier nodes that a new name is linked to


def add_mentions(db: Connection, node_id: int, entity_ids: Iterable[int]) -> None:
    """Links a node to the entities it mentions, as far as they still exist."""
    for entity_id in entity_ids:
        db.execute(
            "INSERT INTO node_entity (node_id, entity_id) SELECT ?, id FROM entity WHERE id = ? ON CONFLICT DO NOTHING",
            (node_id, entity_id),
        )
        if db.changes():
            _count_mentions(db, entity_id, [node_id])


def link_earlier_mentions(db: Connection, id: int, name: str) -> None:
    """Links a new name to earlier nodes that contain it, unless it is part of a longer name there."""
    expression = match_expression([], [name])
    if not expression:
        return
    found = db.column(
        "SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH :expression ORDER BY rowid DESC LIMIT :limit",
        {"expression": expression, "limit": _BACKFILL},
    )
    naming = nodes_with_name(db, name, found)
    linked = db.column(
        """
        INSERT INTO node_entity (node_id, entity_id)
        SELECT value, :id FROM json_each(:nodes) WHERE true
        ON CONFLICT DO NOTHING
        RETURNING node_id
        """,
        {"id": id, "nodes": naming},
    )
    _count_mentions(db, id, linked)
    _unlink_shorter_names(db, id, name, naming)


def _unlink_shorter_names(db: Connection, id: int, name: str, ids: Sequence[int]) -> None:
    """Removes links that a longer name corrects: "Anna Schmidt" was linked to Anna while only Anna was known. A
    session's user keeps its links."""
    words = name_key(name).split()
    parts = {" ".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1)}
    shorter: list[Any] = db.execute(
        """
        SELECT entity_id, name
        FROM entity_name
        WHERE
            key IN (SELECT value FROM json_each(:parts)) AND key <> :key AND entity_id <> :id
            AND entity_id NOT IN (SELECT user_id FROM session WHERE user_id IS NOT NULL)
        """,
        {"parts": parts, "key": " ".join(words), "id": id},
    ).fetchall()
    for other, short_name in shorter:
        still_named = set(nodes_with_name(db, short_name, ids))
        db.execute(
            "DELETE FROM node_entity WHERE entity_id = ? AND node_id IN (SELECT value FROM json_each(?))",
            (other, [each for each in ids if each not in still_named]),
        )
        if db.changes():
            recount_mentions(db, other)


def _count_mentions(db: Connection, id: int, node_ids: Sequence[int]) -> None:
    """Counts newly linked episodes; learned nodes do not count as mentions.

    Adding keeps the cost of observe() constant; `recount_mentions` gives the same result.
    """
    count, weight, first, last = db.execute(_EPISODE_TOTALS, {"ids": node_ids}).get
    if not count:
        return
    db.execute(
        """
        UPDATE entity
        SET
            first_seen_at = iif(episode_weight, min(first_seen_at, :first), :first),
            last_referenced_at = iif(episode_weight, max(last_referenced_at, :last), :last),
            mention_count = mention_count + :count,
            episode_weight = episode_weight + :weight
        WHERE id = :id
        """,
        {"id": id, "count": count, "weight": weight, "first": first, "last": last},
    )
    _update_importance(db, id)


_EPISODE_TOTALS = """
    SELECT count(*), coalesce(sum(importance), 0), min(event_at), max(event_at)
    FROM node
    WHERE id IN (SELECT value FROM json_each(:ids)) AND kind = 'episode'
"""


def recount_mentions(db: Connection, id: int) -> None:
    """Counts all links again, after some were removed or moved. Without episodes the times stay."""
    links = db.column("SELECT node_id FROM node_entity WHERE entity_id = ?", (id,))
    count, weight, first, last = db.execute(_EPISODE_TOTALS, {"ids": links}).get
    db.execute(
        """
        UPDATE entity
        SET
            first_seen_at = coalesce(:first, first_seen_at),
            last_referenced_at = coalesce(:last, last_referenced_at),
            mention_count = manual_mentions + :count,
            episode_weight = :weight
        WHERE id = :id
        """,
        {"id": id, "count": count, "weight": weight, "first": first, "last": last},
    )
    _update_importance(db, id)


def _update_importance(db: Connection, id: int) -> None:
    """Computes the importance unless it was set by hand."""
    mentions, manual_mentions, weight, given = db.execute(
        "SELECT mention_count, manual_mentions, episode_weight, importance_given FROM entity WHERE id = ?", (id,)
    ).get
    if not given:
        episodes = mentions - manual_mentions
        worth = entity_importance(mentions, weight / episodes) if episodes else entity_importance(mentions)
        db.execute("UPDATE entity SET importance = ? WHERE id = ? AND importance <> ?", (worth, id, worth))


# Exact occurrences of names: "Anne" is not Ann, and "Anna Schmidt" is not Anna.


def nodes_with_name(db: Connection, name: str, ids: Sequence[int]) -> list[int]:
    """Those of the nodes whose text contains the name."""
    key = name_key(name)
    if not key:
        return list(ids)
    found = db.execute(
        f"""
        SELECT node.id, substr({TEXT_WITH_ARCHIVE}, 1, :read), coalesce(node.speaker, ''), coalesce(node.tags, '')
        FROM node
        WHERE id IN (SELECT value FROM json_each(:ids))
        ORDER BY id DESC
        """,
        {"ids": ids, "read": MAX_NAME_SEARCH_CHARACTERS},
    )
    said = [(row[0], name_key(" . ".join(row[1:]))) for row in list(found)]
    return [id for id, words in said if not words or name_occurs(db, key, words)]


def name_occurs(db: Connection, key: str, words: str) -> bool:
    """Whether a name occurs by itself; `key` and `words` are results of `name_key`."""
    if has_unspaced_script(key):
        return key in words
    return any(not _is_part_of_longer_name(db, key, around) for around in _occurrences(key, words.split()))


def _occurrences(key: str, words: Sequence[str]) -> Iterable[tuple[list[str], int]]:
    """The words around each occurrence of a name, and the position of the name in them."""
    size, most = len(key.split()), MAX_NAME_WORDS
    for at in range(len(words) - size + 1):
        if " ".join(words[at : at + size]) == key:
            begin = max(0, at - most + 1)
            yield list(words[begin : at + size + most - 1]), at - begin


def _is_part_of_longer_name(db: Connection, key: str, around: tuple[list[str], int]) -> bool:
    """Whether the name is part of a longer name of another entity there."""
    words, at = around
    size = len(key.split())
    longer = [
        " ".join(words[start : start + length])
        for length in range(size + 1, MAX_NAME_WORDS + 1)
        for start in range(max(0, at + size - length), at + 1)
        if start + length <= len(words)
    ]
    found = """
        SELECT EXISTS (
            SELECT 1
            FROM entity_name
            WHERE
                key IN (SELECT value FROM json_each(:longer))
                AND entity_id NOT IN (SELECT entity_id FROM entity_name WHERE key = :key)
        )
    """
    return bool(longer) and bool(db.execute(found, {"longer": longer, "key": key}).get)
