"""mem0 with local qdrant and `infer=False`, since there is no language model here.

Its keyword search downloads a BM25 encoder, so offline it uses vectors only and says so in its log.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peers import Turn, turn_text
from peers.given_vectors import Given

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TITLE = "mem0, local qdrant"
FINDS_BY = "vectors (its words need a download)"
REQUIRES = ("mem0ai>=2.0", "qdrant-client>=1.15", "numpy>=2.0")
LARGEST = 10_000  # qdrant's own advice for its local mode is 20,000 at most
_USER = "bench"


class _Embedder:
    """Replaces its embedder."""

    def __init__(self, given: Given) -> None:
        self._given = given

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self._given.vector(text).tolist()  # type: ignore[no-any-return]

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text) for text in texts]


class Peer:
    def __init__(self, folder: Path) -> None:
        os.environ["MEM0_DIR"] = str(folder / "home")
        os.environ.setdefault("OPENAI_API_KEY", "none")  # it creates a client that is never used
        from importlib.metadata import version

        from mem0 import Memory

        self.version = version("mem0ai")
        self.given = Given()
        store = {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": self.given.dimensions}
        self._memory: Any = Memory.from_config(
            {"vector_store": {"provider": "qdrant", "config": store}, "history_db_path": str(folder / "history.db")}
        )
        self._memory.embedding_model = _Embedder(self.given)
        self._count = 0

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        texts = [turn_text(turn) for turn in turns]
        self.given.know(texts, vectors)
        for text in texts:
            self._memory.add(text, user_id=_USER, infer=False, metadata={"place": self._count})
            self._count += 1

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        self.given.know([question["text"]], vector[None])
        found = self._memory.search(question["text"], top_k=k, filters={"user_id": _USER})
        return [int(each["metadata"]["place"]) for each in found["results"]]

    def close(self) -> None:
        self._memory.vector_store.client.close()
        self._memory.close()
