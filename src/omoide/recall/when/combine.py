"""The rule layer: small parsers over tokens, put together into larger ones.

A rule looks at one place and answers with a value and the place after it, or with nothing. `either` takes the
longest answer, so the order of rules carries no meaning that a reader has to know. Every rule knows the words
it can begin with; most words begin none, which is what makes reading a long text cheap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from .pattern import Prefer
from .tokens import NUMBER, Token

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
    offset: timedelta = timedelta(0)  # of the asker's clock from UTC
    depth: int = 0
    seen: dict[tuple[int, int, int], Hit | None] = field(default_factory=dict)

    def word(self, at: int) -> str:
        return self.tokens[at].word if 0 <= at < len(self.tokens) else ""

    def number(self, at: int) -> int | None:
        return self.tokens[at].number if 0 <= at < len(self.tokens) else None

    def glued(self, at: int) -> bool:
        return 0 <= at < len(self.tokens) and self.tokens[at].glued


Run = Callable[[Reader, int], Hit | None]


@dataclass(slots=True, eq=False)
class Rule:
    """`first`: the words it can begin with (None: any). `empty`: it may match no words at all."""

    run: Run
    first: frozenset[str] | None = None
    empty: bool = False

    def __call__(self, reader: Reader, at: int) -> Hit | None:
        picky = self.first is not None and not self.empty
        if picky and (at >= len(reader.tokens) or not self.may_begin(reader.tokens[at].key)):
            return None
        return self.run(reader, at)

    def may_begin(self, key: str) -> bool:
        return self.empty or self.first is None or key in self.first


def starting(*words: str, like: Rule | None = None) -> Callable[[Run], Rule]:
    """A rule written by hand, with the words it can begin with; NUMBER stands for digits."""
    first = frozenset(words) | ((like.first or frozenset()) if like else frozenset())
    return lambda run: Rule(run, first)


def word(*choices: str) -> Rule:
    """One of these words, said without meaning: see `table` for words that carry a value."""
    accepted = frozenset(choices)
    return Rule(lambda reader, at: (SILENT, at + 1) if reader.word(at) in accepted else None, accepted)


def glued(*choices: str) -> Rule:
    """The same, with no space before it."""
    accepted = frozenset(choices)
    return Rule(
        lambda reader, at: (SILENT, at + 1) if reader.word(at) in accepted and reader.glued(at) else None,
        accepted,
    )


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

    def run(reader: Reader, at: int) -> Hit | None:
        for words, value in by_first.get(reader.word(at), ()):
            if all(reader.word(at + k) == w for k, w in enumerate(words)):
                return value, at + len(words)
        return None

    return Rule(run, frozenset(NUMBER if name.isdecimal() else name for name in by_first))


def seq(*rules: Rule, to: Callable[..., Any] | None = None) -> Rule:
    """One after the other. `to(reader, *values)` makes the meaning; None: they do not fit together."""

    def run(reader: Reader, at: int) -> Hit | None:
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

    return Rule(run, *_beginning(rules))


def _beginning(rules: Iterable[Rule]) -> tuple[frozenset[str] | None, bool]:
    first: frozenset[str] = frozenset()
    for part in rules:
        if part.first is None:
            return None, False
        first |= part.first
        if not part.empty:
            return first, False
    return first, True


def either(*rules: Rule) -> Rule:
    firsts = [rule.first for rule in rules]
    known = frozenset().union(*(first for first in firsts if first is not None))
    by_key = {key: tuple(rule for rule in rules if rule.may_begin(key)) for key in known}
    others = tuple(rule for rule in rules if rule.may_begin(""))

    def run(reader: Reader, at: int) -> Hit | None:
        best: Hit | None = None
        key = reader.tokens[at].key if at < len(reader.tokens) else ""
        for part in by_key.get(key, others):
            hit = part.run(reader, at)
            if hit is not None and (best is None or hit[1] > best[1]):
                best = hit
        return best

    return Rule(run, None if any(first is None for first in firsts) else known, any(rule.empty for rule in rules))


def maybe(part: Rule, default: Any = SILENT) -> Rule:
    return Rule(lambda reader, at: part(reader, at) or (default, at), part.first, empty=True)


def once(part: Rule) -> Rule:
    """The same rule, read once at each place however many larger rules begin with it."""
    mark = id(part)

    def run(reader: Reader, at: int) -> Hit | None:
        key = (mark, at, 0)
        if key not in reader.seen:
            reader.seen[key] = part(reader, at)
        return reader.seen[key]

    return Rule(run, part.first, part.empty)


def inner(get: Callable[[], Run]) -> Rule:
    """A rule inside itself: fetched late, remembered by place, and bounded in depth so that any text ends."""

    def run(reader: Reader, at: int) -> Hit | None:
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

    return Rule(run)
