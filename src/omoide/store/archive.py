"""The archive: nodes that are out of use, their words packed and searchable, given back letter by letter."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import apsw

from omoide.store import blocks, plain, rows
from omoide.store.blocks import Words

_SHORT = 100  # characters: an attribute so short stays in the row, for indexes and for who looks at the table


@dataclass(frozen=True, slots=True)
class Leaving:
    """A node on its way out of use, and why. What expires may leave without its words."""

    id: int
    reason: str
    state: Literal["archived", "expired"] = "archived"
    wordless: bool = False


@dataclass(frozen=True, slots=True)
class _Live:
    session: int | None
    state_at: int
    words: Words


def pack(db: apsw.Connection, leaving: Sequence[Leaving], now: int) -> list[int]:
    """Takes live nodes out of use: their words go into blocks, their vectors go, their rows stay."""
    wanted = {each.id: each for each in leaving}
    found = _live(db, wanted)
    _keep(db, {id: live for id, live in found.items() if not wanted[id].wordless}, wanted)
    for id, live in found.items():
        _empty(db, wanted[id], live.words, now)
    return list(found)


def stow(db: apsw.Connection, id: int, state_at: int, reason: str) -> bool:
    """Packs the words of a node that came from elsewhere out of use; False if it is in use here."""
    found = db.execute(
        """
        SELECT session_id, text, summary, details, attributes, tags, speaker
        FROM node
        WHERE id = ? AND state IN ('archived', 'expired')
        """,
        (id,),
    ).fetchone()
    if found is None:
        return False
    live = _Live(found[0], state_at, Words(*found[1:]))
    _keep(db, {id: live}, {id: Leaving(id, reason)})
    _strip(db, id, live.words)
    return True


def restore(db: apsw.Connection, id: int, now: int) -> bool:
    """Puts the words back in place and the node back into use; False if none of its words are here."""
    words = blocks.unpack(db, [id]).get(id)
    if words is None:
        return False
    folded = dict(zip(("folded_text", "folded_speaker", "folded_tags"), words.folded, strict=True))
    state_at = db.execute("SELECT state_at FROM archived WHERE node_id = ?", (id,)).get
    _set(db, id, words.named | folded | {"state": "live", "state_at": state_at})
    erase(db, [id])
    _note(db, id, "restored", now, None)
    return True


def erase(db: apsw.Connection, ids: Iterable[int]) -> int:
    """Leaves no word of these nodes here, neither in a block nor in the full text; how many were here.

    Their rows are not touched: whoever forgets a node deletes its row as well.
    """
    found = blocks.unpack(db, ids)
    db.executemany(
        "INSERT INTO archive_fts (archive_fts, rowid, text, speaker, tags) VALUES ('delete', ?, ?, ?, ?)",
        [(id, *words.indexed) for id, words in found.items()],
    )
    blocks.remove(db, found)
    return len(found)


def count(db: apsw.Connection) -> int:
    """How many are here, without counting."""
    return int(db.execute("SELECT value FROM counter WHERE name = 'archived'").get or 0)


def with_words(db: apsw.Connection, found: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows of rows.SELECT, the words of those that are out of use put back into them."""
    away = [row[0] for row in found if row[rows.STATE] in ("archived", "expired")]
    packed = blocks.unpack(db, away) if away else {}
    return [rows.put_in(row, packed[row[0]].named) if row[0] in packed else row for row in found]


def scored(db: apsw.Connection, wanted: Sequence[str]) -> plain.Plain:
    """BM25 of what the archive holds, in the same measure as that of the live nodes: rare is what is rare in both."""
    size = int(db.execute("SELECT count(*) FROM node").get)
    scores: dict[int, float] = {}
    for word in wanted:
        found = plain.frequencies(db, word, count(db), "archive_fts")
        rarity = plain.rarity_of(len(found) + plain.held_by(db, word), size)
        for id, part in found:
            scores[id] = scores.get(id, 0.0) + rarity * part
    return plain.Plain(scores)


# ── what the doctor asks ──────────────────────────────────────────────────────────────────────────────────────────


def damaged(db: apsw.Connection) -> list[int]:
    """Nodes whose packed words are missing, or are not those that were written."""
    hashes = dict(db.execute("SELECT node.id, content_hash FROM archived JOIN node ON node.id = archived.node_id"))
    wrong: list[int] = []
    for block, members in blocks.holding(db).items():
        held = blocks.readable(db, block)
        wrong += [id for id in members if id not in held or rows.content_hash(held[id].text) != hashes.get(id)]
    return sorted(wrong)


