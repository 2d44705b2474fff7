"""Compressed blocks of archived text: several nodes of a session per block, small enough to read one node quickly."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields

import apsw

from omoide.language.text import index_text
from omoide.store.engine.connection import Connection
from omoide.store.records import rows

_SAMPLE_BYTES = 24  # bytes of a sample: equal only for equal text
_SAMPLES_PER_BLOCK = 16  # samples per block: it may span several pages
_MOST_SAMPLES = 192  # samples of all blocks: each costs a pass over the file
_CACHED_BLOCKS = 64  # decompressed blocks a reader caches, for sessions that ran side by side
_DAMAGES = (zlib.error, ValueError, TypeError)  # what a damaged block raises; its stream has a checksum
_BLOCK_BYTES = 4_096  # bytes of text per block: a node is read in 30 microseconds; 32 KB would save another tenth


@dataclass(frozen=True, slots=True)
class ArchivedText:
    """The long columns of a node, as stored; JSON is not parsed. Speaker, tags and attributes stay in the row."""

    text: str
    summary: str | None
    details: str | None

    @property
    def named(self) -> dict[str, str | None]:
        """By column name."""
        return dict(zip(ARCHIVED_COLUMNS, self.columns, strict=True))

    @property
    def columns(self) -> tuple[str | None, ...]:
        return self.text, self.summary, self.details

    @property
    def weight(self) -> int:
        """Size in bytes."""
        return sum(len(part.encode()) for part in self.columns if part)


DAMAGED = ArchivedText("(the archived text of this memory is damaged: restore it from a backup)", None, None)
ARCHIVED_COLUMNS = tuple(field.name for field in fields(ArchivedText))


def add_to_blocks(db: Connection, session: int | None, words: Mapping[int, ArchivedText]) -> dict[int, int]:
    """Adds nodes of one session, to its last block while there is room; returns the block of each."""
    places: dict[int, int] = {}
    block, held = _open_block(db, session)
    size = _text_size(held)
    for id, each in words.items():
        if held and size + each.weight > _BLOCK_BYTES:
            _write_block(db, block, held)
            block, held, size = _new_block(db, session), {}, 0
        held[id] = each
        size += each.weight
        places[id] = block
    _write_block(db, block, held)
    return places


def archived_texts(db: Connection, ids: Iterable[int]) -> dict[int, ArchivedText]:
    """The text of those nodes that are archived."""
    found = db.execute(
        """
        SELECT archived.block_id, group_concat(archived.node_id), archive_block.data
        FROM archived
        JOIN archive_block ON archive_block.id = archived.block_id
        WHERE archived.node_id IN (SELECT value FROM json_each(?))
        GROUP BY archived.block_id
        """,
        (ids,),
    )
    texts: dict[int, ArchivedText] = {}
    for block, listed, data in list(found):
        members = [int(each) for each in listed.split(",")]
        try:
            texts |= _texts_in(data, members)
        except _DAMAGES:
            texts |= {id: held for id, held in read_block(db, block).items() if id in members}
        texts |= {id: DAMAGED for id in members if id not in texts}
    return texts


def index_text_of(db: apsw.Connection, id: int) -> str | None:
    """What the full-text index holds of the text of an archived node; None if it is not archived."""
    data = db.execute(
        """
        SELECT archive_block.data
        FROM archived
        JOIN archive_block ON archive_block.id = archived.block_id
        WHERE archived.node_id = ?
        """,
        (id,),
    ).get
    try:
        text = dict(_texts_in(data, [id]))[id].text if data else None
    except (*_DAMAGES, KeyError):  # the doctor reports it by its hash
        return None
    return text if text is None else index_text(text) or text


def remove_from_blocks(db: Connection, ids: Iterable[int]) -> None:
    """Rewrites the blocks without these nodes and deletes empty blocks."""
    for block, members in blocks_of(db, ids).items():
        held = {id: words for id, words in read_block(db, block).items() if id not in members}
        db.executemany("DELETE FROM archived WHERE node_id = ?", [(id,) for id in members])
        if held or db.execute("SELECT EXISTS (SELECT 1 FROM archived WHERE block_id = ?)", (block,)).get:
            _write_block(db, block, held)
        else:
            db.execute("DELETE FROM archive_block WHERE id = ?", (block,))


def remove_unknown(db: Connection) -> None:
    """Removes text of unknown nodes from all blocks; unreadable blocks are left alone."""
    known = blocks_of(db)
    for (block,) in list(db.execute("SELECT id FROM archive_block")):
        held = read_block(db, block)
        kept = {id: words for id, words in held.items() if id in known.get(block, ())}
        if held and not kept:
            db.execute("DELETE FROM archive_block WHERE id = ?", (block,))
        elif len(kept) < len(held):
            _write_block(db, block, kept)


def blocks_of(db: Connection, ids: Iterable[int] | None = None) -> dict[int, list[int]]:
    """The nodes in each block; all blocks, or those of some nodes."""
    which = "" if ids is None else "WHERE node_id IN (SELECT value FROM json_each(:ids))"
    found: dict[int, list[int]] = defaultdict(list)
    for block, id in db.execute(
        f"SELECT block_id, node_id FROM archived {which} ORDER BY block_id, node_id",
        {"ids": ids},
    ):
        found[block].append(id)
    return found


def read_block(db: Connection, block: int) -> dict[int, ArchivedText]:
    """The texts of a block; of a damaged one, those that still match their hash."""
    data = _block_data(db, block)
    try:
        return dict(_parsed(each) for each in zlib.decompress(data).split(b"\n")) if data else {}
    except _DAMAGES:
        return _undamaged(db, block, data)


def _parsed(line: bytes) -> tuple[int, ArchivedText]:
    id, _, words = line.partition(b"\t")
    return int(id), ArchivedText(*json.loads(words))


def _undamaged(db: Connection, block: int, data: bytes) -> dict[int, ArchivedText]:
    """What can still be decompressed and matches the hash of its node."""
    hashes = dict(
        db.execute(
            "SELECT id, content_hash FROM node JOIN archived ON archived.node_id = node.id WHERE block_id = ?", (block,)
        )
    )
    stream, out = zlib.decompressobj(), b""
    with suppress(zlib.error):
        for place in range(len(data)):
            out += stream.decompress(data[place : place + 1])
    found: dict[int, ArchivedText] = {}
    for line in out.split(b"\n"):
        with suppress(*_DAMAGES):
            id, words = _parsed(line)
            if rows.content_hash(words.text) == hashes.get(id):
                found[id] = words
    return found


def _texts_in(data: bytes, ids: Iterable[int]) -> Iterator[tuple[int, ArchivedText]]:
    """The texts of these nodes. A line is an id, a tab and a JSON list, so that others need not be parsed."""
    lines = b"\n" + zlib.decompress(data) + b"\n" if data else b""
    for id in ids:
        start = lines.find(b"\n%d\t" % id)
        if start >= 0:
            yield id, ArchivedText(*json.loads(lines[lines.index(b"\t", start) : lines.index(b"\n", start + 1)]))


def _block_data(db: Connection, block: int) -> bytes:
    return bytes(db.execute("SELECT data FROM archive_block WHERE id = ?", (block,)).get or b"")


def all_blocks(db: Connection) -> Iterator[dict[int, ArchivedText]]:
    """The contents of all blocks, one at a time."""
    for (block,) in list(db.execute("SELECT id FROM archive_block ORDER BY id")):
        yield read_block(db, block)


def byte_samples(db: Connection, ids: Iterable[int]) -> list[bytes]:
    """Byte samples of the blocks of these nodes: compressed text cannot be searched for directly."""
    blocks = list(blocks_of(db, ids))
    blocks = blocks[:: 1 + len(blocks) // _MOST_SAMPLES]
    each = max(1, min(_SAMPLES_PER_BLOCK, _MOST_SAMPLES // max(1, len(blocks))))
    return [part for block in blocks for part in _samples(_block_data(db, block), each)]


def _samples(data: bytes, many: int) -> list[bytes]:
    apart = max(_SAMPLE_BYTES, len(data) // many)
    return [data[at : at + _SAMPLE_BYTES] for at in range(0, len(data) - _SAMPLE_BYTES, apart)]


def samples_not_in_blocks(db: Connection, parts: Iterable[bytes]) -> list[bytes]:
    """Samples that occur in no block any more: the same text compressed elsewhere often gives the same bytes."""
    left = list(parts)
    for (data,) in db.execute("SELECT data FROM archive_block") if left else ():
        left = [part for part in left if part not in data]
    return left


class BlockReader:
    """Reads archived text node by node and caches blocks."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._held: dict[int, dict[int, ArchivedText]] = {}

    def words(self, id: int) -> dict[str, str | None] | None:
        block = self._db.execute("SELECT block_id FROM archived WHERE node_id = ?", (id,)).get
        if block is None:
            return None
        if block not in self._held:
            if len(self._held) == _CACHED_BLOCKS:
                del self._held[next(iter(self._held))]
            self._held[block] = read_block(self._db, block)
        return self._held[block].get(id, DAMAGED).named


def _open_block(db: Connection, session: int | None) -> tuple[int, dict[int, ArchivedText]]:
    """The last block of a session if it has room, so that text archived over several runs shares blocks."""
    found = db.execute(
        "SELECT id, size FROM archive_block WHERE session_id IS ? ORDER BY id DESC LIMIT 1", (session,)
    ).fetchone()
    if found is None or found[1] >= _BLOCK_BYTES:
        return _new_block(db, session), {}
    return int(found[0]), read_block(db, found[0])


def _new_block(db: Connection, session: int | None) -> int:
    db.execute("INSERT INTO archive_block (session_id, size, data) VALUES (?, 0, x'')", (session,))
    return db.last_insert_rowid()


def _write_block(db: Connection, block: int, held: Mapping[int, ArchivedText]) -> None:
    lines = (f"{id}\t{rows.to_json(words.columns)}" for id, words in held.items())
    data = zlib.compress("\n".join(lines).encode(), 9)
    db.execute("UPDATE archive_block SET size = ?, data = ? WHERE id = ?", (_text_size(held), data, block))


def _text_size(held: Mapping[int, ArchivedText]) -> int:
    return sum(words.weight for words in held.values())
