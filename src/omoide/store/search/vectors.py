"""Vectors in the file: which model made them, saving them, and reading what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from omoide.errors import EmbedderFailed
from omoide.store.engine.connection import Connection
from omoide.store.search import embedding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_BATCH = 4_096  # vectors that are read at a time


def use_model(db: Connection, name: str, dimensions: int, gives_tokens: bool) -> int:
    """Makes this the current model. If it was another, everything is queued again; old vectors are never compared."""
    found = db.execute(
        "SELECT id, dimensions, current AND gives_tokens = ? FROM embedding_model WHERE name = ?", (gives_tokens, name)
    ).fetchone()
    if found and found[1] != dimensions:
        raise EmbedderFailed(
            f"the embedder {name!r} says {dimensions} dimensions, the file holds {found[1]} under that name; "
            "an embedder that changes needs a new name"
        )
    if found and found[2]:
        return int(found[0])
    db.execute("UPDATE embedding_model SET current = 0")
    db.execute(
        """
        INSERT INTO embedding_model (name, dimensions, current, gives_tokens, created_at)
        VALUES (:name, :dimensions, 1, :gives_tokens, :now)
        ON CONFLICT (name) DO UPDATE SET current = 1, gives_tokens = excluded.gives_tokens
        """,
        {"name": name, "dimensions": dimensions, "gives_tokens": gives_tokens, "now": db.now},
    )
    enqueue_missing(db)
    return int(db.execute("SELECT id FROM embedding_model WHERE current").get)


def save_vectors(
    db: Connection, model_id: int, ids: Sequence[int], vectors: NDArray[Any], states: Sequence[bytes] | None = None
) -> None:
    """Stores a batch with its token states, if there are any, and takes it off the queue, in one transaction.

    A node that is gone meanwhile is passed over; one whose words changed stays queued, for it is no longer claimed.
    """
    if not is_current_model(db, model_id):
        return  # another process has changed the model; its queue holds these nodes again
    packed = vectors.astype("<f2")
    for place, id in enumerate(ids):
        if db.execute("SELECT claimed_until FROM embedding_queue WHERE node_id = ?", (id,)).get == 0:
            continue
        if db.execute("SELECT 1 FROM node WHERE id = ? AND state IN ('live', 'superseded')", (id,)).get:
            _replace_vector(db, id, model_id, packed[place].tobytes())
            if states is not None:
                embedding.save_token_states(db, id, states[place])
        db.execute("DELETE FROM embedding_queue WHERE node_id = ?", (id,))


def _replace_vector(db: Connection, node_id: int, model_id: int, data: bytes) -> None:
    """A vector that the model made already is of the same words, and stays: a new one would be read by everybody."""
    if db.execute("SELECT model_id FROM vector WHERE node_id = ?", (node_id,)).get != model_id:
        db.execute("DELETE FROM vector WHERE node_id = ?", (node_id,))
        db.execute("INSERT INTO vector (node_id, model_id, data) VALUES (?, ?, ?)", (node_id, model_id, data))


def is_current_model(db: Connection, model_id: int) -> bool:
    return bool(db.execute("SELECT current FROM embedding_model WHERE id = ?", (model_id,)).get == 1)


def model_dimensions(db: Connection, model_id: int) -> int:
    return int(db.execute("SELECT dimensions FROM embedding_model WHERE id = ?", (model_id,)).get)


def current_model(db: Connection) -> tuple[int, str, int, bool] | None:
    """Id, name and dimensions of the model in use, and whether it gives token states."""
    found = db.execute("SELECT id, name, dimensions, gives_tokens FROM embedding_model WHERE current").fetchone()
    return (int(found[0]), str(found[1]), int(found[2]), bool(found[3])) if found else None


def vectors_since(db: Connection, model_id: int, after: int) -> Iterator[tuple[list[int], NDArray[np.float16]]]:
    """The nodes and vectors of a model that were written after a position, in pieces. One of the wrong size is the
    doctor's."""
    import numpy as np

    found = db.execute(
        """
        SELECT vector.node_id, vector.data
        FROM vector
        JOIN embedding_model ON embedding_model.id = vector.model_id
        WHERE
            vector.id > :after
            AND vector.model_id = :model
            AND length(vector.data) = 2 * embedding_model.dimensions
        ORDER BY vector.id
        """,
        {"after": after, "model": model_id},
    )
    while piece := list(islice(found, _BATCH)):
        matrix = np.frombuffer(b"".join(data for _, data in piece), "<f2").reshape(len(piece), -1)
        yield [id for id, _ in piece], matrix


