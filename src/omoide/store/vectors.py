"""Vectors in the file: which model made them, saving them, and reading what is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import apsw

from omoide.errors import EmbedderFailed
from omoide.store import queue

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
    """Stores a batch and takes it off the queue, in one transaction. A node that is gone meanwhile is passed over."""
    if db.execute("SELECT current FROM embedding_model WHERE id = ?", (model_id,)).get != 1:
        return  # another process has changed the model; its queue holds these nodes again
    packed = vectors.astype("<f2")
    for id, row in zip(ids, packed, strict=True):
        if db.execute("SELECT 1 FROM node WHERE id = ?", (id,)).get:
            db.execute("DELETE FROM vector WHERE node_id = ?", (id,))
            db.execute("INSERT INTO vector (node_id, model_id, data) VALUES (?, ?, ?)", (id, model_id, row.tobytes()))
        db.execute("DELETE FROM embedding_queue WHERE node_id = ?", (id,))


def current(db: apsw.Connection) -> tuple[int, str, int] | None:
    """Id, name and dimensions of the model in use."""
    found = db.execute("SELECT id, name, dimensions FROM embedding_model WHERE current").fetchone()
    return (int(found[0]), str(found[1]), int(found[2])) if found else None


def since(db: apsw.Connection, model_id: int, after: int) -> list[tuple[int, int, bytes]]:
    """(position, node, vector) of a model, written after that position."""
    return list(
        db.execute("SELECT id, node_id, data FROM vector WHERE id > ? AND model_id = ? ORDER BY id", (after, model_id))
    )


def removed(db: apsw.Connection) -> int:
    """Grows whenever vectors are deleted."""
    return int(db.execute("SELECT value FROM counter WHERE name = 'vectors_removed'").get)


def checked_vectors(answer: Any, rows: int, dimensions: int, name: str) -> NDArray[np.float32]:
    """An embedder's answer, if it has the promised shape and holds only finite numbers."""
    import numpy as np

    found = np.asarray(answer, dtype=np.float32)
    if found.shape != (rows, dimensions):
        raise EmbedderFailed(f"{name} answered with shape {found.shape}, promised were {(rows, dimensions)}")
    if not np.isfinite(found).all():
        raise EmbedderFailed(f"{name} answered with numbers that are not finite")
    return found
