"""What the embedder makes of a question, once for everything that goes by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.errors import Busy, CannotWrite, EmbedderFailed
from omoide.store import Tokens, embedded, reads

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.recall.search.arm import Sources


@dataclass(frozen=True, slots=True)
class Meaning:
    """The question's direction and, where the embedder gives them, the states of its words. It is a guess where the
    embedder was not made for what it is written in."""

    vector: NDArray[np.float32]
    tokens: Tokens | None
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """A question that was not embedded, and why."""

    reason: str
    failed: bool = False  # it was tried: the next time it may go well


def read(text: str, sources: Sources) -> Meaning | Unread:
    """Recall goes on without a meaning, whatever somebody else's embedder does, and says so."""
    if sources.embedder is None:
        return Unread(sources.no_embedder)
    if not text.strip():
        return Unread("the question is empty")
    try:
        if not len(sources.store.planes(sources.model_id())):  # before a model is loaded for nothing
            return Unread("no node has a vector yet")
        found, guessed = embedded(sources.embedder, [text]), not reads(sources.embedder, text)
    except (EmbedderFailed, Busy, CannotWrite) as error:  # a model that is new to the file must be written down first
        return Unread(str(error), failed=True)
    if not found.vectors.any():
        return Unread("the embedder found no meaning in the question")
    return Meaning(found.vectors[0], found.tokens[0] if found.tokens else None, guessed)
