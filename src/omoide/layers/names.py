"""The index of names: every name and alias of an entity, looked up as it stands, inside a run, or nearly so."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping

from omoide.layers.entity import name_key
from omoide.text import is_unspaced

_LONGEST_NAME = 3  # words
_READ_CHARACTERS = 20_000  # of a long document: its beginning says whom it is about
LONG_WORD = 5  # letters: in a shorter word every letter counts, "Anna" is not "Hanna"


class Names(Mapping[str, tuple[int, ...]]):
    """Keys as `name_key` makes them, with the entities that go by each.

    It only ever grows, entry by entry, so that whoever reads it meanwhile in another thread sees the old or the new.
    """

    def __init__(self, rows: Iterable[tuple[str, int, str]] = ()) -> None:
        self._ids: dict[str, tuple[int, ...]] = {}
        self._written: dict[str, str] = {}
        self._runs: dict[str, list[str]] = {}  # unspaced names by their first character
        self._holders: dict[str, list[str]] = {}  # the long words of names, and the names that hold each
        self._shelves: dict[tuple[str, int], list[str]] | None = None  # those words by first letter and length
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
                held = self._ids.get(key, ())
                if id in held:
                    continue
                self._ids[key] = (*held, id)
                if not held:
                    self._written[key] = name
                    self._place(key)

    def written(self, key: str) -> str:
        return self._written.get(key, key)

    def in_runs(self, folded: str) -> Iterator[str]:
        """The names of unspaced scripts that stand anywhere in a text."""
        for at, first in enumerate(folded):
            yield from (key for key in self._runs.get(first, ()) if folded.startswith(key, at))

    def long_words(self, first: str, length: int) -> list[str]:
        """The words of names that begin so and are so long."""
        if self._shelves is None:  # only a question with a word that may be mistyped needs them
            with self._lock:
                shelves: dict[tuple[str, int], list[str]] = {}
                for word in self._holders:
                    shelves.setdefault((word[0], len(word)), []).append(word)
                self._shelves = shelves
        return self._shelves.get((first, length), [])

    def holding(self, word: str) -> list[str]:
        """The names in which a long word stands."""
        return self._holders.get(word, [])

    def _place(self, key: str) -> None:
        if is_unspaced(key):
            self._runs.setdefault(key[0], []).append(key)
            return
        for word in key.split():
            if len(word) >= LONG_WORD:
                if word not in self._holders and self._shelves is not None:
                    self._shelves.setdefault((word[0], len(word)), []).append(word)
                self._holders.setdefault(word, []).append(key)

    def __getitem__(self, key: str) -> tuple[int, ...]:
        return self._ids[key]

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._ids))

    def __len__(self) -> int:
        return len(self._ids)


def named_in(text: str, names: Names) -> tuple[int, ...]:
    """The entities whose name or alias, of one to three words, stands in a text."""
    if not names:
        return ()
    folded = name_key(text[:_READ_CHARACTERS])
    words = folded.split()
    found: dict[int, None] = {}
    for size in range(_LONGEST_NAME, 0, -1):
        for start in range(len(words) - size + 1):
            for id in names.get(" ".join(words[start : start + size]), ()):
                found[id] = None
    if is_unspaced(folded):
        for key in names.in_runs(folded):
            found |= dict.fromkeys(names[key])
    return tuple(found)
