"""Restores a verified backup. The replaced file is moved aside, and its erasures are applied to the restored copy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import apsw

from omoide.clock import to_datetime, to_micros
from omoide.domain import Node
from omoide.errors import Busy, InvalidInput, KeyRefused, NotFound
from omoide.store.engine import connection as connections
from omoide.store.engine import migrate
from omoide.store.engine.connection import Connection, translate_errors
from omoide.store.engine.encryption import FileKey
from omoide.store.engine.gate import Gate, OpenedFiles
from omoide.store.erasure import byte_scan, closure, erase, receipts, tombstones
from omoide.store.erasure.receipts import ErasurePlan, ErasureTarget, KnownCopy, RederivedNode, WeakenedNode
from omoide.store.exchange import backup
from omoide.store.records import nodes


def erasures_since(old: Connection, new: Connection) -> list[int]:
    """Erasures logged in the old file that the new one does not know."""
    if not _has_table(old, "erasure"):
        return []
    known = set(new.execute("SELECT id, at FROM erasure")) if _has_table(new, "erasure") else set()
    return [id for id, at in old.execute("SELECT id, at FROM erasure ORDER BY id") if (id, at) not in known]


def can_reapply_erasures(old: Connection, new: Connection) -> bool:
    """Whether both files have the current schema and the same tombstone key."""
    if {migrate.file_version(old, ""), migrate.file_version(new, "")} != {migrate.latest_version()}:
        return False
    theirs = new.execute("SELECT key FROM tombstone_key").get
    return theirs is None or theirs == old.execute("SELECT key FROM tombstone_key").get


def reapply_erasures(
    old: Connection, new: Connection, partial: Path, target: Path, source: KnownCopy, now: int
) -> None:
    """Erases from an unfinished copy what the old file has erased since the backup was made."""
    new.execute("PRAGMA secure_delete = ON")
    with new:
        new.executemany(
            "INSERT OR IGNORE INTO tombstone_key (id, key) VALUES (?, ?)",
            list(old.execute("SELECT id, key FROM tombstone_key")),
        )
        _copy_receipts(old, new)
        erasing = _plan_for_copy(old, new, now)
        erased = erase.erase(new, erasing, now) if erasing.ids else None
        _copy_tombstones(old, new)
    new.execute("VACUUM")
    erase.checkpoint_log(new)
    if erased is not None:
        erased = erase.with_search_terms(new, erased)
        seen = byte_scan.scan_files(new, str(partial), erased.search_terms)
        files = tuple(each.replace(str(partial), str(target), 1) for each in seen.files)
        left = tuple(each.replace(str(partial), str(target), 1) for each in seen.found_in)
        copies = (replace(source, holds=byte_scan.copy_holds(source.path, erased.search_terms, new.key)),)
        known = replace(erased.receipt, scan=replace(seen, files=files, found_in=left), copies=copies)
        receipts.finish_receipt(new, known, now)


def _plan_for_copy(old: Connection, new: Connection, now: int) -> ErasurePlan:
    """Finds erased nodes by ULID. Weakened nodes get the content they have in the old file, or are
    erased if missing there."""
    guard = tombstones.TombstoneGuard(old, now)
    erased_ids = frozenset(id for id, ulid in new.execute("SELECT id, ulid FROM node") if guard.knows(ulid) is not None)
    ids = erased_ids
    while True:
        closed = closure.find_closure(new, ids)
        current = _ids_in_copy(old, closed.weakened)
        lost = {each.node.id for each in closed.weakened} - set(current)
        if not lost:
            rederived = tuple(_rederived_as_now(each, current[each.node.id]) for each in closed.weakened)
            return ErasurePlan(
                target=ErasureTarget(ids=tuple(sorted(erased_ids))),
                targets=erased_ids,
                ids=closed.ids,
                rederived=rederived,
            )
        ids = closed.ids | lost


def _ids_in_copy(old: Connection, weakened: tuple[WeakenedNode, ...]) -> dict[int, Node]:
    """Nodes of the old file by their id in the new file."""
    known = {}
    for each in weakened:
        id = old.execute("SELECT id FROM node WHERE ulid = ?", (each.node.ulid,)).get
        if id is not None:
            known[each.node.id] = nodes.require(old, id)
    return known


def _rederived_as_now(weakened: WeakenedNode, node: Node) -> RederivedNode:
    return RederivedNode(
        id=weakened.node.id,
        source=weakened.remaining[0][0],
        text=node.text,
        token_count=node.token_count,
        attributes={name: value for name, value in node.attributes.items() if value not in (None, ())},
        confidence=node.confidence,
        event_at=to_micros(node.event_at),
        valid_from=None if node.valid_from is None else to_micros(node.valid_from),
        keeps_identity=bool(node.attributes.get("compression")),
        details=dict(node.details) if isinstance(node.details, dict) else None,
    )


def _copy_receipts(old: Connection, new: Connection) -> None:
    """Copies receipts, erased ids that are unused in the new file, and known copies."""
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
            {"id": id, "erasure": erasure, "highest": receipts.highest_node_id(new)}
            for id, erasure in old.execute("SELECT node_id, erasure_id FROM erased")
        ],
    )
    copies = list(old.execute("SELECT path, kind, made_at FROM known_copy"))
    new.executemany("INSERT OR IGNORE INTO known_copy (path, kind, made_at) VALUES (?, ?, ?)", copies)


def _copy_tombstones(old: Connection, new: Connection) -> None:
    """Copies tombstones with their original time: what was said since is new."""
    highest = receipts.highest_node_id(new)
    new.executemany(
        "INSERT OR REPLACE INTO tombstone (digest, node_id, at, upto_id) VALUES (?, ?, ?, ?)",
        (
            (digest, id, at, min(upto, highest))
            for digest, id, at, upto in old.execute("SELECT digest, node_id, at, upto_id FROM tombstone")
        ),
    )


def _has_table(db: Connection, table: str) -> bool:
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?)", (table,)).get)


def describe_erasures(old: Connection, ids: list[int]) -> str:
    """When each erasure happened and how many memories it erased."""
    parts = []
    for id in ids:
        receipt = receipts.get_receipt(old, id)
        parts.append(f"{receipt.at.isoformat(timespec='seconds')} ({len(receipt.ids)} memories)")
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """The restored file, and where the replaced file was moved."""

    path: str
    bytes: int
    nodes: int
    aside: str | None


def restore(
    source: str, to: str, force: bool, busy_timeout: float, now: int, key: FileKey | None = None
) -> RestoreResult:
    """Puts a verified copy of a backup in place of a file, which is moved aside and never deleted."""
    if os.path.realpath(source) == os.path.realpath(to):
        raise InvalidInput(f"{source} is the file itself; choose another path with --to")
    target = Path(os.path.realpath(to))
    with translate_errors(source), backup.partial_file(target) as partial:
        with _open_backup(source, key) as db:
            backup.copy_pages(db, partial, None)
            backup.verify(partial, key)
        gate = Gate(f"{target}-gate", busy_timeout)
        try:
            with gate.held():
                newest = _last_change(partial, key)
                _keep_erasures(partial, target, os.path.realpath(source), force, busy_timeout, now, key)
                if target.exists() and not force:
                    _require_replaceable(target, newest, busy_timeout, key)
                held = backup.verify(partial, key)
                aside = _put_in_place(partial, target, now)
        finally:
            gate.close()
    return RestoreResult(str(target), target.stat().st_size, held.nodes, aside)


@contextmanager
def _open_backup(source: str, key: FileKey | None) -> Iterator[Connection]:
    """Opens a backup without writing beside it: it may be on a read-only disk."""
    if not os.path.isfile(source):
        raise NotFound(f"there is no backup at {source}")
    log = Path(f"{source}-wal")
    frozen = "" if log.exists() and log.stat().st_size else "&immutable=1"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connections.check_path(source, key)
    bare = Connection(f"{Path(source).resolve().as_uri()}?mode=ro{frozen}", flags)
    with closing(connections.unlocked(bare, source, key)) as db:
        if migrate.file_version(db, source) == 0:
            raise InvalidInput(f"{source} is empty: there is nothing to restore")
        yield db


def _require_replaceable(target: Path, newest: int, busy_timeout: float, key: FileKey | None) -> None:
    """Raises unless the file in place is damaged, or closed and older than the backup."""
    key = connections.key_of(str(target), key)
    connections.check_path(str(target), key)  # raises for a file that is not ours
    try:
        with closing(connections.open_bare(str(target), min(busy_timeout, 1.0), create=False, key=key)) as db:
            _require_backup_is_newer(target, _last_change_in(db), newest)
            # Checkpoints the log, which is possible only if nobody else has the file open.
            if db.pragma("journal_mode", "delete") == "wal":
                raise apsw.BusyError(str(target))
    except apsw.BusyError as error:
        raise Busy(f"{target} is open elsewhere; close it first, or use --force to move it aside") from error
    except apsw.Error:
        return  # too damaged to be read: that is why it is replaced


def _keep_erasures(
    partial: Path, target: Path, source: str, force: bool, busy_timeout: float, now: int, key: FileKey | None
) -> None:
    """Applies the erasures of the file in place to the copy, and records the backup as a known copy."""
    new = connections.connect(str(partial), busy_timeout, key)
    try:
        if target.exists():
            _reapply_erasures(new, partial, target, source, force, now, key)
        with suppress(apsw.SQLError):  # older versions did not record copies
            receipts.add_copy(new, source, "backup", now)
    finally:
        new.pragma("journal_mode", "delete")  # no log may remain under the temporary name
        connections.close(new)


def _reapply_erasures(
    new: Connection, partial: Path, target: Path, source: str, force: bool, now: int, key: FileKey | None
) -> None:
    key = connections.key_of(str(target), key)
    try:
        connections.check_path(str(target), key)
        old = connections.open_file(str(target), apsw.SQLITE_OPEN_READWRITE, key)
        connections.keep_log_when_dropped(old)
    except apsw.Error:
        return
    except KeyRefused:
        if force:  # its key may be lost
            return
        raise
    try:
        since = erasures_since(old, new)
        if since and can_reapply_erasures(old, new):
            reapply_erasures(old, new, partial, target, KnownCopy(source, "backup", to_datetime(now)), now)
        elif since and not force:
            raise InvalidInput(
                f"{target} has erased memories since the backup was made: {describe_erasures(old, since)}; they cannot"
                " be erased from a file of another version or another memory; --force restores them"
            )
    except (apsw.CorruptError, apsw.NotADBError):
        return  # too damaged to read its erasures
    finally:
        old.close()


def _require_backup_is_newer(target: Path, since: int, newest: int) -> None:
    if since > newest:
        last = to_datetime(since).isoformat(timespec="seconds")
        raise InvalidInput(
            f"{target} was written after the backup was made (last at {last}); use --force to move it aside anyway"
        )


def _last_change(path: Path, key: FileKey | None) -> int:
    with closing(connections.open_file(str(path), apsw.SQLITE_OPEN_READWRITE, key)) as db:
        return _last_change_in(db)


def _last_change_in(db: Connection) -> int:
    """Time of the last change to nodes or entities."""
    return int(
        db.execute(
            """
            SELECT max(
                coalesce((SELECT max(updated_at) FROM node), 0),
                coalesce((SELECT max(at) FROM change), 0),
                coalesce((SELECT max(updated_at) FROM entity), 0)
            )
            """
        ).get
    )


def _put_in_place(partial: Path, target: Path, now: int) -> str | None:
    """Replaces a file in one step, so that at any moment its name holds the old or the new one.

    The old one gets another name, with its log: processes that have it open keep their data. Its log must not be read
    into the new file, not even if we are killed before it is removed: the gate file says to which file it belongs.
    """
    aside = migrate.unused_path(f"{target}.replaced-{to_datetime(now):%Y%m%dT%H%M%SZ}")
    files = [(Path(f"{target}{ending}"), Path(f"{aside}{ending}")) for ending in ("-wal", "-shm", "")]
    replaced = target.exists()
    try:
        for file, name in files:
            with suppress(FileNotFoundError):
                _name_again(file, name)
        OpenedFiles.of(str(target))
        backup.move_into_place(partial, target)
    except OSError:
        for file, name in files:
            with suppress(FileNotFoundError):
                name.unlink() if file.exists() else name.rename(file)
        raise
    for file, _ in files[:2]:
        file.unlink(missing_ok=True)
    return str(aside) if replaced else None


def _name_again(file: Path, name: Path) -> None:
    """Gives a file a second name; where a file has one name only, it loses the first."""
    try:
        os.link(file, name)
    except FileNotFoundError:
        raise
    except OSError:
        file.rename(name)
