"""Posting lists in memory: for each word of a query, the nodes that contain it and how frequency; and BM25 over them.

FTS5 scores a row in about a microsecond; numpy needs a hundredth of that. A list is read from the FTS5 index when its
word is first used, and updated with what any process has written since: new and changed texts are tokenized by FTS5's
own tokenizer.
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
from omoide.store.search import fulltext
from omoide.store.search.fulltext import QueryTerm, word_rarity
from omoide.store.search.node_columns import ScoredNodes, distinct

_COLUMN_TENTHS = (10, 5, 8)  # of text, speaker, tags; search/fulltext.py has the same weights for FTS5
_MOST_BYTES = 64_000_000  # bytes for ten million entries: the common words of a million nodes
_MOST_TENTHS = 65_535  # the maximum of 16 bits; more occurrences do not count
_LIST_OVERHEAD = 400  # bytes of a list besides its entries
_MOST_CHANGES = 4_000  # changed texts that are kept; after more, reading the lists again is cheaper
_MOST_ENTRIES = 500_000  # entries for one query, about five milliseconds; beyond, the most common words are left out
_PHRASE_COST = 8  # cost of a phrase relative to a word: FTS5 scores phrases, because lists have no positions


@dataclass(frozen=True, slots=True)
class _CachedList:
    """A posting list, valid up to a position in the recent changes."""

    list: PostingList
    upto: int


class _RecentChanges:
    """Changes of texts since the lists were read, in order."""

    def __init__(self, end: int) -> None:
        self.end = end
        self.texts = 0
        self.gone: list[tuple[int, int]] = []  # (position, node): its earlier words no longer count
        self.added: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)  # word: (position, node, tenths)

    def applied_to(self, held: _CachedList, word: str) -> _CachedList:
        """The list without removed and with added entries."""
        gone = {node: when for when, node in self.gone if when > held.upto}
        more = [
            (node, tenths)
            for when, node, tenths in self.added.get(word, ())
            if when > held.upto and when >= gone.get(node, 0)
        ]
        nodes, tenths = held.list.nodes, held.list.tenths
        if gone:
            stay = ~np.isin(nodes, list(gone))
            nodes, tenths = nodes[stay], tenths[stay]
        if more:
            nodes = np.append(nodes, np.array([node for node, _ in more], np.int32))
            tenths = np.append(tenths, np.array([frequency for _, frequency in more], np.uint16))
        return _CachedList(PostingList(nodes, tenths), self.end)


class Postings:
    """Shared by all threads of a store. Each caller first updates it within the transaction it reads in."""

    def __init__(self, bound: int = _MOST_BYTES, most_weighed: int = _MOST_ENTRIES) -> None:
        self._lock = threading.Lock()
        self._bound = bound
        self._most_weighed = most_weighed
        self._bytes = 0
        self._held: OrderedDict[str, _CachedList] = OrderedDict()  # the least recently used first
        self._changes = _RecentChanges(0)
        self._texts = measure_lengths(_parse_numbers(""), _parse_numbers(""))
        self._newest = -1  # node; -1: nothing was read yet
        self._position = 0  # in the change log
        self._read_at = (0, 0)  # position and newest node of the transaction that updated it last
        self._is_old = False  # whether the transaction of the caller sees an older state than the copies

    @property
    def bytes(self) -> int:
        return self._bytes

    def scored(self, db: Connection, wanted: Sequence[str]) -> RankedScores:
        """BM25 scores of all nodes that contain one of the quoted words or phrases.

        Another thread may have brought the lists to a later state than that of the transaction: a list that this one
        reads is then not kept.
        """
        with self._lock:
            try:
                self._update(db)
                asked = self._affordable(db, fulltext.query_terms(db, wanted))
                lists = [self._list(db, each.stems[0]) for each in asked if not each.is_phrase]
            except BaseException:  # an interrupt may have left a change half done: start over
                self._newest = -1
                raise
            texts = self._texts
        phrases = [_phrase_postings(db, each.quoted, texts.count) for each in asked if each.is_phrase]
        return RankedScores([*weigh(lists, texts), *phrases], texts)

    def rarities(self, db: Connection, wanted: Sequence[str]) -> dict[str, float]:
        """The rarity of each quoted word."""
        with self._lock:
            self._update(db)
            size = self._texts.count
            held = {each.quoted: self._count_nodes(db, each) for each in fulltext.query_terms(db, wanted)}
        return {quoted: fulltext.word_rarity(min(many, size), size) for quoted, many in held.items()}

    def _affordable(self, db: Connection, asked: list[QueryTerm]) -> list[QueryTerm]:
        """Limits the work in huge stores: the rarest terms up to a budget, at least one."""
        if self._texts.count * sum(_PHRASE_COST if each.is_phrase else 1 for each in asked) <= self._most_weighed:
            return asked
        costs = [self._cost(db, each) for each in asked]
        kept: list[QueryTerm] = []
        spent = 0
        for cost, each in sorted(zip(costs, asked, strict=True), key=lambda pair: (pair[0], pair[1].stems)):
            spent += cost
            if kept and spent > self._most_weighed:
                break
            kept.append(each)
        return kept

    def _cost(self, db: Connection, each: QueryTerm) -> int:
        return (_PHRASE_COST if each.is_phrase else 1) * self._count_nodes(db, each)

    def _count_nodes(self, db: Connection, each: QueryTerm) -> int:
        """How many nodes contain a term, without reading a long list for it."""
        if each.is_phrase:
            return fulltext.document_count(db, each.quoted)
        if each.stems[0] in self._held or self._texts.count <= self._most_weighed // 4:
            return len(self._list(db, each.stems[0]).nodes)
        return int(db.execute("SELECT doc FROM word WHERE term = ?", each.stems).get or 0)

    def _list(self, db: Connection, word: str) -> PostingList:
        held = self._held.pop(word, None)
        self._bytes -= held.list.bytes + _LIST_OVERHEAD if held else 0
        if held is None:
            held = _CachedList(_read_list(db, word), self._changes.end)
            if self._is_old:  # the list lacks what was written since
                return held.list
        elif held.upto < self._changes.end:
            held = self._changes.applied_to(held, word)
        self._keep(word, held)
        return held.list

    def _keep(self, word: str, held: _CachedList) -> None:
        self._held[word] = held
        self._bytes += held.list.bytes + _LIST_OVERHEAD
        while self._bytes > self._bound:
            _, oldest = self._held.popitem(last=False)
            self._bytes -= oldest.list.bytes + _LIST_OVERHEAD

    def _update(self, db: Connection) -> None:
        state = fulltext.file_state(db)
        newest, position = state.nodes, state.changes
        self._is_old = self._newest >= 0 and (position, newest) < self._read_at
        if self._is_old or (newest <= self._newest and position == self._position):
            return
        changed = fulltext.changed_since(db, ("text",), self._position) if self._newest >= 0 else None
        if changed is None or newest - self._newest + len(changed) > _MOST_CHANGES:
            self._start_over(db)
        else:
            self._record_changes(db, sorted(set(changed)))
        self._newest, self._position = max(newest, self._newest), position
        self._read_at = position, newest

    def _start_over(self, db: Connection) -> None:
        """Drops all lists and reads the lengths of all texts: some milliseconds for 100,000 nodes."""
        self._held.clear()
        self._bytes = 0
        self._changes = _RecentChanges(0)
        ids, sizes = db.execute(
            "SELECT coalesce(group_concat(id), ''), coalesce(group_concat(hex(sz), ''), '') FROM nodes_fts_docsize"
        ).fetchone() or ("", "")
        self._texts = measure_lengths(
            _parse_numbers(ids), _parse_varints(bytes.fromhex(sizes)).reshape(-1, len(_COLUMN_TENTHS)).sum(axis=1)
        )

    def _record_changes(self, db: Connection, changed: list[int]) -> None:
        """Records new and changed texts."""
        changes, cut = self._changes, fulltext.make_tokenizer(db)
        changes.end += 1
        changes.gone += [(changes.end, node) for node in changed]
        lengths = dict.fromkeys(changed, NO_TEXT)
        for node, *columns in _indexed_texts(db, self._newest, changed):
            counts: Counter[str] = Counter()
            lengths[node] = 0
            for tenths, text in zip(_COLUMN_TENTHS, columns, strict=True):
                for word in cut(text) if text else ():
                    counts[word] += tenths
                    lengths[node] += 1
            for word, frequency in counts.items():
                changes.added[word].append((changes.end, node, min(frequency, _MOST_TENTHS)))
        changes.texts += len(lengths)
        self._texts = self._texts.amended(lengths)
        if changes.texts > _MOST_CHANGES:
            self._apply_changes()

    def _apply_changes(self) -> None:
        """Applies the recent changes to every list and clears them."""
        for word, held in self._held.items():
            self._held[word] = applied = self._changes.applied_to(held, word)
            self._bytes += applied.list.bytes - held.list.bytes
        self._changes = _RecentChanges(self._changes.end)


def _read_list(db: Connection, word: str) -> PostingList:
    """The list of a word from the index. SQLite joins it into one string, which is four times as fast as rows."""
    found = db.execute(
        "SELECT group_concat(4 * doc + (col = 'speaker') + 2 * (col = 'tags')) FROM word_instance WHERE term = ?",
        (word,),
    ).get
    places = _parse_numbers(found or "")
    nodes = (places >> 2).astype(np.int32)
    first = np.flatnonzero(np.concatenate((nodes[:1] >= 0, nodes[1:] != nodes[:-1])))  # the index is sorted
    tenths = np.array(_COLUMN_TENTHS)[places & 3]
    if len(first) < len(nodes):
        tenths = np.minimum(np.add.reduceat(tenths, first), _MOST_TENTHS)
    return PostingList(nodes[first], tenths.astype(np.uint16))


def _phrase_postings(db: Connection, quoted: str, size: int) -> WeightedPostings:
    found = fulltext.fts_frequencies(db, quoted, size)
    return np.array([node for node, _ in found], np.int32), np.array([frequency for _, frequency in found], np.float32)


def _indexed_texts(db: Connection, after: int, changed: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """The indexed texts of the nodes after an id, and of some changed ones before it."""
    select = "SELECT id, text, speaker, tags FROM indexed_text_with_archive"
    yield from db.execute(f"{select} WHERE id > ?", (after,))
    if earlier := [node for node in changed if node <= after]:
        yield from db.execute(f"{select} WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(earlier),))


def _parse_numbers(joined: str) -> NDArray[np.int64]:
    return np.fromstring(joined, np.int64, sep=",")


def _parse_varints(data: bytes) -> NDArray[np.int64]:
    """SQLite's variable-length integers: seven bits a byte, the highest first, the last byte below 128."""
    parts = np.frombuffer(data, np.uint8).astype(np.int64)
    last = np.flatnonzero(parts < 128)
    if len(last) == len(parts):
        return parts
    size = np.diff(last, prepend=-1)
    shift = 7 * (np.repeat(last, size) - np.arange(len(parts)))
    return np.add.reduceat((parts & 127) << shift, last - size + 1)


