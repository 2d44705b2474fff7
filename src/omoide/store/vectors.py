"""Vectors in the file: which model made them, saving them, and reading what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import apsw

from omoide.errors import EmbedderFailed
from omoide.store import queue, tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_PIECE = 4_096  # vectors that are read at a time


def use_model(db: apsw.Connection, name: str, dimensions: int, gives_tokens: bool, now: int) -> int:
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
        {"name": name, "dimensions": dimensions, "gives_tokens": gives_tokens, "now": now},
    )
    queue.refill(db)
    return int(db.execute("SELECT id FROM embedding_model WHERE current").get)


def save(
    db: apsw.Connection, model_id: int, ids: Sequence[int], vectors: NDArray[Any], states: Sequence[bytes] | None
) -> None:
    """Stores a batch with its token states, if there are any, and takes it off the queue, in one transaction.

    A node that is gone meanwhile is passed over; one whose words changed stays queued, for it is no longer claimed.
    """
    if not is_current(db, model_id):
        return  # another process has changed the model; its queue holds these nodes again
    packed = vectors.astype("<f2")
    for place, id in enumerate(ids):
        if db.execute("SELECT claimed_until FROM embedding_queue WHERE node_id = ?", (id,)).get == 0:
            continue
        if db.execute("SELECT 1 FROM node WHERE id = ? AND state IN ('live', 'superseded')", (id,)).get:
            _hold(db, id, model_id, packed[place].tobytes())
            if states is not None:
                tokens.save(db, id, states[place])
        db.execute("DELETE FROM embedding_queue WHERE node_id = ?", (id,))


def _hold(db: apsw.Connection, node_id: int, model_id: int, data: bytes) -> None:
    """A vector that the model made already is of the same words, and stays: a new one would be read by everybody."""
    if db.execute("SELECT model_id FROM vector WHERE node_id = ?", (node_id,)).get != model_id:
        db.execute("DELETE FROM vector WHERE node_id = ?", (node_id,))
        db.execute("INSERT INTO vector (node_id, model_id, data) VALUES (?, ?, ?)", (node_id, model_id, data))


def is_current(db: apsw.Connection, model_id: int) -> bool:
    return bool(db.execute("SELECT current FROM embedding_model WHERE id = ?", (model_id,)).get == 1)


def dimensions(db: apsw.Connection, model_id: int) -> int:
    return int(db.execute("SELECT dimensions FROM embedding_model WHERE id = ?", (model_id,)).get)


def current(db: apsw.Connection) -> tuple[int, str, int, bool] | None:
    """Id, name and dimensions of the model in use, and whether it gives token states."""
    found = db.execute("SELECT id, name, dimensions, gives_tokens FROM embedding_model WHERE current").fetchone()
    return (int(found[0]), str(found[1]), int(found[2]), bool(found[3])) if found else None


def since(db: apsw.Connection, model_id: int, after: int) -> Iterator[tuple[list[int], NDArray[np.float16]]]:
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
    while piece := list(islice(found, _PIECE)):
        matrix = np.frombuffer(b"".join(data for _, data in piece), "<f2").reshape(len(piece), -1)
        yield [id for id, _ in piece], matrix


def newest(db: apsw.Connection) -> int:
    """The position of the vector that was written last."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM vector").get)


def is_sound(data: bytes, dimensions: int) -> bool:
    """Whether stored bytes are a vector of that size, of finite numbers."""
    import numpy as np

    return len(data) == 2 * dimensions and bool(np.isfinite(np.frombuffer(data, "<f2")).all())
