"""Token states in the file: how a model reads each word where it stands, in a few bytes a word."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AXES = 128  # of them one bit each is kept: on which side of zero a state lies
BYTES = AXES // 8  # of one state in the file
_PREFIX = "omoide token states"  # names the axes: another one makes what was stored meaningless


@dataclass(frozen=True, slots=True)
class Tokens:
    """One text, piece by piece: the word that each piece is part of, and its state along our own axes."""

    words: tuple[str, ...]
    states: NDArray[np.float32]  # one row a piece


def turned(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """A model's states along axes drawn by lot, the same for ever: as close to each other as they were, and smaller."""
    return states @ _axes(states.shape[1])


def packed(tokens: Tokens) -> bytes:
    """The states of the pieces that say something, a bit an axis. Punctuation is as near to one text as to another."""
    import numpy as np

    kept = [place for place, word in enumerate(tokens.words) if any(map(str.isalnum, word))]
    return np.packbits(tokens.states[kept] > 0, axis=1).tobytes()


def unpacked(texts: Sequence[bytes]) -> tuple[NDArray[np.float32], list[int]]:
    """What was packed, all in one matrix, and the row at which each text begins. A state is now the corner of a cube
    that it lay next to: compared with one that is whole, what was rounded away evens out over the axes."""
    import numpy as np

    bits = np.unpackbits(np.frombuffer(b"".join(texts), np.uint8)).reshape(-1, AXES)
    starts = np.cumsum([0, *(len(each) // BYTES for each in texts[:-1])])
    return bits.astype(np.float32) * 2 - 1, starts.tolist()


@lru_cache(maxsize=4)
def _axes(width: int) -> NDArray[np.float32]:
    """Orthogonal directions, from a hash and not from a generator whose numbers may change with its version."""
    import numpy as np

    drawn = [hashlib.shake_256(f"{_PREFIX} {width} {axis}".encode()).digest(-(-width // 8)) for axis in range(AXES)]
    signs = np.unpackbits(np.frombuffer(b"".join(drawn), np.uint8).reshape(AXES, -1), axis=1)[:, :width] * 2.0 - 1
    if width < AXES:  # more axes than dimensions: they cannot be orthogonal, and need not be
        return np.asarray(signs.T, np.float32)
    directions, lengths = np.linalg.qr(signs.T)
    return np.asarray(directions * np.sign(np.diag(lengths)), np.float32)  # which way they point is ours to say


def save(db: apsw.Connection, node_id: int, data: bytes) -> None:
    db.execute(
        "INSERT OR REPLACE INTO token_state (vector_id, data) SELECT id, ? FROM vector WHERE node_id = ?",
        (data, node_id),
    )


def read(db: apsw.Connection, model_id: int, ids: Sequence[int]) -> dict[int, bytes]:
    """The packed states of some nodes, as this model sees them; one of a wrong size is the doctor's."""
    found = db.execute(
        f"""
        SELECT vector.node_id, token_state.data
        FROM vector
        JOIN token_state ON token_state.vector_id = vector.id
        WHERE
            vector.node_id IN (SELECT value FROM json_each(:ids))
            AND vector.model_id = :model
            AND length(token_state.data) % {BYTES} = 0
        """,
        {"ids": json.dumps(list(ids)), "model": model_id},
    )
    return {int(id): bytes(data) for id, data in found}
