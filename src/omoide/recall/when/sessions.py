"""Sessions by their place in the row: "three sessions ago", "our first chat", "sessions 2 through 4"."""

from __future__ import annotations

from collections.abc import Callable

from .clue import Clue, Phrase, SessionNumbers, SessionsAgo
from .combine import Reader, Rule, either, maybe, phrase, seq, table, word
from .number import Count, ordinal, plain, vague

Make = Callable[[Phrase], Clue]

_ONE = [
    "session",
    "conversation",
    "discussion",
    "chat",
    "talk",
    "dialogue",
    "dialog",
    "exchange",
    "chat session",
    "convo",
]
_MANY = [*(name + "s" for name in _ONE), "times we talked", "times we spoke", "times we chatted"]
_one: Rule = phrase(*_ONE)
_many: Rule = phrase(*_MANY)
_numbered: Rule = phrase(
    *(name + end for name in ("session", "conversation", "discussion", "chat session") for end in ("", "s"))
)
_any: Rule = phrase(*_ONE, *_MANY)
_in: Rule = maybe(word("in", "during", "over", "from", "of", "on", "at", "for", "across", "throughout", "within"))
_whose: Rule = seq(_in, maybe(word("the", "our", "my", "your", "that")))
_very: Rule = maybe(word("very"))
_last = phrase("last", "previous", "prior", "latest", "most recent", "preceding", "past")
_spoke = phrase(
    *(f"{start} {verb}" for start in ("time we", "time that we", "time you and i", "time i")
      for verb in ("talked", "spoke", "chatted", "discussed", "had a conversation", "conversed"))
)  # fmt: skip


def _ago(nearest: int, farthest: int) -> Make | None:
    if not 0 <= nearest <= farthest:
        return None
    return lambda words: SessionsAgo(nearest, farthest, words)


def _numbers(first: float, last: float) -> Make | None:
    low, high = int(first), int(last)
    return (lambda words: SessionNumbers(low, high, words)) if 1 <= low <= high else None


def _back(_: Reader, number: Count) -> Make | None:
    return _ago(int(number.low), int(number.high)) if number.low >= 1 else None


def _past(_: Reader, number: Count) -> Make | None:
    return _ago(1, int(number.high))


_count: Rule = either(plain, vague, seq(phrase("a", "an"), to=lambda _: Count(1, 1, 1)))
_sign = maybe(phrase("number", "no .", "no", "nr", "#", "nr ."))
_through = word("through", "to", "-", "–", "until", "thru", "till", "and")

_from = maybe(word("from", "between"))
_the = maybe(word("the"))
_some: Rule = either(plain, vague)
_before_last = phrase("before last", "before the last one", "before the last", "before the previous one")
_before_this = phrase("before this", "before this one", "just before this one")
_second_last = phrase("second last", "second to last", "second - to - last", "penultimate", "next to last")
_from_end = phrase("last", "to last", "- to - last", "most recent")
_this = word("this", "current")

_session: Rule = either(
    seq(_whose, _count, _any, word("ago", "back", "earlier", "before"), to=_back),
    seq(_whose, _very, _last, either(_one, _spoke), to=lambda _: _ago(1, 1)),
    seq(_whose, _one, _before_last, to=lambda _: _ago(2, 2)),
    seq(_whose, plain, _any, _before_last, to=lambda _, n: _ago(int(n.value) + 1, int(n.value) + 1)),
    seq(_whose, _one, _before_this, to=lambda _: _ago(1, 1)),
    seq(_whose, _second_last, _one, to=lambda _: _ago(2, 2)),
    seq(_whose, ordinal, _from_end, _one, to=lambda _, n: _ago(n, n)),
    seq(_whose, _last, _some, _any, to=_past),
    seq(_whose, _this, maybe(word("current")), _one, to=lambda _: _ago(0, 0)),
    seq(_whose, _very, ordinal, either(_one, _spoke), to=lambda _, n: _numbers(n, n)),
    seq(_whose, word("first"), _some, _any, to=lambda _, n: _numbers(1, n.value)),
    seq(_whose, word("earliest", "initial"), _one, to=lambda _: _numbers(1, 1)),
    seq(_whose, _numbered, _sign, plain, to=lambda _, n: _numbers(n.value, n.value)),
    seq(
        *(_whose, _from, _numbered, _sign, plain, _through, maybe(_any), _sign, plain),
        to=lambda _, a, b: _numbers(a.value, b.value),
    ),
    seq(
        *(_whose, _from, _the, ordinal, maybe(_one), _through, _the, ordinal, _any),
        to=lambda _, a, b: _numbers(a, b),
    ),
)


def _from_then(_: Reader, side: str, make: Make) -> Make:
    """Since, before or after a session: the others of the row on that side."""

    def turned(words: Phrase) -> Clue:
        match side, make(words):
            case "since", SessionsAgo(farthest=far):
                return SessionsAgo(1, far, words)
            case "before", SessionsAgo(farthest=far):
                return SessionsAgo(far + 1, _ALL, words)
            case "after", SessionsAgo(nearest=near):
                return SessionsAgo(1, near - 1, words)
            case "since", SessionNumbers(first=first):
                return SessionNumbers(first, _ALL, words)
            case "before", SessionNumbers(first=first):
                return SessionNumbers(1, first - 1, words)
            case "after", SessionNumbers(last=last):
                return SessionNumbers(last + 1, _ALL, words)
            case _, other:
                return other

    return turned


_ALL = 1_000_000
_row: Rule = table({"since": "since", "before": "before", "prior to": "before", "after": "after"})
session: Rule = either(_session, seq(_row, _session, to=_from_then))
