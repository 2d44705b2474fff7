"""Posting lists in memory: of each word that was asked for, which nodes hold it and how often.

FTS5 weighs a matching row in about a microsecond; over lists in memory numpy needs a hundredth of that. They are no
second truth: a list is read from FTS5's own index when its word is first asked for, and brought up to date with what
any process has written since. New and changed texts are cut by FTS5's own tokenizer and laid over the lists.
"""

from __future__ import annotations

import json
import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omoide.store.engine.connection import Connection
from omoide.store.search import fulltext, words
from omoide.store.search.fulltext import word_rarity
from omoide.store.search.words import QueryTerm

_COLUMN_TENTHS = (10, 5, 8)  # of text, speaker, tags; store/plain.py has the same as FTS5 takes it
_MOST_BYTES = 64_000_000  # bytes: room for ten million entries, the common words of a million nodes
_MOST_TENTHS = 65_535  # what 16 bits hold; a word said so often weighs no more when said again
_LIST_OVERHEAD = 400  # bytes of a list besides its entries: the word, the arrays' heads
_MOST_CHANGES = 4_000  # texts that are cut and laid over the lists; after more, reading the lists again is cheaper
_MOST_ENTRIES = 500_000  # entries for one question, some five milliseconds; beyond, its commonest words are left out
_PHRASE_COST = 8  # times as dear as a word's entry: FTS5 weighs phrases, since lists know no order


@dataclass(frozen=True, slots=True)
class _CachedList:
    """A list, true up to some point in the news."""

    list: PostingList
    upto: int


class _RecentChanges:
    """What became of texts since the lists were read, in order of reading."""

    def __init__(self, end: int) -> None:
        self.end = end
        self.texts = 0
        self.gone: list[tuple[int, int]] = []  # (when, node): its words no longer hold
        self.told: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)  # word: (when, node, tenths)

    def lay_over(self, held: _CachedList, word: str) -> _CachedList:
        """The list with the news: without what is gone, with what is new."""
        gone = {node: when for when, node in self.gone if when > held.upto}
        more = [
            (node, tenths)
            for when, node, tenths in self.told.get(word, ())
            if when > held.upto and when >= gone.get(node, 0)
        ]
        nodes, tenths = held.list.nodes, held.list.tenths
        if gone:
            stay = ~np.isin(nodes, list(gone))
            nodes, tenths = nodes[stay], tenths[stay]
        if more:
            nodes = np.append(nodes, np.array([node for node, _ in more], np.int32))
            tenths = np.append(tenths, np.array([often for _, often in more], np.uint16))
        return _CachedList(PostingList(nodes, tenths), self.end)


