"""The durable queue of nodes that wait for their vector: a crash loses nothing, two workers never do the same."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

_LEASE = 60_000_000  # microseconds: longer than any batch takes; a worker that died gives its batch back after it
_MOST_ATTEMPTS = 5


def add(db: apsw.Connection, ids: Sequence[int]) -> None:
    db.executemany("INSERT INTO embedding_queue (node_id) VALUES (?) ON CONFLICT DO NOTHING", [(id,) for id in ids])


def renew(db: apsw.Connection, node_id: int) -> None:
    """A changed text needs a new vector; the old one is dropped at once, so that it cannot speak for other words."""
    db.execute("DELETE FROM vector WHERE node_id = ?", (node_id,))
    db.execute(
        """
        INSERT INTO embedding_queue (node_id)
        VALUES (?)
        ON CONFLICT (node_id) DO UPDATE SET claimed_until = 0, attempts = 0, error = NULL
        """,
        (node_id,),
    )


def ready(db: apsw.Connection, now: int) -> bool:
    """Whether there is something to claim: looking costs no transaction."""
    found = db.execute(
        "SELECT EXISTS (SELECT 1 FROM embedding_queue WHERE claimed_until < ? AND attempts < ?)", (now, _MOST_ATTEMPTS)
    ).get
    return bool(found)


def claim(db: apsw.Connection, size: int, now: int) -> list[tuple[int, str | None, str]]:
    """(node, speaker, text) to embed next, held for one lease: new ones first, the newest of them (they are asked
    for first).

    What was claimed before and got no vector failed, or brought its process down. It comes last and alone, so that
    one bad text is found out without its neighbours being given up for it.
    """
    found = _free(db, "attempts = 0", size, now) or _free(db, "attempts > 0", 1, now)
    db.executemany(
        "UPDATE embedding_queue SET claimed_until = ?, attempts = attempts + 1 WHERE node_id = ?",
        [(now + _LEASE, id) for id, _, _ in found],
    )
    return found


def _free(db: apsw.Connection, which: str, size: int, now: int) -> list[tuple[int, str | None, str]]:
    return list(
        db.execute(
            f"""
            SELECT embedding_queue.node_id, node.speaker, node.text
            FROM embedding_queue
            JOIN node ON node.id = embedding_queue.node_id
            WHERE
                embedding_queue.claimed_until < :now
                AND embedding_queue.attempts < :most
                AND embedding_queue.{which}
            ORDER BY embedding_queue.node_id DESC
            LIMIT :size
            """,
            {"now": now, "size": size, "most": _MOST_ATTEMPTS},
        )
    )


def release(db: apsw.Connection, ids: Sequence[int], error: str, *, blamed: bool) -> None:
    """Gives a batch back after a failure, with what went wrong. Texts that are not to blame lose no attempt."""
    db.executemany(
        "UPDATE embedding_queue SET claimed_until = 0, attempts = max(0, attempts - ?), error = ? WHERE node_id = ?",
        [(0 if blamed else 1, error, id) for id in ids],
    )


def waiting(db: apsw.Connection) -> int:
    """How many nodes can still get a vector."""
    found = db.execute("SELECT count(*) FROM embedding_queue WHERE attempts < ?", (_MOST_ATTEMPTS,)).get
    return int(found)


def failed(db: apsw.Connection) -> tuple[int, str | None]:
    """How many nodes were given up, and the last reason."""
    count, error = db.execute(
        "SELECT count(*), max(error) FROM embedding_queue WHERE attempts >= ?", (_MOST_ATTEMPTS,)
    ).fetchone() or (0, None)
    return int(count), error


def refill(db: apsw.Connection) -> int:
    """Queues every node without a vector of the current model, or without the token states that it gives; returns how
    many are waiting. What is there meanwhile stays and is used."""
    db.execute(
        """
        INSERT INTO embedding_queue (node_id)
        SELECT node.id
        FROM node
        LEFT JOIN vector ON vector.node_id = node.id
        LEFT JOIN token_state ON token_state.vector_id = vector.id
        WHERE
            node.state IN ('live', 'superseded')
            AND (
                vector.node_id IS NULL
                OR vector.model_id NOT IN (SELECT id FROM embedding_model WHERE current)
                OR (
                    token_state.vector_id IS NULL
                    AND EXISTS (SELECT 1 FROM embedding_model WHERE current AND gives_tokens)
                )
            )
        ON CONFLICT (node_id) DO UPDATE SET claimed_until = 0, attempts = 0, error = NULL
        """
    )
    return waiting(db)
