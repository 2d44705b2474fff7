"""The baseline, written in an afternoon: an FTS5 table, a numpy matrix, reciprocal rank fusion."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from peers import Turn, turn_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TITLE = "FTS5 + numpy, reciprocal ranks (anchor)"
FINDS_BY = "words + vectors"
REQUIRES: tuple[str, ...] = ()
LARGEST = 1_000_000
_REACH, _K = 100, 60


class Peer:
    def __init__(self, folder: Path) -> None:
        import apsw
        import numpy as np

        self.version = f"SQLite {apsw.sqlite_lib_version()}, numpy {np.__version__}"
        self._file = folder / "vectors.npy"
        self._db = apsw.Connection(str(folder / "anchor.db"))
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS docs USING fts5 (text, tokenize = 'porter')")
        self._matrix = np.load(self._file) if self._file.exists() else np.empty((0, 384), np.float32)

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        import numpy as np

        rows = [(len(self._matrix) + place, turn_text(turn)) for place, turn in enumerate(turns)]
        with self._db:
            self._db.executemany("INSERT INTO docs (rowid, text) VALUES (?, ?)", rows)
        self._matrix = np.concatenate([self._matrix, vectors])
        np.save(self._file, self._matrix)

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        fused: dict[int, float] = {}
        for ranked in (self._by_words(question["text"]), self._by_vector(vector)):
            for rank, place in enumerate(ranked, start=1):
                fused[place] = fused.get(place, 0.0) + 1 / (_K + rank)
        return sorted(fused, key=lambda place: -fused[place])[:k]

    def _by_words(self, text: str) -> list[int]:
        expression = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text))
        if not expression:
            return []
        found = self._db.execute(
            "SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT ?", (expression, _REACH)
        )
        return [row[0] for row in found]

    def _by_vector(self, vector: NDArray[np.float32]) -> list[int]:
        import numpy as np

        scores = self._matrix @ vector
        size = min(_REACH, len(scores))
        near = np.argpartition(-scores, size - 1)[:size]
        return near[np.argsort(-scores[near])].tolist()  # type: ignore[no-any-return]

    def close(self) -> None:
        self._db.close()
