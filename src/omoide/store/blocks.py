"""Blocks of packed words: several nodes of a session together, small enough to be unpacked for one of them."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import apsw

from omoide.text import fold

_PIECE = 24  # bytes of packed words: in another block only where that says the same
_PIECES = 16  # of a block: it may lie on several pages, and any of them may be left
_MOST = 192  # of all blocks: each costs a pass over the file
_KEPT = 64  # blocks that a reader keeps unpacked: sessions that went on side by side
_FULL = 32_768  # bytes of words: unpacked in a fraction of a millisecond, and large enough for words to repeat


@dataclass(frozen=True, slots=True)
class Words:
    """What is packed of a node: columns as they stood, JSON not read."""

    text: str
    summary: str | None
    details: str | None
    attributes: str | None
    tags: str | None
    speaker: str | None

    @property
    def folded(self) -> tuple[str | None, str | None, str | None]:
        """What full text sees where that differs from text, speaker and tags."""
        return (
            fold(self.text),
            fold(self.speaker) if self.speaker else None,
            fold(self.tags) if self.tags else None,
        )

    @property
    def indexed(self) -> tuple[str | None, ...]:
        """What full text is given of text, speaker and tags."""
        plain = (self.text, self.speaker, self.tags)
        return tuple(seen if seen is not None else word for seen, word in zip(self.folded, plain, strict=True))

    @property
    def length(self) -> int:
        """Characters said, without the speaker's name in front."""
        named = bool(self.speaker) and self.text.startswith(f"{self.speaker}:")
        return len(self.text) - (len(self.speaker or "") + 1 if named else 0)

    @property
    def named(self) -> dict[str, str | None]:
        """By the columns of a node."""
        return dict(zip(("text", "summary", "details", "attributes", "tags", "speaker"), self.columns, strict=True))

    @property
    def columns(self) -> tuple[str | None, ...]:
        return self.text, self.summary, self.details, self.attributes, self.tags, self.speaker

    @property
    def weight(self) -> int:
        """Bytes."""
        return sum(len(part.encode()) for part in self.columns if part)


def add(db: apsw.Connection, session: int | None, words: Mapping[int, Words]) -> dict[int, int]:
    """Packs nodes of one session, behind those packed before while there is room; the block of each."""
    places: dict[int, int] = {}
    block, held = _open(db, session)
    size = _size(held)
    for id, each in words.items():
        if held and size + each.weight > _FULL:
            _write(db, block, held)
            block, held, size = _fresh(db, session), {}, 0
        held[id] = each
        size += each.weight
        places[id] = block
    _write(db, block, held)
    return places


def unpack(db: apsw.Connection, ids: Iterable[int]) -> dict[int, Words]:
    """The words of those of the nodes that are packed."""
    found: dict[int, Words] = {}
    for block, members in holding(db, ids).items():
        held = read(db, block)
        found |= {id: held[id] for id in members if id in held}
    return found


def remove(db: apsw.Connection, ids: Iterable[int]) -> None:
    """Writes the blocks anew without these nodes; a block that is empty then goes."""
    for block, members in holding(db, ids).items():
        held = {id: words for id, words in read(db, block).items() if id not in members}
        db.executemany("DELETE FROM archived WHERE node_id = ?", [(id,) for id in members])
        if held:
            _write(db, block, held)
        else:
            db.execute("DELETE FROM archive_block WHERE id = ?", (block,))


def tidy(db: apsw.Connection) -> None:
    """Writes anew the blocks that hold words of nodes which are not here; one that cannot be read is left alone."""
    known = holding(db)
    for (block,) in list(db.execute("SELECT id FROM archive_block")):
        held = readable(db, block)
        kept = {id: words for id, words in held.items() if id in known.get(block, ())}
        if held and not kept:
            db.execute("DELETE FROM archive_block WHERE id = ?", (block,))
        elif len(kept) < len(held):
            _write(db, block, kept)


