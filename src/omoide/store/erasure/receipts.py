"""The records of an erasure (target, plan, preview, receipt) and the log of receipts and known copies."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omoide.clock import to_datetime, to_micros
from omoide.domain import Node
from omoide.domain.entity import name_key
from omoide.store.engine.connection import Connection

if TYPE_CHECKING:
    from omoide.store.erasure.erased_words import WordComparison


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureTarget:
    """What to erase, named in exactly one way. Times in microseconds."""

    ids: tuple[int, ...] = ()
    session: str | None = None
    entity: str | None = None
    origin: str | None = None
    before: int | None = None
    query: str | None = None  # the ids are its result

    @property
    def way(self) -> str:
        names = ("session", "entity", "origin", "before")
        return next(
            (name for name in names if getattr(self, name) is not None), "ids" if self.query is None else "query"
        )

    @property
    def words(self) -> tuple[str, str] | None:
        """(way, name), or None for ids."""
        name = None if self.way in ("query", "ids") else getattr(self, self.way)
        return None if name is None else (self.way, name_key(name) if self.way == "entity" else str(name))


@dataclass(frozen=True, slots=True)
class WeakenedNode:
    """A memory that loses some of its evidence, and (episode, quote) of the evidence that remains."""

    node: Node
    remaining: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ErasureClosure:
    """Everything that must go with some nodes, and related memories that have other evidence."""

    ids: frozenset[int]
    weakened: tuple[WeakenedNode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RederivedNode:
    """A memory as its remaining evidence supports it. Without `text` its text stays."""

    id: int
    source: int  # the first remaining source; the memory moves to its session
    entities: tuple[int, ...] = ()  # mentioned in the new text
    text: str | None = None
    token_count: int = 0
    attributes: dict[str, object] | None = None
    confidence: float | None = None
    event_at: int | None = None
    valid_from: int | None = None
    keeps_identity: bool = False  # keeps its key and session, as summaries do
    based_on: tuple[int, ...] = ()  # the turns of its new text
    details: dict[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasurePlan:
    """Everything one erasure does: planned before its transaction and checked again inside it."""

    target: ErasureTarget
    targets: frozenset[int]
    ids: frozenset[int]  # the targets and everything that goes with them
    rederived: tuple[RederivedNode, ...] = ()
    compared: WordComparison | None = None  # with every other text, before the transaction
    erasures: int = 0  # the last erasure then


@dataclass(frozen=True, slots=True)
class KnownCopy:
    """A file made from this one. `holds`: whether erased words were found in it; None if it was not searched."""

    path: str
    kind: str
    made_at: datetime | None
    holds: bool | None = None


@dataclass(frozen=True, slots=True)
class TextMention:
    """A text that contains words only the erased nodes had: its column and row."""

    column: str
    row: int | None
    text: str | None = None  # only in previews; of a node its own text
    word: str | None = None  # one such word, only in previews


@dataclass(frozen=True, slots=True)
class ByteScan:
    """The result of searching the bytes of the file and of the files beside it."""

    files: tuple[str, ...] = ()
    searched: int = 0  # words and phrases searched for that no kept text contains
    found_in: tuple[str, ...] = ()  # files in which one was found
    done: bool = False
    tables: tuple[str, ...] = ()  # tables of the memory file in which one was found

    @property
    def clean(self) -> bool:
        """Whether the search was done and found nothing."""
        return self.done and not self.found_in


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasurePreview:
    """What an erasure would do. Nothing was changed."""

    nodes: tuple[Node, ...]  # erased, by kind and id
    counts: dict[str, int]  # rows deleted or cleared, by group of columns
    entities: tuple[str, ...]  # erased because nothing else mentions them
    relations: tuple[str, ...]
    sessions: tuple[str, ...]
    rederived: tuple[Node, ...] = ()  # kept, derived again from other evidence
    reinstated: tuple[Node, ...] = ()  # live again because their successor is erased
    still_stated: tuple[Node, ...]  # kept and say the same; `sources=True` erases what was learned from too
    still_containing: tuple[Node, ...]  # kept, though they contain a rare word of the query
    copies: tuple[KnownCopy, ...] = ()  # files that still hold it
    cleared_texts: tuple[TextMention, ...]  # other text that is cleared because it repeats erased words
    mentions: tuple[TextMention, ...]  # other text that contains an erased word and stays

    @property
    def by_kind(self) -> dict[str, tuple[Node, ...]]:
        kinds = dict.fromkeys(node.kind for node in self.nodes)
        return {kind: tuple(node for node in self.nodes if node.kind == kind) for kind in kinds}


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReceipt:
    """What was erased: counts and ids, no text. `pending` says what is still to be done, and why."""

    id: int
    at: datetime
    way: str
    ids: tuple[int, ...]
    counts: dict[str, int]
    rederived: tuple[int, ...] = ()
    reinstated: tuple[int, ...] = ()
    still_stated: tuple[int, ...] = ()
    still_containing: tuple[int, ...] = ()
    copies: tuple[KnownCopy, ...] = ()
    scan: ByteScan = field(default_factory=ByteScan)
    pending: tuple[str, ...] = ()
    cleared_texts: tuple[TextMention, ...] = ()
    mentions: tuple[TextMention, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether no erased bytes are left. Texts in `mentions` are not searched for, since they stay."""
        return self.scan.clean and not self.pending


