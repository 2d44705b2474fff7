"""Selects nodes to archive: low confidence, past retention date, old traces, least used; and orphans to delete."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from omoide.domain.kinds import LESSONS
from omoide.language.text import match_expression
from omoide.store.ageing import archive
from omoide.store.ageing.archive import ArchiveRequest, RetentionDecision
from omoide.store.engine import maintenance_log
from omoide.store.engine.connection import EFFECTIVE_CONFIDENCE, PROTECTED, Connection
from omoide.store.engine.file import DatabaseFile, Table, reads, writes
from omoide.store.erasure import tombstones

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


def low_confidence(
    db: Connection, now: int, below: float, after: int, limit: int, among: Sequence[int] | None = None
) -> list[AgedNode]:
    """Unprotected learned nodes with confidence below a threshold, ordered by id."""
    return _select_aged(
        db,
        f"""
        node.kind NOT IN ('episode', 'narrative', 'handoff') AND node.decay_rate > 0
        AND NOT {PROTECTED} AND NOT {_RESTORED_BY_USER} AND {EFFECTIVE_CONFIDENCE} < :below
        """,
        EFFECTIVE_CONFIDENCE,
        {"now": now, "below": below, "after": after, "limit": limit},
        among,
    )


def expired_episodes(
    db: Connection, now: int, after: int, limit: int, among: Sequence[int] | None = None
) -> list[AgedNode]:
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
        {"now": now, "after": after, "limit": limit},
        among,
    )


def old_traces(
    db: Connection, before: int, after: int, limit: int, among: Sequence[int] | None = None
) -> list[AgedNode]:
    """Episodes of tasks from before a time that no knowledge refers to, ordered by id."""
    return _select_aged(
        db,
        f"""
        node.kind = 'episode' AND (node.task_id IS NOT NULL OR node.attributes ->> 'goal' IS NOT NULL)
        AND node.event_at < :before AND NOT {_RESTORED_BY_USER} AND NOT {_REFERENCED_BY_KNOWLEDGE}
        AND (node.session_id IS NULL OR {_LEARNED_FROM})
        """,
        "coalesce(node.task_id, node.attributes ->> 'goal')",
        {"before": before, "after": after, "limit": limit},
        among,
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
        {"now": now, "limit": limit, "without": json.dumps(list(without))},
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
    db: Connection,
    condition: str,
    measure: str,
    values: dict[str, Any],
    among: Sequence[int] | None,
    index: str | None = None,
) -> list[AgedNode]:
    """Live nodes that meet a condition; with `among` only these, so that a writer can check again."""
    which = "" if among is None else "AND node.id IN (SELECT value FROM json_each(:among))"
    found = db.execute(
        f"""
        SELECT node.id, node.kind, substr(node.text, 1, {_TEXT_SHOWN}), {measure}
        FROM node {"" if index is None else f"INDEXED BY {index}"}
        WHERE node.state = 'live' AND node.id > :after AND {condition} {which}
        ORDER BY node.id
        LIMIT :limit
        """,
        values | ({} if among is None else {"among": json.dumps(list(among))}),
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


def orphaned_entities(
    db: Connection, before: int, after: int, limit: int, among: Sequence[int] | None = None
) -> list[Orphan]:
    """Learned entities that nothing refers to, nobody described or merged, nobody mentioned since a time, and whose
    name occurs in no text."""
    which = "" if among is None else "AND entity.id IN (SELECT value FROM json_each(:among))"
    found = db.execute(
        f"""
        SELECT entity.id, entity.name
        FROM entity
        WHERE
            entity.id > :after AND entity.last_referenced_at < :before
            AND entity.description IS NULL AND entity.summary IS NULL AND entity.attributes = '{{}}'
            AND NOT EXISTS (SELECT 1 FROM node_entity WHERE node_entity.entity_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM relation WHERE relation.source_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM relation WHERE relation.target_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM session WHERE session.user_id = entity.id)
            AND NOT EXISTS (SELECT 1 FROM entity_change WHERE entity_change.entity_id = entity.id)
            {which}
        ORDER BY entity.id
        LIMIT :limit
        """,
        {"after": after, "before": before, "limit": limit}
        | ({} if among is None else {"among": json.dumps(list(among))}),
    )
    return [Orphan(id, name) for id, name in found if not _is_named_in_text(db, id)]


def ended_links(
    db: Connection, before: int, after: int, limit: int, among: Sequence[int] | None = None
) -> list[Orphan]:
    """Links made by use or similarity whose validity ended before a time. Other types are history, and links with a
    predicate or evidence stay too."""
    which = "" if among is None else "AND edge.id IN (SELECT value FROM json_each(:among))"
    found = db.execute(
        f"""
        SELECT edge.id, edge.type || ' [id:' || edge.source_id || '] [id:' || edge.target_id || ']'
        FROM edge
        WHERE
            edge.id > :after AND edge.valid_until IS NOT NULL AND edge.valid_until < :before
            AND edge.type IN ('recalled_with', 'related_to', 'entity')
            AND edge.predicate IS NULL AND edge.evidence = '[]'
            {which}
        ORDER BY edge.id
        LIMIT :limit
        """,
        {"after": after, "before": before, "limit": limit}
        | ({} if among is None else {"among": json.dumps(list(among))}),
    )
    return [Orphan(*row) for row in found]


def delete_entities(db: Connection, ids: Sequence[int]) -> None:
    db.executemany("DELETE FROM entity WHERE id = ?", [(id,) for id in ids])


def delete_links(db: Connection, ids: Sequence[int]) -> None:
    db.executemany("DELETE FROM edge WHERE id = ?", [(id,) for id in ids])


def _is_named_in_text(db: Connection, id: int) -> bool:
    """Whether one of its names occurs in a live or archived text."""
    names = [row[0] for row in db.execute("SELECT name FROM entity_name WHERE entity_id = ?", (id,))]
    expression = match_expression([], names)
    if expression is None:
        return True  # names without an indexable word cannot be looked up: keep the entity
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM nodes_fts WHERE nodes_fts MATCH ?)", (expression,)).get)


# Retention as the maintenance jobs use it: select in a read, check again and act in a short write.


ArchiveReason = Callable[[AgedNode], ArchiveRequest]
"""How a node leaves use, and the reason that its history keeps."""
_Select = Callable[..., list[AgedNode]]  # of a connection; after, limit and among by name


@dataclass(frozen=True, slots=True)
class Batch:
    """The nodes to consider next: at most so many after an id; with `among` only these."""

    after: int
    limit: int
    among: Sequence[int] | None = None


class RetentionTable(Table):
    """Every job can run without effect: without a reason, or without `drop`, it only returns what it would act on."""

    prune_quota = reads(prune_quota)
    least_used = reads(least_used)
    newest_recorded = reads(newest_recorded)
    live_ids = reads(live_ids)
    entity_ids = reads(entity_ids)
    ended_link_ids = reads(ended_link_ids)
    prune = writes(prune)

    def __init__(self, file: DatabaseFile, clean_up: Callable[[], None]) -> None:
        super().__init__(file)
        self._clean_up = clean_up

    def fade(self, now: int, below: float, batch: Batch, why: ArchiveReason | None) -> list[AgedNode]:
        """Archives the next learned nodes whose confidence fell below a threshold."""
        return self._age(partial(low_confidence, now=now, below=below), batch, now, why)

    def decide_turns(self, now: int, batch: Batch, *, apply: bool) -> list[RetentionDecision]:
        """Decides about the next turns past their retention date: archived if live memories carry their content."""
        after, limit = batch.after, batch.limit
        found = self._file.read(archive.decide_due_turns, now, after, limit, batch.among)
        if not apply or not found:
            return found

        def work(db: Connection) -> list[RetentionDecision]:
            still = archive.decide_due_turns(db, now, after, limit, [each.id for each in found])
            archive.apply_decisions(db, still, now)
            return still

        return self._file.write(work)

    def expire(self, now: int, batch: Batch, why: ArchiveReason | None, *, delete: bool = False) -> list[AgedNode]:
        """Archives the next episodes that are past their expiry; with `delete` their text is deleted."""
        return self._age(partial(expired_episodes, now=now), batch, now, why, delete)

    def expire_traces(self, now: int, before: int, batch: Batch, why: ArchiveReason | None) -> list[AgedNode]:
        """Archives the next task traces that are older than a time and that no learned node refers to."""
        return self._age(partial(old_traces, before=before), batch, now, why)

    def _age(
        self, select: _Select, batch: Batch, now: int, why: ArchiveReason | None, delete: bool = False
    ) -> list[AgedNode]:
        after, limit = batch.after, batch.limit
        found = self._file.read(lambda db: select(db, after=after, limit=limit, among=batch.among))
        if why is None or not found:
            return found

        def work(db: Connection) -> list[AgedNode]:
            still = select(db, after=after, limit=limit, among=[each.id for each in found])
            gone = archive.archive_nodes(db, [why(each) for each in still], now)
            if delete:
                archive.delete_texts(db, gone)
            return still

        return self._file.write(work)

    def orphaned_entities(self, before: int, batch: Batch, *, drop: bool) -> list[Orphan]:
        """Entities that nothing mentions any more. Dropping one also removes its bytes: it may have been erased."""
        found = self._file.read(orphaned_entities, before, batch.after, batch.limit, batch.among)
        if not drop or not found:
            return found

        def work(db: Connection) -> tuple[list[Orphan], bool]:
            still = orphaned_entities(db, before, batch.after, batch.limit, [each.id for each in found])
            delete_entities(db, [each.id for each in still])
            return still, tombstones.any_tombstones(db)

        gone, erased_before = self._file.write(work)
        if gone and erased_before:
            self._clean_up()
        return gone

    def ended_links(self, before: int, batch: Batch, *, drop: bool) -> list[Orphan]:
        """Links and relations that ended before a time."""
        found = self._file.read(ended_links, before, batch.after, batch.limit, batch.among)
        if not drop or not found:
            return found

        def work(db: Connection) -> list[Orphan]:
            still = ended_links(db, before, batch.after, batch.limit, [each.id for each in found])
            delete_links(db, [each.id for each in still])
            return still

        return self._file.write(work)
