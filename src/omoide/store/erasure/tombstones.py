"""Keyed digests of erased content, which refuse it when it comes back without revealing what it was.

HMAC-SHA256 under a random key stored in the file: someone with the file can test a guess, someone with only a receipt
or a list of digests cannot. Digests are cut to sixteen bytes.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from omoide.domain import Draft, Node
from omoide.domain.entity import name_key
from omoide.domain.kinds import step_text
from omoide.store.engine.connection import Connection

_BYTES = 16
_FEW_DRAFTS = 50  # up to so many drafts are looked up one by one
_SAME_MOMENT = 60_000_000  # microseconds between event and storing: after that it is an import of something older
_SECOND = 1_000_000
_STRUCTURAL_FIELDS = {
    "fact": ("subject", "predicate", "object"),
    "preference": ("category", "name", "value"),
    "procedure": ("name", "steps"),
}
_PROCEDURAL_KINDS = ("procedure", "skill")


def any_tombstones(db: Connection) -> bool:
    """Whether anything was ever erased here."""
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM tombstone)").get)


class TombstoneGuard:
    """Recognises drafts that would bring back erased content."""

    def __init__(self, db: Connection, now: int, many: int = 1, *, brought: bool = False) -> None:
        """For `many` drafts all digests are read at once, unless there are far more digests. `brought`: from a file."""
        self._db = db
        self._now = now
        self._brought = brought
        self._key = file_key(db) if any_tombstones(db) else None
        self._all: frozenset[bytes] | None = None
        several = self._key is not None and many > _FEW_DRAFTS
        if several and many * _FEW_DRAFTS > db.execute("SELECT count(*) FROM tombstone").get:
            self._all = frozenset(db.column("SELECT digest FROM tombstone"))

    @property
    def armed(self) -> bool:
        """Whether anything was ever erased here."""
        return self._key is not None

    def refuses(self, draft: Draft, sources: Sequence[int] | None = None) -> int | None:
        """The id of the erased node that a draft would bring back, or None.

        An event matches by its key, or by its text and time. An event older than the erasure also matches by its
        folded text within the same second or session, because transcripts rarely come back exactly. Learned content
        matches by what it says, unless all its `sources`, or the statement itself, are newer than the erasure. Content
        from a file matches by its text alone, unless its own time is after the erasure.
        """
        if self._key is None:
            return None
        brought = self._brought or draft.origin == "import"
        for digest, same in _digests(self._key, _Comparable.of(draft), by_words=brought):
            if self._all is not None and digest not in self._all:
                continue
            found = self._db.execute(
                "SELECT node_id, at, upto_id FROM tombstone WHERE digest = ?", (digest,)
            ).fetchone()
            if found is None:
                continue
            node_id, at, upto = found
            if sources is None:
                is_new = self._is_new(draft.event_at, at, same, brought)
            else:
                is_new = all(each > upto and self._is_newer(each, at) for each in sources)
            if not is_new:
                return int(node_id)
        return None

    def _is_new(self, event_at: int, at: int, same: str, brought: bool) -> bool:
        """Whether the event is newer than the erasure. An erasure in the future comes from a wrong clock: use now."""
        just_now = event_at > self._now - _SAME_MOMENT
        if brought and same != "event":
            return event_at > at and not just_now
        match same:
            case "event":
                return False
            case "similar":
                return event_at > at or (just_now and at > self._now)
            case _:
                return event_at > at or just_now

    def _is_newer(self, id: int, at: int) -> bool:
        """Whether a node is newer than the erasure. If it was stored when it happened, its id proves that."""
        event_at, recorded_at = self._db.execute(
            "SELECT event_at, recorded_at FROM node WHERE id = ?", (id,)
        ).fetchone() or (0, _SAME_MOMENT)
        return bool(event_at > at or recorded_at - event_at < _SAME_MOMENT)

    def knows(self, ulid: str) -> int | None:
        """The id of the erased node with this ULID: for imports that keep ULIDs."""
        return self._find("ulid", ulid)

    def knows_entity(self, ulid: str) -> bool:
        """Whether an entity with this ULID was erased."""
        return self._find("entity", ulid) is not None

    def knows_name(self, name: str) -> bool:
        """Whether an entity with this name was erased."""
        return self._find("name", name_key(name) or name) is not None

    def knows_words(self, text: str) -> bool:
        """Whether any erased content had this text."""
        return self._find("words", name_key(text) or text) is not None

    def _find(self, *parts: str) -> int | None:
        """The erased node with this digest, 0 for what was no node; None if nothing with it was erased."""
        return None if self._key is None else _node_with(self._db, _digest(self._key, *parts))


class AllowAll(TombstoneGuard):
    """Refuses nothing: the draft was checked already."""

    def __init__(self) -> None:
        pass

    def refuses(self, draft: Draft, sources: Sequence[int] | None = None) -> int | None:
        return None


class KeyGuard(TombstoneGuard):
    """Refuses only drafts erased under the same key: the same text may have been erased along with something else."""

    def refuses(self, draft: Draft, sources: Sequence[int] | None = None) -> int | None:
        return None if draft.key is None else self._find("key", draft.key.hex())


def _node_with(db: Connection, digest: bytes) -> int | None:
    found = db.execute("SELECT node_id FROM tombstone WHERE digest = ?", (digest,)).get
    return None if found is None else int(found)


class _Comparable(NamedTuple):
    """The compared parts of a draft or node."""

    kind: str
    text: str
    event_at: int
    key: bytes | None
    attributes: Mapping[str, Any]
    session: str | None

    @classmethod
    def of(cls, draft: Draft) -> _Comparable:
        return cls(draft.kind, draft.text, draft.event_at, draft.key, draft.attributes, draft.session)


def add_tombstone(db: Connection, node: Node, event_at: int, *, now: int, upto: int) -> None:
    """Adds digests of a node that is about to be deleted."""
    key = file_key(db)
    own = db.execute("SELECT key FROM node WHERE id = ?", (node.id,)).get
    compared = _Comparable(node.kind, node.text, event_at, own, node.attributes, node.session)
    digests = [_digest(key, "ulid", node.ulid), *(digest for digest, _ in _digests(key, compared, by_words=True))]
    db.executemany(
        """
        INSERT INTO tombstone (digest, node_id, at, upto_id)
        VALUES (?, ?, ?, ?)
        ON CONFLICT (digest) DO UPDATE SET node_id = excluded.node_id, at = excluded.at, upto_id = excluded.upto_id
        """,
        [(digest, node.id, now, upto) for digest in dict.fromkeys(digests)],
    )


def add_entity_tombstones(db: Connection, gone: Iterable[tuple[str, str]], *, now: int, upto: int) -> None:
    """Adds digests of erased content outside of nodes: ("entity", ULID), ("name", name) or ("words", text)."""
    key = file_key(db)
    db.executemany(
        "INSERT INTO tombstone (digest, node_id, at, upto_id) VALUES (?, 0, ?, ?) ON CONFLICT DO NOTHING",
        [
            (_digest(key, what, text if what == "entity" else name_key(text) or text), now, upto)
            for what, text in dict.fromkeys(gone)
        ],
    )


def add_request_tombstone(db: Connection, asked: tuple[str, str], erasure: int, now: int) -> None:
    """Remembers how a target was named, so that erasing it again returns the same receipt."""
    digest = _digest(file_key(db), "asked", *asked)
    db.execute(
        "INSERT OR REPLACE INTO tombstone (digest, node_id, at, upto_id) VALUES (?, ?, ?, 0)", (digest, erasure, now)
    )


def find_erasure_of_request(db: Connection, asked: tuple[str, str]) -> int | None:
    """The erasure of a target with this name."""
    return _node_with(db, _digest(file_key(db), "asked", *asked)) if any_tombstones(db) else None


def file_key(db: Connection) -> hmac.HMAC:
    """The file's HMAC key, created on first use; copy it for each digest."""
    found = db.execute("SELECT key FROM tombstone_key").get
    if found is None:
        found = os.urandom(32)
        db.execute("INSERT INTO tombstone_key (id, key) VALUES (1, ?)", (found,))
    return hmac.new(bytes(found), digestmod="sha256")


