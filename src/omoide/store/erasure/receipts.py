"""What forgetting speaks of: what is named, what goes with it, what is left, and the receipt."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

import apsw

from omoide.clock import to_datetime, to_micros
from omoide.domain import Node
from omoide.domain.entity import name_key


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureTarget:
    """What is to be forgotten, named in exactly one way. Times in microseconds."""

    ids: tuple[int, ...] = ()
    session: str | None = None
    entity: str | None = None
    origin: str | None = None
    before: int | None = None
    asked: bool = False  # the ids answered a question

    @property
    def way(self) -> str:
        names = ("session", "entity", "origin", "before")
        return next((name for name in names if getattr(self, name) is not None), "query" if self.asked else "ids")

    @property
    def words(self) -> tuple[str, str] | None:
        """(way, what it is called); of ids there are no words."""
        called = None if self.way in ("query", "ids") else getattr(self, self.way)
        return None if called is None else (self.way, name_key(called) if self.way == "entity" else str(called))


@dataclass(frozen=True, slots=True)
class WeakenedNode:
    """A memory that loses some of what it rests on, and (episode, quoted words) of the rest."""

    node: Node
    remaining: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ErasureClosure:
    """Everything that goes with some nodes, and what of theirs has other evidence."""

    ids: frozenset[int]
    weakened: tuple[WeakenedNode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RederivedNode:
    """A memory as the rest of its evidence bears it out. Without a text its words stay as they are."""

    id: int
    source: int  # the first of what it now rests on: its session is the memory's
    entities: tuple[int, ...] = ()  # that a new text speaks of
    text: str | None = None
    token_count: int = 0
    attributes: dict[str, object] | None = None
    confidence: float | None = None
    event_at: int | None = None
    valid_from: int | None = None
    keeps_identity: bool = False  # a summary: it stays that of its session or day, and has details of its own
    based_on: tuple[int, ...] = ()  # what its new text is told of
    details: dict[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasurePlan:
    """All that one erasure does: decided before its transaction, checked inside it."""

    target: ErasureTarget
    targets: frozenset[int]  # the nodes that were asked for, or asked for by what they say
    ids: frozenset[int]  # and what goes with them
    rederived: tuple[RederivedNode, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownCopy:
    """A file that was made from this one. `holds`: whether the erased words were seen in it; None: not looked."""

    path: str
    kind: str
    made_at: datetime | None
    holds: bool | None = None


@dataclass(frozen=True, slots=True)
class TextMention:
    """A row that is no memory and says something that only the erased said: the column, the number of the row where
    it has one, and for whoever asks before, what stands there."""

    place: str
    row: int | None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class ByteScan:
    """What reading the bytes of the file and of all that belongs to it brought to light."""

    files: tuple[str, ...] = ()
    needles: int = 0  # how many words and phrases were looked for that nothing kept says
    remainders: tuple[str, ...] = ()  # the files in which one was seen
    made: bool = False
    places: tuple[str, ...] = ()  # of the file itself, the kinds of rows in which one was seen

    @property
    def clean(self) -> bool:
        """Whether it was looked, and nothing seen. With no needle there was nothing that only the erased said."""
        return self.made and not self.remainders


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasurePreview:
    """What forgetting would do. Nothing was changed."""

    nodes: tuple[Node, ...]  # what goes, by kind and id
    counts: dict[str, int]  # rows that go or are emptied, by place
    entities: tuple[str, ...]  # of which nothing would be left
    relations: tuple[str, ...]
    sessions: tuple[str, ...]
    stays: tuple[Node, ...]  # has other evidence, and will be derived from that
    revived: tuple[Node, ...]  # was replaced by what goes, and holds again
    still_says: tuple[Node, ...]  # says the same and is kept; `sources=True` takes along what was learned from
    copies: tuple[KnownCopy, ...]  # files that keep it
    swept: tuple[TextMention, ...]  # other text that goes, since it repeats what is erased
    mentions: tuple[TextMention, ...]  # other text that has a word of it, and stays

    @property
    def by_kind(self) -> dict[str, tuple[Node, ...]]:
        kinds = dict.fromkeys(node.kind for node in self.nodes)
        return {kind: tuple(node for node in self.nodes if node.kind == kind) for kind in kinds}


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReceipt:
    """What was erased: counts and ids, no words. `pending` says what is still to be done, and why."""

    id: int
    at: datetime
    way: str
    ids: tuple[int, ...]
    counts: dict[str, int]
    stays: tuple[int, ...] = ()
    revived: tuple[int, ...] = ()
    still_says: tuple[int, ...] = ()
    copies: tuple[KnownCopy, ...] = ()
    scan: ByteScan = field(default_factory=ByteScan)
    pending: tuple[str, ...] = ()
    swept: tuple[TextMention, ...] = ()
    mentions: tuple[TextMention, ...] = ()

    @property
    def clean(self) -> bool:
        """Of the bytes: what `mentions` names was not looked for, since it stays."""
        return self.scan.clean and not self.pending


@dataclass(frozen=True, slots=True, kw_only=True)
class IdStates:
    """Where every id is that was ever given. `lost` are those that nothing accounts for: there are none."""

    live: int
    superseded: int
    archived: int
    expired: int
    erased: int
    highest: int

    @property
    def lost(self) -> int:
        return self.highest - self.live - self.superseded - self.archived - self.expired - self.erased


# The log of erasures, the copies that are known, and where every id is.


def insert_receipt(db: apsw.Connection, receipt: ErasureReceipt) -> ErasureReceipt:
    """Logs an erasure as begun, and that its ids are erased."""
    at = receipt.at
    db.execute("INSERT INTO erasure (at, receipt) VALUES (?, ?)", (to_micros(at), "{}"))
    written = replace(receipt, id=db.last_insert_rowid())
    db.execute("UPDATE erasure SET receipt = ? WHERE id = ?", (_receipt_json(written), written.id))
    db.executemany("INSERT INTO erased (node_id, erasure_id) VALUES (?, ?)", [(id, written.id) for id in written.ids])
    return written


def finish_receipt(db: apsw.Connection, receipt: ErasureReceipt, now: int) -> None:
    """Once nothing is pending, the receipt is final."""
    done = None if receipt.pending else now
    db.execute(
        "UPDATE erasure SET receipt = ?, finished_at = ? WHERE id = ?", (_receipt_json(receipt), done, receipt.id)
    )


def reopen_last_receipt(db: apsw.Connection, why: tuple[str, ...]) -> None:
    """The last erasure is to be finished once more: some of what it took had come back and gone again."""
    for receipt in list_receipts(db, 1):
        finish_receipt(db, replace(receipt, pending=why), to_micros(receipt.at))


def list_receipts(db: apsw.Connection, limit: int) -> list[ErasureReceipt]:
    """The latest first."""
    return [_load_receipt(*row) for row in db.execute(_SELECT_RECEIPT + "ORDER BY id DESC LIMIT ?", (limit,))]


def pending_receipts(db: apsw.Connection) -> list[ErasureReceipt]:
    return [_load_receipt(*row) for row in db.execute(_SELECT_RECEIPT + "WHERE finished_at IS NULL ORDER BY id")]


def receipt_of_nodes(db: apsw.Connection, ids: tuple[int, ...]) -> ErasureReceipt | None:
    """The latest erasure of these nodes, if all of them were erased."""
    found = db.execute(
        "SELECT count(*), max(erasure_id) FROM erased WHERE node_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(set(ids))),),
    ).fetchone()
    if found is None or not ids or found[0] != len(set(ids)):
        return None
    return get_receipt(db, found[1])


def get_receipt(db: apsw.Connection, id: int) -> ErasureReceipt:
    row = db.execute(_SELECT_RECEIPT + "WHERE id = ?", (id,)).fetchone()
    assert row is not None
    return _load_receipt(*row)


_SELECT_RECEIPT = "SELECT id, at, receipt FROM erasure "


def count_id_states(db: apsw.Connection) -> IdStates:
    states = dict(db.execute("SELECT state, count(*) FROM node GROUP BY state"))
    return IdStates(
        live=states.get("live", 0),
        superseded=states.get("superseded", 0),
        archived=states.get("archived", 0),
        expired=states.get("expired", 0),
        erased=int(db.execute("SELECT count(*) FROM erased").get),
        highest=highest_node_id(db),
    )


def highest_node_id(db: apsw.Connection) -> int:
    """The highest id that was ever given; what is rolled back gives none."""
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'node'").get)


def add_copy(db: apsw.Connection, path: str, kind: str, now: int) -> None:
    db.execute(
        """
        INSERT INTO known_copy (path, kind, made_at)
        VALUES (:path, :kind, :now)
        ON CONFLICT (path) DO UPDATE SET kind = excluded.kind, made_at = excluded.made_at
        """,
        {"path": path, "kind": kind, "now": now},
    )


def remove_copy(db: apsw.Connection, path: str) -> None:
    db.execute("DELETE FROM known_copy WHERE path = ?", (path,))


def known_copies(db: apsw.Connection, since: int = 0) -> list[KnownCopy]:
    """Those that were made at that time or later."""
    found = db.execute("SELECT path, kind, made_at FROM known_copy WHERE made_at >= ? ORDER BY made_at, id", (since,))
    return [KnownCopy(path, kind, to_datetime(at)) for path, kind, at in found]


def _receipt_json(receipt: ErasureReceipt) -> str:
    body = asdict(receipt)
    del body["id"], body["at"]
    return json.dumps(body, default=lambda at: at.isoformat(), separators=(",", ":"))


def _load_receipt(id: int, at: int, text: str) -> ErasureReceipt:
    body: dict[str, Any] = json.loads(text)
    scan: dict[str, Any] = _tuples(body.pop("scan"))
    made = [
        KnownCopy(
            each["path"], each["kind"], each["made_at"] and datetime.fromisoformat(each["made_at"]), each["holds"]
        )
        for each in body.pop("copies")
    ]
    for name in ("swept", "mentions"):
        body[name] = [TextMention(**each) for each in body.pop(name, ())]  # receipts of before have none
    return ErasureReceipt(id=id, at=to_datetime(at), **_tuples(body), copies=tuple(made), scan=ByteScan(**scan))


def _tuples(body: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in body.items()}