class Postings:
    """Shared by all threads of a store. Whoever asks brings it up to date first, in the transaction they read in."""

    def __init__(self, bound: int = _MOST_BYTES, most_weighed: int = _MOST_ENTRIES) -> None:
        self._lock = threading.Lock()
        self._bound = bound
        self._most_weighed = most_weighed
        self._bytes = 0
        self._held: OrderedDict[str, _CachedList] = OrderedDict()  # the least lately asked for first
        self._news = _RecentChanges(0)
        self._texts = measure_lengths(_parse_numbers(""), _parse_numbers(""))
        self._newest = -1  # node; -1: nothing has been read yet
        self._position = 0  # in the log of what no longer holds

    @property
    def bytes(self) -> int:
        return self._bytes

    def scored(self, db: Connection, wanted: Sequence[str]) -> RankedScores:
        """BM25 of every node that holds one of the quoted words or phrases.

        The transaction's first look at the file must be the one in here: so its state is never older than what is held.
        """
        with self._lock:
            try:
                self._catch_up(db)
                asked = self._affordable(db, words.query_terms(db, wanted))
                lists = [self._list(db, each.stems[0]) for each in asked if not each.is_phrase]
            except BaseException:  # an interrupt may have left half of a change behind: the next one starts over
                self._newest = -1
                raise
            texts = self._texts
        phrases = [_phrase_postings(db, each.quoted, texts.count) for each in asked if each.is_phrase]
        return RankedScores([*weigh(lists, texts), *phrases], texts)

    def rarities(self, db: Connection, wanted: Sequence[str]) -> dict[str, float]:
        """How much each of the quoted words tells apart; the same holds for the transaction."""
        with self._lock:
            self._catch_up(db)
            size = self._texts.count
            held = {each.quoted: self._held_by(db, each) for each in words.query_terms(db, wanted)}
        return {quoted: fulltext.word_rarity(min(many, size), size) for quoted, many in held.items()}

    def _affordable(self, db: Connection, asked: list[QueryTerm]) -> list[QueryTerm]:
        """A guard for huge stores: the rarest words first, until the rest would cost too much. Never none."""
        if self._texts.count * sum(_PHRASE_COST if each.is_phrase else 1 for each in asked) <= self._most_weighed:
            return asked
        prices = [self._price(db, each) for each in asked]
        kept: list[QueryTerm] = []
        spent = 0
        for price, each in sorted(zip(prices, asked, strict=True), key=lambda pair: (pair[0], pair[1].stems)):
            spent += price
            if kept and spent > self._most_weighed:
                break
            kept.append(each)
        return kept

    def _price(self, db: Connection, each: QueryTerm) -> int:
        return (_PHRASE_COST if each.is_phrase else 1) * self._held_by(db, each)

    def _held_by(self, db: Connection, each: QueryTerm) -> int:
        """How many nodes hold it, without reading a long list for that alone."""
        if each.is_phrase:
            return fulltext.document_count(db, each.quoted)
        if each.stems[0] in self._held or self._texts.count <= self._most_weighed // 4:
            return len(self._list(db, each.stems[0]).nodes)
        return int(db.execute("SELECT doc FROM word WHERE term = ?", each.stems).get or 0)

    def _list(self, db: Connection, word: str) -> PostingList:
        held = self._held.pop(word, None)
        self._bytes -= held.list.bytes + _LIST_OVERHEAD if held else 0
        if held is None:
            held = _CachedList(_read_list(db, word), self._news.end)
        elif held.upto < self._news.end:
            held = self._news.lay_over(held, word)
        self._keep(word, held)
        return held.list

    def _keep(self, word: str, held: _CachedList) -> None:
        self._held[word] = held
        self._bytes += held.list.bytes + _LIST_OVERHEAD
        while self._bytes > self._bound:
            _, oldest = self._held.popitem(last=False)
            self._bytes -= oldest.list.bytes + _LIST_OVERHEAD

    # ── news ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _catch_up(self, db: Connection) -> None:
        newest, position = db.execute(
            "SELECT (SELECT coalesce(max(id), 0) FROM node), (SELECT coalesce(max(id), 0) FROM cache_invalidation)"
        ).fetchone() or (0, 0)
        if newest <= self._newest and position == self._position:
            return
        changed = fulltext.changed_since(db, "text", self._position) if self._newest >= 0 else None
        if changed is None or newest - self._newest + len(changed) > _MOST_CHANGES:
            self._start_over(db)
        else:
            self._hear(db, sorted(set(changed)))
        self._newest, self._position = max(newest, self._newest), position

    def _start_over(self, db: Connection) -> None:
        """Forgets every list, and reads how long the texts are: some milliseconds for 100,000 nodes."""
        self._held.clear()
        self._bytes = 0
        self._news = _RecentChanges(0)
        ids, sizes = db.execute(
            "SELECT coalesce(group_concat(id), ''), coalesce(group_concat(hex(sz), ''), '') FROM nodes_fts_docsize"
        ).fetchone() or ("", "")
        self._texts = measure_lengths(
            _parse_numbers(ids), _parse_varints(bytes.fromhex(sizes)).reshape(-1, len(_COLUMN_TENTHS)).sum(axis=1)
        )

    def _hear(self, db: Connection, changed: list[int]) -> None:
        """Lays new and changed texts over the lists."""
        news, cut = self._news, words.make_tokenizer(db)
        news.end += 1
        news.gone += [(news.end, node) for node in changed]
        lengths = dict.fromkeys(changed, NO_TEXT)
        for node, *columns in _indexed_texts(db, self._newest, changed):
            counts: Counter[str] = Counter()
            lengths[node] = 0
            for tenths, text in zip(_COLUMN_TENTHS, columns, strict=True):
                for word in cut(text) if text else ():
                    counts[word] += tenths
                    lengths[node] += 1
            for word, often in counts.items():
                news.told[word].append((news.end, node, min(often, _MOST_TENTHS)))
        news.texts += len(lengths)
        self._texts = self._texts.amended(lengths)
        if news.texts > _MOST_CHANGES:
            self._fold()

    def _fold(self) -> None:
        """Every list takes its news in, and they are forgotten."""
        for word, held in self._held.items():
            self._held[word] = told = self._news.lay_over(held, word)
            self._bytes += told.list.bytes - held.list.bytes
        self._news = _RecentChanges(self._news.end)


