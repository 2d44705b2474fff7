"""Searching: by words over posting lists, by meaning over vectors in memory, and where those come from."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import apsw

from omoide.clock import Clock
from omoide.ids import UlidFactory
from omoide.store.ageing import archive
from omoide.store.door.opened import Opened
from omoide.store.records import nodes
from omoide.store.search import embedding, fulltext, vectors
from omoide.store.search.fulltext import NodeFilter, TextScores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.store.search.postings import Postings
    from omoide.store.search.vector_index import VectorIndex

_FIRST = 12  # searches by words alone, some three a question: so many cost less than the import of numpy


class Searching(Opened):
    """Holds copies in memory of what is searched; the log `stale` tells which of them no longer hold."""

    def __init__(self, path: str, clock: Clock, ids: UlidFactory, busy_timeout: float) -> None:
        super().__init__(path, clock, ids, busy_timeout)
        self._lock = threading.Lock()  # of the vectors in memory: two threads must not load them at once
        self._planes: tuple[int, int, int, VectorIndex] | None = None  # model, position in the log, newest vector
        self._postings: Postings | None = None
        self._asked = 0

    def search_text(self, wanted: Sequence[str], keep: NodeFilter, limit: int) -> list[tuple[int, float]]:
        """(node, BM25, higher is better), best first, for any of the quoted words."""
        self._asked += 1

        def read(db: apsw.Connection) -> list[tuple[int, float]]:
            found = fulltext.search(db, self._scores(db, wanted), keep, limit)
            if keep.archive:
                found += fulltext.search(db, archive.archive_scores(db, wanted), keep, limit)
                found = sorted(found, key=lambda each: (-each[1], each[0]))[:limit]
            return found if keep.as_of is None else fulltext.with_earlier_texts(db, found, wanted, keep, limit)

        return self._read(read)

    def _scores(self, db: apsw.Connection, wanted: Sequence[str]) -> TextScores:
        """FTS5 alone answers a process that asks once or twice before numpy is there; both score alike."""
        early = self._postings is None and "numpy" not in sys.modules and self._asked <= _FIRST
        if early and fulltext.is_affordable(db, wanted):
            return fulltext.fts_scores(db, wanted)
        return self._lists().scored(db, wanted)

    def _lists(self) -> Postings:
        if self._postings is None:
            from omoide.store.search.postings import Postings

            self._postings = Postings()
        return self._postings

    def rarities(self, wanted: Sequence[str]) -> dict[str, float]:
        """How much each of the quoted words tells apart here; what the index has no word for is left out."""
        return self._read(lambda db: self._lists().rarities(db, wanted))

    def next_end(self, after: int) -> int | None:
        """When the next of all nodes ceases to be true."""
        return self._read(lambda db: nodes.next_valid_until(db, after))

    def matching(self, keep: NodeFilter, limit: int, order: fulltext.SortOrder = "newest") -> list[int]:
        return self._read(lambda db: fulltext.matching(db, keep, limit, order))

    def passing(self, ids: Sequence[int], keep: NodeFilter) -> list[int]:
        return self._read(lambda db: fulltext.passing(db, ids, keep))

    def use_model(self, name: str, dimensions: int, gives_tokens: bool = False) -> int:
        """Makes a model the current one; only a change of model writes."""
        found = self._read(vectors.current_model)
        if found and found[1:] == (name, dimensions, gives_tokens):
            return found[0]
        return self._write(lambda db: vectors.use_model(db, name, dimensions, gives_tokens))

    def claim_texts(self, model_id: int, size: int) -> list[tuple[int, str | None, str]]:
        """Texts to embed, none while another model is the current one: the queue is that one's."""
        if not self._read(lambda db: vectors.has_pending(db)):
            return []

        def work(db: apsw.Connection) -> list[tuple[int, str | None, str]]:
            return vectors.claim_texts(db, size) if vectors.is_current_model(db, model_id) else []

        return self._write(work)

    def release_texts(self, ids: Sequence[int], error: str, *, blamed: bool) -> None:
        self._write(lambda db: vectors.release_texts(db, ids, error, blamed=blamed))

    def is_current(self, model_id: int) -> bool:
        return self._read(lambda db: vectors.is_current_model(db, model_id))

    def wants_vectors(self, model: str, gives_tokens: bool = False) -> bool:
        """Whether some texts wait for a vector of this model or its token states; looking writes nothing."""

        def read(db: apsw.Connection) -> bool:
            current = vectors.current_model(db)
            changed = current is not None and (current[1], current[3]) != (model, gives_tokens)
            return changed or vectors.has_pending(db)

        return self._read(read)

    def waiting_texts(self) -> int:
        return self._read(vectors.pending_count)

    def save_vectors(
        self, model_id: int, ids: Sequence[int], found: NDArray[np.float32], states: Sequence[bytes] | None = None
    ) -> None:
        self._write(lambda db: vectors.save_vectors(db, model_id, ids, found, states))

    def token_states(self, model_id: int, ids: Sequence[int]) -> dict[int, bytes]:
        """The packed token states of those that have some."""
        return self._read(lambda db: embedding.read_token_states(db, model_id, ids))

    def planes(self, model_id: int) -> VectorIndex:
        """The model's vectors in memory, brought up to date with what any process has written."""
        from omoide.store.search.vector_index import (
            VectorIndex,  # and with it numpy, which the first keyword answers do without
        )

        def read(db: apsw.Connection) -> VectorIndex:
            end, newest = fulltext.change_position(db), vectors.newest_vector(db)
            held = self._planes if self._planes and self._planes[0] == model_id else None
            if held and held[1:3] == (end, newest):
                return held[3]
            gone = fulltext.changed_since(db, "vector", held[1]) if held else None
            if held is None or gone is None:
                planes = VectorIndex(
                    vectors.model_dimensions(db, model_id)
                )  # of this model, whichever is current by now
                last = 0
            else:
                _, _, last, planes = held
            self._planes = None  # what an interrupt leaves half loaded is loaded anew
            planes.remove(gone or ())
            planes.load(vectors.vectors_since(db, model_id, last))
            self._planes = (model_id, end, newest, planes)
            return planes

        with self._lock:
            return self._read(read)
