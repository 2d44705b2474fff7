"""Keyed digests of what was erased: enough to know it again when it comes back, too little to tell what it was.

HMAC-SHA256 under a random key of the file: whoever has the file alone can test a guess, whoever has a receipt or a
list of digests cannot. Only the first sixteen bytes are kept; they tell 2^64 things apart.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import apsw

from omoide.domain import Draft, Node
from omoide.domain.entity import name_key

_BYTES = 16
_FEW_DRAFTS = 50  # drafts that are looked up one by one
_SAME_MOMENT = 60_000_000  # microseconds between saying and storing: more, and it is an import of something older
_SECOND = 1_000_000
_STRUCTURAL_FIELDS = {
    "fact": ("subject", "predicate", "object"),
    "preference": ("category", "name", "value"),
    "procedure": ("name", "steps"),
}
_PROCEDURAL_KINDS = ("procedure", "skill")


def any_tombstones(db: apsw.Connection) -> bool:
    """One look at an empty table is all that a file pays in which nothing was ever erased."""
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM tombstone)").get)


class TombstoneGuard:
    """Knows what must not come back; asked once for each draft."""

    def __init__(self, db: apsw.Connection, now: int, many: int = 1, *, brought: bool = False) -> None:
        """For `many` drafts, all digests are read at once, unless they are many more still. `brought`: by a file."""
        self._db = db
        self._now = now
        self._brought = brought
        self._key = file_key(db) if any_tombstones(db) else None
        self._all: frozenset[bytes] | None = None
        if (
            self._key is not None
            and many > _FEW_DRAFTS
            and many * _FEW_DRAFTS > db.execute("SELECT count(*) FROM tombstone").get
        ):
            self._all = frozenset(row[0] for row in db.execute("SELECT digest FROM tombstone"))

    @property
    def armed(self) -> bool:
        """Whether anything was ever erased here."""
        return self._key is not None

    def refuses(self, draft: Draft, sources: Sequence[int] | None = None) -> int | None:
        """The erased node that a draft would bring back, if it would.

        An event is the same under its key, or by its words at its time; if it is older than the erasure, also by its
        folded words in the same second or the same session, for a transcript seldom comes back as exact as it went.
        What is learned is the same by what it says, unless all that it rests on (`sources`), or the statement itself,
        is younger than the erasure. A file cannot say that something is said now: what it brings is the same by its
        words alone, whatever it is called there, unless it has a time of its own since the erasure.
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
                anew = self._is_anew(draft.event_at, at, same, brought)
            else:
                anew = all(each > upto and self._is_younger(each, at) for each in sources)
            if not anew:
                return int(node_id)
        return None

    def _is_anew(self, event_at: int, at: int, same: str, brought: bool) -> bool:
        """Whether it was said after the erasure; if that lies in the future, the clock was wrong, and now counts."""
        just_now = event_at > self._now - _SAME_MOMENT
        if brought and same != "event":
            return event_at > at and not just_now
        match same:
            case "event":
                return False
            case "alike":
                return event_at > at or (just_now and at > self._now)
            case _:
                return event_at > at or just_now

    def _is_younger(self, id: int, at: int) -> bool:
        """Said after the erasure. What was stored as it was said is so by its id, however the clock was set."""
        event_at, recorded_at = self._db.execute(
            "SELECT event_at, recorded_at FROM node WHERE id = ?", (id,)
        ).fetchone() or (0, _SAME_MOMENT)
        return bool(event_at > at or recorded_at - event_at < _SAME_MOMENT)

    def knows(self, ulid: str) -> int | None:
        """The erased node that had this ULID: for imports that keep them."""
        if self._key is None:
            return None
        digest = _digest(self._key, "ulid", ulid)
        found = self._db.execute("SELECT node_id FROM tombstone WHERE digest = ?", (digest,)).get
        return None if found is None else int(found)

    def knows_entity(self, ulid: str) -> bool:
        """Whether an entity of this ULID was erased."""
        if self._key is None:
            return False
        return self._has(_digest(self._key, "entity", ulid))

    def knows_name(self, name: str) -> bool:
        """Whether an entity of this name was erased."""
        return self._key is not None and self._has(_digest(self._key, "name", name_key(name) or name))

    def knows_words(self, text: str) -> bool:
        """Whether something erased said this, whatever it was."""
        return self._key is not None and self._has(_digest(self._key, "words", name_key(text) or text))

    def _has(self, digest: bytes) -> bool:
        return bool(self._db.execute("SELECT EXISTS (SELECT 1 FROM tombstone WHERE digest = ?)", (digest,)).get)


class AllowAll(TombstoneGuard):
    """Lets everything through: what is about to be written was asked about already."""

    def __init__(self) -> None:
        pass

    def refuses(self, draft: Draft, sources: Sequence[int] | None = None) -> int | None:
        return None


class KeyGuard(TombstoneGuard):
    """Refuses what was erased under its very key. The same words may have gone along with something else."""

    def refuses(self, draft: Draft, sources: Sequence[int] | None = None) -> int | None:
        if self._key is None or draft.key is None:
            return None
        digest = _digest(self._key, "key", draft.key.hex())
        found = self._db.execute("SELECT node_id FROM tombstone WHERE digest = ?", (digest,)).get
        return None if found is None else int(found)


