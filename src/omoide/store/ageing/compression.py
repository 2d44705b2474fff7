"""Summaries: turns without one, writing them with links to their sources, shortening them; cursors of the jobs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.domain import Draft, Node
from omoide.domain.node import validate_attributes
from omoide.store.engine import maintenance_log
from omoide.store.engine.connection import Connection
from omoide.store.erasure import tombstones
from omoide.store.records import edges, nodes, rows
from omoide.store.search import vectors

COMPRESSED_TAG = "auto-compression"
DAILY_TAG, WEEKLY_TAG = "daily", "weekly"  # these exist beside the summaries of segments

# It has none, turns were added since it was made, or a model may word it better.
_NEEDS_SUMMARY = """(
    session.summary IS NULL AND session.summary_by IS NOT 'nothing'
    OR session.summary_of <> session.episode_count
    OR session.summary_by = :unless_by
)"""
_IS_TURN = "node.kind = 'episode' AND node.state = 'live' AND node.attributes ->> 'compression' IS NULL"
_IS_UNCOMPRESSED = """
    NOT EXISTS (
        SELECT 1
        FROM edge
        JOIN node AS condensed ON condensed.id = edge.source_id
        WHERE
            edge.target_id = node.id AND edge.type = 'derived_from'
            AND condensed.attributes ->> 'compression' IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM json_each(condensed.tags) WHERE json_each.value IN ('daily', 'weekly'))
    )
    AND NOT EXISTS (SELECT 1 FROM change WHERE change.node_id = node.id AND change.verb = 'not compressed')
