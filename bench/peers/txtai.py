"""txtai, hybrid: BM25 and faiss, combined by its own weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from peers import Turn, turn_text
from peers.given_vectors import Given

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TITLE = "txtai, hybrid"
FINDS_BY = "words + vectors"
REQUIRES = ("txtai>=9.0",)
LARGEST = 100_000


class Peer:
    def __init__(self, folder: Path) -> None:
        from importlib.metadata import version

        import txtai

        self.version = version("txtai")
        self._folder = folder / "index"
        given = self.given = Given()
        # Must be a plain function: txtai calls other callables at once, without texts.
        transform = lambda texts: given.embed(texts)  # noqa: E731
        config = {"method": "external", "transform": transform, "hybrid": True, "content": False}
        self._embeddings = txtai.Embeddings(config)
        self._count = 0
        if self._folder.exists():
            self._embeddings.load(str(self._folder), config={"transform": transform})
            self._count = self._embeddings.count()

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        texts = [turn_text(turn) for turn in turns]
        self.given.know(texts, vectors)
        self._embeddings.upsert((self._count + place, text, None) for place, text in enumerate(texts))
        self._count += len(texts)
        # The function cannot be stored; it is set again when the file is opened.
        transform = self._embeddings.config.pop("transform")
        self._embeddings.save(str(self._folder))
        self._embeddings.config["transform"] = transform

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        self.given.know([question["text"]], vector[None])
        return [int(place) for place, _ in self._embeddings.search(question["text"], k)]

    def close(self) -> None:
        self._embeddings.close()
