"""What an embedder is: texts in, one vector of a fixed size each out."""

from __future__ import annotations

from collections.abc import Sequence
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
