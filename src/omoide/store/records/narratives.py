"""Narratives: one chain of sentences per channel, linked to the nodes they cover; and what a returning agent asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from omoide.domain import Draft, Node
from omoide.store.ageing import compression
from omoide.store.ageing.compression import SummaryDraft
from omoide.store.engine.connection import Connection
from omoide.store.records import edges, nodes

_MOST_TURNS = 400  # turns covered by one sentence; earlier turns belong to it as well
_UNNARRATED = """
    node.kind = 'episode' AND node.state = 'live' AND node.attributes ->> 'compression' IS NULL
    AND node.narrative_id IS NULL
"""
VISIBLE = "(NOT :shared OR node.audience = 'shared' AND NOT node.sensitive) AND (:sensitive OR NOT node.sensitive)"


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrativeDraft:
    """A narrative to write, the nodes it connects, its members, its entities and its predecessor."""

    draft: Draft
    connects: tuple[int, ...] = ()
    covers: tuple[int, ...] = ()
    entities: tuple[int, ...] = ()
    previous: int | None = None


@dataclass(frozen=True, slots=True)
class NarrativeContext:
    """A narrative with its neighbours in the chain, its members and the nodes it connects."""

    id: int
    previous: int | None
    next: int | None
    nodes: tuple[int, ...]


def unnarrated(db: Connection, session: str) -> list[int]:
    """Live turns of a session without a narrative, in order; at most the latest few."""
    return db.column(
        f"""
        SELECT node.id
        FROM node
        WHERE node.session_id = (SELECT id FROM session WHERE name = :session) AND {_UNNARRATED}
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT :most
        """,
        {"session": session, "most": _MOST_TURNS},
    )[::-1]


def unnarrated_sessions(db: Connection) -> list[str]:
    """Ended sessions with turns without a narrative, oldest first."""
    return db.column(
        f"""
        SELECT session.name
        FROM session
        WHERE
            session.ended_at IS NOT NULL
            AND EXISTS (SELECT 1 FROM node WHERE node.session_id = session.id AND {_UNNARRATED})
        ORDER BY session.last_at, session.id
        """
    )


def insert_narrative(db: Connection, narrative: NarrativeDraft) -> Node | None:
    """Writes a narrative with its links. Returns an existing one for the same turns, or None if nothing is left."""
    draft = narrative.draft
    held = nodes.fetch(db, (*narrative.connects, *narrative.covers))
    uncovered = [id for id in narrative.covers if id in held and held[id].narrative_id is None]
    last = _latest_narrative(db, draft.session)
    is_repeated = last is not None and nodes.require(db, last).text == draft.text
    if not uncovered and (is_repeated or draft.source_type == "consolidation"):
        return None if last is None else nodes.require(db, last)
    node = compression.insert_summary(db, SummaryDraft(draft, narrative.connects, narrative.entities))
    if node.state == "erased":
        return None
    _append_to_chain(db, node, narrative.previous)
    db.execute(
        "UPDATE node SET narrative_id = :id WHERE id IN (SELECT value FROM json_each(:covers))",
        {"id": node.id, "covers": uncovered},
    )
    if draft.session is not None:
        _assign_session_nodes(db, node.id, uncovered, draft.session)
    return nodes.require(db, node.id)


def _assign_session_nodes(db: Connection, id: int, uncovered: Sequence[int], session: str) -> None:
    """Facts and notes stored in the session meanwhile belong to the narrative too."""
    db.execute(
        """
        UPDATE node
        SET narrative_id = :id
        WHERE
            session_id = (SELECT id FROM session WHERE name = :session)
            AND narrative_id IS NULL AND kind <> 'narrative' AND id < :id
            AND (kind <> 'episode' OR id <= :last)  -- someone may have added turns since
        """,
        {"id": id, "session": session, "last": max(uncovered, default=0)},
    )


def _latest_narrative(db: Connection, session: str | None) -> int | None:
    """The last narrative of a session, or the last outside of sessions."""
    found = db.execute(
        """
        SELECT node.id
        FROM node
        WHERE
            node.kind = 'narrative' AND node.state = 'live'
            AND node.session_id IS (SELECT id FROM session WHERE name = :session)
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT 1
        """,
        {"session": session},
    ).get
    return None if found is None else int(found)


def _append_to_chain(db: Connection, node: Node, given: int | None) -> None:
    """Adds it to the chain of its channel by time, or after the given predecessor."""
    if given is not None:
        edges.insert(db, given, node.id, "temporal", db.now)
        return
    before = _in_channel(db, node.id, "(other.event_at, other.id) < (it.event_at, it.id)", "DESC")
    if before is None:
        after = _in_channel(db, node.id, "1", "ASC")  # the start of the chain so far
    else:
        after = _neighbour(db, before, forward=True)
        if after is not None:  # written late, between two existing ones
            db.execute("DELETE FROM edge WHERE source_id = ? AND target_id = ? AND type = 'temporal'", (before, after))
        edges.insert(db, before, node.id, "temporal", db.now)
    if after is not None:
        edges.insert(db, node.id, after, "temporal", db.now)


def _in_channel(db: Connection, id: int, condition: str, order: str) -> int | None:
    """The first or last other narrative of the same channel that meets a condition."""
    found = db.execute(
        f"""
        SELECT other.id
        FROM node AS it
        LEFT JOIN session AS own ON own.id = it.session_id
        JOIN node AS other ON other.kind = 'narrative' AND other.id <> it.id
        LEFT JOIN session ON session.id = other.session_id
        WHERE it.id = :id AND session.channel IS own.channel AND {condition}
        ORDER BY other.event_at {order}, other.id {order}
        LIMIT 1
        """,
        {"id": id},
    ).get
    return None if found is None else int(found)


def _neighbour(db: Connection, id: int, *, forward: bool) -> int | None:
    """The next or previous narrative in the chain."""
    mine, other, order = ("source_id", "target_id", "ASC") if forward else ("target_id", "source_id", "DESC")
    found = db.execute(
        f"""
        SELECT node.id
        FROM edge
        JOIN node ON node.id = edge.{other} AND node.kind = 'narrative'
        WHERE edge.{mine} = ? AND edge.type = 'temporal'
        ORDER BY node.event_at {order}, node.id {order}
        LIMIT 1
        """,
        (id,),
    ).get
    return None if found is None else int(found)


def narrative_context(db: Connection, id: int) -> NarrativeContext | None:
    """The narrative of any memory, with its neighbours."""
    found = _narrative_of(db, nodes.require(db, id))
    if found is None:
        return None
    belong = db.execute(
        """
        SELECT target_id FROM edge WHERE source_id = :id AND type = 'derived_from'
        UNION
        SELECT id FROM node WHERE narrative_id = :id
        ORDER BY 1
        """,
        {"id": found},
    )
    members = tuple(int(row[0]) for row in belong)
    return NarrativeContext(found, _neighbour(db, found, forward=False), _neighbour(db, found, forward=True), members)


def _narrative_of(db: Connection, node: Node) -> int | None:
    """The node itself, the narrative that covers it, the one that covers its sources, or the one active then."""
    if node.kind == "narrative" or node.narrative_id is not None:
        return node.id if node.kind == "narrative" else node.narrative_id
    found = db.execute(
        """
        SELECT id
        FROM (
            SELECT node.id, node.event_at
            FROM edge
            JOIN node ON node.id = edge.source_id AND node.kind = 'narrative' AND node.state = 'live'
            WHERE edge.target_id = :id AND edge.type = 'derived_from'
            UNION
            SELECT narrative.id, narrative.event_at
            FROM edge
            JOIN node AS source ON source.id = edge.target_id
            JOIN node AS narrative ON narrative.id = source.narrative_id AND narrative.state = 'live'
            WHERE edge.source_id = :id AND edge.type = 'derived_from'
        )
        ORDER BY event_at DESC, id DESC
        LIMIT 1
        """,
        {"id": node.id},
    ).get
    return int(found) if found is not None else _active_narrative(db, node.id)


def _active_narrative(db: Connection, id: int) -> int | None:
    """The last narrative of its session, or outside of sessions, when the node was stored."""
    found = db.execute(
        """
        SELECT narrative.id
        FROM node AS it
        JOIN node AS narrative ON narrative.kind = 'narrative' AND narrative.state = 'live' AND narrative.id < it.id
        WHERE it.id = :id AND (narrative.session_id IS it.session_id OR it.session_id IS NULL)
        ORDER BY narrative.id DESC
        LIMIT 1
        """,
        {"id": id},
    ).get
    return None if found is None else int(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrativeFilter:
    """Selects narratives."""

    limit: int
    session: str | None = None
    topic: str | None = None
    channel: str | None = None
    shared: bool = False
    sensitive: bool = True


def list_narratives(db: Connection, wanted: NarrativeFilter) -> list[Node]:
    """Newest first."""
    found = db.column(
        f"""
        SELECT node.id
        FROM node
        LEFT JOIN session ON session.id = node.session_id
        WHERE
            node.kind = 'narrative' AND node.state = 'live' AND {VISIBLE}
            AND (:session IS NULL OR session.name = :session)
            AND (:channel IS NULL OR session.channel = :channel)
            AND (:topic IS NULL OR instr(lower(node.attributes ->> 'topic'), lower(:topic)))
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        asdict(wanted),
    )
    return nodes.fetch_in_order(db, found)