_K1, _B = 1.2, 0.75  # the constants of FTS5, so that both give the same scores


_SCAN_BELOW = 16_384  # nodes: so many scores are scanned faster than lists are merged
_NO_NODES = np.zeros(0, np.int32)
NO_TEXT = -1  # the length of a node that does not exist


@dataclass(frozen=True, slots=True)
class TextLengths:
    """The length of every text. A copy that is in use stays valid: additions lie beyond its end."""

    lengths: NDArray[np.float32]  # in words, by node id
    end: int
    count: int
    total: int

    @property
    def average(self) -> float:
        return max(1.0, self.total / max(1, self.count))

    def amended(self, lengths: Mapping[int, int]) -> TextLengths:
        """With other lengths for some nodes."""
        end = max(self.end, max(lengths, default=-1) + 1)
        before = [int(self.lengths[node]) for node in lengths if node < self.end]
        if end > len(self.lengths):
            room = np.full(end + end // 8, NO_TEXT, np.float32)
            room[: self.end] = self.lengths[: self.end]
        else:
            room = self.lengths.copy() if before else self.lengths
        room[list(lengths)] = list(lengths.values())
        count = self.count + _count_present(lengths.values()) - _count_present(before)
        return TextLengths(room, end, count, self.total + _sum_lengths(lengths.values()) - _sum_lengths(before))


def measure_lengths(nodes: NDArray[np.int64], lengths: NDArray[np.int64]) -> TextLengths:
    """The lengths of these nodes, given in order of id."""
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
    """The nodes that contain a word, each once, with its frequency in tenths: in the tags a word counts 0.8."""

    nodes: NDArray[np.int32]
    tenths: NDArray[np.uint16]

    @property
    def bytes(self) -> int:
        return self.nodes.nbytes + self.tenths.nbytes


WeightedPostings = tuple[NDArray[np.int32], NDArray[np.float32]]
"""Node ids, and the BM25 weight of a word in each, without its rarity."""


def weigh(lists: Sequence[PostingList], texts: TextLengths) -> list[WeightedPostings]:
    """BM25 weights without the rarity, for all lists in one numpy call: in a small store the calls cost most."""
    if not lists:
        return []
    nodes = np.concatenate([each.nodes for each in lists])
    frequency = np.concatenate([each.tenths for each in lists]).astype(np.float32) * np.float32(0.1)
    length_norm = texts.lengths[nodes] * np.float32(_K1 * _B / texts.average) + np.float32(_K1 * (1 - _B))
    weights = frequency * np.float32(_K1 + 1) / (frequency + length_norm)
    ends = list(accumulate(len(each.nodes) for each in lists))
    return [(each.nodes, weights[end - len(each.nodes) : end]) for each, end in zip(lists, ends, strict=True)]


class RankedScores:
    """The scores of all nodes, in an array by id."""

    def __init__(self, parts: Sequence[WeightedPostings], texts: TextLengths) -> None:
        self._scores = np.zeros(texts.end, np.float32)
        self._lists = [nodes for nodes, _ in sorted(parts, key=lambda part: len(part[0]))]
        for nodes, frequency in parts:
            self._scores[nodes] += frequency * np.float32(word_rarity(len(nodes), texts.count))

    def best(self, limit: int) -> ScoredNodes:
        """The best of all nodes; higher is better, equal scores in order of id."""
        if len(self._scores) <= _SCAN_BELOW:
            return self._ordered(self._first(np.flatnonzero(self._scores), limit), limit)
        # Each of the best nodes is among the best of every list that contains it, so no list is read whole: the rarest
        # lists come first and set a threshold that most entries of a long list do not reach.
        least, pool = np.float32(0), [_NO_NODES]
        for nodes in self._lists:
            high = nodes[self._scores[nodes] >= least]
            first = self._first(high, limit)
            if len(first) == limit:
                least = self._scores[first].min()
            pool.append(first)
        return self._ordered(distinct(np.concatenate(pool)), limit)

    def among(self, ids: Sequence[int], limit: int) -> ScoredNodes:
        """The best of these nodes."""
        chosen = distinct(np.array(ids, np.int64))
        chosen = chosen[(chosen >= 0) & (chosen < len(self._scores))]
        return self._ordered(chosen[self._scores[chosen] > 0], limit)

    def _first(self, nodes: NDArray[np.signedinteger], limit: int) -> NDArray[np.signedinteger]:
        """The best of these nodes, in no order; of equal ones those with the lowest ids."""
        if len(nodes) <= limit:
            return nodes
        scores = self._scores[nodes]
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        above, level = nodes[scores > least], nodes[scores == least]
        room = limit - len(above)
        return np.concatenate((above, np.partition(level, room - 1)[:room]))

    def _ordered(self, nodes: NDArray[np.signedinteger], limit: int) -> ScoredNodes:
        return ScoredNodes.best_of(nodes, self._scores[nodes], limit)
