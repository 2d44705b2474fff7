"""What is still to be learned from: segments of sessions, task traces, the journal of proposals, entity summaries."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.clock import DAY
from omoide.domain import Entity, Node
from omoide.errors import NotFound
from omoide.store.engine.connection import Connection
from omoide.store.entities import entities
from omoide.store.records import nodes
from omoide.store.search import vectors

_MOST_ACTIONS = 10_000  # more actions in two weeks add nothing to habits
_CONTEXT_TURNS = 6  # turns of context before the first unlearned one, for statements such as "no, that's wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlearnedSegment:
    """A segment of a session that was not learned from, with a few turns before it."""

    session_id: int
    session: str
    owner: str | None
    after: int  # the last episode learned from, 0 if none
    episodes: tuple[Node, ...]
    fresh: int  # index of the first unlearned episode
    more: bool  # whether the session continues after it

    @property
    def upto(self) -> int:
        return self.episodes[-1].id if len(self.episodes) > self.fresh else self.after


def pending_sessions(db: Connection) -> list[str]:
    """Ended sessions that were not learned from, oldest first."""
    return db.column("SELECT name FROM session WHERE learning = 'pending' ORDER BY last_at, id")


def next_segment(db: Connection, name: str, size: int) -> UnlearnedSegment:
    """The next unlearned episodes of a session, at most `size`."""
    found = db.execute(
        """
        SELECT session.id, coalesce(session.learned_upto, 0), entity.name
        FROM session
        LEFT JOIN entity ON entity.id = coalesce(
            session.user_id,
            (SELECT user_id FROM session WHERE user_id IS NOT NULL ORDER BY last_at DESC LIMIT 1)
        )
        WHERE session.name = ?
        """,
        (name,),
    ).fetchone()
    if found is None:
        raise NotFound(f"there is no session {name!r}; `omoide sessions` lists them")
    id, after, owner = int(found[0]), int(found[1]), found[2]
    earlier = _episode_ids(db, "node.id <= :after ORDER BY node.id DESC", id, after, _CONTEXT_TURNS)[::-1]
    later = _episode_ids(db, "node.id > :after ORDER BY node.id", id, after, size + 1)
    proposed = journaled_proposal(db, id, after)
    if proposed is not None:  # an interrupted run read so far; later turns belong to the next segment
        size = sum(1 for each in later if each <= proposed[0])
    held = nodes.fetch(db, [*earlier, *later[:size]])
    return UnlearnedSegment(
        session_id=id,
        session=name,
        owner=owner,
        after=after,
        episodes=tuple(held[each] for each in (*earlier, *later[:size])),
        fresh=len(earlier),
        more=len(later) > size,
    )


def _episode_ids(db: Connection, where: str, session: int, after: int, limit: int) -> list[int]:
    return db.column(
        f"""
        SELECT node.id
        FROM node
        WHERE
            node.session_id = :session AND node.kind = 'episode' AND node.state = 'live'
            AND node.attributes ->> 'compression' IS NULL  -- a summary says nothing that its turns did not
            AND {where}
        LIMIT :limit
        """,
        {"session": session, "after": after, "limit": limit},
    )


def segment_of_turn(db: Connection, id: int) -> UnlearnedSegment | None:
    """One turn with its context, to learn from it again."""
    node = nodes.require(db, id)
    if node.kind != "episode" or node.session is None:
        return None
    session = int(db.execute("SELECT session_id FROM node WHERE id = ?", (id,)).get)
    owner = db.execute(
        """
        SELECT entity.name
        FROM entity
        JOIN session ON session.user_id = entity.id
        ORDER BY session.id = ? DESC, session.last_at DESC
        LIMIT 1
        """,
        (session,),
    ).get
    earlier = _episode_ids(db, "node.id < :after ORDER BY node.id DESC", session, id, _CONTEXT_TURNS)[::-1]
    later = _episode_ids(db, "node.id > :after ORDER BY node.id", session, id, 1)
    held = nodes.fetch(db, [*earlier, id, *later])
    return UnlearnedSegment(
        session_id=session,
        session=node.session,
        owner=owner,
        after=earlier[-1] if earlier else 0,
        episodes=tuple(held[each] for each in (*earlier, id, *later)),
        fresh=len(earlier),
        more=False,
    )


def journaled_proposal(db: Connection, session_id: int, after: int) -> tuple[int, str] | None:
    """(last episode read, proposal) of a proposal that is not applied yet."""
    found = db.execute(
        "SELECT upto_id, proposal FROM journal WHERE session_id = ? AND after_id = ?", (session_id, after)
    ).fetchone()
    return (int(found[0]), str(found[1])) if found else None


def rewordings(db: Connection, texts: Collection[str]) -> frozenset[str]:
    found = db.column(
        """
        SELECT DISTINCT text
        FROM node
        WHERE kind IN ('fact', 'opinion', 'preference', 'procedure') AND text IN (SELECT value FROM json_each(?))
        """,
        (texts,),
    )
    return frozenset(found)


def save_proposal(db: Connection, lesson: UnlearnedSegment, extractor: str, proposal: str) -> None:
    """Stores a proposal, unless another process stored or applied one."""
    db.execute(
        """
        INSERT INTO journal (session_id, after_id, upto_id, extractor, proposal, created_at)
        SELECT id, :after, :upto, :extractor, :proposal, :now
        FROM session
        WHERE id = :session AND coalesce(learned_upto, 0) = :after
        ON CONFLICT (session_id, after_id) DO NOTHING
        """,
        {
            "session": lesson.session_id,
            "after": lesson.after,
            "upto": lesson.upto,
            "extractor": extractor,
            "proposal": proposal,
            "now": db.now,
        },
    )


def discard_proposal(db: Connection, segment: UnlearnedSegment) -> None:
    db.execute("DELETE FROM journal WHERE session_id = ? AND after_id = ?", (segment.session_id, segment.after))


def is_unlearned(db: Connection, session_id: int, after: int) -> bool:
    """Whether no other process has learned from the session meanwhile."""
    found = db.execute("SELECT coalesce(learned_upto, 0) FROM session WHERE id = ?", (session_id,)).get
    return found is not None and int(found) == after


def is_complete(db: Connection, lesson: UnlearnedSegment) -> bool:
    """Whether all its turns still exist: one may have been erased while it was read."""
    ids = [each.id for each in lesson.episodes]
    found = db.execute("SELECT count(*) FROM node WHERE id IN (SELECT value FROM json_each(?))", (ids,)).get
    return bool(found == len(lesson.episodes))


def mark_learned(db: Connection, session_id: int, upto: int) -> None:
    """Marks a segment as learned, in the transaction that wrote what was learned."""
    db.execute("DELETE FROM journal WHERE session_id = ? AND after_id < ?", (session_id, upto))
    db.execute(
        """
        UPDATE session
        SET
            learned_upto = max(coalesce(learned_upto, 0), :upto),
            learned_at = :now,
            learn_error = NULL,
            learning = CASE
                WHEN EXISTS (
                    SELECT 1 FROM node
                    WHERE
                        session_id = :id AND kind = 'episode' AND state = 'live' AND id > :upto
                        AND attributes ->> 'compression' IS NULL
                ) THEN learning
                WHEN ended_at IS NULL THEN 'open'
                ELSE 'learned'
            END
        WHERE id = :id
        """,
        {"id": session_id, "upto": upto, "now": db.now},
    )


def mark_failed(db: Connection, name: str, reason: str) -> None:
    """Records why learning failed; the session stays pending."""
    db.execute("UPDATE session SET learn_error = ? WHERE name = ?", (reason, name))


def reopen_turn(db: Connection, episode: int) -> None:
    """Makes learning read the session again from this turn on."""
    db.execute(
        """
        UPDATE session
        SET
            learned_upto = min(coalesce(learned_upto, 0), :turn - 1),
            learning = iif(ended_at IS NULL, learning, 'pending')
        WHERE id = (SELECT session_id FROM node WHERE id = :turn)
        """,
        {"turn": episode},
    )


def set_session_user(db: Connection, session_id: int, entity_id: int) -> None:
    """Sets the user of a session."""
    db.execute("UPDATE session SET user_id = ? WHERE id = ?", (entity_id, session_id))


def recent_actions(db: Connection, days: int) -> list[tuple[int, str, str]]:
    """(episode, text, task or session) of recent actions, ordered by time.

    Recent is counted from the latest action, not from now, so that replayed history shows its habits too. Actions of
    tools and documents do not count."""
    latest = db.execute(
        """
        SELECT event_at
        FROM node
        WHERE kind = 'episode' AND attributes ->> 'type' = 'action' AND state = 'live' AND origin IN ('user', 'agent')
        ORDER BY event_at DESC
        LIMIT 1
        """
    ).get
    since = min(db.now, db.now if latest is None else int(latest)) - days * DAY
    found = db.execute(
        """
        SELECT node.id, node.text, coalesce(node.task_id, session.name, '')
        FROM node
        LEFT JOIN session ON session.id = node.session_id
        WHERE
            node.kind = 'episode' AND node.attributes ->> 'type' = 'action' AND node.state = 'live'
            AND node.event_at >= :since AND node.origin IN ('user', 'agent')
        ORDER BY node.event_at DESC, node.id DESC
        LIMIT :limit
        """,
        {"since": since, "limit": _MOST_ACTIONS},
    )
    return [(int(id), text, run) for id, text, run in found][::-1]


@dataclass(frozen=True, slots=True)
class UnsummarisedEntity:
    """An entity whose summary is missing or outdated, and its current facts."""

    entity: Entity
    facts: tuple[Node, ...]


def unsummarised_entities(db: Connection, least_mentions: int, limit: int) -> list[UnsummarisedEntity]:
    """Entities with enough mentions. Summaries written by a person and sensitive facts are left out."""
    found = db.execute(
        """
        WITH known AS (
            SELECT entity_name.entity_id, json_group_array(DISTINCT node.id ORDER BY node.id) AS facts
            FROM entity_name
            JOIN node ON node.attributes ->> 'subject' = entity_name.name
            WHERE
                node.kind = 'fact' AND node.state = 'live' AND NOT node.sensitive
                AND (node.valid_until IS NULL OR node.valid_until > :now)
            GROUP BY entity_name.entity_id
        )
        SELECT entity.id, coalesce(known.facts, '[]')
        FROM entity
        LEFT JOIN known ON known.entity_id = entity.id
        WHERE
            entity.mention_count >= :least
            AND (
                entity.summary IS NULL AND known.facts IS NOT NULL
                AND known.facts IS NOT entity.attributes ->> 'summary_of'
                OR entity.attributes ->> 'summary_of' <> coalesce(known.facts, '[]')
            )
            AND NOT EXISTS (
                SELECT 1
                FROM set_aside
                WHERE job = 'enrich' AND item = 'entity ' || entity.id AND retry_at > :now
            )
        ORDER BY entity.id
        LIMIT :limit
        """,
        {"least": least_mentions, "now": db.now, "limit": limit},
    )
    ids: dict[int, list[int]] = {id: json.loads(facts) for id, facts in found}
    held = nodes.fetch(db, [fact for facts in ids.values() for fact in facts])
    return [UnsummarisedEntity(entities.get(db, id), tuple(held[fact] for fact in facts)) for id, facts in ids.items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTrace:
    """The comparable part of a task trace; `number` orders tasks by their end."""

    id: int
    number: int
    cluster: int | None
    goal: str
    type: str | None
    phase: str | None
    outcome: str
    files: tuple[str, ...]
    constraints: tuple[str, ...]
    actions: tuple[dict[str, Any], ...]
    errors: tuple[dict[str, Any], ...]
    labels: tuple[str, bool, str]  # origin, sensitive, audience: traces that differ in these are never combined
    vector: bytes | None  # float16 of the current model


def unlearned_trace_count(db: Connection) -> bool:
    return db.execute("SELECT 1 FROM task WHERE number IS NOT NULL AND cluster IS NULL LIMIT 1").get is not None


def read_traces(db: Connection, latest: int) -> list[TaskTrace]:
    """The latest finished traces and all unlearned ones, in order of ending."""
    model = vectors.current_model(db)
    found = db.execute(
        """
        SELECT
            task.node_id, task.number, task.cluster, node.attributes, node.origin, node.sensitive, node.audience,
            vector.data
        FROM task
        JOIN node ON node.id = task.node_id
        LEFT JOIN vector ON vector.node_id = node.id AND vector.model_id = :model
        WHERE
            node.state = 'live'
            AND (
                task.number > (SELECT coalesce(max(number), 0) FROM task) - :latest
                OR task.number IS NOT NULL AND task.cluster IS NULL
            )
        ORDER BY task.number
        """,
        {"latest": latest, "model": model[0] if model else None},
    )
    return [_trace_of_row(row) for row in found if (json.loads(row[3] or "{}")).get("goal")]


def mark_traces_learned(db: Connection, cluster: int, members: Sequence[int]) -> bool:
    """Marks traces as learned from; False if another process did so or one of them is gone."""
    free = db.execute(
        """
        SELECT count(*)
        FROM task
        WHERE node_id IN (SELECT value FROM json_each(?)) AND number IS NOT NULL AND cluster IS NULL
        """,
        (members,),
    ).get
    if free != len(members):
        return False
    db.execute("UPDATE task SET cluster = ? WHERE node_id IN (SELECT value FROM json_each(?))", (cluster, members))
    return True


def _trace_of_row(row: tuple[Any, ...]) -> TaskTrace:
    id, number, cluster, attributes, origin, sensitive, audience, vector = row
    held = json.loads(attributes)
    return TaskTrace(
        id=int(id),
        number=int(number),
        cluster=cluster,
        goal=held["goal"],
        type=held.get("task_type"),
        phase=held.get("phase"),
        outcome=held.get("outcome", "pending"),
        files=tuple(map(str, held.get("files_involved", ()))),
        constraints=tuple(map(str, held.get("constraints", ()))),
        actions=tuple(each for each in held.get("action_log", ()) if isinstance(each, dict)),
        errors=tuple(each for each in held.get("errors_encountered", ()) if isinstance(each, dict)),
        labels=(str(origin), bool(sensitive), str(audience)),
        vector=vector,
    )


def saved_proposal(db: Connection, segment: UnlearnedSegment) -> str | None:
    """The proposal for a segment that was saved and not applied yet."""
    found = journaled_proposal(db, segment.session_id, segment.after)
    return None if found is None else found[1]