def learned_since(db: Connection, after: int, limit: int, *, shared: bool, sensitive: bool) -> list[Node]:
    """Learned memories stored after a node, newest first."""
    found = db.column(
        f"""
        SELECT node.id
        FROM node
        WHERE
            node.id > :after AND node.state = 'live' AND node.kind NOT IN ('episode', 'narrative') AND {VISIBLE}
        ORDER BY node.id DESC
        LIMIT :limit
        """,
        {"after": after, "limit": limit, "shared": shared, "sensitive": sensitive},
    )
    return nodes.fetch_in_order(db, found)


def mistakes(db: Connection, limit: int, *, shared: bool, sensitive: bool) -> list[Node]:
    """Antipatterns and corrections, newest first."""
    found = db.column(
        f"""
        SELECT node.id
        FROM node
        WHERE
            node.state = 'live' AND {VISIBLE}
            AND node.kind <> 'episode' AND node.kind <> 'narrative'  -- said so that the index over the others serves
            AND (node.kind = 'antipattern' OR node.source_type = 'corrected')
        ORDER BY node.kind <> 'antipattern', node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        {"limit": limit, "shared": shared, "sensitive": sensitive},
    )
    return nodes.fetch_in_order(db, found)


def last_turn(db: Connection, session: str) -> int:
    """The newest episode of a session, 0 if none."""
    found = db.execute("SELECT last_node_id FROM session WHERE name = ?", (session,)).get
    return 0 if found is None else int(found)


def latest_turns(db: Connection, sessions: Sequence[str], limit: int) -> list[Node]:
    """The latest live turns of some sessions, in order."""
    found = db.column(
        """
        SELECT node.id
        FROM node
        WHERE
            node.session_id IN (SELECT id FROM session WHERE name IN (SELECT value FROM json_each(:sessions)))
            AND node.kind = 'episode' AND node.state = 'live' AND node.attributes ->> 'compression' IS NULL
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        {"sessions": sessions, "limit": limit},
    )
    return nodes.fetch_in_order(db, found)[::-1]
