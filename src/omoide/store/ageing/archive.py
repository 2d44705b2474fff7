"""The archive: nodes whose text is compressed into blocks. They are searched like others and restored exactly.

Their row stays, with its times, links, vector, token states and words in the full-text index. A withdrawn node is
stored the same way, but is not searched: a program took it back.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from omoide.errors import Damaged
from omoide.language.text import index_text
from omoide.store.ageing import archive_blocks
from omoide.store.ageing.archive_blocks import ARCHIVED_COLUMNS, ArchivedText
from omoide.store.engine.connection import Connection
from omoide.store.records import rows


@dataclass(frozen=True, slots=True)
class ArchiveRequest:
    """A node to archive and why. A withdrawn node is no longer searched."""

    id: int
    reason: str
    state: Literal["archived", "withdrawn"] = "archived"


@dataclass(frozen=True, slots=True)
class _LiveNode:
    session: int | None
    state_at: int
    speaker: str | None
    words: ArchivedText

    @property
    def length(self) -> int:
        """Characters of the text without a leading speaker name."""
        named = bool(self.speaker) and self.words.text.startswith(f"{self.speaker}:")
        return len(self.words.text) - (len(self.speaker or "") + 1 if named else 0)


def archive_nodes(db: Connection, requests: Sequence[ArchiveRequest], now: int) -> list[int]:
    """Archives live nodes: their text moves into blocks; rows, links, vectors and index entries stay."""
    by_id = {each.id: each for each in requests}
    found = _read_nodes(db, by_id, "state = 'live'")
    _insert_archived(db, found, by_id)
    for id in found:
        request = by_id[id]
        _strip_text(db, id, {"state": request.state, "state_at": now})
        _add_change(db, id, request.state, now, {"reason": request.reason})
    return list(found)


def archive_imported(db: Connection, id: int, state_at: int, reason: str) -> bool:
    """Archives the text of an imported node that is archived; False if it is live here."""
    found = _read_nodes(db, [id], "state IN ('archived', 'withdrawn')")
    for live in found.values():
        _insert_archived(db, {id: replace(live, state_at=state_at)}, {id: ArchiveRequest(id, reason)})
        _strip_text(db, id, {})
    return bool(found)


def restore_node(db: Connection, id: int) -> bool:
    """Puts the text back into the row and makes the node live; False if its text is not in the archive."""
    words = archive_blocks.archived_texts(db, [id]).get(id)
    if words is None:
        return False
    if words is archive_blocks.DAMAGED:
        raise Damaged(f"the archived text of memory {id} is damaged; restore it from a backup")
    state_at = db.execute("SELECT state_at FROM archived WHERE node_id = ?", (id,)).get
    _assign(db, id, words.named | {"folded_text": index_text(words.text), "state": "live", "state_at": state_at})
    archive_blocks.remove_from_blocks(db, [id])
    _add_change(db, id, "restored", db.now, None)
    return True


def erase_from_archive(db: Connection, ids: Iterable[int]) -> int:
    """Removes the text of these nodes from blocks and index; returns how many had text here. Rows are not touched."""
    found = db.column(
        "SELECT node_id FROM archived WHERE node_id IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),)
    )
    damaged = archive_blocks.DAMAGED in archive_blocks.archived_texts(db, found).values()
    db.execute(
        """
        INSERT INTO nodes_fts (nodes_fts, rowid, text, speaker, tags)
        SELECT 'delete', id, text, speaker, tags
        FROM indexed_text_with_archive
        WHERE id IN (SELECT value FROM json_each(?))
        """,
        (json.dumps(found),),
    )
    archive_blocks.remove_from_blocks(db, found)
    if damaged:  # nobody knows which words of the index were theirs
        from omoide.store.search import fulltext

        fulltext.rebuild_index(db)
    return len(found)


def delete_texts(db: Connection, ids: Iterable[int]) -> None:
    """Deletes the text of archived nodes for good; their rows, times and links stay, withdrawn."""
    for id in ids:
        erase_from_archive(db, [id])
        empty: dict[str, Any] = {"text": "", "attributes": None, "content_hash": rows.content_hash("")}
        _assign(db, id, dict.fromkeys(("summary", "details", "folded_text")) | empty | {"state": "withdrawn"})
        db.execute("DELETE FROM vector WHERE node_id = ?", (id,))  # token states are deleted with it
        db.execute("DELETE FROM embedding_queue WHERE node_id = ?", (id,))


def archived_count(db: Connection) -> int:
    """The number of archived nodes, from a counter."""
    return int(db.execute("SELECT value FROM counter WHERE name = 'archived'").get or 0)


def with_archived_text(db: Connection, found: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows of rows.SELECT, the words of those that are out of use put back into them."""
    away = [row[0] for row in found if row[rows.STATE_COLUMN] in ("archived", "withdrawn")]
    archived = archive_blocks.archived_texts(db, away) if away else {}
    return [rows.replace_columns(row, archived[row[0]].named) if row[0] in archived else row for row in found]


