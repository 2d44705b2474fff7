"""The archive: nodes out of use, whose text is compressed into blocks, searchable, and restored exactly."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import apsw

from omoide.store.ageing import archive_blocks
from omoide.store.ageing.archive_blocks import ArchivedText
from omoide.store.engine.connection import Connection
from omoide.store.records import rows
from omoide.store.search import fulltext

_SHORT_VALUE = 100  # characters: shorter attributes stay in the row, for indexes and for people who look at the table


@dataclass(frozen=True, slots=True)
class ArchiveRequest:
    """A node to archive and why. An expired node may lose its text (`wordless`)."""

    id: int
    reason: str
    state: Literal["archived", "expired"] = "archived"
    drop_text: bool = False


@dataclass(frozen=True, slots=True)
class _LiveNode:
    session: int | None
    state_at: int
    words: ArchivedText


def archive_nodes(db: Connection, requests: Sequence[ArchiveRequest], now: int) -> list[int]:
    """Archives live nodes: their text moves into blocks, their vectors are deleted, their rows stay."""
    by_id = {each.id: each for each in requests}
    found = _live_nodes(db, by_id)
    _insert_archived(db, {id: live for id, live in found.items() if not by_id[id].drop_text}, by_id)
    for id, live in found.items():
        _take_out_of_use(db, by_id[id], live.words, now)
    return list(found)


def archive_imported(db: Connection, id: int, state_at: int, reason: str) -> bool:
    """Archives the text of an imported node that is out of use; False if it is live here."""
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
    live = _LiveNode(found[0], state_at, ArchivedText(*found[1:]))
    _insert_archived(db, {id: live}, {id: ArchiveRequest(id, reason)})
    _strip_text(db, id, live.words)
    return True


def restore_node(db: Connection, id: int) -> bool:
    """Restores the text and makes the node live; False if its text is not in the archive."""
    words = archive_blocks.archived_texts(db, [id]).get(id)
    if words is None:
        return False
    folded = dict(zip(("folded_text", "folded_speaker", "folded_tags"), words.folded, strict=True))
    state_at = db.execute("SELECT state_at FROM archived WHERE node_id = ?", (id,)).get
    _assignments(db, id, words.named | folded | {"state": "live", "state_at": state_at})
    erase_from_archive(db, [id])
    _add_change(db, id, "restored", db.now, None)
    return True


def erase_from_archive(db: Connection, ids: Iterable[int]) -> int:
    """Removes the text of these nodes from blocks and index; returns how many had text here. Rows are not touched."""
    found = archive_blocks.archived_texts(db, ids)
    db.executemany(
        "INSERT INTO archive_fts (archive_fts, rowid, text, speaker, tags) VALUES ('delete', ?, ?, ?, ?)",
        [(id, *words.indexed) for id, words in found.items()],
    )
    archive_blocks.remove_from_blocks(db, found)
    return len(found)


def archived_count(db: Connection) -> int:
    """The number of archived nodes, from a counter."""
    return int(db.execute("SELECT value FROM counter WHERE name = 'archived'").get or 0)


def with_archived_text(db: Connection, found: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows of rows.SELECT, the words of those that are out of use put back into them."""
    away = [row[0] for row in found if row[rows.STATE_COLUMN] in ("archived", "expired")]
    archived = archive_blocks.archived_texts(db, away) if away else {}
    return [rows.replace_columns(row, archived[row[0]].named) if row[0] in archived else row for row in found]


def archive_scores(db: Connection, words: Sequence[str]) -> fulltext.FtsScores:
    """BM25 scores of archived nodes on the same scale as live nodes: document frequencies count both."""
    size = int(db.execute("SELECT count(*) FROM node").get)
    scores: dict[int, float] = {}
    for word in words:
        found = fulltext.fts_frequencies(db, word, archived_count(db), "archive_fts")
        rarity = fulltext.word_rarity(len(found) + fulltext.document_count(db, word), size)
        for id, part in found:
            scores[id] = scores.get(id, 0.0) + rarity * part
    return fulltext.FtsScores(scores)


