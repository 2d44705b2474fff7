"""Posting lists in memory: of each word that was asked for, which nodes hold it and how often.

FTS5 weighs a matching row in about a microsecond; over lists in memory numpy needs a hundredth of that. They are no
second truth: a list is read from FTS5's own index when its word is first asked for, and brought up to date with what
any process has written since. New and changed texts are cut by FTS5's own tokenizer and laid over the lists.
"""

from __future__ import annotations

import json
import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from omoide.store import plain, stale, words
from omoide.store.bm25 import NO_TEXT, List, Part, Ranked, frequencies, measured
from omoide.store.words import Asked

_TENTHS = (10, 5, 8)  # of text, speaker, tags; store/plain.py has the same as FTS5 takes it
_BOUND = 64_000_000  # bytes: room for ten million entries, the common words of a million nodes
_MOST_TENTHS = 65_535  # what 16 bits hold; a word said so often weighs no more when said again
_OVERHEAD = 400  # bytes of a list besides its entries: the word, the arrays' heads
_MOST_NEWS = 4_000  # texts that are cut and laid over the lists; after more, reading the lists again is cheaper
_MOST_WEIGHED = 500_000  # entries for one question, some five milliseconds; beyond, its commonest words are left out
_PHRASE = 8  # times as dear as a word's entry: FTS5 weighs phrases, since lists know no order


@dataclass(frozen=True, slots=True)
class _Held:
    """A list, true up to some point in the news."""

    list: List
    upto: int


class _News:
    """What became of texts since the lists were read, in order of reading."""

    def __init__(self, end: int) -> None:
        self.end = end
        self.texts = 0
        self.gone: list[tuple[int, int]] = []  # (when, node): its words no longer hold
        self.told: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)  # word: (when, node, tenths)

    def lay_over(self, held: _Held, word: str) -> _Held:
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
        return _Held(List(nodes, tenths), self.end)


class Postings:
    """Shared by all threads of a store. Whoever asks brings it up to date first, in the transaction they read in."""

    def __init__(self, bound: int = _BOUND, most_weighed: int = _MOST_WEIGHED) -> None:
        self._lock = threading.Lock()
        self._bound = bound
        self._most_weighed = most_weighed
        self._bytes = 0
        self._held: OrderedDict[str, _Held] = OrderedDict()  # the least lately asked for first
        self._news = _News(0)
        self._texts = measured(_numbers(""), _numbers(""))
        self._newest = -1  # node; -1: nothing has been read yet
        self._position = 0  # in the log of what no longer holds

    @property
    def bytes(self) -> int:
        return self._bytes

    def scored(self, db: apsw.Connection, wanted: Sequence[str]) -> Ranked:
        """BM25 of every node that holds one of the quoted words or phrases.

        The transaction's first look at the file must be the one in here: so its state is never older than what is held.
        """
        with self._lock:
            try:
                self._catch_up(db)
                asked = self._affordable(db, words.asked(db, wanted))
                lists = [self._list(db, each.stems[0]) for each in asked if not each.is_phrase]
            except BaseException:  # an interrupt may have left half of a change behind: the next one starts over
                self._newest = -1
                raise
            texts = self._texts
        phrases = [_phrase(db, each.quoted, texts.count) for each in asked if each.is_phrase]
        return Ranked([*frequencies(lists, texts), *phrases], texts)

    def rarities(self, db: apsw.Connection, wanted: Sequence[str]) -> dict[str, float]:
        """How much each of the quoted words tells apart; the same holds for the transaction."""
        with self._lock:
            self._catch_up(db)
            size = self._texts.count
            held = {each.quoted: self._held_by(db, each) for each in words.asked(db, wanted)}
        return {quoted: plain.rarity_of(min(many, size), size) for quoted, many in held.items()}

    def _affordable(self, db: apsw.Connection, asked: list[Asked]) -> list[Asked]:
        """A guard for huge stores: the rarest words first, until the rest would cost too much. Never none."""
        if self._texts.count * sum(_PHRASE if each.is_phrase else 1 for each in asked) <= self._most_weighed:
            return asked
        prices = [self._price(db, each) for each in asked]
        kept: list[Asked] = []
        spent = 0
        for price, each in sorted(zip(prices, asked, strict=True), key=lambda pair: (pair[0], pair[1].stems)):
            spent += price
            if kept and spent > self._most_weighed:
                break
            kept.append(each)
        return kept

    def _price(self, db: apsw.Connection, each: Asked) -> int:
        return (_PHRASE if each.is_phrase else 1) * self._held_by(db, each)

    def _held_by(self, db: apsw.Connection, each: Asked) -> int:
        """How many nodes hold it, without reading a long list for that alone."""
        if each.is_phrase:
            return plain.held_by(db, each.quoted)
        if each.stems[0] in self._held or self._texts.count <= self._most_weighed // 4:
            return len(self._list(db, each.stems[0]).nodes)
        return int(db.execute("SELECT doc FROM word WHERE term = ?", each.stems).get or 0)

    def _list(self, db: apsw.Connection, word: str) -> List:
        held = self._held.pop(word, None)
        self._bytes -= held.list.bytes + _OVERHEAD if held else 0
        if held is None:
            held = _Held(_read(db, word), self._news.end)
        elif held.upto < self._news.end:
            held = self._news.lay_over(held, word)
        self._keep(word, held)
        return held.list

    def _keep(self, word: str, held: _Held) -> None:
        self._held[word] = held
        self._bytes += held.list.bytes + _OVERHEAD
        while self._bytes > self._bound:
            _, oldest = self._held.popitem(last=False)
            self._bytes -= oldest.list.bytes + _OVERHEAD

    # ── news ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _catch_up(self, db: apsw.Connection) -> None:
        newest, position = db.execute(
            "SELECT (SELECT coalesce(max(id), 0) FROM node), (SELECT coalesce(max(id), 0) FROM stale)"
        ).fetchone() or (0, 0)
        if newest <= self._newest and position == self._position:
            return
        changed = stale.since(db, "words", self._position) if self._newest >= 0 else None
        if changed is None or newest - self._newest + len(changed) > _MOST_NEWS:
            self._start_over(db)
        else:
            self._hear(db, sorted(set(changed)))
        self._newest, self._position = max(newest, self._newest), position

    def _start_over(self, db: apsw.Connection) -> None:
        """Forgets every list, and reads how long the texts are: some milliseconds for 100,000 nodes."""
        self._held.clear()
        self._bytes = 0
        self._news = _News(0)
        ids, sizes = db.execute(
            "SELECT coalesce(group_concat(id), ''), coalesce(group_concat(hex(sz), ''), '') FROM nodes_fts_docsize"
        ).fetchone() or ("", "")
        self._texts = measured(_numbers(ids), _varints(bytes.fromhex(sizes)).reshape(-1, len(_TENTHS)).sum(axis=1))

    def _hear(self, db: apsw.Connection, changed: list[int]) -> None:
        """Lays new and changed texts over the lists."""
        news, cut = self._news, words.cutter(db)
        news.end += 1
        news.gone += [(news.end, node) for node in changed]
        lengths = dict.fromkeys(changed, NO_TEXT)
        for node, *columns in _texts(db, self._newest, changed):
            counts: Counter[str] = Counter()
            lengths[node] = 0
            for tenths, text in zip(_TENTHS, columns, strict=True):
                for word in cut(text) if text else ():
                    counts[word] += tenths
                    lengths[node] += 1
            for word, often in counts.items():
                news.told[word].append((news.end, node, min(often, _MOST_TENTHS)))
        news.texts += len(lengths)
        self._texts = self._texts.amended(lengths)
        if news.texts > _MOST_NEWS:
            self._fold()

    def _fold(self) -> None:
        """Every list takes its news in, and they are forgotten."""
        for word, held in self._held.items():
            self._held[word] = told = self._news.lay_over(held, word)
            self._bytes += told.list.bytes - held.list.bytes
        self._news = _News(self._news.end)


