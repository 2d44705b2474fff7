"""Vectors in the file: which model made them, saving them, and reading what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import apsw

from omoide.errors import EmbedderFailed
from omoide.store import queue

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_PIECE = 4_096  # vectors that are read at a time


def use_model(db: apsw.Connection, name: str, dimensions: int, now: int) -> int:
    """Makes this the current model. If it was another, everything is queued again; old vectors are never compared."""
    found = db.execute("SELECT id, dimensions, current FROM embedding_model WHERE name = ?", (name,)).fetchone()
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
        INSERT INTO embedding_model (name, dimensions, current, created_at)
        VALUES (:name, :dimensions, 1, :now)
        ON CONFLICT (name) DO UPDATE SET current = 1
        """,
        {"name": name, "dimensions": dimensions, "now": now},
    )
    queue.refill(db)
    return int(db.execute("SELECT id FROM embedding_model WHERE current").get)


def save(db: apsw.Connection, model_id: int, ids: Sequence[int], vectors: NDArray[Any]) -> None:
    """Stores a batch and takes it off the queue, in one transaction.

    A node that is gone meanwhile is passed over; one whose words changed stays queued, for it is no longer claimed.
    """
    if not is_current(db, model_id):
        return  # another process has changed the model; its queue holds these nodes again
    packed = vectors.astype("<f2")
    for id, row in zip(ids, packed, strict=True):
        if db.execute("SELECT claimed_until FROM embedding_queue WHERE node_id = ?", (id,)).get == 0:
            continue
        if db.execute("SELECT 1 FROM node WHERE id = ?", (id,)).get:
            db.execute("DELETE FROM vector WHERE node_id = ?", (id,))
            db.execute("INSERT INTO vector (node_id, model_id, data) VALUES (?, ?, ?)", (id, model_id, row.tobytes()))
        db.execute("DELETE FROM embedding_queue WHERE node_id = ?", (id,))


def is_current(db: apsw.Connection, model_id: int) -> bool:
    return bool(db.execute("SELECT current FROM embedding_model WHERE id = ?", (model_id,)).get == 1)


def dimensions(db: apsw.Connection, model_id: int) -> int:
    return int(db.execute("SELECT dimensions FROM embedding_model WHERE id = ?", (model_id,)).get)


def current(db: apsw.Connection) -> tuple[int, str, int] | None:
    """Id, name and dimensions of the model in use."""
    found = db.execute("SELECT id, name, dimensions FROM embedding_model WHERE current").fetchone()
    return (int(found[0]), str(found[1]), int(found[2])) if found else None


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


def checked_vectors(answer: Any, rows: int, dimensions: int, name: str) -> NDArray[np.float32]:
    """An embedder's answer, if it has the promised shape and holds only finite numbers; each row of length 1."""
    import numpy as np

    try:
        found = np.asarray(answer, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EmbedderFailed(f"{name} answered with something that is not a matrix ({error})") from error
    if found.shape != (rows, dimensions):
        raise EmbedderFailed(f"{name} answered with shape {found.shape}, promised were {(rows, dimensions)}")
    if not np.isfinite(found).all():
        raise EmbedderFailed(f"{name} answered with numbers that are not finite")
    # Longer ones would overflow the float16 they are stored in; a text that says nothing may have length 0.
    lengths = np.linalg.norm(found.astype(np.float64), axis=1, keepdims=True)
    unit: NDArray[np.float32] = (found / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit
