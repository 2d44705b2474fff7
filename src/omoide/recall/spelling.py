"""Names that were mistyped: a long word that is spelled so nowhere, one or two letters away from a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from omoide.layers.entity import name_key
from omoide.layers.names import LONG_WORD, Names
from omoide.recall.common import COMMON

_WORD = re.compile(r"[^\W\d_]+")
_TWO_SLIPS = 8  # letters of a name in which two may be wrong; below, one
_MOST_WORDS = 60  # of a question; more are a pasted text

Spelled = Callable[[Sequence[str]], Collection[str]]
"""Which of these words some text spells just so."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A word of the question, and the name that it was taken for."""

    word: str
    name: str
    ids: tuple[int, ...]

    def __str__(self) -> str:
        return f"took {self.word!r} for {self.name}"


def slips(text: str, names: Names, spelled: Spelled) -> tuple[Slip, ...]:
    """Every word that is no name and no word we know, but nearly one name. An exact name always wins."""
    if not names:
        return ()
    raw = _WORD.findall(text)[:_MOST_WORDS]
    keys = [name_key(word) for word in raw]
    capitals = any(char.isupper() for char in text)
    found: dict[str, Slip] = {}
    for at, key in enumerate(keys):
        if len(key) < LONG_WORD or key in COMMON or key in names or names.holding(key) or key in found:
            continue
        meant = _meant(keys, at, names)
        if meant is not None and _looks_like_a_name(raw[at], names.written(meant), capitals):
            found[key] = Slip(raw[at], names.written(meant), names[meant])
    known = spelled(list(found)) if found else ()
    return tuple(slip for key, slip in found.items() if key not in known)


def _meant(keys: Sequence[str], at: int, names: Names) -> str | None:
    """The nearest name that fits the words around; None when two entities are equally near."""
    nearest: dict[str, int] = {}
    for word, distance in _alike(keys[at], names):
        for name in names.holding(word):
            if _fits(name.split(), word, keys, at):
                nearest[name] = min(distance, nearest.get(name, distance))
    best = [name for name in nearest if nearest[name] == min(nearest.values())]
    return best[0] if best and len({names[name] for name in best}) == 1 else None


def _fits(name: Sequence[str], word: str, keys: Sequence[str], at: int) -> bool:
    """The other words of a name of several stand beside it, as they should be."""
    start = at - name.index(word)
    around = [*keys[max(start, 0) : at], word, *keys[at + 1 : start + len(name)]]
    return start >= 0 and around == list(name)


def _alike(word: str, names: Names) -> Iterable[tuple[str, int]]:
    """Words of names with their distance: the first letter is the same, or has changed places with the second."""
    for length in range(max(LONG_WORD, len(word) - 2), len(word) + 3):
        slack = 2 if length >= _TWO_SLIPS else 1
        if abs(length - len(word)) > slack:
            continue
        shelf = names.long_words(word[0], length)
        if word[1] != word[0]:
            shelf = [*shelf, *(each for each in names.long_words(word[1], length) if each[1] == word[0])]
        if shelf:
            yield from _within(word, shelf, slack)


def _within(word: str, shelf: Sequence[str], slack: int) -> list[tuple[str, int]]:
    from rapidfuzz import process  # some milliseconds, and few questions have a word that comes so far
    from rapidfuzz.distance import OSA

    near = process.extract(word, shelf, scorer=OSA.distance, score_cutoff=slack, limit=None)
    return [(each, int(distance)) for each, distance, _ in near]


def _looks_like_a_name(word: str, name: str, capitals: bool) -> bool:
    """Who writes capitals writes them on names; a long name is seldom met by chance."""
    return not capitals or word[0].isupper() or name[0].islower() or len(name) >= _TWO_SLIPS
