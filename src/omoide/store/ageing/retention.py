"""Selects nodes to archive: low confidence, past retention date, old traces, least used; and orphans to delete."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from omoide.domain.kinds import LESSONS
from omoide.language.text import match_expression
from omoide.store.ageing import archive
from omoide.store.ageing.archive import ArchiveRequest, Batch, RetentionDecision
from omoide.store.engine import maintenance_log
from omoide.store.engine.connection import EFFECTIVE_CONFIDENCE, PROTECTED, Connection
from omoide.store.engine.file import Table, reads, writes
from omoide.store.erasure import erasures, tombstones

_TEXT_SHOWN = 200  # characters of a text in the report

# Nodes that a person restored from the archive are never archived again by a policy.
_RESTORED_BY_USER = "EXISTS (SELECT 1 FROM change WHERE change.node_id = node.id AND change.verb = 'restored')"
# Somebody asked to keep the turn: it has no retention date.
_KEPT_ON_REQUEST = "(node.kind = 'episode' AND node.expires_at IS NULL AND node.attributes ->> 'compression' IS NULL)"
# Learning has passed the episode. Episodes outside of sessions are never learned from, so they never expire.
_LEARNED_FROM = """EXISTS (
    SELECT 1 FROM session WHERE session.id = node.session_id AND session.learned_upto >= node.id
)"""
_COMPRESSION = "coalesce(node.attributes ->> 'compression', 'raw')"
# A shorter form exists. It may itself have been replaced by a shorter one.
_HAS_SHORTER_FORM = """EXISTS (
    SELECT 1
    FROM edge
    JOIN node AS shorter ON shorter.id = edge.source_id
    WHERE
        edge.target_id = node.id AND edge.type = 'derived_from' AND shorter.kind = 'episode'
        AND shorter.state IN ('live', 'superseded', 'archived')
        AND shorter.attributes ->> 'compression' IN ('compressed', 'distilled')
)"""
# Or the episode has no content (greetings).
_EMPTY_WHEN_COMPRESSED = (
    "EXISTS (SELECT 1 FROM change WHERE change.node_id = node.id AND change.verb = 'not compressed')"
)
# All sources of a compressed episode were learned from.
_SOURCES_LEARNED = """NOT EXISTS (
    SELECT 1
    FROM edge
    JOIN node AS longer ON longer.id = edge.target_id
    LEFT JOIN session ON session.id = longer.session_id
    WHERE
        edge.source_id = node.id AND edge.type = 'derived_from' AND longer.kind = 'episode'
        AND coalesce(session.learned_upto, 0) < longer.id
)"""
_REFERENCED_BY_KNOWLEDGE = """EXISTS (
    SELECT 1
    FROM edge
    JOIN node AS known ON known.id = iif(edge.source_id = node.id, edge.target_id, edge.source_id)
    WHERE
        (edge.target_id = node.id OR edge.source_id = node.id) AND edge.type IN ('derived_from', 'example_of')
        AND known.kind NOT IN ('episode', 'narrative', 'handoff') AND known.state IN ('live', 'superseded')
)"""
# Order of use: helpful nodes rise, untouched nodes sink, with the same factors as the usage score in recall.
_USE_SCORE = """
    exp(min(700.0, node.score * 0.2))
    / (1 + max(0, :now - coalesce(node.last_hit_at, node.recorded_at)) / 86400e6 * 0.01)
