"""The index of names: every name and alias of an entity, looked up as it stands, inside a run, or nearly so."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping

from omoide.layers.entity import name_key
from omoide.text import is_unspaced

LONGEST_NAME = 3  # words
READ_CHARACTERS = 20_000  # of a long document: its beginning says whom it is about
LONG_WORD = 5  # letters: in a shorter word every letter counts, "Anna" is not "Hanna"


class _Placed:
    """Names by how they are spelled."""

    __slots__ = ("holders", "runs", "shelves")

    def __init__(self) -> None:
        self.runs: dict[str, list[str]] = {}  # unspaced names by their first character
        self.holders: dict[str, list[str]] = {}  # the long words of names, and the names that hold each
        self.shelves: dict[tuple[str, int], list[str]] = {}  # those words by first letter and length

    def put(self, key: str) -> None:
        if is_unspaced(key):
            self.runs.setdefault(key[0], []).append(key)
            return
        for word in key.split():
            if len(word) < LONG_WORD:
                continue
            if word not in self.holders:
                self.shelves.setdefault((word[0], len(word)), []).append(word)
            self.holders.setdefault(word, []).append(key)


class Names(Mapping[str, tuple[int, ...]]):
    """Keys as `name_key` makes them, with the entities that go by each.

    It only ever grows, entry by entry, so that whoever reads it meanwhile in another thread sees the old or the new.
    """

    def __init__(self, rows: Iterable[tuple[str, int, str]] = ()) -> None:
        self._ids: dict[str, tuple[int, ...]] = {}
        self._written: dict[str, str] = {}
        self._placed: _Placed | None = None
        self._lock = threading.Lock()
        self.learn(rows)

    @classmethod
    def of(cls, names: Mapping[str, tuple[int, ...]]) -> Names:
        """From plain names: `{"Anna": (7,)}`."""
        if isinstance(names, Names):
            return names
        return cls((name_key(name), id, name) for name, ids in names.items() for id in ids)

    def learn(self, rows: Iterable[tuple[str, int, str]]) -> None:
        """Adds (key, entity, name as it is written); learning one twice changes nothing."""
        with self._lock:
            for key, id, name in rows:
                held = self._ids.get(key)
                if held is None:
                    self._ids[key] = (id,)
                    self._written[key] = name
                    if self._placed is not None:
                        self._placed.put(key)
                elif id not in held:
                    self._ids[key] = (*held, id)

    def written(self, key: str) -> str:
        return self._written.get(key, key)

    def in_runs(self, folded: str) -> Iterator[str]:
        """The names of unspaced scripts that stand anywhere in a text."""
        runs = self._by_spelling().runs
        for at, first in enumerate(folded):
            yield from (key for key in runs.get(first, ()) if folded.startswith(key, at))

    def long_words(self, first: str, length: int) -> list[str]:
        """The words of names that begin so and are so long."""
        return self._by_spelling().shelves.get((first, length), [])

    def holding(self, word: str) -> list[str]:
        """The names in which a long word stands."""
        return self._by_spelling().holders.get(word, [])

    def _by_spelling(self) -> _Placed:
        if self._placed is None:  # most processes write and look up exact names, and never need it
            with self._lock:
                placed = _Placed()
                for key in self._ids:
                    placed.put(key)
                self._placed = placed
        return self._placed

    def __getitem__(self, key: str) -> tuple[int, ...]:
        return self._ids[key]

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._ids))

    def __len__(self) -> int:
        return len(self._ids)


def named_in(text: str, names: Names) -> tuple[int, ...]:
    """The entities whose name or alias, of one to three words, stands in a text; in "Anna Schmidt" Anna does not."""
    if not names:
        return ()
    folded = name_key(text[:READ_CHARACTERS])
    words = folded.split()
    found: dict[int, None] = {}
    taken: set[int] = set()  # places of words that a longer name has used up
    for size in range(LONGEST_NAME, 0, -1):
        for start in range(len(words) - size + 1):
            place = range(start, start + size)
            ids = names.get(" ".join(words[start : start + size]), ())
            if ids and not taken.issuperset(place):
                found |= dict.fromkeys(ids)
                taken.update(place)
    if is_unspaced(folded):
        for key in names.in_runs(folded):
            found |= dict.fromkeys(names[key])
    return tuple(found)
