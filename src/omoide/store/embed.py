"""Texts through somebody's embedder, its answer held to what it promised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from omoide.errors import EmbedderFailed
from omoide.store.tokens import Tokens, turned

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embeds(Protocol):
    """What is asked of an embedder. One that also has `embed_tokens` is asked for that instead."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class Embedded:
    """One unit vector a text and, where the embedder gives them, the states of its words."""

    vectors: NDArray[np.float32]
    tokens: tuple[Tokens, ...] | None


def gives_tokens(embedder: Embeds) -> bool:
    return callable(getattr(embedder, "embed_tokens", None))


def reads(embedder: Embeds, text: str) -> bool:
    """Whether the embedder was made for such a text, as far as it says."""
    if not callable(judge := getattr(embedder, "reads", None)):
        return True
    try:
        return bool(judge(text))
    except Exception as error:  # as below
        raise _failed(embedder, error) from error


def embedded(embedder: Embeds, texts: Sequence[str]) -> Embedded:
    """One pass. Whatever goes wrong in an embedder, or is wrong with its answer, is EmbedderFailed."""
    pieces: Any = ()
    try:
        if has_tokens := gives_tokens(embedder):
            vectors, pieces = embedder.embed_tokens(texts)  # type: ignore[attr-defined]
        else:
            vectors = embedder.embed(texts)
    except Exception as error:  # whatever somebody else's embedder raises
        raise _failed(embedder, error) from error
    return Embedded(
        checked_vectors(vectors, len(texts), embedder.dimensions, embedder.name),
        _checked_tokens(pieces, len(texts), embedder.name) if has_tokens else None,
    )


def _failed(embedder: Embeds, error: Exception) -> EmbedderFailed:
    return EmbedderFailed(f"{embedder.name}: {type(error).__name__}: {error}")


def checked_vectors(answer: Any, rows: int, dimensions: int, name: str) -> NDArray[np.float32]:
    """An embedder's answer, if it has the promised shape and holds only finite numbers; each row of length 1."""
    found = _numbers(answer, name)
    if found.shape != (rows, dimensions):
        raise EmbedderFailed(f"{name} answered with shape {found.shape}, promised were {(rows, dimensions)}")
    return _unit(found)


def _checked_tokens(answer: Any, rows: int, name: str) -> tuple[Tokens, ...]:
    try:
        given = [(tuple(map(str, each.words)), each.states) for each in answer]
    except (AttributeError, TypeError) as error:
        raise EmbedderFailed(f"{name} answered with something that is not the pieces of a text ({error})") from error
    if len(given) != rows:
        raise EmbedderFailed(f"{name} answered with the pieces of {len(given)} texts, asked were {rows}")
    return tuple(Tokens(words, turned(_states(states, len(words), name))) for words, states in given)


def _states(answer: Any, pieces: int, name: str) -> NDArray[np.float32]:
    found = _numbers(answer, name)
    if found.ndim != 2 or len(found) != pieces or not found.shape[1]:
        raise EmbedderFailed(f"{name} answered with states of shape {found.shape} for {pieces} pieces")
    return _unit(found)


def _numbers(answer: Any, name: str) -> NDArray[np.float32]:
    import numpy as np

    try:
        found = np.asarray(answer, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EmbedderFailed(f"{name} answered with something that is not a matrix ({error})") from error
    if not np.isfinite(found).all():
        raise EmbedderFailed(f"{name} answered with numbers that are not finite")
    return found


def _unit(found: NDArray[np.float32]) -> NDArray[np.float32]:
    """Longer ones would overflow the float16 they are stored in; a text that says nothing may have length 0."""
    import numpy as np

    lengths = np.linalg.norm(found.astype(np.float64), axis=1, keepdims=True)
    unit: NDArray[np.float32] = (found / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit
