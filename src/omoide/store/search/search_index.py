"""Searching by words and by vectors, over copies in memory that follow what any process writes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from omoide.domain.changed import changed
from omoide.store.engine.connection import Connection
from omoide.store.engine.file import DatabaseFile, Table, reads, writes
from omoide.store.search import embedding, fulltext, node_filter, vectors
from omoide.store.search.node_filter import NodeFilter, SortOrder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.store.search.node_columns import ColumnLoader, NodeColumns, ScoredNodes
    from omoide.store.search.postings import Postings
    from omoide.store.search.vector_index import VectorIndex

_FEW_NODES = 5_000  # a filter that leaves fewer nodes is applied before the search
_MOST_FILTERS = 100  # that are remembered
_MARGIN = 20  # how many more than wanted are found before filtering; four times as many if too few pass


class _Copies:
    """The copies in memory, which all viewers of a file share: they hold ids and numbers, and no words."""

    def __init__(self) -> None:
        self.lock = threading.Lock()  # two threads must not load the vectors at once
        self.vectors: tuple[int, int, int, VectorIndex] | None = None  # model, position in the log, newest vector
        self.postings: Postings | None = None
        self.columns: ColumnLoader | None = None


class SearchIndex(Table):
    """Holds posting lists, vectors and columns; the table `cache_invalidation` says which of them changed."""

    exact_words = reads(fulltext.exact_words)

    def __init__(self, file: DatabaseFile, copies: _Copies | None = None) -> None:
        super().__init__(file)
        self._copies = copies or _Copies()
        self._many: dict[NodeFilter, int] = {}  # filters that left many of so many nodes

    def viewed(self, file: DatabaseFile) -> SearchIndex:
        """The same copies, filtered by what a viewer of the file may see."""
        return SearchIndex(file, self._copies)

    def columns(self) -> NodeColumns:
        """Columns of all nodes, up to date."""
        return self._file.read(self._load_columns)

    def _load_columns(self, db: Connection) -> NodeColumns:
        if self._copies.columns is None:
            from omoide.store.search.node_columns import ColumnLoader

            self._copies.columns = ColumnLoader()
        return self._copies.columns.current(db)

    def mark_without_constraint(self, ids: Sequence[int]) -> None:
        """Remembers that the current texts of these turns state no constraint."""
        if self._copies.columns is not None:
            self._file.read(self._copies.columns.mark_without_constraint, ids)

    def matching(self, keep: NodeFilter, limit: int, order: SortOrder = "newest") -> list[int]:
        """Ids of nodes that pass a filter."""
        return self._file.read(self._matching, keep, limit, order)

    def _matching(self, db: Connection, keep: NodeFilter, limit: int, order: SortOrder) -> list[int]:
        if keep.kinds and not self._load_columns(db).has(keep.kinds):
            return []
        return node_filter.matching(db, keep, limit, order)

    def passing(self, ids: Sequence[int], keep: NodeFilter) -> list[int]:
        """Those of the nodes that pass a filter, in the given order."""
        import numpy as np

        given = np.array(ids, np.int64)
        found: list[int] = given[self.passes(given, keep)].tolist()
        return found

    def passes(self, ids: NDArray[np.integer], keep: NodeFilter) -> NDArray[np.bool_]:
        """Which of the nodes pass a filter."""
        return self._file.read(self._passing, ids, keep)

    def _passing(self, db: Connection, ids: NDArray[np.integer], keep: NodeFilter) -> NDArray[np.bool_]:
        """Which of the nodes pass a filter; only rows that need it are read."""
        import numpy as np

        if not keep.ordinary:
            return np.isin(ids, node_filter.passing(db, ids.tolist(), keep))
        columns = self._load_columns(db)
        allowed = columns.is_kind(ids, keep.kinds)
        doubtful = allowed & columns.needs_check(ids)
        if doubtful.any():
            allowed[doubtful] = np.isin(ids[doubtful], node_filter.passing(db, ids[doubtful].tolist(), keep))
        return allowed

    def _best_passing(
        self, db: Connection, found: Callable[[int], ScoredNodes], keep: NodeFilter, limit: int
    ) -> ScoredNodes:
        """The best nodes that pass a filter; searches deeper while too few pass."""
        reach = limit + _MARGIN
        while True:
            best = found(reach)
            passed = best[self._passing(db, best.ids, keep)]
            if len(passed) >= limit or len(best) < reach:
                return passed[:limit]
            reach *= 4

    def _few_passing(self, db: Connection, keep: NodeFilter) -> list[int] | None:
        """The nodes that pass a filter, if they are few; that they are many is remembered until the file has grown."""
        if not keep.selective:
            return None
        filter, nodes = changed(keep, valid_at=None, superseded=False), fulltext.file_state(db).nodes
        if self._many.get(filter, 0) <= nodes <= self._many.get(filter, 0) * 5 // 4:
            return None
        few = node_filter.matching(db, keep, _FEW_NODES)
        if len(few) < _FEW_NODES:
            return few
        if len(self._many) >= _MOST_FILTERS:
            self._many.clear()
        self._many[filter] = nodes
        return None

    def text(self, wanted: Sequence[str], keep: NodeFilter, limit: int) -> ScoredNodes:
        """Nodes with any of the quoted words, the best by BM25 first."""
        return self._file.read(self._search_text, wanted, keep, limit)

    def _search_text(self, db: Connection, wanted: Sequence[str], keep: NodeFilter, limit: int) -> ScoredNodes:
        scores = self._lists().scored(db, wanted)
        if (few := self._few_passing(db, keep)) is not None:
            found = scores.among(few, limit)
        else:
            found = self._best_passing(db, scores.best, keep, limit)
        return found if keep.as_of is None else fulltext.with_earlier_texts(db, found, wanted, keep, limit)

    def nearest(self, model_id: int, vector: NDArray[np.float32], keep: NodeFilter, limit: int) -> ScoredNodes:
        """The nodes whose vectors are most similar, with their cosines."""
        return self._file.read(self._search_vectors, model_id, vector, keep, limit)

    def _search_vectors(
        self, db: Connection, model_id: int, vector: NDArray[np.float32], keep: NodeFilter, limit: int
    ) -> ScoredNodes:
        index = self._load_vectors(db, model_id)
        if (few := self._few_passing(db, keep)) is not None:
            return index.scores(vector, few)[:limit]
        return self._best_passing(db, lambda reach: index.search(vector, reach), keep, limit)

    def _lists(self) -> Postings:
        if self._copies.postings is None:
            from omoide.store.search.postings import Postings

            self._copies.postings = Postings()
        return self._copies.postings

    def rarities(self, wanted: Sequence[str]) -> dict[str, float]:
        """The rarity (inverse document frequency) of each quoted word; unknown words are left out."""
        return self._file.read(self._lists().rarities, wanted)

    def vectors(self, model_id: int) -> VectorIndex:
        """The vectors of a model in memory, brought up to date."""
        return self._file.read(self._load_vectors, model_id)

    def has_vectors(self, model_id: int) -> bool:
        """Whether a node has a vector, as far as is known; all may have been erased since the last search."""
        held = self._copies.vectors
        return bool((held and held[0] == model_id and len(held[3])) or len(self.vectors(model_id)))

    def _load_vectors(self, db: Connection, model_id: int) -> VectorIndex:
        with self._copies.lock:
            return self._current_vectors(db, model_id)

    def _current_vectors(self, db: Connection, model_id: int) -> VectorIndex:
        from omoide.store.search.vector_index import VectorIndex

        _, _, newest, end = fulltext.file_state(db)
        held = self._copies.vectors if self._copies.vectors and self._copies.vectors[0] == model_id else None
        if held and end <= held[1] and newest <= held[2]:  # as new as this transaction, or newer
            return held[3]
        gone = fulltext.changed_since(db, ("vector",), held[1]) if held else None
        if held is None or gone is None:
            index = VectorIndex(vectors.model_dimensions(db, model_id))
            last = 0
        else:
            _, _, last, index = held
        self._copies.vectors = None  # an interrupt below leaves a half loaded index
        index.remove(gone or ())
        index.load(vectors.vectors_since(db, model_id, last), newest - last if held is None else 0)
        self._copies.vectors = (model_id, end, newest, index)
        return index


class EmbeddingTable(Table):
    """The model in use, the queue of texts without a vector, and saving vectors."""

    current_model_id = reads(vectors.current_model_id)
    is_current_model = reads(vectors.is_current_model)
    wants_vectors = reads(vectors.wants_vectors)
    pending_count = reads(vectors.pending_count)
    read_token_states = reads(embedding.read_token_states)
    damaged_vectors = reads(vectors.damaged_vectors)
    rebuild_vectors = writes(vectors.rebuild_vectors)
    release_texts = writes(vectors.release_texts)
    save_vectors = writes(vectors.save_vectors)

    def use_model(self, name: str, dimensions: int, gives_tokens: bool = False) -> int:
        """Makes a model the one in use and returns its id; writes only if it was another."""
        found = self._file.read(vectors.current_model)
        if found and found[1:] == (name, dimensions, gives_tokens):
            return found[0]
        return self._file.write(vectors.use_model, name, dimensions, gives_tokens)

    def claim_texts(self, model_id: int, size: int) -> list[tuple[int, str | None, str]]:
        """Claims texts to embed; none while another model is in use, because the queue belongs to that one."""
        if not self._file.read(vectors.has_pending):
            return []
        return self._file.write(
            lambda db: vectors.claim_texts(db, size) if vectors.is_current_model(db, model_id) else []
        )