"""


@dataclass(frozen=True, slots=True)
class UncompressedSession:
    """Old turns of a session without a summary; `session` is None for turns outside of sessions.

    `learned`: all of them were learned from.
    """

    session_id: int | None
    session: str | None
    turns: tuple[int, ...]
    learned: bool


@dataclass(frozen=True, slots=True)
class SummaryDraft:
    """A summary to write, its source nodes and the entities it mentions."""

    draft: Draft
    sources: tuple[int, ...]
    entities: tuple[int, ...] = ()


def uncompressed_sessions(db: Connection, before: int) -> list[UncompressedSession]:
    """Sessions with uncompressed turns from before a time, oldest first."""
    found = db.execute(
        f"""
        SELECT
            node.session_id, session.name, json_group_array(node.id ORDER BY node.event_at, node.id),
            max(node.id) <= coalesce(session.learned_upto, 0)
        FROM node INDEXED BY node_turns
        LEFT JOIN session ON session.id = node.session_id
        WHERE {_IS_TURN} AND node.event_at < :before AND {_IS_UNCOMPRESSED}
        GROUP BY node.session_id
        ORDER BY min(node.event_at), min(node.id)
        """,
        {"before": before},
    )
    return [
        UncompressedSession(id, name, tuple(json.loads(turns)), id is None or bool(learned))
        for id, name, turns, learned in found
    ]


def insert_summaries(
    db: Connection, wanted: Sequence[SummaryDraft], nothing_in: Sequence[int] = ()
) -> list[Node] | None:
    """Writes summaries, all or none. Returns None if a source is gone or was compressed by another process.

    Turns without content (`nothing_in`) are marked as skipped, as are turns whose summary was erased on request."""
    sources = [source for each in wanted for source in each.sources] + list(nothing_in)
    found = db.execute(
        f"""
        SELECT count(*)
        FROM node
        WHERE node.id IN (SELECT value FROM json_each(:ids)) AND {_IS_TURN} AND {_IS_UNCOMPRESSED}
        """,
        {"ids": sources},
    ).get
    if found != len(sources):
        return None
    guard = tombstones.KeyGuard(db, db.now)  # the key names the turns, which all exist: the summary itself was erased
    written = [insert_summary(db, each, guard) for each in wanted]
    refused = [each.sources for each, node in zip(wanted, written, strict=True) if node.state == "erased"]
    for turn in (*nothing_in, *(turn for turns in refused for turn in turns)):
        nodes.record_change(db, turn, "not compressed", db.now, None)
    return [node for node in written if node.state != "erased"]


def insert_summary(db: Connection, wanted: SummaryDraft, guard: tombstones.TombstoneGuard | None = None) -> Node:
    """Writes one node with its links. Entities in a summary do not count as new mentions.

    Tombstones are not checked: all its turns exist, and equal text may have been erased along with another turn."""
    node = nodes.insert(db, [wanted.draft], guard or tombstones.AllowAll())[0]
    if node.state == "erased":
        return node
    _link_sources(db, node.id, wanted.sources)
    _link_entities(db, node.id, wanted.entities)
    return node


def reword_summary(
    db: Connection,
    id: int,
    text: str,
    token_count: int,
    values: Mapping[str, Any],
    *,
    sources: Sequence[int] = (),
    entities: Sequence[int] = (),
) -> Node:
    """Replaces the text of a summary; the earlier text stays in the history. Access times do not change."""
    before = nodes.require(db, id)
    kept = kept_attributes(before)
    changes = rows.text_columns(text, token_count) | {
        "attributes": rows.to_json(dict(values.get("attributes", kept)) or None),
        "details": rows.to_json(values.get("details", before.details)),
        "expires_at": values.get("expires_at"),
        "updated_at": db.now,
    }
    db.update("node", id, changes)
    history = {"text": before.text, "token_count": before.token_count, "attributes": kept}
    nodes.record_change(db, id, "update", db.now, history)
    vectors.requeue(db, id)
    _link_sources(db, id, sources)
    db.execute("DELETE FROM node_entity WHERE node_id = ?", (id,))
    _link_entities(db, id, entities)
    return nodes.require(db, id)


def kept_attributes(node: Node) -> dict[str, Any]:
    """Attributes as stored, without defaults."""
    return validate_attributes(type(node), node.attributes)


def distillable(db: Connection, before: int) -> list[int]:
    """Compressed episodes written before a time, oldest first."""
    return db.column(
        """
        SELECT node.id
        FROM node
        WHERE
            node.kind = 'episode' AND node.attributes ->> 'compression' IS NOT NULL
            AND node.attributes ->> 'compression' = 'compressed' AND node.state = 'live'
            AND node.recorded_at < :before
            AND NOT EXISTS (SELECT 1 FROM json_each(node.tags) WHERE json_each.value IN ('daily', 'weekly'))
        ORDER BY node.recorded_at, node.id
        """,
        {"before": before},
    )


def summary_sources(db: Connection, id: int) -> list[int]:
    """The existing sources of a node, ordered by time."""
    return db.column(
        """
        SELECT node.id
        FROM edge
        JOIN node ON node.id = edge.target_id
        WHERE edge.source_id = ? AND edge.type = 'derived_from'
        ORDER BY node.event_at, node.id
        """,
        (id,),
    )


def turns_between(db: Connection, since: int, until: int, after_id: int = 0) -> list[int]:
    """Live turns after an id within a span of time, ordered by time."""
    return db.column(
        f"""
        SELECT node.id
        FROM node
        WHERE {_IS_TURN} AND node.id > :after AND node.event_at >= :since AND node.event_at < :until
        ORDER BY node.event_at, node.id
        """,
        {"after": after_id, "since": since, "until": until},
    )


def turn_times(db: Connection, after_id: int) -> list[tuple[int, int]]:
    """(turn, event time) of live turns after an id, ordered by id."""
    turns = f"SELECT node.id, node.event_at FROM node WHERE {_IS_TURN} AND node.id > ? ORDER BY node.id"
    return list(db.execute(turns, (after_id,)))


def tagged_summaries(db: Connection, tag: str, since: int, until: int) -> list[Node]:
    """Live summaries with a tag within a span of time, ordered by time."""
    ids = db.column(
        """
        SELECT node.id
        FROM node
        WHERE
            node.kind = 'episode' AND node.attributes ->> 'compression' IS NOT NULL AND node.state = 'live'
            AND node.event_at >= :since AND node.event_at < :until
            AND EXISTS (SELECT 1 FROM json_each(node.tags) WHERE json_each.value = :tag)
        ORDER BY node.event_at, node.id
        """,
        {"tag": tag, "since": since, "until": until},
    )
    return nodes.fetch_in_order(db, ids)


def unsummarised_sessions(db: Connection, unless_by: str | None = None) -> list[tuple[str, tuple[int, ...]]]:
    """(session, its live turns) of ended sessions without a current summary, oldest first.

    `unless_by` are words for who made it; such a summary counts as none.

    If anything was erased, archived turns count too: a session that lost a turn lost its summary.
    """
    turn, index = (
        _IS_TURN,
        "INDEXED BY node_turns",
    )  # live turns are few, where sessions without a summary may grow many
    if tombstones.any_tombstones(db):
        turn, index = _IS_TURN.replace("= 'live'", "IN ('live', 'archived')"), ""
    found = db.execute(
        f"""
        SELECT session.name, json_group_array(node.id ORDER BY node.event_at, node.id)
        FROM node {index}
        JOIN session ON session.id = node.session_id
        WHERE session.ended_at IS NOT NULL AND {_NEEDS_SUMMARY} AND {turn}
        GROUP BY session.id
        ORDER BY session.last_at, session.id
        """,
        {"unless_by": unless_by},
    )
    return [(name, tuple(json.loads(ids))) for name, ids in found]


def unsummarised_turns(db: Connection, session: str, most: int) -> list[int]:
    """The turns of an ended session that needs a summary; none if there are more than `most`."""
    return db.column(
        f"""
        SELECT node.id
        FROM session
        JOIN node ON node.session_id = session.id
        WHERE
            session.name = :session AND session.ended_at IS NOT NULL AND session.episode_count <= :most
            AND {_NEEDS_SUMMARY} AND {_IS_TURN}
        ORDER BY node.event_at, node.id
        """,
        {"session": session, "most": most, "unless_by": None},
    )


def set_session_summary(
    db: Connection, session: str, summary: str | None, by: str | None = None, unless_by: str | None = None
) -> bool:
    """Sets the summary of a session unless it has a current one. None: there is nothing to say of it."""
    db.execute(
        f"""
        UPDATE session
        SET summary = :summary, summary_of = episode_count, summary_by = :by
        WHERE name = :session AND {_NEEDS_SUMMARY}
        """,
        {"session": session, "summary": summary, "by": by if summary else "nothing", "unless_by": unless_by},
    )
    return bool(db.changes())


def turn_before(db: Connection, id: int) -> list[Node]:
    found = db.execute(
        "SELECT source_id FROM edge WHERE target_id = ? AND type = 'temporal' ORDER BY id DESC LIMIT 1", (id,)
    ).get
    return [] if found is None else [nodes.require(db, found)]


def causal_links(db: Connection, ids: Sequence[int]) -> set[tuple[int, int]]:
    found = db.execute(
        """
        SELECT source_id, target_id FROM edge WHERE type = 'causal' AND target_id IN (SELECT value FROM json_each(:ids))
        UNION
        SELECT source_id, target_id FROM edge WHERE type = 'causal' AND source_id IN (SELECT value FROM json_each(:ids))
        """,
        {"ids": ids},
    )
    return {(int(source), int(target)) for source, target in found}


def link_causes_upto(db: Connection, found: Sequence[tuple[int, int, float, str]], cursor: str, upto: int) -> None:
    """Links causes, given as (cause, effect, confidence, words), unless a node is gone, and moves the job's cursor."""
    held = nodes.fetch(db, [end for link in found for end in link[:2]])
    for cause, effect, confidence, words in found:
        if cause in held and effect in held:
            edges.upsert(db, (cause, effect), "causal", confidence=confidence, evidence=[words])
    maintenance_log.set_job_cursor(db, cursor, upto)


