"""Parser combinators over tokens: small rules that are put together into larger ones.

A rule looks at one position and returns a value and the position after it, or None. `either` takes the longest match,
so the order of rules does not matter. Every rule knows the words it can begin with; most words begin no rule, which
makes reading a long text cheap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from omoide.language.time.pattern import TimePreference

# One pass without overlapping alternatives: linear in the length of any text.
_PIECE = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|\S")
NUMBER = "#digits"
_DIGITS = 9  # longer runs of digits are no count of anything we know


@dataclass(frozen=True, slots=True)
class WordToken:
    word: str  # lower case, straight apostrophes, no possessive ending
    raw: str
    start: int
    end: int
    number: int | None  # digits only; number words are read by the grammar
    glued: bool  # no space before it: "8th", "5pm", "16h00"
    key: str  # the word, or NUMBER for digits: what a rule can begin with

    @property
    def capital(self) -> bool:
        return self.raw[:1].isupper()


def tokenise(text: str) -> list[WordToken]:
    tokens: list[WordToken] = []
    end = 0
    for found in _PIECE.finditer(text):
        raw = found.group()
        number = int(raw) if raw.isdecimal() and len(raw) <= _DIGITS else None
        glued = found.start() == end and end > 0
        word = raw.lower().replace("’", "'").removesuffix("'s")
        tokens.append(
            WordToken(word, raw, found.start(), found.end(), number, glued, NUMBER if number is not None else word)
        )
        end = found.end()
    return tokens


RuleMatch = tuple[Any, int]
NO_VALUE: Any = object()  # matched, but of no use to the sentence's meaning
_DEPTH = 5  # "the day before the day before the day ...": nobody means more


@dataclass(slots=True)
class TokenReader:
    """A text that is being parsed, and the moment it is seen from."""

    tokens: list[WordToken]
    now: datetime
    prefer: TimePreference = "past"
    exact_day: bool = False  # read "3 months ago" as that very day, not as a month
    offset: timedelta = timedelta(0)  # of the asker's clock from UTC
    depth: int = 0
    seen: dict[tuple[int, int, int], RuleMatch | None] = field(default_factory=dict)

    def word(self, at: int) -> str:
        return self.tokens[at].word if 0 <= at < len(self.tokens) else ""

    def number(self, at: int) -> int | None:
        return self.tokens[at].number if 0 <= at < len(self.tokens) else None

    def glued(self, at: int) -> bool:
        return 0 <= at < len(self.tokens) and self.tokens[at].glued


RuleFunction = Callable[[TokenReader, int], RuleMatch | None]


@dataclass(slots=True, eq=False)
class GrammarRule:
    """A rule. `first`: the words it can begin with (None: any). `empty`: it may match no words at all."""

    run: RuleFunction
    first: frozenset[str] | None = None
    empty: bool = False

    def __call__(self, reader: TokenReader, at: int) -> RuleMatch | None:
        picky = self.first is not None and not self.empty
        if picky and (at >= len(reader.tokens) or not self.may_begin(reader.tokens[at].key)):
            return None
        return self.run(reader, at)

    def may_begin(self, key: str) -> bool:
        return self.empty or self.first is None or key in self.first


def starts_with(*words: str, like: GrammarRule | None = None) -> Callable[[RuleFunction], GrammarRule]:
    """Decorator for a hand-written rule: the words it can begin with; NUMBER stands for digits."""
    first = frozenset(words) | ((like.first or frozenset()) if like else frozenset())
    return lambda run: GrammarRule(run, first)


def word(*choices: str) -> GrammarRule:
    """Match one of these words without a value; see `table` for words with one."""
    accepted = frozenset(choices)
    return GrammarRule(lambda reader, at: (NO_VALUE, at + 1) if reader.word(at) in accepted else None, accepted)


def glued_word(*choices: str) -> GrammarRule:
    """Match one of these words with no space before it."""
    accepted = frozenset(choices)
    return GrammarRule(
        lambda reader, at: (NO_VALUE, at + 1) if reader.word(at) in accepted and reader.glued(at) else None, accepted
    )


def phrase(*choices: str) -> GrammarRule:
    return table(dict.fromkeys(choices, NO_VALUE))


def table(values: Mapping[str, Any]) -> GrammarRule:
    """Match phrases of one or more words, each with its value; the longest one wins."""
    by_first: dict[str, list[tuple[tuple[str, ...], Any]]] = {}
    for text, value in values.items():
        words = tuple(text.split())
        by_first.setdefault(words[0], []).append((words, value))
    for entries in by_first.values():
        entries.sort(key=lambda entry: -len(entry[0]))

    def run(reader: TokenReader, at: int) -> RuleMatch | None:
        for words, value in by_first.get(reader.word(at), ()):
            if all(reader.word(at + k) == w for k, w in enumerate(words)):
                return value, at + len(words)
        return None

    return GrammarRule(run, frozenset(NUMBER if name.isdecimal() else name for name in by_first))


def choice(values: Mapping[Any, str]) -> GrammarRule:
    """Like `table`, by value: each with its phrases in one string, separated by commas."""
    return table({text.strip(): value for value, phrases in values.items() for text in phrases.split(",")})


def seq(*rules: GrammarRule, to: Callable[..., Any] | None = None) -> GrammarRule:
    """Match rules one after the other. `to(reader, *values)` makes the value; None: they do not fit together."""

    def run(reader: TokenReader, at: int) -> RuleMatch | None:
        values = []
        for part in rules:
            hit = part(reader, at)
            if hit is None:
                return None
            value, at = hit
            if value is not NO_VALUE:
                values.append(value)
        if to is None:
            return (values[0] if values else NO_VALUE), at
        meaning = to(reader, *values)
        return None if meaning is None else (meaning, at)

    return GrammarRule(run, *_beginning(rules))


def _beginning(rules: Iterable[GrammarRule]) -> tuple[frozenset[str] | None, bool]:
    first: frozenset[str] = frozenset()
    for part in rules:
        if part.first is None:
            return None, False
        first |= part.first
        if not part.empty:
            return first, False
    return first, True


def either(*rules: GrammarRule) -> GrammarRule:
    firsts = [rule.first for rule in rules]
    known = frozenset().union(*(first for first in firsts if first is not None))
    by_key = {key: tuple(rule for rule in rules if rule.may_begin(key)) for key in known}
    others = tuple(rule for rule in rules if rule.may_begin(""))

    def run(reader: TokenReader, at: int) -> RuleMatch | None:
        best: RuleMatch | None = None
        key = reader.tokens[at].key if at < len(reader.tokens) else ""
        for part in by_key.get(key, others):
            hit = part.run(reader, at)
            if hit is not None and (best is None or hit[1] > best[1]):
                best = hit
        return best

    return GrammarRule(
        run, None if any(first is None for first in firsts) else known, any(rule.empty for rule in rules)
    )


def maybe(part: GrammarRule, default: Any = NO_VALUE) -> GrammarRule:
    return GrammarRule(lambda reader, at: part(reader, at) or (default, at), part.first, empty=True)


def memoized(part: GrammarRule) -> GrammarRule:
    """Run a rule only once at each position, however many larger rules begin with it."""
    mark = id(part)

    def run(reader: TokenReader, at: int) -> RuleMatch | None:
        key = (mark, at, 0)
        if key not in reader.seen:
            reader.seen[key] = part(reader, at)
        return reader.seen[key]

    return GrammarRule(run, part.first, part.empty)


def recursive(get: Callable[[], RuleFunction]) -> GrammarRule:
    """A rule that contains itself: looked up late, memoized, and limited in depth."""

    def run(reader: TokenReader, at: int) -> RuleMatch | None:
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

    return GrammarRule(run)