def damaged_nodes(db: Connection) -> list[int]:
    """Nodes whose archived text is missing or does not match its hash."""
    hashes = dict(db.execute("SELECT node.id, content_hash FROM archived JOIN node ON node.id = archived.node_id"))
    wrong: list[int] = []
    for block, members in archive_blocks.blocks_of(db).items():
        held = archive_blocks.read_block(db, block)
        wrong += [id for id in members if id not in held or rows.content_hash(held[id].text) != hashes.get(id)]
    return sorted(wrong)


def is_sound(db: Connection) -> bool:
    """Whether the table of archived nodes matches the blocks, the state of the nodes and its counter."""
    differ = db.execute(
        """
        SELECT
            EXISTS (
                SELECT node_id FROM archived
                EXCEPT
                SELECT id FROM node WHERE state IN ('archived', 'withdrawn')
            )
            OR (SELECT count(*) FROM archived) <> (SELECT value FROM counter WHERE name = 'archived')
        """
    ).get
    known = archive_blocks.blocks_of(db)
    stored = ((block, archive_blocks.read_block(db, block)) for block in db.column("SELECT id FROM archive_block"))
    return not differ and all(held.keys() <= set(known.get(block, ())) for block, held in stored)


def repair(db: Connection) -> None:
    """Counts again, and removes text of unknown nodes from the blocks."""
    archive_blocks.remove_unknown(db)
    db.execute("UPDATE counter SET value = (SELECT count(*) FROM archived) WHERE name = 'archived'")


def _read_nodes(db: Connection, ids: Iterable[int], condition: str) -> dict[int, _LiveNode]:
    found = db.execute(
        f"""
        SELECT id, session_id, state_at, speaker, {", ".join(ARCHIVED_COLUMNS)}
        FROM node
        WHERE {condition} AND id IN (SELECT value FROM json_each(?))
        ORDER BY id
        """,
        (json.dumps(list(ids)),),
    )
    return {
        id: _LiveNode(session, state_at, speaker, ArchivedText(*words))
        for id, session, state_at, speaker, *words in list(found)
    }


def _insert_archived(db: Connection, found: Mapping[int, _LiveNode], by_id: Mapping[int, ArchiveRequest]) -> None:
    by_session: dict[int | None, dict[int, ArchivedText]] = defaultdict(dict)
    for id, live in found.items():
        by_session[live.session][id] = live.words
    for session, words in by_session.items():
        places = archive_blocks.add_to_blocks(db, session, words)
        db.executemany(
            "INSERT INTO archived (node_id, block_id, length, state_at, reason) VALUES (?, ?, ?, ?, ?)",
            [(id, places[id], found[id].length, found[id].state_at, by_id[id].reason) for id in words],
        )


def _strip_text(db: Connection, id: int, state: Mapping[str, Any]) -> None:
    """Clears the long columns of the row; the hash stays."""
    _assign(db, id, dict.fromkeys((*ARCHIVED_COLUMNS, "folded_text")) | {"text": ""} | dict(state))


def _assign(db: Connection, id: int, values: Mapping[str, Any]) -> None:
    assignments = ", ".join(f"{name} = :{name}" for name in values)
    db.execute(f"UPDATE node SET {assignments} WHERE id = :id", {**values, "id": id})


def _add_change(db: Connection, id: int, verb: str, now: int, before: Mapping[str, Any] | None) -> None:
    db.execute(
        "INSERT INTO change (node_id, at, verb, before) VALUES (?, ?, ?, ?)", (id, now, verb, rows.to_json(before))
    )
