"""The things of the world that memories speak of, and how those things are related."""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from omoide.domain.node import Node
from omoide.language.text import has_unspaced_script

ENTITY_TYPES = ("person", "organization", "project", "place", "concept", "tool", "event", "other")
TYPE_ALIASES = {"location": "place"}  # Kira-L's word for Yodoca's place


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A person, organization, project, place, concept, tool, event or other thing with a name."""

    id: int
    ulid: str
    name: str
    type: str
    description: str | None
    summary: str | None
    aliases: tuple[str, ...]
    attributes: Mapping[str, Any]
    first_seen_at: datetime
    last_referenced_at: datetime
    mention_count: int
    importance: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One entity works_at, uses, knows … another."""

    id: int
    ulid: str
    source: str
    source_id: int
    type: str
    target: str
    target_id: int
    properties: Mapping[str, Any]
    confidence: float
    source_node_id: int | None
    valid_from: datetime | None
    valid_until: datetime | None
    created_at: datetime
    updated_at: datetime


def name_key(name: str) -> str:
    """How a name is looked up: case, width, accents and outer punctuation do not matter."""
    decomposed = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)) if not name.isascii() else decomposed
    kept = "".join(c if c.isalnum() else " " for c in plain.casefold())
    return " ".join(kept.split())


# Knowledge as a graph: things with what is observed of them, and how they are related.


@dataclass(frozen=True, slots=True)
class GraphEntity:
    """An entity, the word for what it is as it was given, and the facts whose subject it is."""

    name: str
    type: str
    observations: tuple[Node, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(node.text for node in self.observations)


@dataclass(frozen=True, slots=True)
class EntityGraph:
    """Things in the order they became known, and relations in theirs."""

    things: tuple[GraphEntity, ...] = ()
    relations: tuple[Relation, ...] = ()


# The index of names: every name and alias of an entity, looked up as it stands, inside a run, or nearly so.


MAX_NAME_WORDS = 3  # words
MAX_NAME_SEARCH_CHARACTERS = 20_000  # of a long document: its beginning says whom it is about
MIN_LONG_WORD = 5  # letters: in a shorter word every letter counts, "Anna" is not "Hanna"


class _SpellingIndex:
    """Names by how they are spelled."""

    __slots__ = ("holders", "runs", "shelves")

    def __init__(self) -> None:
        self.runs: dict[str, list[str]] = {}  # unspaced names by their first character
        self.holders: dict[str, list[str]] = {}  # the long words of names, and the names that hold each
        self.shelves: dict[tuple[str, int], list[str]] = {}  # those words by first letter and length

    def put(self, key: str) -> None:
        if has_unspaced_script(key):
            self.runs.setdefault(key[0], []).append(key)
            return
        for word in key.split():
            if len(word) < MIN_LONG_WORD:
                continue
            if word not in self.holders:
                self.shelves.setdefault((word[0], len(word)), []).append(word)
            self.holders.setdefault(word, []).append(key)


class EntityNames(Mapping[str, tuple[int, ...]]):
    """Keys as `name_key` makes them, with the entities that go by each.

    It only ever grows, entry by entry, so that whoever reads it meanwhile in another thread sees the old or the new.
    """

    def __init__(self, rows: Iterable[tuple[str, int, str]] = ()) -> None:
        self._ids: dict[str, tuple[int, ...]] = {}
        self._written: dict[str, str] = {}
        self._placed: _SpellingIndex | None = None
        self._lock = threading.Lock()
        self.learn(rows)

    @classmethod
    def of(cls, names: Mapping[str, tuple[int, ...]]) -> EntityNames:
        """From plain names: `{"Anna": (7,)}`."""
        if isinstance(names, EntityNames):
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

    def _by_spelling(self) -> _SpellingIndex:
        if self._placed is None:  # most processes write and look up exact names, and never need it
            with self._lock:
                placed = _SpellingIndex()
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


def entities_named_in(text: str, names: EntityNames) -> tuple[int, ...]:
    """The entities whose name or alias, of one to three words, stands in a text; in "Anna Schmidt" Anna does not."""
    if not names:
        return ()
    folded = name_key(text[:MAX_NAME_SEARCH_CHARACTERS])
    words = folded.split()
    found: dict[int, None] = {}
    taken: set[int] = set()  # places of words that a longer name has used up
    for size in range(MAX_NAME_WORDS, 0, -1):
        for start in range(len(words) - size + 1):
            place = range(start, start + size)
            ids = names.get(" ".join(words[start : start + size]), ())
            if ids and not taken.issuperset(place):
                found |= dict.fromkeys(ids)
                taken.update(place)
    if has_unspaced_script(folded):
        for key in names.in_runs(folded):
            found |= dict.fromkeys(names[key])
    return tuple(found)