def holding(db: apsw.Connection, ids: Iterable[int] | None = None) -> dict[int, list[int]]:
    """Which blocks hold these nodes, or all, and which of them each."""
    which = "" if ids is None else "WHERE node_id IN (SELECT value FROM json_each(:ids))"
    found: dict[int, list[int]] = defaultdict(list)
    for block, id in db.execute(
        f"SELECT block_id, node_id FROM archived {which} ORDER BY block_id, node_id",
        {} if ids is None else {"ids": json.dumps(list(ids))},
    ):
        found[block].append(id)
    return found


def read(db: apsw.Connection, block: int) -> dict[int, Words]:
    data = _data(db, block)
    if not data:
        return {}
    return {id: Words(*words) for id, *words in json.loads(zlib.decompress(data))}


def _data(db: apsw.Connection, block: int) -> bytes:
    return bytes(db.execute("SELECT data FROM archive_block WHERE id = ?", (block,)).get or b"")


def readable(db: apsw.Connection, block: int) -> dict[int, Words]:
    """The same; of a damaged block nothing."""
    try:
        return read(db, block)
    except (zlib.error, ValueError, TypeError):
        return {}


def every(db: apsw.Connection) -> Iterator[dict[int, Words]]:
    """All that is packed, one block at a time."""
    for (block,) in list(db.execute("SELECT id FROM archive_block ORDER BY id")):
        yield readable(db, block)


def pieces(db: apsw.Connection, ids: Iterable[int]) -> list[bytes]:
    """Some of the very bytes of each block that holds one of these nodes: its words cannot be seen in them."""
    blocks = list(holding(db, ids))
    blocks = blocks[:: 1 + len(blocks) // _MOST]
    each = max(1, min(_PIECES, _MOST // max(1, len(blocks))))
    return [part for block in blocks for part in _parts(_data(db, block), each)]


def _parts(data: bytes, many: int) -> list[bytes]:
    apart = max(_PIECE, len(data) // many)
    return [data[at : at + _PIECE] for at in range(0, len(data) - _PIECE, apart)]


def no_longer_packed(db: apsw.Connection, parts: Iterable[bytes]) -> list[bytes]:
    """Of such bytes those that are in no block any more: the same words packed elsewhere are often the same bytes."""
    left = list(parts)
    for (data,) in db.execute("SELECT data FROM archive_block") if left else ():
        left = [part for part in left if part not in data]
    return left


class Reader:
    """The words of one node after the other; blocks are kept for those that follow."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._held: dict[int, dict[int, Words]] = {}

    def words(self, id: int) -> dict[str, str | None] | None:
        block = self._db.execute("SELECT block_id FROM archived WHERE node_id = ?", (id,)).get
        if block is None:
            return None
        if block not in self._held:
            if len(self._held) == _KEPT:
                del self._held[next(iter(self._held))]
            self._held[block] = read(self._db, block)
        found = self._held[block].get(id)
        return None if found is None else found.named


def _open(db: apsw.Connection, session: int | None) -> tuple[int, dict[int, Words]]:
    """The last block of a session, if there is room in it: what leaves night by night is packed together too."""
    found = db.execute(
        "SELECT id, size FROM archive_block WHERE session_id IS ? ORDER BY id DESC LIMIT 1", (session,)
    ).fetchone()
    if found is None or found[1] >= _FULL:
        return _fresh(db, session), {}
    return int(found[0]), read(db, found[0])


def _fresh(db: apsw.Connection, session: int | None) -> int:
    db.execute("INSERT INTO archive_block (session_id, size, data) VALUES (?, 0, x'')", (session,))
    return db.last_insert_rowid()


def _write(db: apsw.Connection, block: int, held: Mapping[int, Words]) -> None:
    listed = [[id, *words.columns] for id, words in held.items()]
    data = zlib.compress(json.dumps(listed, ensure_ascii=False, separators=(",", ":")).encode(), 9)
    db.execute("UPDATE archive_block SET size = ?, data = ? WHERE id = ?", (_size(held), data, block))


def _size(held: Mapping[int, Words]) -> int:
    return sum(words.weight for words in held.values())
