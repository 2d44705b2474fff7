"""Calling an embedder, validating its answer, packing token states, and matrix products on one thread."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from omoide.errors import EmbedderFailed
from omoide.store.engine.connection import Connection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class AnyEmbedder(Protocol):
    """The methods of an embedder that are used here. If it has `embed_tokens`, that is called instead of `embed`."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class Embeddings:
    """One unit vector per text and, if the embedder gives them, its token states."""

    vectors: NDArray[np.float32]
    tokens: tuple[ProjectedTokenStates, ...] | None


def gives_tokens(embedder: AnyEmbedder) -> bool:
    return callable(getattr(embedder, "embed_tokens", None))


def accepts_text(embedder: AnyEmbedder, text: str) -> bool:
    """Whether the embedder supports a text, if it can tell."""
    if not callable(judge := getattr(embedder, "supports", None)):
        return True
    try:
        return bool(judge(text))
    except Exception as error:  # whatever a third-party embedder raises
        raise _embedder_failed(embedder, error) from error


def embed_texts(embedder: AnyEmbedder, texts: Sequence[str]) -> Embeddings:
    """Embeds texts in one call; raises EmbedderFailed for an exception or a wrong answer."""
    pieces: Any = ()
    try:
        if has_tokens := gives_tokens(embedder):
            vectors, pieces = embedder.embed_tokens(texts)  # type: ignore[attr-defined]
        else:
            vectors = embedder.embed(texts)
    except Exception as error:  # any exception of a third-party embedder
        raise _embedder_failed(embedder, error) from error
    return Embeddings(
        validate_vectors(vectors, len(texts), embedder.dimensions, embedder.name),
        _validate_tokens(pieces, len(texts), embedder.name) if has_tokens else None,
    )


def _embedder_failed(embedder: AnyEmbedder, error: Exception) -> EmbedderFailed:
    return EmbedderFailed(f"{embedder.name}: {type(error).__name__}: {error}")


def validate_vectors(answer: Any, rows: int, dimensions: int, name: str) -> NDArray[np.float32]:
    """The answer as unit vectors; raises EmbedderFailed for a wrong shape or numbers that are not finite."""
    found = _as_matrix(answer, name)
    if found.shape != (rows, dimensions):
        raise EmbedderFailed(f"{name} answered with shape {found.shape}, promised were {(rows, dimensions)}")
    return _unit_length(found)


def _validate_tokens(answer: Any, rows: int, name: str) -> tuple[ProjectedTokenStates, ...]:
    try:
        given = [(tuple(map(str, each.words)), each.states) for each in answer]
    except (AttributeError, TypeError) as error:
        raise EmbedderFailed(f"{name} answered with something that is not the pieces of a text ({error})") from error
    if len(given) != rows:
        raise EmbedderFailed(f"{name} answered with the pieces of {len(given)} texts, asked were {rows}")
    return tuple(
        ProjectedTokenStates(words, project(_validate_states(states, len(words), name))) for words, states in given
    )


def _validate_states(answer: Any, pieces: int, name: str) -> NDArray[np.float32]:
    found = _as_matrix(answer, name)
    if found.ndim != 2 or len(found) != pieces or not found.shape[1]:
        raise EmbedderFailed(f"{name} answered with states of shape {found.shape} for {pieces} pieces")
    return _unit_length(found)


