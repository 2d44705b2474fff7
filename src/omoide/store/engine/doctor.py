"""Counts the file, compares derived data with the rows it is derived from, repairs it, and finds foreign triggers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

import apsw

from omoide.domain import KINDS, layer_of
from omoide.language.text import index_text
from omoide.store.ageing import archive, archive_blocks
from omoide.store.engine import connection, consistency, maintenance_log, migrate, writer
from omoide.store.engine.connection import Connection
from omoide.store.engine.consistency import Finding
from omoide.store.records import rows
from omoide.store.search import embedding, fulltext, vectors

Check = Callable[[Connection, bool], Finding]


def run_checks(db: Connection, repair: bool) -> list[Finding]:
    """Runs all checks of a structurally sound file; repairs rely on the checks before them."""
    return [*(check(db, repair) for check in _checks()), *consistency.remarks(db)]


def reading_checks(db: Connection) -> list[Finding]:
    """The checks that write nothing: the one of the text index does, even without a repair."""
    return [*(check(db, False) for check in _checks() if check is not _check_text_index), *consistency.remarks(db)]


def _checks() -> tuple[Check, ...]:
    return (
        check_schema,
        consistency.check_foreign_keys,
        _check_hashes,
        _check_folded_text,
        *consistency.DERIVED_CHECKS,
        _check_text_index,
        _check_archive,
        _check_vectors,
        _check_token_states,
        _check_embedding_queue,
        writer.check_audit,
    )


def check_structure(db: Connection) -> Finding:
    """Checks pages and indexes, reading only: with broken pages other checks are unreliable and writes do harm."""
    seen = [each for each in _structure_errors(db) if "nodes_fts" not in each]  # has its own check
    problem = f"{'; '.join(seen[:3])}; copy the file, then restore a backup or run `omoide admin salvage FILE`"
    return Finding.of("file structure", seen, problem, "all pages and indexes are intact", repair=False)


def _structure_errors(db: Connection) -> list[str]:
    try:
        _reload_text_index(db)
        seen = [str(row[0]) for row in db.execute("PRAGMA integrity_check(20)")]
    except apsw.CorruptError as error:  # too broken to be checked
        return [str(error)]
    return [] if seen == ["ok"] else seen


def _reload_text_index(db: Connection) -> None:
    """Runs a query first: the integrity check of FTS5 uses cached data and reports merges of other connections as
    corruption (SQLite 3.54)."""
    with suppress(apsw.CorruptError, apsw.SQLError):  # damaged or missing: the check reports it
        db.execute("SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH 'a' LIMIT 1").fetchall()


def _check_hashes(db: Connection, repair: bool) -> Finding:
    """Never repaired: only the user can judge a changed text."""
    written = db.execute("SELECT id, text, content_hash FROM node")
    archived = archive_blocks.blocks_of(db)
    away = {id for members in archived.values() for id in members}
    wrong = [id for id, text, kept in written if id not in away and rows.content_hash(text) != kept]
    wrong += archive.damaged_nodes(db)
    problem = (
        f"{len(wrong)} texts differ from their hash, first node {', '.join(map(str, wrong[:5]))}; compare them with a "
        "backup, and correct those that are wrong with `omoide review update ID TEXT`"
    )
    return Finding.of("words", wrong, problem, "all texts match their hashes", repair=False)


def _check_folded_text(db: Connection, repair: bool) -> Finding:
    wrong = []
    for id, text, speaker, tags, *kept in db.execute(  # archived nodes have no text in their row, so none to fold
        "SELECT id, text, speaker, tags, folded_text, folded_speaker, folded_tags FROM node"
    ):
        should = [index_text(text), index_text(speaker) if speaker else None, index_text(tags) if tags else None]
        if kept != should:
            wrong.append((*should, id))
    if wrong and repair:
        db.executemany("UPDATE node SET folded_text = ?, folded_speaker = ?, folded_tags = ? WHERE id = ?", wrong)
    problem = f"{len(wrong)} texts have an outdated folded form"
    return Finding.of("folding", wrong, problem, "all folded texts are current", repair)


def _check_text_index(db: Connection, repair: bool) -> Finding:
    if fulltext.is_index_consistent(db):
        return Finding("full text", True, "rows and text index match")
    if repair:
        fulltext.rebuild_index(db)
    return Finding("full text", False, "rows and index differ", repaired=repair and fulltext.is_index_consistent(db))


def _check_archive(db: Connection, repair: bool) -> Finding:
    if archive.is_sound(db):
        return Finding("archive", True, f"the blocks hold the text of {archive.archived_count(db)} nodes")
    if repair:
        archive.repair(db)
    return Finding("archive", False, "blocks and rows differ", repaired=repair and archive.is_sound(db))


def _check_vectors(db: Connection, repair: bool) -> Finding:
    wrong = vectors.damaged_vectors(db, states=False)
    wrong += [
        id
        for id, data, dimensions in db.execute(
            """
            SELECT vector.node_id, vector.data, embedding_model.dimensions
            FROM vector
            JOIN embedding_model ON embedding_model.id = vector.model_id
            """
        )
        if not vectors.is_valid_vector(data, dimensions)
    ]
    if wrong and repair:
        vectors.rebuild_vectors(db, wrong)
    first = ", ".join(map(str, sorted(set(wrong))[:5]))
    problem = f"{len(set(wrong))} nodes have a damaged vector, or one that does not fit its model, first node {first}"
    return Finding.of("vectors", wrong, problem, "all vectors match their checksums and fit their model", repair)


_DAMAGED_STATES = f"length(data) % {embedding.BYTES} <> 0 OR checksum IS NOT bytes_checksum(data)"


def _check_token_states(db: Connection, repair: bool) -> Finding:
    wrong = db.execute(f"SELECT count(*) FROM token_state WHERE {_DAMAGED_STATES}").get
    missing = db.execute(
        """
        SELECT count(*)
        FROM vector
        JOIN embedding_model ON embedding_model.id = vector.model_id
        LEFT JOIN token_state ON token_state.vector_id = vector.id
        LEFT JOIN embedding_queue ON embedding_queue.node_id = vector.node_id
        WHERE
            embedding_model.current
            AND embedding_model.gives_tokens
            AND token_state.vector_id IS NULL
            AND embedding_queue.node_id IS NULL
        """
    ).get
    if not wrong and not missing:
        return Finding("token states", True, "all token states are there or pending")
    if repair:
        db.execute(f"DELETE FROM token_state WHERE {_DAMAGED_STATES}")
        vectors.enqueue_missing(db)
    return Finding("token states", False, f"{wrong} are damaged, {missing} are missing", repaired=repair)


def _check_embedding_queue(db: Connection, repair: bool) -> Finding:
    missing = db.execute(
        """
        SELECT count(*)
        FROM node
        LEFT JOIN vector ON vector.node_id = node.id
            AND vector.model_id IN (SELECT id FROM embedding_model WHERE current)
        LEFT JOIN embedding_queue ON embedding_queue.node_id = node.id
        WHERE
            vector.node_id IS NULL AND embedding_queue.node_id IS NULL
            AND node.state <> 'withdrawn'
        """
    ).get
    given_up, reason = vectors.failed_count(db)
    if not missing and not given_up:
        return Finding("embedding", True, f"every node has a vector or is queued ({vectors.pending_count(db)} pending)")
    if repair:
        vectors.enqueue_missing(db)
    detail = f"{missing} nodes have no vector and are not queued"
    if given_up:
        detail += f"; {given_up} failed ({reason})"
    return Finding("embedding", False, detail, repaired=repair)


@dataclass(frozen=True, slots=True)
class ScrubResult:
    """The checked nodes, those after an id, and problems found: (node, text, reason)."""

    after: int
    first: int
    upto: int
    ids: tuple[int, ...]
    wrong: tuple[tuple[int, str, str], ...]


def scrub_nodes(db: Connection, after: int, batch: int) -> ScrubResult | None:
    """Checks the next nodes after an id: text against hash, folded text, and the text index."""
    found: list[Any] = db.execute(
        """
        SELECT node.id, node.text, node.content_hash, node.folded_text, nodes_fts_docsize.id IS NOT NULL
        FROM node
        LEFT JOIN nodes_fts_docsize ON nodes_fts_docsize.id = node.id
        WHERE node.id > ?
        ORDER BY node.id
        LIMIT ?
        """,
        (after, batch),
    ).fetchall()
    if not found:
        return None
    archived = _archived_texts(db, [row[0] for row in found])
    wrong = []
    for id, text, kept, folded, indexed in found:
        if rows.content_hash(archived.get(id, text)) != kept:
            wrong.append((id, text, "its text differs from its hash; compare it with a backup"))
        if index_text(text) != folded:
            wrong.append((id, text, "its folded text is outdated; `omoide admin doctor --repair` repairs it"))
        if not indexed:
            wrong.append((id, text, "it is missing from the text index; `omoide admin doctor --repair` repairs it"))
    return ScrubResult(after, found[0][0], found[-1][0], tuple(row[0] for row in found), tuple(wrong))


def _archived_texts(db: Connection, ids: Sequence[int]) -> dict[int, str]:
    """The text of archived nodes; none of a damaged block, so that the hash differs."""
    found: dict[int, str] = {}
    for block, members in archive_blocks.blocks_of(db, ids).items():
        held = archive_blocks.read_block(db, block)
        found |= {id: held[id].text for id in members if id in held}
    return found


# Finds triggers, tables, views and indexes that another program added to the file.


_SCHEMA = "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"


def check_schema(db: Connection, repair: bool) -> Finding:
    """A trigger of another program can make our writes fail, or change them; a repair drops it. The rest is named."""
    foreign = sorted(set(db.execute(_SCHEMA)) - _own_schema())
    triggers = [name for type, name in foreign if type == "trigger"]
    if not triggers:
        others = ", ".join(f"{type} {name}" for type, name in foreign)
        return Finding("schema", True, f"another program added {others}" if others else "nothing was added to the file")
    if repair:
        for name in triggers:
            db.execute(f'DROP TRIGGER "{name.replace(chr(34), chr(34) * 2)}"')
    detail = f"another program added {len(triggers)} triggers, which run with every write: {', '.join(triggers)}"
    return Finding("schema", False, detail, repaired=repair)


@cache
def _own_schema() -> frozenset[tuple[str, str]]:
    """What the migrations of this version make."""
    with closing(apsw.Connection(connection.IN_MEMORY)) as db:
        connection.register_functions(db)
        for step in migrate.shipped_migrations():
            db.execute(step.sql)
        return frozenset(db.execute(_SCHEMA)) | {("table", "migration")}


# Counts of everything in the file, and the disk space it uses.


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts of everything; `orphans` are learned nodes without links and entities."""

    nodes: int
    by_kind: dict[str, int]
    by_layer: dict[str, int]
    by_state: dict[str, int]
    edges: int
    by_edge_type: dict[str, int]
    entities: int
    relations: int
    sessions: int
    open_sessions: int
    pending_sessions: int
    orphans: int
    tokens: int
    embedding_model: str | None
    vectors: int
    token_states: int
    waiting_for_vectors: int
    bytes: int
    maintained_at: datetime | None = None  # start of the last maintenance
    maintenance: str | None = None  # its outcome
    set_aside: int = 0  # memories, sessions and days that a job failed on and tries again