def _read(db: apsw.Connection, word: str) -> List:
    """A word's list as the index has it. SQLite joins it to one text, which is read four times as fast as its rows."""
    found = db.execute(
        "SELECT group_concat(4 * doc + (col = 'speaker') + 2 * (col = 'tags')) FROM word_instance WHERE term = ?",
        (word,),
    ).get
    places = _numbers(found or "")
    nodes = (places >> 2).astype(np.int32)
    first = np.flatnonzero(np.diff(nodes, prepend=-1))  # of each node: the index goes node by node
    tenths = np.array(_TENTHS)[places & 3]
    if len(first) < len(nodes):
        tenths = np.minimum(np.add.reduceat(tenths, first), _MOST_TENTHS)
    return List(nodes[first], tenths.astype(np.uint16))


def _phrase(db: apsw.Connection, quoted: str, size: int) -> Part:
    found = plain.frequencies(db, quoted, size)
    return np.array([node for node, _ in found], np.int32), np.array([often for _, often in found], np.float32)


def _texts(db: apsw.Connection, after: int, changed: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """What the index was given for the nodes after one, and for some before it."""
    yield from db.execute("SELECT id, text, speaker, tags FROM indexed WHERE id > ?", (after,))
    if earlier := [node for node in changed if node <= after]:
        yield from db.execute(
            "SELECT id, text, speaker, tags FROM indexed WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(earlier),),
        )


def _numbers(joined: str) -> NDArray[np.int64]:
    return np.fromstring(joined, np.int64, sep=",")


def _varints(data: bytes) -> NDArray[np.int64]:
    """SQLite's numbers of varying size: seven bits a byte, the highest first, the last byte below 128."""
    parts = np.frombuffer(data, np.uint8).astype(np.int64)
    last = np.flatnonzero(parts < 128)
    if len(last) == len(parts):
        return parts
    size = np.diff(last, prepend=-1)
    shift = 7 * (np.repeat(last, size) - np.arange(len(parts)))
    return np.add.reduceat((parts & 127) << shift, last - size + 1)
