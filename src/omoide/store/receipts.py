"""The log of erasures, the copies that are known, and where every id is."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

import apsw

from omoide.clock import micros, moment
from omoide.store.forgotten import Account, Copy, Mention, Receipt, Scan


def write(db: apsw.Connection, receipt: Receipt) -> Receipt:
    """Logs an erasure as begun, and that its ids are erased."""
    at = receipt.at
    db.execute("INSERT INTO erasure (at, receipt) VALUES (?, ?)", (micros(at), "{}"))
    written = replace(receipt, id=db.last_insert_rowid())
    db.execute("UPDATE erasure SET receipt = ? WHERE id = ?", (_dump(written), written.id))
    db.executemany("INSERT INTO erased (node_id, erasure_id) VALUES (?, ?)", [(id, written.id) for id in written.ids])
    return written


def finish(db: apsw.Connection, receipt: Receipt, now: int) -> None:
    """Once nothing is pending, the receipt is final."""
    done = None if receipt.pending else now
    db.execute("UPDATE erasure SET receipt = ?, finished_at = ? WHERE id = ?", (_dump(receipt), done, receipt.id))


def reopen(db: apsw.Connection, why: tuple[str, ...]) -> None:
    """The last erasure is to be finished once more: some of what it took had come back and gone again."""
    for receipt in all_of_them(db, 1):
        finish(db, replace(receipt, pending=why), micros(receipt.at))


def all_of_them(db: apsw.Connection, limit: int) -> list[Receipt]:
    """The latest first."""
    return [_load(*row) for row in db.execute(_SELECT + "ORDER BY id DESC LIMIT ?", (limit,))]


def pending(db: apsw.Connection) -> list[Receipt]:
    return [_load(*row) for row in db.execute(_SELECT + "WHERE finished_at IS NULL ORDER BY id")]


def of_nodes(db: apsw.Connection, ids: tuple[int, ...]) -> Receipt | None:
    """The latest erasure of these nodes, if all of them were erased."""
    found = db.execute(
        "SELECT count(*), max(erasure_id) FROM erased WHERE node_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(set(ids))),),
    ).fetchone()
    if found is None or not ids or found[0] != len(set(ids)):
        return None
    return get(db, found[1])


def get(db: apsw.Connection, id: int) -> Receipt:
    row = db.execute(_SELECT + "WHERE id = ?", (id,)).fetchone()
    assert row is not None
    return _load(*row)


_SELECT = "SELECT id, at, receipt FROM erasure "


def account(db: apsw.Connection) -> Account:
    states = dict(db.execute("SELECT state, count(*) FROM node GROUP BY state"))
    return Account(
        live=states.get("live", 0),
        superseded=states.get("superseded", 0),
        archived=states.get("archived", 0),
        expired=states.get("expired", 0),
        erased=int(db.execute("SELECT count(*) FROM erased").get),
        highest=highest(db),
    )


def highest(db: apsw.Connection) -> int:
    """The highest id that was ever given; what is rolled back gives none."""
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'node'").get)


def note_copy(db: apsw.Connection, path: str, kind: str, now: int) -> None:
    db.execute(
        """
        INSERT INTO copy (path, kind, made_at)
        VALUES (:path, :kind, :now)
        ON CONFLICT (path) DO UPDATE SET kind = excluded.kind, made_at = excluded.made_at
        """,
        {"path": path, "kind": kind, "now": now},
    )


def drop_copy(db: apsw.Connection, path: str) -> None:
    db.execute("DELETE FROM copy WHERE path = ?", (path,))


def copies(db: apsw.Connection, since: int = 0) -> list[Copy]:
    """Those that were made at that time or later."""
    found = db.execute("SELECT path, kind, made_at FROM copy WHERE made_at >= ? ORDER BY made_at, id", (since,))
    return [Copy(path, kind, moment(at)) for path, kind, at in found]


def _dump(receipt: Receipt) -> str:
    body = asdict(receipt)
    del body["id"], body["at"]
    return json.dumps(body, default=lambda at: at.isoformat(), separators=(",", ":"))


def _load(id: int, at: int, text: str) -> Receipt:
    body: dict[str, Any] = json.loads(text)
    scan: dict[str, Any] = _tuples(body.pop("scan"))
    made = [
        Copy(each["path"], each["kind"], each["made_at"] and datetime.fromisoformat(each["made_at"]), each["holds"])
        for each in body.pop("copies")
    ]
    for name in ("swept", "mentions"):
        body[name] = [Mention(**each) for each in body.pop(name, ())]  # receipts of before have none
    return Receipt(id=id, at=moment(at), **_tuples(body), copies=tuple(made), scan=Scan(**scan))


def _tuples(body: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in body.items()}