class _Comparable:
    """What is compared of a draft or a node."""

    __slots__ = ("attributes", "event_at", "key", "kind", "session", "text")

    def __init__(
        self,
        kind: str,
        text: str,
        event_at: int,
        key: bytes | None,
        attributes: Mapping[str, Any],
        session: str | None,
    ) -> None:
        self.kind, self.text, self.event_at, self.key = kind, text, event_at, key
        self.attributes, self.session = attributes, session

    @classmethod
    def of(cls, draft: Draft) -> _Comparable:
        return cls(draft.kind, draft.text, draft.event_at, draft.key, draft.attributes, draft.session)


def add_tombstone(db: apsw.Connection, node: Node, event_at: int, *, now: int, upto: int) -> None:
    """Leaves the digests of a node that is about to go: of the event, or of what it says if it is knowledge."""
    key = file_key(db)
    own = db.execute("SELECT key FROM node WHERE id = ?", (node.id,)).get
    said = _Comparable(node.kind, node.text, event_at, own, node.attributes, node.session)
    digests = [_digest(key, "ulid", node.ulid), *(digest for digest, _ in _digests(key, said, by_words=True))]
    db.executemany(
        """
        INSERT INTO tombstone (digest, node_id, at, upto_id)
        VALUES (?, ?, ?, ?)
        ON CONFLICT (digest) DO UPDATE SET node_id = excluded.node_id, at = excluded.at, upto_id = excluded.upto_id
        """,
        [(digest, node.id, now, upto) for digest in dict.fromkeys(digests)],
    )


def add_entity_tombstones(db: apsw.Connection, gone: Iterable[tuple[str, str]], *, now: int, upto: int) -> None:
    """What went with nodes and is none: (entity, its ULID), (name, of an entity), (words, told of one or of a
    relation). Their digests speak of no node."""
    key = file_key(db)
    db.executemany(
        "INSERT INTO tombstone (digest, node_id, at, upto_id) VALUES (?, 0, ?, ?) ON CONFLICT DO NOTHING",
        [
            (_digest(key, what, text if what == "entity" else name_key(text) or text), now, upto)
            for what, text in dict.fromkeys(gone)
        ],
    )


def add_request_tombstone(db: apsw.Connection, asked: tuple[str, str], erasure: int, now: int) -> None:
    """How something was named that is gone, and by which erasure: asked for again, that one answers."""
    digest = _digest(file_key(db), "asked", *asked)
    db.execute(
        "INSERT OR REPLACE INTO tombstone (digest, node_id, at, upto_id) VALUES (?, ?, ?, 0)", (digest, erasure, now)
    )


def find_erasure_of_request(db: apsw.Connection, asked: tuple[str, str]) -> int | None:
    """The erasure that was asked for in these words."""
    if not any_tombstones(db):
        return None
    digest = _digest(file_key(db), "asked", *asked)
    found = db.execute("SELECT node_id FROM tombstone WHERE digest = ?", (digest,)).get
    return None if found is None else int(found)


def file_key(db: apsw.Connection) -> hmac.HMAC:
    """The file's own key, made when it is first needed; ready to be copied for each digest."""
    found = db.execute("SELECT key FROM tombstone_key").get
    if found is None:
        found = os.urandom(32)
        db.execute("INSERT INTO tombstone_key (id, key) VALUES (1, ?)", (found,))
    return hmac.new(bytes(found), digestmod="sha256")


def _digests(key: hmac.HMAC, said: _Comparable, *, by_words: bool) -> Iterator[tuple[bytes, str]]:
    """(digest, how it is the same: the very event, an event like it, or a meaning that may be stated anew)."""
    if said.key is not None:
        yield _digest(key, "key", said.key.hex()), "event"
    words = name_key(said.text) or said.text
    if said.kind == "episode":
        yield _digest(key, "said", " ".join(said.text.casefold().split()), str(said.event_at)), "event"
        yield _digest(key, "second", words, str(said.event_at // _SECOND)), "alike"
        if said.session is not None:
            yield _digest(key, "session", words, said.session), "alike"
        return
    yield _digest(key, "text", said.kind, words), "meaning"
    structure = [said.attributes.get(name) for name in _STRUCTURAL_FIELDS.get(said.kind, ())]
    if structure and all(each not in (None, (), []) for each in structure):
        parts = [name_key(json.dumps(each, ensure_ascii=False, default=list)) for each in structure]
        yield _digest(key, "meaning", said.kind, *parts), "meaning"
    if by_words:
        yield _digest(key, "words", words), "meaning"
        if said.kind in _PROCEDURAL_KINDS:  # a procedure is written as a skill file
            steps = " ".join(_step_text(each) for each in said.attributes.get("steps") or ())
            name = str(said.attributes.get("name") or said.text)
            yield _digest(key, "how", name_key(name) or name, name_key(steps)), "meaning"


def _step_text(step: Any) -> str:
    """As a file tells it."""
    return str(step.get("detail") or step.get("action") or step) if isinstance(step, Mapping) else str(step)


def _digest(key: hmac.HMAC, *parts: str) -> bytes:
    found = key.copy()
    found.update("\0".join(parts).encode())
    return found.digest()[:_BYTES]