def newest_vector(db: Connection) -> int:
    """The position of the vector that was written last."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM vector").get)


def is_valid_vector(data: bytes, dimensions: int) -> bool:
    """Whether stored bytes are a vector of that size, of finite numbers."""
    import numpy as np

    return len(data) == 2 * dimensions and bool(np.isfinite(np.frombuffer(data, "<f2")).all())


# The durable queue of nodes that wait for their vector: a crash loses nothing, two workers never do the same.


_LEASE = 60_000_000  # microseconds: longer than any batch takes; a worker that died gives its batch back after it
_MOST_ATTEMPTS = 5


def enqueue(db: Connection, ids: Sequence[int]) -> None:
    db.executemany("INSERT INTO embedding_queue (node_id) VALUES (?) ON CONFLICT DO NOTHING", [(id,) for id in ids])


def requeue(db: Connection, node_id: int) -> None:
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


def has_pending(db: Connection) -> bool:
    """Whether there is something to claim: looking costs no transaction."""
    found = db.execute(
        "SELECT EXISTS (SELECT 1 FROM embedding_queue WHERE claimed_until < ? AND attempts < ?)",
        (db.now, _MOST_ATTEMPTS),
    ).get
    return bool(found)


def claim_texts(db: Connection, size: int) -> list[tuple[int, str | None, str]]:
    """(node, speaker, text) to embed next, held for one lease: new ones first, the newest of them (they are asked
    for first).

    What was claimed before and got no vector failed, or brought its process down. It comes last and alone, so that
    one bad text is found out without its neighbours being given up for it.
    """
    found = _claimable(db, "attempts = 0", size) or _claimable(db, "attempts > 0", 1)
    db.executemany(
        "UPDATE embedding_queue SET claimed_until = ?, attempts = attempts + 1 WHERE node_id = ?",
        [(db.now + _LEASE, id) for id, _, _ in found],
    )
    return found


def _claimable(db: Connection, which: str, size: int) -> list[tuple[int, str | None, str]]:
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
            {"now": db.now, "size": size, "most": _MOST_ATTEMPTS},
        )
    )


def release_texts(db: Connection, ids: Sequence[int], error: str, *, blamed: bool) -> None:
    """Gives a batch back after a failure, with what went wrong. Texts that are not to blame lose no attempt."""
    db.executemany(
        "UPDATE embedding_queue SET claimed_until = 0, attempts = max(0, attempts - ?), error = ? WHERE node_id = ?",
        [(0 if blamed else 1, error, id) for id in ids],
    )


def pending_count(db: Connection) -> int:
    """How many nodes can still get a vector."""
    found = db.execute("SELECT count(*) FROM embedding_queue WHERE attempts < ?", (_MOST_ATTEMPTS,)).get
    return int(found)


def failed_count(db: Connection) -> tuple[int, str | None]:
    """How many nodes were given up, and the last reason."""
    count, error = db.execute(
        "SELECT count(*), max(error) FROM embedding_queue WHERE attempts >= ?", (_MOST_ATTEMPTS,)
    ).fetchone() or (0, None)
    return int(count), error


def enqueue_missing(db: Connection) -> int:
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
    return pending_count(db)


def current_model_id(db: Connection) -> int | None:
    """The id of the model in use, if there is one."""
    found = current_model(db)
    return found[0] if found else None


def wants_vectors(db: Connection, model: str, gives_tokens: bool = False) -> bool:
    """Whether texts are pending for this model, or it differs from the one in use."""
    current = current_model(db)
    changed = current is not None and (current[1], current[3]) != (model, gives_tokens)
    return changed or has_pending(db)
