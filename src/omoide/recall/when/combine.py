"""The rule layer: small parsers over tokens, put together into larger ones.

A rule looks at one place and answers with a value and the place after it, or with nothing. `either` takes the longest
answer, so the order of rules carries no meaning that a reader would have to know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .pattern import Prefer
from .token import Token

Hit = tuple[Any, int]
SILENT: Any = object()  # matched, but of no use to the sentence's meaning
_DEPTH = 5  # "the day before the day before the day ...": nobody means more


@dataclass(slots=True)
class Reader:
    """One text being read at one moment."""

    tokens: list[Token]
    now: datetime
    prefer: Prefer = "past"
    point: bool = False  # read "3 months ago" as that very day, not as the whole month
    depth: int = 0
    seen: dict[tuple[int, int, int], Hit | None] = field(default_factory=dict)

    def word(self, at: int) -> str:
        return self.tokens[at].word if 0 <= at < len(self.tokens) else ""

    def number(self, at: int) -> int | None:
        return self.tokens[at].number if 0 <= at < len(self.tokens) else None

    def glued(self, at: int) -> bool:
        return 0 <= at < len(self.tokens) and self.tokens[at].glued


Rule = Callable[[Reader, int], Hit | None]


def word(*choices: str) -> Rule:
    """One of these words, said without meaning: see `table` for words that carry a value."""
    accepted = frozenset(choices)
    return lambda reader, at: (SILENT, at + 1) if reader.word(at) in accepted else None


def glued(*choices: str) -> Rule:
    """The same, with no space before it."""
    accepted = frozenset(choices)
    return lambda reader, at: (SILENT, at + 1) if reader.word(at) in accepted and reader.glued(at) else None


def phrase(*choices: str) -> Rule:
    return table(dict.fromkeys(choices, SILENT))


def table(values: Mapping[str, Any]) -> Rule:
    """Phrases of one or more words and what each stands for; the longest one wins."""
    by_first: dict[str, list[tuple[tuple[str, ...], Any]]] = {}
    for text, value in values.items():
        words = tuple(text.split())
        by_first.setdefault(words[0], []).append((words, value))
    for entries in by_first.values():
        entries.sort(key=lambda entry: -len(entry[0]))

    def rule(reader: Reader, at: int) -> Hit | None:
        for words, value in by_first.get(reader.word(at), ()):
            if all(reader.word(at + k) == w for k, w in enumerate(words)):
                return value, at + len(words)
        return None

    return rule


def seq(*rules: Rule, to: Callable[..., Any] | None = None) -> Rule:
    """One after the other. `to(reader, *values)` makes the meaning; None from it means that they do not fit together."""

    def rule(reader: Reader, at: int) -> Hit | None:
        values = []
        for part in rules:
            hit = part(reader, at)
            if hit is None:
                return None
            value, at = hit
            if value is not SILENT:
                values.append(value)
        if to is None:
            return (values[0] if values else SILENT), at
        meaning = to(reader, *values)
        return None if meaning is None else (meaning, at)

    return rule


def either(*rules: Rule) -> Rule:
    def rule(reader: Reader, at: int) -> Hit | None:
        best: Hit | None = None
        for part in rules:
            hit = part(reader, at)
            if hit is not None and (best is None or hit[1] > best[1]):
                best = hit
        return best

    return rule


def maybe(part: Rule, default: Any = SILENT) -> Rule:
    return lambda reader, at: part(reader, at) or (default, at)


def inner(get: Callable[[], Rule]) -> Rule:
    """A rule inside itself: fetched late, remembered by place, and bounded in depth so that any text ends."""

    def rule(reader: Reader, at: int) -> Hit | None:
        if reader.depth >= _DEPTH or at >= len(reader.tokens):
            return None
        key = (id(get), at, reader.depth)
        if key not in reader.seen:
            reader.depth += 1
            try:
                reader.seen[key] = get()(reader, at)
            finally:
                reader.depth -= 1
        return reader.seen[key]

    return rule
