"""What a memory has forgotten stays forgotten when an older copy of it takes its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw

from omoide.clock import micros
from omoide.layers import Node
from omoide.store import closure, erase, migrate, nodes, receipts, scan, tombstone
from omoide.store.forgotten import Copy, Erasing, Rederived, Shaken, Target


def erasures(old: apsw.Connection, new: apsw.Connection) -> list[int]:
    """Those that the old file has logged and the new one does not know of."""
    if not _has(old, "erasure"):
        return []
    known = set(new.execute("SELECT id, at FROM erasure")) if _has(new, "erasure") else set()
    return [id for id, at in old.execute("SELECT id, at FROM erasure ORDER BY id") if (id, at) not in known]


def can_carry(old: apsw.Connection, new: apsw.Connection) -> bool:
    """Both have the shape of today, and the digests of the one mean something in the other."""
    if {migrate.version(old, ""), migrate.version(new, "")} != {migrate.latest()}:
        return False
    theirs = new.execute("SELECT key FROM tombstone_key").get
    return theirs is None or theirs == old.execute("SELECT key FROM tombstone_key").get


def carry(old: apsw.Connection, new: apsw.Connection, part: Path, place: Path, source: Copy, now: int) -> None:
    """Erases once more, from a copy that is not in its place yet, what the old file has erased since it was made."""
    new.execute("PRAGMA secure_delete = ON")
    with new:
        new.executemany("INSERT OR IGNORE INTO tombstone_key (id, key) VALUES (?, ?)", _rows(old, "tombstone_key"))
        _log(old, new)
        erasing = _erasing(old, new, now)
        gone = erase.erase(new, erasing, now) if erasing.ids else None
        _digests(old, new)
    new.execute("VACUUM")
    erase.checkpointed(new)
    if gone is not None:
        seen = scan.scan(new, str(part), gone.needles)
        named = tuple(each.replace(str(part), str(place), 1) for each in seen.files)
        left = tuple(each.replace(str(part), str(place), 1) for each in seen.remainders)
        copies = (
            replace(source, holds=scan.holds(source.path, gone.needles) or scan.packs(source.path, gone.needles)),
        )
        known = replace(gone.receipt, scan=replace(seen, files=named, remainders=left), copies=copies)
        receipts.finish(new, known, now)


def _erasing(old: apsw.Connection, new: apsw.Connection, now: int) -> Erasing:
    """By ULID; what has other evidence reads as it does in the old file, and goes if it is not there."""
    guard = tombstone.Guard(old, now)
    named = frozenset(id for id, ulid in new.execute("SELECT id, ulid FROM node") if guard.knows(ulid) is not None)
    ids = named
    while True:
        found = closure.closed(new, ids)
        today = _today(old, found.shaken)
        lost = {each.node.id for each in found.shaken} - set(today)
        if not lost:
            again = tuple(_as_today(each, today[each.node.id]) for each in found.shaken)
            return Erasing(target=Target(ids=tuple(sorted(named))), named=named, ids=found.ids, rederived=again)
        ids = found.ids | lost


def _today(old: apsw.Connection, shaken: tuple[Shaken, ...]) -> dict[int, Node]:
    """By their ids in the new file."""
    there = {}
    for each in shaken:
        id = old.execute("SELECT id FROM node WHERE ulid = ?", (each.node.ulid,)).get
        if id is not None:
            there[each.node.id] = nodes.require(old, id)
    return there


def _as_today(shaken: Shaken, node: Node) -> Rederived:
    details = dict(node.details) if isinstance(node.details, dict) else None
    return Rederived(
        id=shaken.node.id,
        source=shaken.rest[0][0],
        text=node.text,
        token_count=node.token_count,
        attributes={name: value for name, value in node.attributes.items() if value not in (None, ())},
        confidence=node.confidence,
        event_at=micros(node.event_at),
        valid_from=None if node.valid_from is None else micros(node.valid_from),
        condensed=bool(node.attributes.get("compression")),
        details=details,
    )


def _log(old: apsw.Connection, new: apsw.Connection) -> None:
    """Receipts, the ids that the new file has given too and does not have, and the copies that are known."""
    new.executemany(
        "INSERT OR IGNORE INTO erasure (id, at, finished_at, receipt) VALUES (?, ?, ?, ?)",
        list(old.execute("SELECT id, at, finished_at, receipt FROM erasure")),
    )
    new.executemany(
        """
        INSERT OR IGNORE INTO erased (node_id, erasure_id)
        SELECT :id, :erasure
        WHERE :id <= :highest AND NOT EXISTS (SELECT 1 FROM node WHERE id = :id)
        """,
        [
            {"id": id, "erasure": erasure, "highest": receipts.highest(new)}
            for id, erasure in old.execute("SELECT node_id, erasure_id FROM erased")
        ],
    )
    new.executemany("INSERT OR IGNORE INTO copy (path, kind, made_at) VALUES (?, ?, ?)", _copies(old))


def _copies(old: apsw.Connection) -> list[tuple[str, str, int]]:
    return list(old.execute("SELECT path, kind, made_at FROM copy"))


def _digests(old: apsw.Connection, new: apsw.Connection) -> None:
    """With the time of the first erasure: what was said since was said anew."""
    highest = receipts.highest(new)
    new.executemany(
        "INSERT OR REPLACE INTO tombstone (digest, node_id, at, upto_id) VALUES (?, ?, ?, ?)",
        (
            (digest, id, at, min(upto, highest))
            for digest, id, at, upto in old.execute("SELECT digest, node_id, at, upto_id FROM tombstone")
        ),
    )


def _rows(db: apsw.Connection, table: str) -> Iterator[tuple[object, ...]]:
    yield from db.execute(f"SELECT * FROM {table}")


def _has(db: apsw.Connection, table: str) -> bool:
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?)", (table,)).get)


def told(old: apsw.Connection, ids: list[int]) -> str:
    """The erasures in a sentence: when, and how many memories."""
    parts = []
    for id in ids:
        receipt = receipts.get(old, id)
        parts.append(f"{receipt.at.isoformat(timespec='seconds')} ({len(receipt.ids)} memories)")
    return ", ".join(parts)