def _read_list(db: Connection, word: str) -> PostingList:
    """A word's list as the index has it. SQLite joins it to one text, which is read four times as fast as its rows."""
    found = db.execute(
        "SELECT group_concat(4 * doc + (col = 'speaker') + 2 * (col = 'tags')) FROM word_instance WHERE term = ?",
        (word,),
    ).get
    places = _parse_numbers(found or "")
    nodes = (places >> 2).astype(np.int32)
    first = np.flatnonzero(np.diff(nodes, prepend=-1))  # of each node: the index goes node by node
    tenths = np.array(_COLUMN_TENTHS)[places & 3]
    if len(first) < len(nodes):
        tenths = np.minimum(np.add.reduceat(tenths, first), _MOST_TENTHS)
    return PostingList(nodes[first], tenths.astype(np.uint16))


def _phrase_postings(db: Connection, quoted: str, size: int) -> WeightedPostings:
    found = fulltext.fts_frequencies(db, quoted, size)
    return np.array([node for node, _ in found], np.int32), np.array([often for _, often in found], np.float32)


def _indexed_texts(db: Connection, after: int, changed: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """What the index was given for the nodes after one, and for some before it."""
    yield from db.execute("SELECT id, text, speaker, tags FROM indexed_text WHERE id > ?", (after,))
    if earlier := [node for node in changed if node <= after]:
        yield from db.execute(
            "SELECT id, text, speaker, tags FROM indexed_text WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(earlier),),
        )


def _parse_numbers(joined: str) -> NDArray[np.int64]:
    return np.fromstring(joined, np.int64, sep=",")


def _parse_varints(data: bytes) -> NDArray[np.int64]:
    """SQLite's numbers of varying size: seven bits a byte, the highest first, the last byte below 128."""
    parts = np.frombuffer(data, np.uint8).astype(np.int64)
    last = np.flatnonzero(parts < 128)
    if len(last) == len(parts):
        return parts
    size = np.diff(last, prepend=-1)
    shift = 7 * (np.repeat(last, size) - np.arange(len(parts)))
    return np.add.reduceat((parts & 127) << shift, last - size + 1)


# BM25 over posting lists in memory: arithmetic alone, no database.


_K1, _B = 1.2, 0.75  # FTS5's, so that it can answer in our place


_SCAN_BELOW = 16_384  # nodes: so many scores are looked through faster than lists are picked from
_NO_NODES = np.zeros(0, np.int32)
NO_TEXT = -1  # the length of a node that is not there


@dataclass(frozen=True, slots=True)
class TextLengths:
    """How long every text is. A reader's copy stays as it is: what is added later lies beyond its end."""

    room: NDArray[np.float32]  # words, by the id of the node
    end: int
    count: int
    total: int

    @property
    def average(self) -> float:
        return max(1.0, self.total / max(1, self.count))

    def amended(self, lengths: Mapping[int, int]) -> TextLengths:
        """With other lengths for some nodes."""
        end = max(self.end, max(lengths, default=-1) + 1)
        before = [int(self.room[node]) for node in lengths if node < self.end]
        if end > len(self.room):
            room = np.full(end + end // 8, NO_TEXT, np.float32)
            room[: self.end] = self.room[: self.end]
        else:
            room = self.room.copy() if before else self.room
        room[list(lengths)] = list(lengths.values())
        count = self.count + _count_present(lengths.values()) - _count_present(before)
        return TextLengths(room, end, count, self.total + _sum_lengths(lengths.values()) - _sum_lengths(before))


def measure_lengths(nodes: NDArray[np.int64], lengths: NDArray[np.int64]) -> TextLengths:
    """The lengths of some nodes, in order of id; the others are not there."""
    end = int(nodes[-1]) + 1 if len(nodes) else 0
    room = np.full(end, NO_TEXT, np.float32)
    room[nodes] = lengths
    return TextLengths(room, end, len(nodes), int(lengths.sum()))


def _count_present(lengths: Iterable[int]) -> int:
    return sum(1 for length in lengths if length != NO_TEXT)


def _sum_lengths(lengths: Iterable[int]) -> int:
    return sum(length for length in lengths if length != NO_TEXT)


@dataclass(frozen=True, slots=True)
class PostingList:
    """The nodes that hold a word, each once, and how often, in tenths: a word among the tags counts eight."""

    nodes: NDArray[np.int32]
    tenths: NDArray[np.uint16]

    @property
    def bytes(self) -> int:
        return self.nodes.nbytes + self.tenths.nbytes


WeightedPostings = tuple[NDArray[np.int32], NDArray[np.float32]]
"""Nodes, and how much each speaks of a word."""


def weigh(lists: Sequence[PostingList], texts: TextLengths) -> list[WeightedPostings]:
    """BM25 without the rarity: more is more, but less and less so, and in a long text less.

    All lists in one go: on a small store the calls cost more than the numbers.
    """
    if not lists:
        return []
    nodes = np.concatenate([each.nodes for each in lists])
    often = np.concatenate([each.tenths for each in lists]).astype(np.float32) * np.float32(0.1)
    worn = texts.room[nodes] * np.float32(_K1 * _B / texts.average) + np.float32(_K1 * (1 - _B))
    weighed = often * np.float32(_K1 + 1) / (often + worn)
    ends = list(accumulate(len(each.nodes) for each in lists))
    return [(each.nodes, weighed[end - len(each.nodes) : end]) for each, end in zip(lists, ends, strict=True)]


class RankedScores:
    """The scores of all nodes at once, in an array by id."""

    def __init__(self, parts: Sequence[WeightedPostings], texts: TextLengths) -> None:
        self._scores = np.zeros(texts.end, np.float32)
        self._lists = [nodes for nodes, _ in sorted(parts, key=lambda part: len(part[0]))]
        for nodes, often in parts:
            self._scores[nodes] += often * np.float32(word_rarity(len(nodes), texts.count))

    def best(self, limit: int) -> list[tuple[int, float]]:
        if len(self._scores) <= _SCAN_BELOW:
            return self._ordered(self._first(np.flatnonzero(self._scores), limit), limit)
        # Each of the best is among the best of every list it stands in, so no list is looked at whole: the rarest come
        # first and set a bar that most of a long list stays below.
        least, pool = np.float32(0), [_NO_NODES]
        for nodes in self._lists:
            high = nodes[self._scores[nodes] >= least]
            first = self._first(high, limit)
            if len(first) == limit:
                least = self._scores[first].min()
            pool.append(first)
        return self._ordered(np.unique(np.concatenate(pool)), limit)

    def among(self, ids: Sequence[int], limit: int) -> list[tuple[int, float]]:
        chosen = np.unique(np.array(ids, np.int64))
        chosen = chosen[(chosen >= 0) & (chosen < len(self._scores))]
        return self._ordered(chosen[self._scores[chosen] > 0], limit)

    def _first(self, nodes: NDArray[np.signedinteger], limit: int) -> NDArray[np.signedinteger]:
        """The best of some, in no order; of equals, those with the lowest ids."""
        if len(nodes) <= limit:
            return nodes
        scores = self._scores[nodes]
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        above, level = nodes[scores > least], nodes[scores == least]
        room = limit - len(above)
        return np.concatenate((above, np.partition(level, room - 1)[:room]))

    def _ordered(self, nodes: NDArray[np.signedinteger], limit: int) -> list[tuple[int, float]]:
        scores = self._scores[nodes]
        order = np.lexsort((nodes, -scores))[:limit]
        return list(zip(nodes[order].tolist(), scores[order].tolist(), strict=True))