@dataclass(frozen=True, slots=True, kw_only=True)
class IdStates:
    """How many ids are in each state. `lost` counts ids that are in none; it is always 0."""

    live: int
    superseded: int
    archived: int
    withdrawn: int
    erased: int
    undone: int  # made by a night that was put back
    highest: int

    @property
    def lost(self) -> int:
        known = self.live + self.superseded + self.archived + self.withdrawn + self.erased + self.undone
        return self.highest - known


def insert_receipt(db: Connection, receipt: ErasureReceipt) -> ErasureReceipt:
    """Logs an erasure as started and its ids as erased."""
    written = replace(receipt, id=db.insert("erasure", at=to_micros(receipt.at), receipt="{}"))
    db.update("erasure", written.id, {"receipt": _receipt_json(written)})
    db.executemany("INSERT INTO erased (node_id, erasure_id) VALUES (?, ?)", [(id, written.id) for id in written.ids])
    return written


def finish_receipt(db: Connection, receipt: ErasureReceipt, now: int) -> None:
    """Saves the receipt; it is final once nothing is pending."""
    finished_at = None if receipt.pending else now
    db.update("erasure", receipt.id, {"receipt": _receipt_json(receipt), "finished_at": finished_at})


def reopen_last_receipt(db: Connection, why: tuple[str, ...]) -> None:
    """Marks the last erasure as unfinished: an import brought erased rows back and removed them again."""
    for receipt in list_receipts(db, 1):
        finish_receipt(db, replace(receipt, pending=why), to_micros(receipt.at))


def list_receipts(db: Connection, limit: int) -> list[ErasureReceipt]:
    """Newest first."""
    return [_load_receipt(*row) for row in db.execute(_SELECT_RECEIPT + "ORDER BY id DESC LIMIT ?", (limit,))]


def pending_receipts(db: Connection) -> list[ErasureReceipt]:
    return [_load_receipt(*row) for row in db.execute(_SELECT_RECEIPT + "WHERE finished_at IS NULL ORDER BY id")]


def receipt_of_nodes(db: Connection, ids: tuple[int, ...]) -> ErasureReceipt | None:
    """The latest erasure of these nodes, if all of them were erased."""
    found = db.execute(
        "SELECT count(*), max(erasure_id) FROM erased WHERE node_id IN (SELECT value FROM json_each(?))",
        (set(ids),),
    ).fetchone()
    if found is None or not ids or found[0] != len(set(ids)):
        return None
    return get_receipt(db, found[1])


def get_receipt(db: Connection, id: int) -> ErasureReceipt:
    row = db.execute(_SELECT_RECEIPT + "WHERE id = ?", (id,)).fetchone()
    assert row is not None
    return _load_receipt(*row)


_SELECT_RECEIPT = "SELECT id, at, receipt FROM erasure "


def count_id_states(db: Connection) -> IdStates:
    states = dict(db.execute("SELECT state, count(*) FROM node GROUP BY state"))
    return IdStates(
        **{state: states.get(state, 0) for state in ("live", "superseded", "archived", "withdrawn")},
        erased=int(db.execute("SELECT count(*) FROM erased").get),
        undone=int(db.execute("SELECT value FROM counter WHERE name = 'undone'").get or 0),
        highest=highest_node_id(db),
    )


def highest_node_id(db: Connection) -> int:
    """The highest id ever assigned, also of nodes that are gone."""
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'node'").get)


def add_copy(db: Connection, path: str, kind: str, now: int) -> None:
    db.upsert("known_copy", ["path"], path=path, kind=kind, made_at=now)


def remove_copy(db: Connection, path: str) -> None:
    db.execute("DELETE FROM known_copy WHERE path = ?", (path,))


def known_copies(db: Connection, since: int = 0) -> list[KnownCopy]:
    """Copies made at that time or later."""
    found = db.execute("SELECT path, kind, made_at FROM known_copy WHERE made_at >= ? ORDER BY made_at, id", (since,))
    return [KnownCopy(path, kind, to_datetime(at)) for path, kind, at in found]


def _receipt_json(receipt: ErasureReceipt) -> str:
    body = asdict(receipt)
    del body["id"], body["at"]
    return json.dumps(body, default=lambda at: at.isoformat(), separators=(",", ":"))


def _load_receipt(id: int, at: int, text: str) -> ErasureReceipt:
    body: dict[str, Any] = json.loads(text)
    scan: dict[str, Any] = _tuples(body.pop("scan"))
    copies = tuple(
        KnownCopy(**each | {"made_at": each["made_at"] and datetime.fromisoformat(each["made_at"])})
        for each in body.pop("copies")
    )
    for name in ("cleared_texts", "mentions"):
        body[name] = [TextMention(**each) for each in body.pop(name)]
    return ErasureReceipt(id=id, at=to_datetime(at), **_tuples(body), copies=copies, scan=ByteScan(**scan))


def _tuples(body: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in body.items()}
