"""Reads nodes: in pages, documents by name, sources and contradictions, timelines, earlier states."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, get_args

from omoide.clock import to_datetime
from omoide.domain import Entity, Node, kind_of
from omoide.domain.slots import PEOPLE_SLOTS
from omoide.store.engine import connection
from omoide.store.engine.connection import EFFECTIVE_CONFIDENCE, Connection
from omoide.store.entities import entities
from omoide.store.erasure import tombstones
from omoide.store.records import nodes, rows
from omoide.store.search.fulltext import prefix_query
from omoide.store.search.node_filter import (
    ABOUT_UNNAMED_USER,
    NOT_COVERED_BY_LIVE_TURNS,
    NOT_COVERED_BY_TURNS,
    OF_STATE,
    UNNAMED_USER,
    NodeFilter,
)

ListState = Literal["live", "superseded", "archived", "all"]
ListOrder = Literal["newest", "oldest", "added", "updated", "important"]
LIST_STATES: tuple[ListState, ...] = get_args(ListState)
LIST_ORDERS: tuple[ListOrder, ...] = get_args(ListOrder)

_STATES: dict[ListState, str | None] = {
    "live": "node.state = 'live'",
    "superseded": "node.state <> 'live' AND node.state = 'superseded'",  # the first term allows a partial index
    "archived": "node.state <> 'live' AND node.state IN ('archived', 'withdrawn')",
    "all": None,
}
_COLUMNS: dict[ListOrder, tuple[str, bool]] = {  # the column, and whether the greatest comes first
    "newest": ("node.event_at", True),
    "oldest": ("node.event_at", False),
    "added": ("node.id", False),
    "updated": ("node.updated_at", True),
    "important": ("node.importance", True),
}


_FILTERS = {  # by the field of a listing; one that is None does not filter
    "entity_id": "node.id IN (SELECT node_id FROM node_entity WHERE entity_id = :entity_id)",
    "session": "node.session_id = (SELECT id FROM session WHERE name = :session)",
    "since": "node.event_at >= :since",
    "until": "node.event_at < :until",
    "origin": "node.origin = :origin",
    "below": f"{EFFECTIVE_CONFIDENCE} < :below",
    "sensitive": "node.sensitive = :sensitive",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Which memories to list, and where to continue. Times in microseconds."""

    kinds: tuple[str, ...] = ()
    entity_id: int | None = None
    session: str | None = None
    since: int | None = None
    until: int | None = None
    origin: str | None = None
    below: float | None = None  # only nodes with less confidence, as of now
    sensitive: bool | None = None
    words: str = ""  # only nodes that contain all of these words; the last one may be unfinished
    state: ListState = "live"
    order: ListOrder = "newest"
    limit: int = 50
    after: tuple[int, int] | None = None  # the order's value and the id of the last row of the page before


def page(db: Connection, listing: Listing) -> tuple[list[Node], tuple[int, int] | None]:
    """Returns the nodes of a page and, if more follow, the position to continue after."""
    column, descending = _COLUMNS[listing.order]
    column = f"+{column}" if listing.state in ("superseded", "archived") else column  # few rows: sort, scan no index
    direction = "DESC" if descending else "ASC"
    terms, values = _conditions(db, listing)
    if listing.after is not None:
        terms.append(f"({column}, node.id) {'<' if descending else '>'} (:after_value, :after_id)")
        values |= {"after_value": listing.after[0], "after_id": listing.after[1]}
    rows: list[tuple[int, int]] = db.execute(
        f"""
        SELECT node.id, {column}
        FROM node
        WHERE {" AND ".join(terms) or "true"}
        ORDER BY {column} {direction}, node.id {direction}
        LIMIT :limit
        """,
        values | {"limit": listing.limit + 1},
    ).fetchall()  # type: ignore[assignment]
    shown = rows[: listing.limit]
    held = nodes.fetch(db, [id for id, _ in shown])
    last = (shown[-1][1], shown[-1][0]) if len(rows) > listing.limit else None
    return [held[id] for id, _ in shown], last


