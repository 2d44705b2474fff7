"""What is in the file, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import apsw

from omoide.layers import KINDS, layer_of
from omoide.store import queue, runs, vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts of everything; `orphans` are learned nodes that nothing links to and that name no entity."""

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
    maintained_at: datetime | None = None  # when the last maintenance began
    maintenance: str | None = None  # how it ended


def count(db: apsw.Connection) -> Stats:
    """Reads everything once or twice: for people and reports, not for every message."""
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
    model = vectors.current(db)
    last = runs.last_round(db)
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
        waiting_for_vectors=queue.waiting(db),
        bytes=int(db.pragma("page_count")) * int(db.pragma("page_size")),
        maintained_at=last.started_at if last else None,
        maintenance=last.outcome if last else None,
    )


def _number(db: apsw.Connection, query: str) -> int:
    return int(db.execute(query).get)


def _counts(db: apsw.Connection, query: str) -> dict[str, int]:
    return {str(name): int(number) for name, number in db.execute(query)}
