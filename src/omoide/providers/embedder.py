"""What an embedder is: texts in, one vector of a fixed size each out; some give the states of the words as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product says how alike two texts are.

    `name` and `dimensions` are written into the file beside the vectors: vectors of two names are never compared,
    so a change of weights, pooling or prefix needs a new name.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, in order: shape (len(texts), dimensions), float32, each row of length 1."""
        ...


class Reader(Protocol):
    """An embedder that knows what it was made to read. One that does not say is taken to read everything."""

    def reads(self, text: str) -> bool:
        """Whether a vector of this text is more than a guess."""
        ...


@dataclass(frozen=True, slots=True)
class Pieces:
    """One text as a model reads it, piece by piece: the word that each piece is part of, and the model's state there.

    Marks that the model sets by itself, as at the beginning and the end of a text, are left out.
    """

    words: tuple[str, ...]
    states: NDArray[np.float32]  # one row a piece; as many columns for every text of an embedder


class TokenEmbedder(Embedder, Protocol):
    """An embedder that can also tell how it understands each word where it stands: recall compares word by word."""

    def embed_tokens(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Sequence[Pieces]]:
        """In one pass, what `embed` gives and the pieces of each text. States of any length: only directions count."""
        ...