def count_all(db: Connection) -> Stats:
    """Reads whole tables: for people and reports, not for every message."""
    by_kind = _counts(db, "SELECT kind, count(*) FROM node GROUP BY kind ORDER BY kind")
    by_layer: dict[str, int] = {}
    for kind in KINDS:
        if kind in by_kind:
            by_layer[layer_of(kind)] = by_layer.get(layer_of(kind), 0) + by_kind[kind]
    by_edge = _counts(db, "SELECT type, count(*) FROM edge GROUP BY type ORDER BY type")
    sessions = db.execute(
        """
        SELECT
            count(*),
            count(*) FILTER (WHERE ended_at IS NULL),
            count(*) FILTER (WHERE learning = 'pending')
        FROM session
        """
    ).fetchone() or (0, 0, 0)
    model = vectors.current_model(db)
    last = maintenance_log.last_run(db)
    return Stats(
        nodes=sum(by_kind.values()),
        by_kind=by_kind,
        by_layer=by_layer,
        by_state=_counts(db, "SELECT state, count(*) FROM node GROUP BY state ORDER BY state"),
        edges=sum(by_edge.values()),
        by_edge_type=by_edge,
        entities=_number(db, "SELECT count(*) FROM entity"),
        relations=_number(db, "SELECT count(*) FROM relation"),
        sessions=sessions[0],
        open_sessions=sessions[1],
        pending_sessions=sessions[2],
        orphans=_number(
            db,
            """
            SELECT count(*)
            FROM node
            WHERE
                kind <> 'episode'
                AND NOT EXISTS (SELECT 1 FROM edge WHERE source_id = node.id)
                AND NOT EXISTS (SELECT 1 FROM edge WHERE target_id = node.id)
                AND NOT EXISTS (SELECT 1 FROM node_entity WHERE node_id = node.id)
            """,
        ),
        tokens=_number(db, "SELECT coalesce(sum(token_count), 0) FROM node"),
        embedding_model=model[1] if model else None,
        vectors=_number(db, "SELECT count(*) FROM vector"),
        token_states=_number(db, "SELECT count(*) FROM token_state"),
        waiting_for_vectors=vectors.pending_count(db),
        bytes=file_size(db),
        maintained_at=last.started_at if last else None,
        maintenance=last.outcome if last else None,
        set_aside=_number(db, "SELECT count(*) FROM set_aside"),
    )


