"""The full-text index: what FTS5 knows of a word, tokens, earlier texts, and the log of changes for caches."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

import apsw

from omoide.domain.entity import name_key
from omoide.language.text import fts_terms, index_text
from omoide.store.engine.connection import TEXT_WITH_ARCHIVE, Connection
from omoide.store.search import node_filter
from omoide.store.search.node_filter import NodeFilter

if TYPE_CHECKING:
    from omoide.store.search.node_columns import ScoredNodes


# Words: tokens of the full-text index, exact spellings.


_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2", "categories", "L* N* Co M*"])  # as in the schema
_LONGEST_TOKEN = 32_768  # bytes of a token that the index stores

Tokenize = Callable[[str], list[str]]


def make_tokenizer(db: Connection) -> Tokenize:
    """A function that splits a text into the tokens of the full-text index."""
    tokenize = db.fts5_tokenizer(*_TOKENIZER)

    def cut(text: str) -> list[str]:
        found = cast(
            list[str],
            tokenize(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False),
        )
        return found if len(text) < _LONGEST_TOKEN // 4 else [_truncated(word) for word in found]

    return cut


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word or phrase of a query: its tokens, and the quoted form for FTS5.

    Two forms of a word count twice, as in FTS5: counting each stem once was no better on any test set.
    """

    stems: tuple[str, ...]
    quoted: str

    @property
    def is_phrase(self) -> bool:
        return len(self.stems) > 1


def query_terms(db: Connection, wanted: Iterable[str]) -> list[QueryTerm]:
    """The quoted words and phrases of a query, without those that have no token."""
    cut = make_tokenizer(db)
    found = [QueryTerm(tuple(cut(each)), each) for each in wanted]
    return [each for each in found if each.stems]


def _truncated(word: str) -> str:
    return word if len(word) < _LONGEST_TOKEN // 4 else word.encode()[:_LONGEST_TOKEN].decode(errors="ignore")


# Exact spellings: the full-text index only knows stems.


_SAMPLE_TEXTS = 20  # texts with the same stem that are checked
_READ_CHARACTERS = 20_000  # characters of each that are read


def exact_words(db: Connection, words: Sequence[str]) -> frozenset[str]:
    """Those of the words that occur in a text in exactly this spelling, ignoring case and accents."""
    return frozenset(word for word in words if _occurs_exactly(db, word))


def _occurs_exactly(db: Connection, word: str) -> bool:
    found = db.execute(
        f"""
        SELECT substr({TEXT_WITH_ARCHIVE}, 1, :length), coalesce(node.speaker, ''), coalesce(node.tags, '')
        FROM (
            SELECT rowid AS id
            FROM nodes_fts
            WHERE nodes_fts MATCH :word
            LIMIT :sample
        ) AS holding
        JOIN node ON node.id = holding.id
        """,
        {"word": " OR ".join(fts_terms([word])) or '""', "sample": _SAMPLE_TEXTS, "length": _READ_CHARACTERS},
    )
    return any(name_key(word) in name_key(" ".join(row)).split() for row in found)


_NO_WORD = re.compile(r'["\x00]')


def index_nodes(db: Connection, ids: Sequence[int]) -> None:
    """Adds nodes to the index."""
    db.execute(
        """
        INSERT INTO nodes_fts (rowid, text, speaker, tags)
        SELECT id, text, speaker, tags
        FROM indexed_text_with_archive
        WHERE id IN (SELECT value FROM json_each(?))
        """,
        (json.dumps(list(ids)),),
    )


def rebuild_index(db: Connection) -> None:
    """Rebuilds the full-text index from the rows."""
    with _archived_texts_in_content(db):
        db.execute("INSERT INTO nodes_fts (nodes_fts) VALUES ('rebuild')")
    invalidate_all(db)


def is_index_consistent(db: Connection) -> bool:
    """Whether the index holds exactly the words of all rows. Reads everything."""
    with _archived_texts_in_content(db):
        try:
            db.execute("INSERT INTO nodes_fts (nodes_fts, rank) VALUES ('integrity-check', 1)")
        except apsw.CorruptError:  # FTS5 reports a difference between index and content like this
            return False
    return True


@contextmanager
def _archived_texts_in_content(db: Connection) -> Iterator[None]:
    """Inside, in this transaction, the content of the index includes the text of archived nodes."""
    view = str(db.execute("SELECT sql FROM sqlite_schema WHERE name = 'indexed_text'").get)
    db.execute("DROP VIEW indexed_text")
    db.execute("CREATE VIEW indexed_text AS SELECT id, text, speaker, tags FROM indexed_text_with_archive")
    try:
        yield
    finally:
        db.execute("DROP VIEW indexed_text")
        db.execute(view)


def prefix_query(text: str) -> str:
    """An FTS5 query for rows that contain every word of a text; the last word may be unfinished."""
    words = [_NO_WORD.sub(" ", each) for each in (index_text(text) or text).split()]
    return " ".join(f'"{word}"' for word in words) + "*" if words else '""'


# BM25.


_COLUMN_WEIGHTS = "1.0, 0.5, 0.8"  # of text, speaker, tags; search/postings.py has them in tenths
_SMALL_STORE = 1_000  # nodes


def document_count(db: Connection, word: str) -> int:
    """How many nodes contain a quoted word or phrase."""
    return int(db.execute("SELECT count(*) FROM nodes_fts WHERE nodes_fts MATCH ?", (word,)).get)


