"""The words that only the erased said: what is swept out of everything else, and looked for in the bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import apsw

from omoide.store import blocks, words
from omoide.store.blocks import Words
from omoide.store.sweep import OURS, WORD, Sweep, indexes

_TELLING = 6  # bytes of a needle: a shorter one is a coincidence in any other file
_MOST = 192  # needles: each costs a pass over the file
_SPAN = 3  # words of a phrase, for texts that say nothing but common words

_TEXTS = ("text", "summary", "details", "attributes", "tags", "speaker", "task_id", "folded_text", "folded_tags")


def said(db: apsw.Connection, ids: Iterable[int]) -> list[str]:
    """Every text that stands in some nodes, on their links and in their history."""
    ids = list(ids)
    chosen = json.dumps(ids)
    found = db.execute(f"SELECT {', '.join(_TEXTS)} FROM node WHERE id IN (SELECT value FROM json_each(?))", (chosen,))
    texts: list[str] = []
    for row in found:
        for column, value in zip(_TEXTS, row, strict=True):
            if value and column in ("details", "attributes", "tags"):
                texts += leaves(json.loads(value), names=column == "details")
            elif value:
                texts.append(value)
    texts += [text for packed in blocks.unpack(db, ids).values() for text in in_words(packed)]
    beside = db.execute(
        """
        SELECT evidence FROM edge
        WHERE source_id IN (SELECT value FROM json_each(:ids)) OR target_id IN (SELECT value FROM json_each(:ids))
        UNION ALL
        SELECT json_remove(before, '$.reason') FROM change  -- why upkeep put it away: a sentence of ours
        WHERE before IS NOT NULL AND node_id IN (SELECT value FROM json_each(:ids))
        UNION ALL
        SELECT body FROM task_entry WHERE task_id IN (SELECT value FROM json_each(:ids))
        """,
        {"ids": chosen},
    )
    return texts + [text for (each,) in beside for text in leaves(json.loads(each))]


def in_words(packed: Words) -> list[str]:
    """The texts of a node that is out of use."""
    texts = [each for each in (packed.text, packed.summary, packed.speaker, *packed.folded) if each]
    for part, names in ((packed.details, True), (packed.attributes, False), (packed.tags, False)):
        texts += leaves(json.loads(part), names=names) if part else ()
    return texts


def leaves(value: Any, *, names: bool = False) -> Iterator[str]:
    """The texts in a value; with `names`, also those of its fields, where they are not ours."""
    match value:
        case str():
            yield value
        case dict():
            for name, each in value.items():
                if names:
                    yield name
                if name not in OURS:
                    yield from leaves(each, names=names)
        case list() | tuple():
            for each in value:
                yield from leaves(each, names=names)


def needles(db: apsw.Connection, texts: Iterable[str], sweep: Sweep) -> list[str]:
    """What to look for: first the words that nobody else has, as they stood, then short phrases; a bounded number."""
    alone: dict[str, None] = {}
    phrases: dict[str, None] = {}
    cut = words.cutter(db)
    for text in texts:
        spans = [match.span() for match in WORD.finditer(text)]
        for start, end in spans:
            if sweep(text[start:end]):
                alone[text[start:end].lower()] = None
                alone.update(dict.fromkeys(cut(text[start:end])))
        for first, last in zip(spans[::_SPAN], spans[_SPAN - 1 :: _SPAN], strict=False):
            phrases[text[first[0] : last[1]].lower()] = None
    found = sorted((each for each in alone if len(each.encode()) >= _TELLING), key=len, reverse=True)[:_MOST]
    found += sorted((each for each in phrases if len(each) >= 2 * _TELLING), key=len, reverse=True)[
        : _MOST - len(found)
    ]
    return _unsaid(db, found)


def _unsaid(db: apsw.Connection, found: list[str]) -> list[str]:
    """Without those that some row still says, as part of another word or of another text."""
    schema = "\0".join(row[0] for row in db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")).lower()
    left = {needle for needle in found if needle not in schema}  # "predicate" is a word of the file's own
    kept = [(f'"{table}"', ", ".join(f'"{column}"' for column in columns)) for table, columns in text_columns(db)]
    for table, columns in (*kept, *((index, "term") for index in indexes(db))):  # words there have lost their accents
        if not left:
            break
        rows = db.execute(f"SELECT {columns} FROM {table}")
        while batch := [str(each) for row in _some(rows) for each in row if isinstance(each, str)]:
            together = "\0".join(batch).lower()
            left -= {needle for needle in left if needle in together}
    for block in blocks.every(db):
        together = "\0".join(text for packed in block.values() for text in in_words(packed)).lower()
        left -= {needle for needle in left if needle in together}
    return [needle for needle in found if needle in left]


def _some(rows: Any) -> list[tuple[Any, ...]]:
    batch = []
    for row in rows:
        batch.append(row)
        if len(batch) == 2_000:
            break
    return batch


def text_columns(db: apsw.Connection) -> list[tuple[str, list[str]]]:
    """The text columns of every table of ours; the full-text index has its own."""
    tables = db.execute(
        """
        SELECT name
        FROM sqlite_schema
        WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%'
        ORDER BY name
        """
    )
    found = []
    for (table,) in list(tables):
        columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")') if row[2].upper() == "TEXT"]
        if columns:
            found.append((table, columns))
    return found