def _conditions(db: Connection, listing: Listing) -> tuple[list[str], dict[str, Any]]:
    """A summary is listed only when one of its turns is not, except where every state was asked for."""
    terms = [state] if (state := _STATES[listing.state]) else []
    values: dict[str, Any] = {}
    if listing.kinds:
        terms.append(f"node.kind IN ({', '.join(repr(kind_of(kind).kind) for kind in listing.kinds)})")
        if "episode" not in listing.kinds:
            terms.append("node.kind <> 'episode'")  # allows the index over learned memories
    if listing.state == "live" and (not listing.kinds or "episode" in listing.kinds):
        terms.append(NOT_COVERED_BY_LIVE_TURNS)
        values["as_of"] = None
    for name, term in _FILTERS.items():
        if (value := getattr(listing, name)) is not None:
            terms.append(ABOUT_UNNAMED_USER if (name, value) == ("entity_id", UNNAMED_USER) else term)
            values[name] = value
    if listing.below is not None:
        values["now"] = db.now
    if listing.words:
        terms.append("node.id IN (SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH :words)")
        values["words"] = prefix_query(listing.words)
    return terms, values


# Documents: notes in a collection, found by name.


def find_document(db: Connection, collection: str, name: str, key: bytes) -> Node | None:
    """The document of a name, in any state.

    A document written again after an erasure has no key, because its first key is known as erased: it is found by its
    attributes. Only files in which something was erased need that lookup."""
    if (known := nodes.by_key(db, key)) is not None or not tombstones.any_tombstones(db):
        return known
    found = db.execute(
        """
        SELECT id
        FROM node
        WHERE
            kind = 'note'
            AND kind <> 'episode'
            AND attributes ->> 'category' = :collection
            AND attributes ->> 'title' = :name
        ORDER BY state = 'live' DESC, id DESC
        LIMIT 1
        """,
        {"collection": collection, "name": name},
    ).get
    return None if found is None else nodes.require(db, found)


def fetch_documents(db: Connection, collection: str) -> list[Node]:
    """The documents of a collection, the latest first."""
    ids = db.column(
        """
        SELECT id
        FROM node
        WHERE
            kind = 'note'
            AND kind <> 'episode'
            AND state = 'live'
            AND attributes ->> 'category' = :collection
            AND attributes ->> 'title' IS NOT NULL
        ORDER BY updated_at DESC, id DESC
        """,
        {"collection": collection},
    )
    return nodes.fetch_in_order(db, ids)


# Provenance of nodes: sources and contradictions, uncertain nodes, timelines, and earlier states.


@dataclass(frozen=True, slots=True)
class Grounds:
    """Sources as (episode, quoted words), ids of contradicting nodes, and mentioned entities."""

    sources: tuple[tuple[int, str], ...]
    contradicts: tuple[int, ...]
    entities: tuple[Entity, ...]


def grounds(db: Connection, id: int) -> Grounds:
    sources = db.execute(
        "SELECT target_id, evidence FROM edge WHERE source_id = ? AND type = 'derived_from' ORDER BY id", (id,)
    )
    against = db.execute(
        """
        SELECT iif(source_id = :id, target_id, source_id)
        FROM edge
        WHERE type = 'contradicts' AND (source_id = :id OR target_id = :id)
        ORDER BY 1
        """,
        {"id": id},
    )
    spoken_of = db.execute("SELECT entity_id FROM node_entity WHERE node_id = ? ORDER BY entity_id", (id,))
    return Grounds(
        sources=tuple((episode, " … ".join(json.loads(words))) for episode, words in sources),
        contradicts=tuple(row[0] for row in against),
        entities=tuple(entities.get(db, row[0]) for row in spoken_of),
    )


def uncertain(db: Connection, below: float, limit: int) -> list[Node]:
    """Learned nodes with low effective confidence or a contradiction, then those that are due to be asked again."""
    ids = db.column(
        f"""
        SELECT id
        FROM (
            SELECT
                node.id,
                {connection.EFFECTIVE_CONFIDENCE} AS left_over,
                {connection.ASK_AGAIN_AT} AS due,
                EXISTS (
                    SELECT 1
                    FROM edge
                    JOIN node AS other ON other.id = edge.target_id
                    WHERE edge.source_id = node.id AND edge.type = 'contradicts' AND other.state = 'live'
                ) OR EXISTS (
                    SELECT 1
                    FROM edge
                    JOIN node AS other ON other.id = edge.source_id
                    WHERE edge.target_id = node.id AND edge.type = 'contradicts' AND other.state = 'live'
                ) AS disputed
            FROM node
            WHERE node.kind <> 'episode' AND node.state = 'live'
        )
        WHERE left_over < :below OR disputed OR due <= :now
        ORDER BY left_over >= :below AND NOT disputed, left_over, due, id
        LIMIT :limit
        """,
        {"now": db.now, "below": below, "limit": limit},
    )
    return nodes.fetch_in_order(db, ids)