def word_rarity(held: int, size: int) -> float:
    """The inverse document frequency of a word: FTS5's log((N - n + 1/2) / (n + 1/2)), with a lower bound.

    It is zero once half of all rows contain the word, which in a small store is every word that matters. Lucene's log(1
    + ...), which is never zero, is the lower bound there; it loses weight as the store grows.
    """
    odds = (size - held + 0.5) / (held + 0.5)
    young = _SMALL_STORE / max(_SMALL_STORE, size)
    return max(math.log(odds), young * math.log1p(odds))


def fts_frequencies(db: Connection, word: str, size: int) -> list[tuple[int, float]]:
    """(node, weight) for a quoted word or phrase: BM25 without the rarity.

    FTS5 returns rarity x weight, so its rarity is divided out.
    """
    found = list(
        db.execute(f"SELECT rowid, -bm25(nodes_fts, {_COLUMN_WEIGHTS}) FROM nodes_fts WHERE nodes_fts MATCH ?", (word,))
    )
    size = max(size, len(found))  # the size may be of an earlier or a later state
    theirs = math.log((size - len(found) + 0.5) / (len(found) + 0.5)) if found else 1.0
    return [(id, score / (theirs if theirs > 0 else 1e-6)) for id, score in found]


# Earlier texts of nodes that were updated in place.


_DECLARED_TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"  # as for nodes_fts


def with_earlier_texts(
    db: Connection, found: ScoredNodes, wanted: Sequence[str], keep: NodeFilter, limit: int
) -> ScoredNodes:
    """Adds nodes whose text at `as_of` matches.

    Few texts were updated since then, so they are indexed in memory for this one query.
    """
    from omoide.store.search.node_columns import ScoredNodes

    assert keep.as_of is not None
    scores = dict(found)
    for id, score in _score_earlier_texts(db, wanted, keep.as_of).items():
        scores[id] = max(score, scores.get(id, 0.0))
    return ScoredNodes.of((id, scores[id]) for id in node_filter.passing(db, list(scores), keep))[:limit]


def _score_earlier_texts(db: Connection, wanted: Sequence[str], as_of: int) -> dict[int, float]:
    """Scores by rarity only: length statistics of today's texts do not apply to earlier ones."""
    then = list(
        db.execute(
            """
            SELECT node_id, before ->> 'text', min(id)
            FROM change
            WHERE verb = 'update' AND at > ? AND before ->> 'text' IS NOT NULL
            GROUP BY node_id
            """,
            (as_of,),
        )
    )
    if not then:
        return {}
    size = int(db.execute("SELECT count(*) FROM node").get)
    index = _temporary_index([(id, str(text)) for id, text, _ in then])
    scores: dict[int, float] = {}
    for word in wanted:
        holders = [row[0] for row in index.execute("SELECT rowid FROM wording WHERE wording MATCH ?", (word,))]
        rarity = word_rarity(max(len(holders), document_count(db, word)), size) if holders else 0.0
        for id in holders:
            scores[id] = scores.get(id, 0.0) + rarity
    index.close()
    return scores


def _temporary_index(texts: Sequence[tuple[int, str]]) -> apsw.Connection:
    index = apsw.Connection(":memory:")
    index.execute(f'CREATE VIRTUAL TABLE wording USING fts5 (text, content = "", tokenize = "{_DECLARED_TOKENIZER}")')
    with index:
        index.executemany(
            "INSERT INTO wording (rowid, text) VALUES (?, ?)", [(id, index_text(text) or text) for id, text in texts]
        )
    return index


# The log of changed texts and vectors, for caches in memory.


ChangedPart = Literal["text", "vector", "node"]


class FileState(NamedTuple):
    """How far a file is: the highest ids. Copies in memory compare it with the state that they were read from."""

    nodes: int
    edges: int
    vectors: int
    changes: int  # the end of the change log


def file_state(db: Connection) -> FileState:
    """The state that this transaction sees; asked once where several reads share a transaction."""
    found: FileState | None = db.state_read
    if found is None:
        row = db.execute(
            """
            SELECT
                (SELECT coalesce(max(id), 0) FROM main.node),
                (SELECT coalesce(max(id), 0) FROM main.edge),
                (SELECT coalesce(max(id), 0) FROM vector),
                (SELECT coalesce(max(id), 0) FROM cache_invalidation)
            """
        ).fetchone()
        found = FileState(*(row or (0, 0, 0, 0)))
        if db.in_one_state:
            db.state_read = found
    return found


def changed_since(db: Connection, parts: Sequence[ChangedPart], after: int) -> list[int] | None:
    """The nodes that changed after a position, in order; None if the log does not reach back so far."""
    if int(db.execute("SELECT coalesce(min(id), 1) FROM cache_invalidation").get) > after + 1:
        return None
    marks = ", ".join("?" * len(parts))
    return db.column(
        f"SELECT node_id FROM cache_invalidation WHERE id > ? AND part IN ({marks}) ORDER BY id", (after, *parts)
    )


def invalidate_all(db: Connection) -> None:
    """Makes all caches load everything again, by a gap in the log."""
    db.execute("DELETE FROM cache_invalidation")
    db.execute(
        """
        INSERT INTO cache_invalidation (id, part, node_id)
        SELECT coalesce(max(seq), 0) + 2, 'text', 0
        FROM sqlite_sequence
        WHERE name = 'cache_invalidation'
        """
    )
