"""Counts of everything in the file, and the disk space it uses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from omoide.domain import KINDS, layer_of
from omoide.store.engine import maintenance_log
from omoide.store.engine.connection import Connection
from omoide.store.search import vectors


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
        bytes=int(db.pragma("page_count")) * int(db.pragma("page_size")),
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
