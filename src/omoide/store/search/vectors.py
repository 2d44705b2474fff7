"""Vectors in the file: the model that made them, saving and reading them, and the queue of nodes without one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from omoide.errors import EmbedderFailed
from omoide.store.ageing import archive_blocks
from omoide.store.engine.connection import Connection
from omoide.store.search import embedding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_BATCH = 1_024  # vectors per batch: what a cache of the processor holds


def use_model(db: Connection, name: str, dimensions: int, gives_tokens: bool) -> int:
    """Makes this the model in use. If it was another, all nodes are queued again; vectors of two models never mix."""
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
    """Saves a batch of vectors with their token states and removes it from the queue.

    Skips nodes that no longer exist; a node whose text changed is no longer claimed and stays queued.
    """
    if not is_current_model(db, model_id):
        return  # another process changed the model and queued these nodes again
    changed = "SELECT node_id FROM embedding_queue WHERE claimed_until = 0"
    skipped = set(db.column(f"{changed} AND node_id IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),)))
    done = {id: place for place, id in enumerate(ids) if id not in skipped}
    # A vector of the same model is kept, because its text is the same; a new one would be loaded by every process.
    known = dict(
        db.execute(
            """
            SELECT node.id, vector.model_id
            FROM node
            LEFT JOIN vector ON vector.node_id = node.id
            WHERE node.id IN (SELECT value FROM json_each(?)) AND node.state <> 'withdrawn'
            """,
            (json.dumps(list(done)),),
        )
    )
    packed, new = vectors.astype("<f2"), [id for id in done if id in known and known[id] != model_id]
    db.executemany("DELETE FROM vector WHERE node_id = ?", [(id,) for id in new if known[id] is not None])
    db.executemany(
        "INSERT INTO vector (node_id, model_id, data, checksum) VALUES (?1, ?2, ?3, bytes_checksum(?3))",
        [(id, model_id, packed[done[id]].tobytes()) for id in new],
    )
    if states is not None:
        embedding.save_token_states(db, {id: states[place] for id, place in done.items() if id in known})
    db.executemany("DELETE FROM embedding_queue WHERE node_id = ?", [(id,) for id in done])


def is_current_model(db: Connection, model_id: int) -> bool:
    return bool(db.execute("SELECT current FROM embedding_model WHERE id = ?", (model_id,)).get == 1)


def model_dimensions(db: Connection, model_id: int) -> int:
    return int(db.execute("SELECT dimensions FROM embedding_model WHERE id = ?", (model_id,)).get)


def current_model(db: Connection) -> tuple[int, str, int, bool] | None:
    """Id, name and dimensions of the model in use, and whether it gives token states."""
    found = db.execute("SELECT id, name, dimensions, gives_tokens FROM embedding_model WHERE current").fetchone()
    return (int(found[0]), str(found[1]), int(found[2]), bool(found[3])) if found else None


def vectors_since(db: Connection, model_id: int, after: int) -> Iterator[tuple[list[int], NDArray[np.float16]]]:
    """(nodes, vectors) of a model after a position, in batches. Vectors of a wrong size are left to the doctor."""
    import numpy as np

    found = db.execute(
        """
        SELECT node_id, data
        FROM vector
        WHERE id > :after AND model_id = :model AND length(data) = :bytes
        ORDER BY id
        """,
        {"after": after, "model": model_id, "bytes": 2 * model_dimensions(db, model_id)},
    )
    while piece := list(islice(found, _BATCH)):
        matrix = np.frombuffer(b"".join(data for _, data in piece), "<f2").reshape(len(piece), -1)
        yield [id for id, _ in piece], matrix


def damaged_vectors(db: Connection, ids: Sequence[int] | None = None, *, states: bool = True) -> list[int]:
    """Nodes whose vector, or with `states` token states, do not match their checksum; of some nodes, or all."""
    found = db.execute(
        """
        SELECT vector.node_id
        FROM vector
        LEFT JOIN token_state ON token_state.vector_id = vector.id
        WHERE
            (:ids IS NULL OR vector.node_id IN (SELECT value FROM json_each(:ids)))
            AND (
                vector.checksum IS NOT bytes_checksum(vector.data)
                OR (
                    :states AND token_state.vector_id IS NOT NULL
                    AND token_state.checksum IS NOT bytes_checksum(token_state.data)
                )
            )
        ORDER BY vector.node_id
        """,
        {"ids": None if ids is None else json.dumps(list(ids)), "states": states},
    )
    return [int(row[0]) for row in found]


def rebuild_vectors(db: Connection, ids: Sequence[int]) -> None:
    """Deletes the vectors of some nodes and queues their texts."""
    for id in ids:
        requeue(db, id)


def is_valid_vector(data: bytes, dimensions: int) -> bool:
    """Whether stored bytes are a vector of this size with finite numbers."""
    import numpy as np

    return len(data) == 2 * dimensions and bool(np.isfinite(np.frombuffer(data, "<f2")).all())


# The queue is durable: a crash loses nothing, and no two workers do the same work.


_LEASE = 60_000_000  # microseconds: longer than any batch takes; then the batch of a dead worker is free again
_MOST_ATTEMPTS = 5


def enqueue(db: Connection, ids: Sequence[int]) -> None:
    db.executemany("INSERT INTO embedding_queue (node_id) VALUES (?) ON CONFLICT DO NOTHING", [(id,) for id in ids])


def enqueue_without_vector(db: Connection, id: int) -> None:
    """Queues a node if it has no vector of the model in use."""
    if not db.execute(
        """
        SELECT 1
        FROM vector
        JOIN embedding_model ON embedding_model.id = vector.model_id AND embedding_model.current
        WHERE vector.node_id = ?
        """,
        (id,),
    ).get:
        enqueue(db, [id])


def requeue(db: Connection, node_id: int) -> None:
    """Deletes the vector of a changed text and queues the node."""
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
    """Whether there is something to claim; a read that avoids a write transaction."""
    found = db.execute(
        "SELECT EXISTS (SELECT 1 FROM embedding_queue WHERE claimed_until < ? AND attempts < ?)",
        (db.now, _MOST_ATTEMPTS),
    ).get
    return bool(found)


def claim_texts(db: Connection, size: int) -> list[tuple[int, str | None, str]]:
    """Claims (node, speaker, text) to embed next for the time of a lease, the newest first.

    A text that was claimed before without a result failed or crashed its process. It comes last and alone, so that one
    bad text does not block others.
    """
    found = _claimable(db, "attempts = 0", size) or _claimable(db, "attempts > 0", 1)
    db.executemany(
        "UPDATE embedding_queue SET claimed_until = ?, attempts = attempts + 1 WHERE node_id = ?",
        [(db.now + _LEASE, id) for id, _, _ in found],
    )
    return found


def _claimable(db: Connection, which: str, size: int) -> list[tuple[int, str | None, str]]:
    found = list(
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
    archived = archive_blocks.archived_texts(db, [id for id, _, text in found if not text])
    return [(id, speaker, archived[id].text if id in archived else text) for id, speaker, text in found]


def release_texts(db: Connection, ids: Sequence[int], error: str, *, blamed: bool) -> None:
    """Returns a claimed batch after a failure. Texts that are not to blame keep their attempts."""
    db.executemany(
        "UPDATE embedding_queue SET claimed_until = 0, attempts = max(0, attempts - ?), error = ? WHERE node_id = ?",
        [(0 if blamed else 1, error, id) for id in ids],
    )


def pending_count(db: Connection) -> int:
    """How many nodes can still get a vector."""
    found = db.execute("SELECT count(*) FROM embedding_queue WHERE attempts < ?", (_MOST_ATTEMPTS,)).get
    return int(found)


def failed_count(db: Connection) -> tuple[int, str | None]:
    """How many nodes were given up, and the last error."""
    count, error = db.execute(
        "SELECT count(*), max(error) FROM embedding_queue WHERE attempts >= ?", (_MOST_ATTEMPTS,)
    ).fetchone() or (0, None)
    return int(count), error


def enqueue_missing(db: Connection) -> int:
    """Queues all nodes without a vector or token states of the model in use; returns the number of pending nodes."""
    db.execute(
        """
        INSERT INTO embedding_queue (node_id)
        SELECT node.id
        FROM node
        LEFT JOIN vector ON vector.node_id = node.id
        LEFT JOIN token_state ON token_state.vector_id = vector.id
        WHERE
            node.state <> 'withdrawn'
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
