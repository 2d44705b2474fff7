"""LanceDB, hybrid: its full-text index and vectors, combined by its default reranker (reciprocal ranks)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peers import Turn, turn_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TITLE = "LanceDB, hybrid"
FINDS_BY = "words + vectors"
REQUIRES = ("lancedb>=0.30", "numpy>=2.0")
LARGEST = 100_000


class Peer:
    def __init__(self, folder: Path) -> None:
        import lancedb

        self.version = lancedb.__version__
        self._db = lancedb.connect(str(folder))
        self._table: Any = self._db.open_table("turns") if "turns" in self._db.table_names() else None
        self._count = 0 if self._table is None else self._table.count_rows()

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        import pyarrow as pa

        size = len(turns)
        data = pa.table(
            {
                "place": pa.array(range(self._count, self._count + size), pa.int64()),
                "text": [turn_text(turn) for turn in turns],
                "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1]),
            }
        )
        if self._table is None:  # no vector index: its manual advises one from about 100,000 rows on
            self._table = self._db.create_table("turns", data)
            self._table.create_fts_index("text")
        else:
            self._table.add(data)
            self._table.optimize()
        self._count += size

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        asked = self._table.search(query_type="hybrid").vector(vector).text(question["text"])
        return asked.distance_type("cosine").select(["place"]).limit(k).to_arrow()["place"].to_pylist()  # type: ignore[no-any-return]

    def close(self) -> None:
        self._table = None