def _number(db: Connection, query: str) -> int:
    return int(db.execute(query).get)


def _counts(db: Connection, query: str) -> dict[str, int]:
    return {str(name): int(number) for name, number in db.execute(query)}


_INCREMENTAL = 2  # the value of PRAGMA auto_vacuum
# Archiving a row leaves its page partly empty, so pages alone do not tell what is in use. Reads every page.
_SPACE_QUERY = """
    SELECT
        coalesce(sum(pgsize) FILTER (WHERE name GLOB 'archive*'), 0)
            + coalesce(sum(pgsize) FILTER (WHERE name GLOB 'nodes_fts*' OR name IN ('vector', 'token_state')), 0)
            * (SELECT count(*) FROM archived) / (SELECT max(1, count(*)) FROM node),
        coalesce(sum(unused) FILTER (WHERE name NOT GLOB 'archive*'), 0)
    FROM dbstat
    WHERE aggregate = TRUE
"""


@dataclass(frozen=True, slots=True)
class SpaceUse:
    """Bytes of the file, of its free pages, of the archive with its share of index and vectors, and unused bytes in
    the other pages."""

    bytes: int
    free: int
    archive: int
    slack: int

    @property
    def in_use(self) -> int:
        """Bytes that live nodes use: rows, vectors and full text."""
        return self.bytes - self.free - self.archive - self.slack