def index_is_true(db: apsw.Connection) -> bool:
    """Whether the full text is sound and of the same nodes; it keeps no text of its own to be compared."""
    try:
        db.execute("INSERT INTO archive_fts (archive_fts) VALUES ('integrity-check')")
    except apsw.CorruptError:
        return False
    differ = db.execute(
        """
        SELECT
            EXISTS (SELECT node_id FROM archived EXCEPT SELECT id FROM archive_fts_docsize)
            OR EXISTS (SELECT id FROM archive_fts_docsize EXCEPT SELECT node_id FROM archived)
            OR (SELECT count(*) FROM archived) <> (SELECT value FROM counter WHERE name = 'archived')
        """
    ).get
    return not differ


def rebuild(db: apsw.Connection) -> None:
    """Makes the full text again from the blocks, and takes out of those what no node belongs to any more."""
    blocks.tidy(db)
    db.execute("INSERT INTO archive_fts (archive_fts) VALUES ('delete-all')")
    db.execute("UPDATE counter SET value = (SELECT count(*) FROM archived) WHERE name = 'archived'")
    for block, members in blocks.holding(db).items():
        held = blocks.readable(db, block)
        _index(db, {id: held[id] for id in members if id in held})


# ── steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _live(db: apsw.Connection, ids: Iterable[int]) -> dict[int, _Live]:
    found = db.execute(
        """
        SELECT id, session_id, state_at, text, summary, details, attributes, tags, speaker
        FROM node
        WHERE state = 'live' AND id IN (SELECT value FROM json_each(?))
        ORDER BY id
        """,
        (json.dumps(list(ids)),),
    )
    return {id: _Live(session, state_at, Words(*words)) for id, session, state_at, *words in found}


def _keep(db: apsw.Connection, found: Mapping[int, _Live], wanted: Mapping[int, Leaving]) -> None:
    by_session: dict[int | None, dict[int, Words]] = defaultdict(dict)
    for id, live in found.items():
        by_session[live.session][id] = live.words
    for session, words in by_session.items():
        places = blocks.add(db, session, words)
        db.executemany(
            "INSERT INTO archived (node_id, block_id, length, state_at, reason) VALUES (?, ?, ?, ?, ?)",
            [(id, places[id], each.length, found[id].state_at, wanted[id].reason) for id, each in words.items()],
        )
        _index(db, words)


def _empty(db: apsw.Connection, leaving: Leaving, words: Words, now: int) -> None:
    """The row without its words, in its new state; the hash of the words stays where they can still be compared."""
    values: dict[str, Any] = {"state": leaving.state, "state_at": now}
    if leaving.wordless:
        values["content_hash"] = rows.content_hash("")
    _set(db, leaving.id, values)
    _strip(db, leaving.id, words)
    _note(db, leaving.id, leaving.state, now, {"reason": leaving.reason})


def _strip(db: apsw.Connection, id: int, words: Words) -> None:
    values: dict[str, Any] = dict.fromkeys((*words.named, "folded_text", "folded_speaker", "folded_tags"))
    _set(db, id, values | {"text": "", "attributes": _remnant(words.attributes)})
    db.execute("DELETE FROM vector WHERE node_id = ?", (id,))  # and with it its token states
    db.execute("DELETE FROM embedding_queue WHERE node_id = ?", (id,))


def _remnant(attributes: str | None) -> str | None:
    """The short attributes: what a node is about and how it ended is asked for without unpacking it."""
    told = json.loads(attributes) if attributes else {}
    short = {name: value for name, value in told.items() if len(str(value)) <= _SHORT and not _nested(value)}
    return rows.dump(short or None)


def _nested(value: Any) -> bool:
    return isinstance(value, list | dict)


def _set(db: apsw.Connection, id: int, values: Mapping[str, Any]) -> None:
    assignments = ", ".join(f"{name} = :{name}" for name in values)
    db.execute(f"UPDATE node SET {assignments} WHERE id = :id", {**values, "id": id})


def _index(db: apsw.Connection, words: Mapping[int, Words]) -> None:
    db.executemany(
        "INSERT INTO archive_fts (rowid, text, speaker, tags) VALUES (?, ?, ?, ?)",
        [(id, *each.indexed) for id, each in words.items()],
    )


def _note(db: apsw.Connection, id: int, verb: str, now: int, before: Mapping[str, Any] | None) -> None:
    db.execute("INSERT INTO change (node_id, at, verb, before) VALUES (?, ?, ?, ?)", (id, now, verb, rows.dump(before)))