def damaged_nodes(db: Connection) -> list[int]:
    """Nodes whose archived text is missing or does not match its hash."""
    hashes = dict(db.execute("SELECT node.id, content_hash FROM archived JOIN node ON node.id = archived.node_id"))
    wrong: list[int] = []
    for block, members in archive_blocks.blocks_of(db).items():
        held = archive_blocks.read_block_or_empty(db, block)
        wrong += [id for id in members if id not in held or rows.content_hash(held[id].text) != hashes.get(id)]
    return sorted(wrong)


def is_index_sound(db: Connection) -> bool:
    """Whether the index is intact and covers exactly the archived nodes; it stores no text to compare."""
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


def rebuild_index(db: Connection) -> None:
    """Rebuilds the index from the blocks and removes text of unknown nodes from the blocks."""
    archive_blocks.remove_unknown(db)
    db.execute("INSERT INTO archive_fts (archive_fts) VALUES ('delete-all')")
    db.execute("UPDATE counter SET value = (SELECT count(*) FROM archived) WHERE name = 'archived'")
    for block, members in archive_blocks.blocks_of(db).items():
        held = archive_blocks.read_block_or_empty(db, block)
        _index_texts(db, {id: held[id] for id in members if id in held})


def _live_nodes(db: Connection, ids: Iterable[int]) -> dict[int, _LiveNode]:
    found = db.execute(
        """
        SELECT id, session_id, state_at, text, summary, details, attributes, tags, speaker
        FROM node
        WHERE state = 'live' AND id IN (SELECT value FROM json_each(?))
        ORDER BY id
        """,
        (json.dumps(list(ids)),),
    )
    return {id: _LiveNode(session, state_at, ArchivedText(*words)) for id, session, state_at, *words in found}


def _insert_archived(db: Connection, found: Mapping[int, _LiveNode], by_id: Mapping[int, ArchiveRequest]) -> None:
    by_session: dict[int | None, dict[int, ArchivedText]] = defaultdict(dict)
    for id, live in found.items():
        by_session[live.session][id] = live.words
    for session, words in by_session.items():
        places = archive_blocks.add_to_blocks(db, session, words)
        db.executemany(
            "INSERT INTO archived (node_id, block_id, length, state_at, reason) VALUES (?, ?, ?, ?, ?)",
            [(id, places[id], each.length, found[id].state_at, by_id[id].reason) for id, each in words.items()],
        )
        _index_texts(db, words)


def _take_out_of_use(db: Connection, request: ArchiveRequest, words: ArchivedText, now: int) -> None:
    """Clears the text of the row and sets its state; the hash stays while the text exists."""
    values: dict[str, Any] = {"state": request.state, "state_at": now}
    if request.drop_text:
        values["content_hash"] = rows.content_hash("")
    _assignments(db, request.id, values)
    _strip_text(db, request.id, words)
    _add_change(db, request.id, request.state, now, {"reason": request.reason})


def _strip_text(db: Connection, id: int, words: ArchivedText) -> None:
    values: dict[str, Any] = dict.fromkeys((*words.named, "folded_text", "folded_speaker", "folded_tags"))
    _assignments(db, id, values | {"text": "", "attributes": _short_attributes(words.attributes)})
    db.execute("DELETE FROM vector WHERE node_id = ?", (id,))  # token states are deleted with it
    db.execute("DELETE FROM embedding_queue WHERE node_id = ?", (id,))


def _short_attributes(attributes: str | None) -> str | None:
    """Short attributes stay in the row, so they can be queried without decompressing."""
    short = {
        name: value
        for name, value in json.loads(attributes or "{}").items()
        if len(str(value)) <= _SHORT_VALUE and not isinstance(value, list | dict)
    }
    return rows.to_json(short or None)


def _assignments(db: Connection, id: int, values: Mapping[str, Any]) -> None:
    assignments = ", ".join(f"{name} = :{name}" for name in values)
    db.execute(f"UPDATE node SET {assignments} WHERE id = :id", {**values, "id": id})


def _index_texts(db: Connection, words: Mapping[int, ArchivedText]) -> None:
    db.executemany(
        "INSERT INTO archive_fts (rowid, text, speaker, tags) VALUES (?, ?, ?, ?)",
        [(id, *each.indexed) for id, each in words.items()],
    )


def _add_change(db: Connection, id: int, verb: str, now: int, before: Mapping[str, Any] | None) -> None:
    db.execute(
        "INSERT INTO change (node_id, at, verb, before) VALUES (?, ?, ?, ?)", (id, now, verb, rows.to_json(before))
    )