"""
_IMPORTANT_EPISODE = 6  # compressed episodes of this importance never expire


@dataclass(frozen=True, slots=True)
class AgedNode:
    """A node to archive, and the reason: its remaining confidence, its compression level or its use."""

    id: int
    kind: str
    text: str
    measure: Any


def low_confidence(db: Connection, batch: Batch, now: int, below: float) -> list[AgedNode]:
    """Unprotected learned nodes with confidence below a threshold, ordered by id."""
    return _select_aged(
        db,
        f"""
        node.kind NOT IN ('episode', 'narrative', 'handoff') AND node.decay_rate > 0
        AND NOT {PROTECTED} AND NOT {_RESTORED_BY_USER} AND {EFFECTIVE_CONFIDENCE} < :below
        """,
        EFFECTIVE_CONFIDENCE,
        batch,
        {"now": now, "below": below},
    )


def expired_episodes(db: Connection, batch: Batch, now: int) -> list[AgedNode]:
    """Episodes past their retention date that were learned from and, if raw, compressed or empty; ordered by id.

    The retention table of Kira's design, which is not the default policy.
    """
    return _select_aged(
        db,
        f"""
        node.kind = 'episode' AND node.expires_at IS NOT NULL AND node.expires_at <= :now AND NOT {_RESTORED_BY_USER}
        AND CASE {_COMPRESSION}
            WHEN 'raw' THEN {_LEARNED_FROM} AND ({_HAS_SHORTER_FORM} OR {_EMPTY_WHEN_COMPRESSED})
            WHEN 'compressed' THEN node.importance < {_IMPORTANT_EPISODE} AND {_SOURCES_LEARNED}
            ELSE 0
        END
        """,
        _COMPRESSION,
        batch,
        {"now": now},
    )


def old_traces(db: Connection, batch: Batch, before: int) -> list[AgedNode]:
    """Episodes of tasks from before a time that no knowledge refers to, ordered by id."""
    return _select_aged(
        db,
        f"""
        node.kind = 'episode' AND (node.task_id IS NOT NULL OR node.attributes ->> 'goal' IS NOT NULL)
        AND node.event_at < :before AND NOT {_RESTORED_BY_USER} AND NOT {_REFERENCED_BY_KNOWLEDGE}
        AND (node.session_id IS NULL OR {_LEARNED_FROM})
        """,
        "coalesce(node.task_id, node.attributes ->> 'goal')",
        batch,
        {"before": before},
        "node_trace",
    )


def least_used(db: Connection, now: int, limit: int, without: Collection[int] = ()) -> list[AgedNode]:
    """The least used live nodes, never protected ones or lessons; episodes that were not learned from come last.

    Damaged text is no hindrance here: the bytes are read, and what is no text is replaced.
    """
    found = db.execute(
        f"""
        SELECT node.id, node.kind, cast(substr(node.text, 1, {_TEXT_SHOWN}) AS BLOB), {_USE_SCORE} AS used
        FROM node
        WHERE
            node.state = 'live' AND NOT {_RESTORED_BY_USER}
            AND node.id NOT IN (SELECT value FROM json_each(:without))
            AND (node.kind = 'episode' OR NOT {PROTECTED})
            AND node.kind NOT IN {LESSONS} AND NOT {_KEPT_ON_REQUEST}
        ORDER BY
            node.kind = 'episode' AND NOT {_LEARNED_FROM},
            used,
            node.id
        LIMIT :limit
        """,
        {"now": now, "limit": limit, "without": without},
    )
    return [AgedNode(id, kind, text.decode(errors="replace"), used) for id, kind, text, used in found]


def count_live(db: Connection) -> int:
    return int(db.execute("SELECT count(*) FROM node WHERE state = 'live'").get)


def live_ids(db: Connection, after: int) -> list[int]:
    """The live nodes after an id, in order."""
    return db.column("SELECT id FROM node WHERE state = 'live' AND id > ? ORDER BY id", (after,))


def entity_ids(db: Connection, after: int) -> list[int]:
    return db.column("SELECT id FROM entity WHERE id > ? ORDER BY id", (after,))


def ended_link_ids(db: Connection, after: int) -> list[int]:
    return db.column("SELECT id FROM edge WHERE id > ? AND valid_until IS NOT NULL ORDER BY id", (after,))


def newest_recorded(db: Connection) -> int | None:
    """When the last node was recorded."""
    found = db.execute("SELECT recorded_at FROM node ORDER BY id DESC LIMIT 1").get
    return None if found is None else int(found)


def _select_aged(
    db: Connection, condition: str, measure: str, batch: Batch, values: dict[str, Any], index: str | None = None
) -> list[AgedNode]:
    """The live nodes of a batch that meet a condition."""
    found = db.execute(
        f"""
        SELECT node.id, node.kind, substr(node.text, 1, {_TEXT_SHOWN}), {measure}
        FROM node {"" if index is None else f"INDEXED BY {index}"}
        WHERE node.state = 'live' AND {batch.clause("node.id")} AND {condition}
        ORDER BY node.id
        LIMIT :limit
        """,
        batch.values | values,
    )
    return [AgedNode(*row) for row in found]


# The prune quota limits how many nodes one run archives, so that running again archives no more.


_PRUNE_CURSOR = "prune"
_SAME_RUN = 20 * 3_600_000_000  # microseconds: a run within this time counts as the same night


@dataclass(frozen=True, slots=True)
class PruneQuota:
    """When the quota was set and how many nodes are left. Use scores are computed for that time."""

    at: int
    left: int


def prune_quota(db: Connection, now: int, percent: float, over_limit: bool) -> PruneQuota:
    """The unfinished quota; or, if the file is over its limit and none was set tonight, a share of the live nodes.

    A started quota is finished even if the file is small enough by then, as an uninterrupted run would do."""
    held = _saved_quota(db)
    if held is not None and held.left > 0:
        return held
    if not over_limit or (held is not None and held.at <= now < held.at + _SAME_RUN):
        return PruneQuota(now, 0)
    live = count_live(db)
    return PruneQuota(now, min(live, max(1, int(live * percent / 100))) if percent > 0 else 0)


def prune(db: Connection, quota: PruneQuota, requests: Sequence[ArchiveRequest]) -> PruneQuota:
    """Archives part of the quota and saves the rest, in one transaction."""
    archive.archive_nodes(db, requests, quota.at)
    remaining = PruneQuota(quota.at, max(0, quota.left - len(requests)))
    maintenance_log.set_cursor(db, _PRUNE_CURSOR, [remaining.at, remaining.left])
    return remaining


def _saved_quota(db: Connection) -> PruneQuota | None:
    found = maintenance_log.get_cursor(db, _PRUNE_CURSOR)
    return None if found is None else PruneQuota(*found)


@dataclass(frozen=True, slots=True)
class Orphan:
    """An entity or link that may be deleted."""

    id: int
    name: str


def keep_entity(db: Connection, entity_id: int) -> None:
    """Marks an entity as written by hand, so that it is kept even if nothing mentions it."""
    db.execute(
        """
        INSERT INTO entity_change (entity_id, at, verb)
        SELECT :id, :now, 'described'
        WHERE NOT EXISTS (SELECT 1 FROM entity_change WHERE entity_id = :id AND verb = 'described')
        """,
        {"id": entity_id, "now": db.now},
    )


def orphaned_entities(db: Connection, batch: Batch, before: int) -> list[Orphan]:
    """Learned entities that nothing refers to, nobody described or merged, nobody mentioned since a time, and whose
    name occurs in no text."""
    found = db.execute(
        f"""
        SELECT entity.id, entity.name
        FROM entity
        WHERE
            {batch.clause("entity.id")} AND entity.last_referenced_at < :before
            AND entity.description IS NULL AND entity.summary IS NULL AND entity.attributes = '{{}}'
            AND NOT EXISTS (SELECT 1 FROM node_entity WHERE node_entity.entity_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM relation WHERE relation.source_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM relation WHERE relation.target_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM session WHERE session.user_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM entity_change WHERE entity_change.entity_id = entity.id)
        ORDER BY entity.id
        LIMIT :limit
        """,
        batch.values | {"before": before},
    )
    return [Orphan(id, name) for id, name in found if not _is_named_in_text(db, id)]


def ended_links(db: Connection, batch: Batch, before: int) -> list[Orphan]:
    """Links made by use or similarity whose validity ended before a time. Other types are history, and links with a
    predicate or evidence stay too."""
    found = db.execute(
        f"""
        SELECT edge.id, edge.type || ' [id:' || edge.source_id || '] [id:' || edge.target_id || ']'
        FROM edge
        WHERE
            {batch.clause("edge.id")} AND edge.valid_until IS NOT NULL AND edge.valid_until < :before
            AND edge.type IN ('recalled_with', 'related_to', 'entity')
            AND edge.predicate IS NULL AND edge.evidence = '[]'
        ORDER BY edge.id
        LIMIT :limit
        """,
        batch.values | {"before": before},
    )
    return [Orphan(*row) for row in found]


def _is_named_in_text(db: Connection, id: int) -> bool:
    """Whether one of its names occurs in a live or archived text."""
    expression = match_expression([], db.column("SELECT name FROM entity_name WHERE entity_id = ?", (id,)))
    if expression is None:
        return True  # names without an indexable word cannot be looked up: keep the entity
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM nodes_fts WHERE nodes_fts MATCH ?)", (expression,)).get)


# Retention as the maintenance jobs use it: select in a read, check again and act in a short write.


ArchiveReason = Callable[[AgedNode], ArchiveRequest]
"""How a node leaves use, and the reason that its history keeps."""
Selected = TypeVar("Selected", AgedNode, RetentionDecision, Orphan)


class RetentionTable(Table):
    """Every job can run without effect: without a reason, or without `drop`, it only returns what it would act on."""

    prune_quota = reads(prune_quota)
    least_used = reads(least_used)
    newest_recorded = reads(newest_recorded)
    live_ids = reads(live_ids)
    entity_ids = reads(entity_ids)
    ended_link_ids = reads(ended_link_ids)
    prune = writes(prune)

    def fade(self, now: int, below: float, batch: Batch, why: ArchiveReason | None) -> list[AgedNode]:
        """Archives the next learned nodes whose confidence fell below a threshold."""
        return self._archive(lambda db, batch: low_confidence(db, batch, now, below), batch, now, why)

    def expire(self, now: int, batch: Batch, why: ArchiveReason | None, *, delete: bool = False) -> list[AgedNode]:
        """Archives the next episodes that are past their expiry; with `delete` their text is deleted."""
        return self._archive(lambda db, batch: expired_episodes(db, batch, now), batch, now, why, delete)

    def expire_traces(self, now: int, before: int, batch: Batch, why: ArchiveReason | None) -> list[AgedNode]:
        """Archives the next task traces that are older than a time and that no learned node refers to."""
        return self._archive(lambda db, batch: old_traces(db, batch, before), batch, now, why)

    def _archive(
        self,
        select: Callable[[Connection, Batch], list[AgedNode]],
        batch: Batch,
        now: int,
        why: ArchiveReason | None,
        delete: bool = False,
    ) -> list[AgedNode]:
        def act(db: Connection, still: list[AgedNode]) -> None:
            gone = archive.archive_nodes(db, [why(each) for each in still], now) if why else []
            if delete:
                archive.delete_texts(db, gone)

        return self._select_and_act(select, batch, act if why else None)

    def decide_turns(self, now: int, batch: Batch, *, apply: bool) -> list[RetentionDecision]:
        """Decides about the next turns past their retention date: archived if live memories carry their content."""

        def act(db: Connection, still: list[RetentionDecision]) -> None:
            archive.apply_decisions(db, still, now)

        def select(db: Connection, batch: Batch) -> list[RetentionDecision]:
            return archive.decide_due_turns(db, batch, now)

        return self._select_and_act(select, batch, act if apply else None)

    def orphaned_entities(self, before: int, batch: Batch, *, drop: bool) -> list[Orphan]:
        """Entities that nothing mentions any more. Dropping one also removes its bytes: it may have been erased."""
        found = self._drop("entity", lambda db, batch: orphaned_entities(db, batch, before), batch, drop)
        if drop and found and self._file.read(tombstones.any_tombstones):
            erasures.clean_up_after_deletion(self._file)
        return found

    def ended_links(self, before: int, batch: Batch, *, drop: bool) -> list[Orphan]:
        """Links and relations that ended before a time."""
        return self._drop("edge", lambda db, batch: ended_links(db, batch, before), batch, drop)

    def _drop(
        self, table: str, select: Callable[[Connection, Batch], list[Orphan]], batch: Batch, drop: bool
    ) -> list[Orphan]:
        def act(db: Connection, still: list[Orphan]) -> None:
            db.executemany(f"DELETE FROM {table} WHERE id = ?", [(each.id,) for each in still])

        return self._select_and_act(select, batch, act if drop else None)

    def _select_and_act(
        self,
        select: Callable[[Connection, Batch], list[Selected]],
        batch: Batch,
        act: Callable[[Connection, list[Selected]], None] | None,
    ) -> list[Selected]:
        """Selects in a read; selects again from what was found, and acts on that, in a short write."""
        found = self._file.read(select, batch)
        if act is None or not found:
            return found

        def work(db: Connection) -> list[Selected]:
            still = select(db, replace(batch, among=tuple(each.id for each in found)))
            act(db, still)
            return still

        return self._file.write(work)