def timeline(db: Connection, entity_id: int, limit: int) -> list[Node]:
    """Nodes that mention an entity, in order of time; of many, the latest."""
    ids = db.column(
        f"""
        SELECT node.id
        FROM node_entity
        JOIN node ON node.id = node_entity.node_id
        WHERE
            node_entity.entity_id = :entity
            AND node.state <> 'withdrawn'
            AND {NOT_COVERED_BY_TURNS}
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        {"entity": entity_id, "limit": limit, "as_of": None},
    )[::-1]
    return nodes.fetch_in_order(db, ids)


def fetch_as_of(db: Connection, ids: Iterable[int], as_of: int) -> dict[int, Node]:
    """The nodes with the text, confidence and score they had at that time."""
    found = {id: _without_later_times(node, as_of) for id, node in nodes.fetch(db, ids).items()}
    for id, verb, before in db.execute(
        """
        SELECT node_id, verb, before
        FROM change
        WHERE at > :as_of AND before IS NOT NULL AND node_id IN (SELECT value FROM json_each(:ids))
        ORDER BY id DESC
        """,
        {"as_of": as_of, "ids": found},
    ):
        found[id] = _revert(found[id], verb, json.loads(before))
    return found


def facts_of(db: Connection, entity_id: int) -> list[int]:
    """Every version of every fact about an entity, under any of its names, in order of validity."""
    return db.column(
        """
        WITH about (id) AS (
            SELECT node.id
            FROM entity_name
            JOIN node ON node.attributes ->> 'subject' = entity_name.name
            WHERE entity_name.entity_id = :entity AND node.kind = 'fact'
            UNION
            SELECT node.id  -- "Nina is Otto's partner" is a fact about both
            FROM node_entity
            JOIN node ON node.id = node_entity.node_id
            WHERE
                node_entity.entity_id = :entity AND node.kind = 'fact'
                AND (
                    node.attributes ->> 'predicate' LIKE '%|_of' ESCAPE '|'
                    OR node.attributes ->> 'predicate' IN (SELECT value FROM json_each(:people))
                    AND node.attributes ->> 'object' IN (SELECT name FROM entity_name WHERE entity_id = :entity)
                )
        )
        SELECT node.id, coalesce(node.valid_from, min(node.event_at, node.valid_until), node.event_at) AS since
        FROM about
        JOIN node ON node.id = about.id
        ORDER BY since, node.id
        """,
        {"entity": entity_id, "people": PEOPLE_SLOTS},
    )


def refusal(db: Connection, id: int, keep: NodeFilter) -> str:
    """Why a node does not pass a filter, in words; empty if it passes."""
    terms, values = keep.terms()
    selected = ", ".join(f"({term})" for term, _ in terms)
    found = db.execute(f"SELECT node.state, {selected} FROM node WHERE node.id = :id", values | {"id": id})
    ((state, *passed),) = found
    why = next((why for passes, (_, why) in zip(passed, terms, strict=True) if not passes), "")
    latest = nodes.latest_version(db, id) if state == "superseded" else id
    successor = f"; its latest version is [id:{latest}]" if latest != id else ""
    return f"it is {state}{successor}" if why == OF_STATE else why


def _revert(node: Node, verb: str, before: Mapping[str, Any]) -> Node:
    match verb:
        case "update" | "merged" | "learned":
            fields = {name: value for name, value in before.items() if name != "attributes"}
            fields |= before.get("attributes", {})
            return replace(node, **{name: rows.as_tuple(value) for name, value in fields.items()})
        case "confirm" | "affirm":
            return replace(node, confidence=before["confidence"], decay_rate=before["decay_rate"])
        case "reinforce" | "demote":
            return replace(node, score=node.score - before["by"])
        case _:
            return node


def _without_later_times(node: Node, as_of: int) -> Node:
    """Without times that were still in the future."""
    then = to_datetime(as_of)

    def kept(at: datetime | None) -> datetime | None:
        return None if at is None or at > then else at

    return replace(
        node,
        confirmed_at=kept(node.confirmed_at),
        user_confirmed_at=kept(node.user_confirmed_at),
        last_accessed_at=kept(node.last_accessed_at),
        last_hit_at=kept(node.last_hit_at),
    )