def _link_sources(db: Connection, node: int, sources: Sequence[int]) -> None:
    """Links a summary to those sources that still exist."""
    held = nodes.fetch(db, sources)
    edges.insert_many(db, [(node, source, "derived_from") for source in sources if source in held], db.now)


def _link_entities(db: Connection, node: int, entities: Sequence[int]) -> None:
    db.executemany(
        "INSERT INTO node_entity (node_id, entity_id) SELECT ?, id FROM entity WHERE id = ? ON CONFLICT DO NOTHING",
        [(node, entity) for entity in entities],
    )


def shorten_episode(
    db: Connection, id: int, text: str, token_count: int, values: Mapping[str, Any], entities: Sequence[int]
) -> Node | None:
    """Rewords a compressed episode once; None if it is no longer compressed."""
    compressed = "SELECT 1 FROM node WHERE id = ? AND state = 'live' AND attributes ->> 'compression' = 'compressed'"
    if db.execute(compressed, (id,)).get is None:
        return None
    return reword_summary(db, id, text, token_count, values, entities=entities)


def write_summary(db: Connection, wanted: SummaryDraft) -> Node:
    """Inserts the summary of a key, or updates its text and adds its sources."""
    draft = wanted.draft
    held = nodes.by_key(db, draft.key)
    if held is None:
        return insert_summary(db, wanted)
    values = {"details": draft.details, "expires_at": draft.expires_at}
    return reword_summary(
        db, held.id, draft.text, draft.token_count, values, sources=wanted.sources, entities=wanted.entities
    )