def _as_matrix(answer: Any, name: str) -> NDArray[np.float32]:
    import numpy as np

    try:
        found = np.asarray(answer, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EmbedderFailed(f"{name} answered with something that is not a matrix ({error})") from error
    if not np.isfinite(found).all():
        raise EmbedderFailed(f"{name} answered with numbers that are not finite")
    return found


def _unit_length(found: NDArray[np.float32]) -> NDArray[np.float32]:
    """Longer vectors would overflow float16; the vector of a text without content may have length 0."""
    import numpy as np

    precise = found.astype(np.float64)
    lengths = np.sqrt(np.add.reduce(precise * precise, axis=1, keepdims=True))  # `np.linalg.norm` costs twice as much
    unit: NDArray[np.float32] = (found / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit


# Token states: what a model makes of each word in its context, stored in a few bytes per word.


AXES = 128  # one bit of each is stored: its sign
BYTES = AXES // 8  # of a stored state
_PREFIX = "omoide token states"  # seeds the axes: changing it makes stored states meaningless


@dataclass(frozen=True, slots=True)
class ProjectedTokenStates:
    """The tokens of a text: the word that each is part of, and its state on our projection axes."""

    words: tuple[str, ...]
    states: NDArray[np.float32]  # one row per token


def project(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """Projects a model's states onto fixed random axes, which keeps their similarity in fewer dimensions."""

    return matrix_product(states, _projection_axes(states.shape[1]))


def pack(tokens: ProjectedTokenStates) -> bytes:
    """The states of tokens with letters or digits, one bit per axis. Punctuation is similar to any text."""
    import numpy as np

    kept = [place for place, word in enumerate(tokens.words) if any(map(str.isalnum, word))]
    return np.packbits(tokens.states[kept] > 0, axis=1).tobytes()


def unpack(texts: Sequence[bytes]) -> tuple[NDArray[np.float32], list[int]]:
    """Unpacks states into one matrix, with the row at which each text begins. A state is now -1 or 1 per axis; compared
    with an unpacked one, the rounding evens out over the axes."""
    import numpy as np

    bits = np.unpackbits(np.frombuffer(b"".join(texts), np.uint8)).reshape(-1, AXES)
    starts = np.cumsum([0, *(len(each) // BYTES for each in texts[:-1])])
    return bits.astype(np.float32) * 2 - 1, starts.tolist()


@lru_cache(maxsize=4)
def _projection_axes(width: int) -> NDArray[np.float32]:
    """Orthogonal axes from a hash, because a random generator may change between versions."""
    import numpy as np

    drawn = [hashlib.shake_256(f"{_PREFIX} {width} {axis}".encode()).digest(-(-width // 8)) for axis in range(AXES)]
    signs = np.unpackbits(np.frombuffer(b"".join(drawn), np.uint8).reshape(AXES, -1), axis=1)[:, :width] * 2.0 - 1
    if width < AXES:  # more axes than dimensions cannot be orthogonal
        return np.asarray(signs.T, np.float32)
    directions, lengths = np.linalg.qr(signs.T)
    return np.asarray(directions * np.sign(np.diag(lengths)), np.float32)  # fixes the sign of each axis


def save_token_states(db: Connection, states: Mapping[int, bytes]) -> None:
    """Saves the packed states of nodes that have a vector."""
    db.executemany(
        """
        INSERT OR REPLACE INTO token_state (vector_id, data, checksum)
        SELECT id, ?1, bytes_checksum(?1)
        FROM vector
        WHERE node_id = ?2
        """,
        [(data, id) for id, data in states.items()],
    )


def read_token_states(db: Connection, model_id: int, ids: Sequence[int]) -> dict[int, bytes]:
    """The packed states of nodes for a model. States of a wrong size are left to the doctor."""
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


# Matrix products on one thread.
#
# BLAS starts a thread for each core for all but small products. The threads wait for each other by spinning: twice the
# CPU time, and many times the time where another process runs beside. So rows are multiplied a few at a time.


_PRODUCTS = 240_000  # multiplications at once; for more, BLAS starts threads


def matrix_product(rows: NDArray[np.float32], by: NDArray[np.float32]) -> NDArray[np.float32]:
    """`rows @ by`, for two matrices."""
    import numpy as np

    step = max(1, _PRODUCTS // max(1, by.size))
    if len(rows) <= step:
        return np.asarray(rows @ by)
    found = np.empty((len(rows), by.shape[1]), np.result_type(rows, by))
    whole = len(rows) // step * step
    np.matmul(rows[:whole].reshape(-1, step, rows.shape[1]), by, out=found[:whole].reshape(-1, step, by.shape[1]))
    np.matmul(rows[whole:], by, out=found[whole:])
    return found
