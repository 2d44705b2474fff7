"""Sessions: the first episode opens one; a new one on the same channel, or a call, closes it."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from omoide.domain import Draft, Session
from omoide.errors import NotFound
from omoide.store.engine.connection import Connection
from omoide.store.records import rows

_SELECT = """
    SELECT
        session.id, session.name, session.channel, entity.name, session.started_at, session.last_at, session.ended_at,
        session.summary, session.episode_count, session.learning, session.learned_at, session.learn_error
    FROM session
    LEFT JOIN entity ON entity.id = session.user_id
"""
_MOST_SESSIONS = 10_000  # sessions that one question may cover


@dataclass(slots=True)
class SessionCounts:
    """What one transaction reads of a session and adds to it."""

    id: int
    channel: str | None
    last_node_id: int | None
    started_at: int
    last_at: int
    added: int = 0
    closed: bool = False

    def count(self, node_id: int, at: int) -> None:
        """Counts an episode. A session that continues after its end is open again and will be learned again."""
        self.last_node_id = node_id
        self.started_at = min(self.started_at, at)
        self.last_at = max(self.last_at, at)
        self.added += 1
        self.closed = False


class SessionBatch:
    """The sessions that one transaction writes to: read once, counted in memory, written once."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._now = db.now
        self._running: dict[str, SessionCounts] = {}

    def enter(self, draft: Draft) -> SessionCounts:
        """The session of a draft. An unknown name opens a session and closes the earlier one on its channel."""
        assert draft.session is not None
        running = self._running.get(draft.session)
        if running is None:
            running = self._find(draft.session) or self._open(draft.session, draft)
            self._running[draft.session] = running
        return running

    def close(self) -> None:
        """Writes the counts."""
        for running in self._running.values():
            if running.added:
                self._db.execute(
                    """
                    UPDATE session
                    SET
                        episode_count = episode_count + :added,
                        last_node_id = :last_node_id,
                        started_at = :started_at,
                        last_at = :last_at,
                        ended_at = CASE WHEN :closed THEN :last_at END,
                        learning = CASE WHEN :closed THEN 'pending' ELSE 'open' END
                    WHERE id = :id
                    """,
                    asdict(running),
                )

    def _find(self, name: str) -> SessionCounts | None:
        found = self._db.execute(
            """
            SELECT session.id, session.channel, node.id, session.started_at, session.last_at
            FROM session
            LEFT JOIN node ON node.id = session.last_node_id  -- which may have been forgotten
            WHERE session.name = ?
            """,
            (name,),
        ).fetchone()
        return SessionCounts(*found) if found else None

    def _open(self, name: str, draft: Draft) -> SessionCounts:
        if draft.kind == "episode":  # a fact with a session's name does not start a conversation
            self._close_others(draft.channel)
        id = insert_session(self._db, name, draft.event_at, draft.channel)
        return SessionCounts(id, draft.channel, None, draft.event_at, draft.event_at)

    def _close_others(self, channel: str | None) -> None:
        for running in self._running.values():
            running.closed = running.closed or running.channel == channel
        self._db.execute(
            """
            UPDATE session
            SET ended_at = last_at, learning = 'pending'
            WHERE ended_at IS NULL AND channel IS :channel
            """,
            {"channel": channel},
        )


def insert_session(db: Connection, name: str, at: int, channel: str | None) -> int:
    return db.insert("session", name=name, channel=channel, started_at=at, last_at=at, first_seen_at=db.now)


def end(db: Connection, name: str, summary: str | None) -> Session:
    """Closes a session and queues it for learning; ending it again changes nothing."""
    require(db, name)
    db.execute(
        """
        UPDATE session
        SET
            ended_at = coalesce(ended_at, max(last_at, :now)),
            learning = CASE learning WHEN 'learned' THEN learning ELSE 'pending' END,
            summary = coalesce(:summary, summary),
            summary_of = iif(:summary IS NULL, summary_of, NULL),
            summary_by = iif(:summary IS NULL, summary_by, NULL)
        WHERE name = :name
        """,
        {"name": name, "now": db.now, "summary": summary},
    )
    return require(db, name)


def require(db: Connection, name: str) -> Session:
    found = db.execute(_SELECT + "WHERE session.name = ?", (name,)).fetchone()
    if found is None:
        raise NotFound(f"there is no session {name!r}; `omoide sessions` lists them")
    return rows.record(Session, found)


def recent(db: Connection, limit: int) -> list[Session]:
    """The latest sessions first."""
    found = db.execute(_SELECT + "ORDER BY session.last_at DESC, session.id DESC LIMIT ?", (limit,))
    return [rows.record(Session, row) for row in found]


def by_number(db: Connection, first: int, last: int) -> list[str]:
    """Names of sessions by their position in time, from 1."""
    return db.column(
        """
        SELECT name
        FROM session
        ORDER BY started_at, id
        LIMIT :count OFFSET :skipped
        """,
        {"count": min(last - first + 1, _MOST_SESSIONS), "skipped": first - 1},
    )


def by_recency(db: Connection, at: int, going_on: int, nearest: int, farthest: int) -> list[str]:
    """Names of sessions counted back from the latest one that is over, which is 1.

    An open session whose last episode is less than `going_on` microseconds before `at` is not over; one whose last
    episode is exactly at `at` counts.
    """
    return db.column(
        """
        SELECT name
        FROM session
        WHERE
            started_at <= :at
            AND NOT (ended_at IS NULL AND last_at < :at AND last_at > :at - :going_on)
        ORDER BY started_at DESC, id DESC
        LIMIT :count OFFSET :skipped
        """,
        {"at": at, "going_on": going_on, "count": min(farthest - nearest + 1, _MOST_SESSIONS), "skipped": nearest - 1},
    )