def measure_space(db: Connection) -> SpaceUse:
    page = int(db.pragma("page_size"))
    archive, slack = next(iter(db.execute(_SPACE_QUERY)))
    return SpaceUse(int(db.pragma("page_count")) * page, int(db.pragma("freelist_count")) * page, archive, slack)


def file_size(db: Connection) -> int:
    return int(db.pragma("page_count")) * int(db.pragma("page_size"))


def used_bytes(db: Connection) -> int:
    """Bytes of all pages that are not free: an upper bound of what is in use, without reading the file."""
    return (int(db.pragma("page_count")) - int(db.pragma("freelist_count"))) * int(db.pragma("page_size"))


def vacuums_incrementally(db: Connection) -> bool:
    return bool(db.pragma("auto_vacuum") == _INCREMENTAL)


def release_pages(db: Connection, pages: int) -> None:
    """Returns up to so many free pages at the end of the file to the disk, in a short transaction."""
    for _ in db.execute(f"PRAGMA incremental_vacuum({int(pages)})"):
        pass


def vacuum(db: Connection) -> None:
    """Rewrites the file without free pages; later pages can be released incrementally.

    Cannot run in a transaction. Readers continue, writers wait, and the disk needs space for a log as large as the
    file.
    """
    db.pragma("auto_vacuum", _INCREMENTAL)
    db.execute("VACUUM")
