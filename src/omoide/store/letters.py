"""Where a name stands in texts, letter by letter and by itself: "Anne" is not Ann, "Anna Schmidt" is not Anna."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import apsw

from omoide.layers.entity import name_key
from omoide.layers.names import LONGEST_NAME, READ_CHARACTERS
from omoide.text import is_unspaced


def standing(db: apsw.Connection, name: str, ids: Sequence[int]) -> list[int]:
    """Those of the nodes whose words hold the name. What is packed away was found by the index, and is believed."""
    key = name_key(name)
    if not key:
        return list(ids)
    found = db.execute(
        """
        SELECT id, substr(text, 1, :read), coalesce(speaker, ''), coalesce(tags, '')
        FROM node
        WHERE id IN (SELECT value FROM json_each(:ids))
        ORDER BY id DESC
        """,
        {"ids": json.dumps(list(ids)), "read": READ_CHARACTERS},
    )
    said = [(row[0], name_key(" . ".join(row[1:]))) for row in list(found)]
    return [id for id, words in said if not words or stands_in(db, key, words)]


def stands_in(db: apsw.Connection, key: str, words: str) -> bool:
    """`key` and `words` as `name_key` makes them."""
    if is_unspaced(key):
        return key in words
    return any(not _is_part(db, key, around) for around in _places(key, words.split()))


def _places(key: str, words: Sequence[str]) -> Iterable[tuple[list[str], int]]:
    """The few words around each place of a name, and where in them it begins."""
    size, most = len(key.split()), LONGEST_NAME
    for at in range(len(words) - size + 1):
        if " ".join(words[at : at + size]) == key:
            begin = max(0, at - most + 1)
            yield list(words[begin : at + size + most - 1]), at - begin


def _is_part(db: apsw.Connection, key: str, around: tuple[list[str], int]) -> bool:
    """Whether a longer name of somebody else stands there."""
    words, at = around
    size = len(key.split())
    longer = [
        " ".join(words[start : start + length])
        for length in range(size + 1, LONGEST_NAME + 1)
        for start in range(max(0, at + size - length), at + 1)
        if start + length <= len(words)
    ]
    return bool(
        db.execute(
            """
            SELECT EXISTS (
                SELECT 1
                FROM entity_name
                WHERE
                    key IN (SELECT value FROM json_each(:longer))
                    AND entity_id NOT IN (SELECT entity_id FROM entity_name WHERE key = :key)
            )
            """,
            {"longer": json.dumps(longer), "key": key},
        ).get
        if longer
        else False
    )
