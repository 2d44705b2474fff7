"""Which known entity a name means: by name or alias, bare form, then likeness; rather none than a wrong one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from omoide.layers.entity import name_key
from omoide.layers.names import Names

_LEGAL = re.compile(r"\b(inc|ltd|llc|gmbh|ag|corp|corporation|co|company|sa|srl|plc|limited)$")
_ALIKE = 92.0  # of 100; "Anthropic" and "Antropic" are alike, "Anna" and "Ann" are two people
_LONG_ENOUGH = 7  # letters: in a short name one letter tells two people apart


def bare(name: str) -> str:
    """Without article, legal form and at-sign: "The Acme Corp." and "Acme" are one company."""
    key = name_key(name).removeprefix("the ")
    return _LEGAL.sub("", key).strip() or key


class Known:
    """The names of all entities, as they stand and in the forms by which they are compared."""

    def __init__(self, rows: Iterable[tuple[str, int, str]]) -> None:
        self.names = Names()
        self._bare: dict[str, set[int]] = defaultdict(set)
        self._long: dict[tuple[str, int], set[str]] = defaultdict(set)  # by first letter and number of words
        self.learn(rows)

    def learn(self, rows: Iterable[tuple[str, int, str]]) -> None:
        """(key, entity, name as it is written); learning one twice changes nothing."""
        rows = list(rows)
        self.names.learn(rows)
        for key, id, _ in rows:
            self._bare[bare(key)].add(id)
            if _may_be_misspelt(key):
                self._long[key[0], len(key.split())].add(key)

    def same_thing(self, name: str) -> int | None:
        """The entity that goes by a name, exactly, barely or nearly; None when it is new or cannot be told."""
        exact = self.names.get(name_key(name))
        found = set(exact) if exact else self._bare.get(bare(name), set()) or self._nearly(name_key(name))
        return next(iter(found)) if len(found) == 1 else None

    def _nearly(self, key: str) -> set[int]:
        if not _may_be_misspelt(key):
            return set()
        from rapidfuzz import fuzz

        near = (known for known in self._long[key[0], len(key.split())] if fuzz.ratio(key, known) >= _ALIKE)
        return {id for known in near for id in self.names[known]}


def _may_be_misspelt(key: str) -> bool:
    """Not with a number in it: "GPT 4" and "GPT 5" are alike and not the same."""
    return len(key) >= _LONG_ENOUGH and not any(letter.isdigit() for letter in key)
