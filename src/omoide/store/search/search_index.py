"""Searching by words and by vectors, over copies in memory that follow what any process writes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from omoide.store.engine.connection import Connection
from omoide.store.engine.file import DatabaseFile, Table, reads, writes
from omoide.store.search import embedding, fulltext, node_filter, vectors, words
from omoide.store.search.fulltext import ScoredNodes, TextScores
from omoide.store.search.node_filter import NodeFilter

if TYPE_CHECKING:
    from omoide.store.search.postings import Postings
    from omoide.store.search.vector_index import VectorIndex

_FTS_SEARCHES = 12  # text searches of a process, about three a question, that cost less than importing numpy


class SearchIndex(Table):
    """Holds posting lists and vectors; the table `cache_invalidation` says which of them changed."""

    matching = reads(node_filter.matching)
    passing = reads(node_filter.passing)
    exact_words = reads(words.exact_words)

    def __init__(self, file: DatabaseFile) -> None:
        super().__init__(file)
        self._lock = threading.Lock()  # two threads must not load the vectors at once
        self._vectors: tuple[int, int, int, VectorIndex] | None = None  # model, position in the log, newest vector
        self._postings: Postings | None = None
        self._searches = 0

    def text(self, wanted: Sequence[str], keep: NodeFilter, limit: int) -> ScoredNodes:
        """(node, BM25 score) for any of the quoted words, the best first."""
        self._searches += 1
        return self._file.read(self._search_text, wanted, keep, limit)

    def _search_text(self, db: Connection, wanted: Sequence[str], keep: NodeFilter, limit: int) -> ScoredNodes:
        found = fulltext.search(db, self._scores(db, wanted), keep, limit)
        return found if keep.as_of is None else fulltext.with_earlier_texts(db, found, wanted, keep, limit)

    def _scores(self, db: Connection, wanted: Sequence[str]) -> TextScores:
        """FTS5 answers the first searches of a process, before numpy is loaded; the scores are the same."""
        early = self._postings is None and "numpy" not in sys.modules and self._searches <= _FTS_SEARCHES
        if early and fulltext.is_affordable(db, wanted):
            return fulltext.fts_scores(db, wanted)
        return self._lists().scored(db, wanted)

    def _lists(self) -> Postings:
        if self._postings is None:
            from omoide.store.search.postings import Postings

            self._postings = Postings()
        return self._postings

    def rarities(self, wanted: Sequence[str]) -> dict[str, float]:
        """The rarity (inverse document frequency) of each quoted word; unknown words are left out."""
        return self._file.read(self._lists().rarities, wanted)

    def vectors(self, model_id: int) -> VectorIndex:
        """The vectors of a model in memory, brought up to date."""
        with self._lock:
            return self._file.read(self._load_vectors, model_id)

    def _load_vectors(self, db: Connection, model_id: int) -> VectorIndex:
        from omoide.store.search.vector_index import VectorIndex

        end, newest = fulltext.change_position(db), vectors.newest_vector(db)
        held = self._vectors if self._vectors and self._vectors[0] == model_id else None
        if held and held[1:3] == (end, newest):
            return held[3]
        gone = fulltext.changed_since(db, "vector", held[1]) if held else None
        if held is None or gone is None:
            index = VectorIndex(vectors.model_dimensions(db, model_id))
            last = 0
        else:
            _, _, last, index = held
        self._vectors = None  # an interrupt below leaves a half loaded index
        index.remove(gone or ())
        index.load(vectors.vectors_since(db, model_id, last))
        self._vectors = (model_id, end, newest, index)
        return index


class EmbeddingTable(Table):
    """The model in use, the queue of texts without a vector, and saving vectors."""

    current_model_id = reads(vectors.current_model_id)
    is_current_model = reads(vectors.is_current_model)
    wants_vectors = reads(vectors.wants_vectors)
    pending_count = reads(vectors.pending_count)
    read_token_states = reads(embedding.read_token_states)
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