def _digests(key: hmac.HMAC, compared: _Comparable, *, by_words: bool) -> Iterator[tuple[bytes, str]]:
    """(digest, kind of match: the same event, a similar event, or a meaning that may be stated again)."""
    if compared.key is not None:
        yield _digest(key, "key", compared.key.hex()), "event"
    words = name_key(compared.text) or compared.text
    if compared.kind == "episode":
        yield _digest(key, "said", " ".join(compared.text.casefold().split()), str(compared.event_at)), "event"
        yield _digest(key, "second", words, str(compared.event_at // _SECOND)), "similar"
        if compared.session is not None:
            yield _digest(key, "session", words, compared.session), "similar"
        return
    yield _digest(key, "text", compared.kind, words), "meaning"
    structure = [compared.attributes.get(name) for name in _STRUCTURAL_FIELDS.get(compared.kind, ())]
    if structure and all(each not in (None, (), []) for each in structure):
        parts = [name_key(json.dumps(each, ensure_ascii=False, default=list)) for each in structure]
        yield _digest(key, "meaning", compared.kind, *parts), "meaning"
    if by_words:
        yield _digest(key, "words", words), "meaning"
        if compared.kind in _PROCEDURAL_KINDS:  # a procedure is exported as a skill file
            steps = " ".join(step_text(each) for each in compared.attributes.get("steps") or ())
            name = str(compared.attributes.get("name") or compared.text)
            yield _digest(key, "how", name_key(name) or name, name_key(steps)), "meaning"


def _digest(key: hmac.HMAC, *parts: str) -> bytes:
    found = key.copy()
    found.update("\0".join(parts).encode())
    return found.digest()[:_BYTES]
