"""Entities that memories mention, their relations, and the index of their names."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from omoide.domain.node import Node
from omoide.language.text import has_unspaced_script

ENTITY_TYPES = ("person", "organization", "project", "place", "concept", "tool", "event", "other")
TYPE_ALIASES = {"location": "place"}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Entity:
    """A named person, organization, project, place, concept, tool, event or other thing."""

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

    @property
    def names(self) -> tuple[str, ...]:
        """The name and all aliases."""
        return self.name, *self.aliases

    def __repr__(self) -> str:
        return f"Entity({self.id}, {self.name!r}, {self.type}, mentions={self.mention_count})"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Relation:
    """A typed relation between two entities, such as works_at or uses."""

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

    @property
    def sentence(self) -> str:
        """The relation in words: "Marisol works at Acme (since March 2025)"."""
        words = self.type.replace("_", " ").strip()
        if words.endswith(" of") or words in _NO_VERB:
            words = f"is {words}"
        since = self.properties.get("since")
        return f"{self.source} {words} {self.target}" + (f" (since {since})" if since else "")

    def __repr__(self) -> str:
        return f"Relation({self.source!r} {self.type} {self.target!r})"


_NO_VERB = frozenset({
    "located in", "based in", "married to", "related to", "friends with", "born in", "engaged to", "deployed on",
    "hosted on", "built with", "written in", "made by",
})  # fmt: skip


def name_key(name: str) -> str:
    """The lookup key of a name: without case, width, accents and punctuation, except where it makes another name: C++,
    C# and .NET."""
    decomposed = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)) if not name.isascii() else decomposed
    return " ".join(_KEY_WORD.findall(plain.casefold()))


_KEY_WORD = re.compile(r"(?:(?<![^\s(\"'])\.(?=[^\W\d_]))?[^\W_]+(?:(?:\+{1,2}|#)(?![^\W_+#]|[+#]))?")


# ── graph ──


@dataclass(frozen=True, slots=True)
class GraphEntity:
    """An entity in a graph: its name, its type as given, and the facts about it.

    `end_only`: nobody added it, it is named by a relation alone.
    """

    name: str
    type: str
    observations: tuple[Node, ...] = ()
    end_only: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(node.text for node in self.observations)


@dataclass(frozen=True, slots=True)
class EntityGraph:
    """Entities and relations, each in order of creation."""

    entities: tuple[GraphEntity, ...] = ()
    relations: tuple[Relation, ...] = ()


# ── index of names and aliases ──


MAX_NAME_WORDS = 3
MAX_NAME_SEARCH_CHARACTERS = 20_000  # the beginning of a long document names whom it is about
MIN_LONG_WORD = 5  # letters; shorter words are not matched fuzzily ("Anna" is not "Hanna")


class _SpellingIndex:
    """Names by spelling, for unspaced scripts and fuzzy matching."""

    __slots__ = ("by_first_character", "names_by_word", "words_by_shape")

    def __init__(self) -> None:
        self.by_first_character: dict[str, list[str]] = {}  # names in unspaced scripts
        self.names_by_word: dict[str, list[str]] = {}  # long words, and the names that contain them
        self.words_by_shape: dict[tuple[str, int], list[str]] = {}  # long words by first letter and length

    def add(self, key: str) -> None:
        if has_unspaced_script(key):
            self.by_first_character.setdefault(key[0], []).append(key)
            return
        for word in key.split():
            if len(word) < MIN_LONG_WORD:
                continue
            if word not in self.names_by_word:
                self.words_by_shape.setdefault((word[0], len(word)), []).append(word)
            self.names_by_word.setdefault(word, []).append(key)


class EntityNames(Mapping[str, tuple[int, ...]]):
    """Maps name keys to entity ids.

    It only grows, one entry at a time, so threads may read it while it is extended.
    """

    def __init__(self, rows: Iterable[tuple[str, int, str]] = ()) -> None:
        self._ids: dict[str, tuple[int, ...]] = {}
        self._written: dict[str, str] = {}
        self._spelling: _SpellingIndex | None = None
        self._lock = threading.Lock()
        self.add(rows)

    @classmethod
    def from_mapping(cls, names: Mapping[str, tuple[int, ...]]) -> EntityNames:
        """Build it from plain names: `{"Anna": (7,)}`."""
        if isinstance(names, EntityNames):
            return names
        return cls((name_key(name), id, name) for name, ids in names.items() for id in ids)

    def add(self, rows: Iterable[tuple[str, int, str]]) -> None:
        """Add rows of (key, entity id, name as written). Adding a row twice changes nothing."""
        with self._lock:
            for key, id, name in rows:
                held = self._ids.get(key)
                if held is None:
                    self._ids[key] = (id,)
                    self._written[key] = name
                    if self._spelling is not None:
                        self._spelling.add(key)
                elif id not in held:
                    self._ids[key] = (*held, id)

    def display_name(self, key: str) -> str:
        """The name as it was first written."""
        return self._written.get(key, key)

    def unspaced_names_in(self, folded: str) -> Iterator[str]:
        """The names in unspaced scripts that occur anywhere in a text."""
        names = self._spelling_index().by_first_character
        for at, first in enumerate(folded):
            yield from (key for key in names.get(first, ()) if folded.startswith(key, at))

    def long_words(self, first: str, length: int) -> list[str]:
        """The long words of names with this first letter and length."""
        return self._spelling_index().words_by_shape.get((first, length), [])

    def names_with_word(self, word: str) -> list[str]:
        """The names that contain a long word."""
        return self._spelling_index().names_by_word.get(word, [])

    def _spelling_index(self) -> _SpellingIndex:
        if self._spelling is None:  # built on demand: most processes only look up exact names
            with self._lock:
                index = _SpellingIndex()
                for key in self._ids:
                    index.add(key)
                self._spelling = index
        return self._spelling

    def __getitem__(self, key: str) -> tuple[int, ...]:
        return self._ids[key]

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._ids))

    def __len__(self) -> int:
        return len(self._ids)


def entities_named_in(text: str, names: EntityNames) -> tuple[int, ...]:
    """The entities whose name or alias (one to three words) occurs in a text.

    The longest name wins: "Anna Schmidt" does not mention an entity called Anna.
    """
    if not names:
        return ()
    folded = name_key(text[:MAX_NAME_SEARCH_CHARACTERS])
    words = folded.split()
    found: dict[int, None] = {}
    taken: set[int] = set()  # positions of words that belong to a longer name
    for size in range(MAX_NAME_WORDS, 0, -1):
        for start in range(len(words) - size + 1):
            positions = range(start, start + size)
            ids = names.get(" ".join(words[start : start + size]), ())
            if ids and not taken.issuperset(positions):
                found |= dict.fromkeys(ids)
                taken.update(positions)
    if has_unspaced_script(folded):
        for key in names.unspaced_names_in(folded):
            found |= dict.fromkeys(names[key])
    return tuple(found)
