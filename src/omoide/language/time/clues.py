"""What a question says about time: dates, sessions, events, first and last times. Only memory can place the latter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from omoide.language.time.calendar import (
    DAY,
    EARLIEST,
    LATEST,
    Grain,
    TimeSpan,
    add_clamped,
    calendar_unit,
    midnight,
    shift,
)
from omoide.language.time.combinators import (
    GrammarRule,
    RuleMatch,
    TokenReader,
    choice,
    either,
    maybe,
    phrase,
    seq,
    starts_with,
    table,
    word,
)
from omoide.language.time.expressions import expression
from omoide.language.time.quantities import (
    Duration,
    Quantity,
    duration,
    ordinal_number,
    plain_number,
    span_at_distance,
    unit_name,
    vague_number,
)

RowEnd = Literal["first", "latest"]
EventSide = Literal["before", "after", "around"]


@dataclass(frozen=True, slots=True)
class MatchedPhrase:
    """The words of the question that were understood: `question[start:end] == text`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DateClue:
    """A span of calendar time: "last Tuesday", "between May 8th and June 9th"."""

    span: TimeSpan
    phrase: MatchedPhrase


@dataclass(frozen=True, slots=True)
class SessionsAgo:
    """Sessions counted back from the latest finished one, which is 1; 0 is the current one."""

    nearest: int
    farthest: int
    phrase: MatchedPhrase


@dataclass(frozen=True, slots=True)
class SessionNumbers:
    """Sessions counted from the first, which is 1."""

    first: int
    last: int
    phrase: MatchedPhrase


@dataclass(frozen=True, slots=True)
class EventClue:
    """Time relative to an event that only memory can date: "two weeks before the move".

    The caller looks up `event` and passes its time to `resolve`. `length` is a distance ("two weeks"), `unit` a whole
    unit next to the event ("the day after"); with neither the span is open, or the days around the event.
    """

    event: str
    side: EventSide
    phrase: MatchedPhrase
    length: Duration | None = None
    unit: Grain | None = None

    def resolve(self, moment: datetime) -> TimeSpan:
        zone, here = moment.tzinfo, moment.replace(tzinfo=None)
        return self._span(here).in_zone(zone)

    def _span(self, here: datetime) -> TimeSpan:
        sign = -1 if self.side == "before" else 1
        day = calendar_unit(here, "day")
        if self.length is not None:
            there = span_at_distance(here, self.length, sign, exact_day=False)
            # Counted from an event, people are exact to a day or two, not to the month.
            exact = calendar_unit(self.length.move(here, sign), "day")
            wide = there.end - there.start > 8 * DAY
            return (
                TimeSpan(add_clamped(exact.start, -3 * DAY), add_clamped(exact.end, 3 * DAY), "day", 7 * DAY)
                if wide
                else there
            )
        if self.unit is not None:
            ends = (shift(day.start, -1, self.unit), day.start) if sign < 0 else (day.end, shift(day.end, 1, self.unit))
            return TimeSpan(*ends, self.unit, DAY)
        match self.side:
            case "before":
                return TimeSpan(EARLIEST, max(here, add_clamped(EARLIEST, DAY)), "day", DAY)
            case "after":
                return TimeSpan(min(here, add_clamped(LATEST, -DAY)), LATEST, "day", DAY)
            case _:
                return replace(
                    day, start=add_clamped(midnight(here), -DAY), end=add_clamped(day.end, DAY), slack=3 * DAY
                )


@dataclass(frozen=True, slots=True)
class ExtremeClue:
    """The first or latest of several: "the first time", "most recently"."""

    end: RowEnd
    phrase: MatchedPhrase


TimeClue = DateClue | SessionsAgo | SessionNumbers | EventClue | ExtremeClue


@dataclass(frozen=True, slots=True)
class QuestionTime:
    """The time clues of a question, in order, and what else it asks about.

    Several clues are alternatives of equal weight unless they name different things (a session and a month).
    """

    clues: tuple[TimeClue, ...]
    content: tuple[str, ...]  # the words that carry meaning and are no part of a clue

    @property
    def pure(self) -> bool:
        """Whether only time is asked for ("what did we do last Tuesday?"): then the clues filter, else they boost.

        "First" and "latest" alone are no time: they need something to be the first of.
        """
        return not self.content and not all(isinstance(clue, ExtremeClue) for clue in self.clues)

    @property
    def spans(self) -> tuple[TimeSpan, ...]:
        return tuple(clue.span for clue in self.clues if isinstance(clue, DateClue))


MakeClue = Callable[[MatchedPhrase], TimeClue]

_OPENERS = frozenset("the my our your his her their its this that a an i we you he she they it i'd we'd".split())
_STOPS = frozenset(
    """
    ? ! . ; : , ( ) did do does was were is are has have had will would could should can what which who
    where why how when to and or but before after since until
    """.split()
)
_VAGUE = frozenset("that this it then all long now".split())
_MAX_EVENT = 12  # words; an event is a name, not a paragraph

_sides = choice(
    {
        "before": "before, prior to, ahead of, leading up to, until, up to",
        "after": "after, following, since, ever since",
        "around": "during, around, around the time of, at the time of, on the day of",
    }
)
_beside = choice({"before": "before, prior to", "after": "after, following"})
_hedge = maybe(phrase("right", "just", "shortly", "soon", "immediately", "long", "directly"))


@GrammarRule
def _event(reader: TokenReader, at: int) -> RuleMatch | None:
    """The words that name an event: from an article, possessive, name or -ing form to the end of the clause."""
    end = at
    first = reader.tokens[at] if at < len(reader.tokens) else None
    if first is None or not (first.word in _OPENERS or first.word.endswith("ing") or (first.capital and at > 0)):
        return None
    while end < len(reader.tokens) and end - at < _MAX_EVENT and reader.word(end) not in _STOPS:
        dated = expression(reader, end) if end > at else None
        if dated is not None and not dated[0].ambiguous:
            break  # "their camping trip last year": the year is a clue of its own
        end += 1
    named = end - at > 1 or not first.word or (first.word not in _OPENERS and first.word not in _VAGUE)
    return ((at, end), end) if end > at and named else None


@starts_with("i", "we", "my", "our")
def _mine(reader: TokenReader, at: int) -> RuleMatch | None:
    """After "when" only what the asker did names a time; "when using", "when it rains" do not."""
    return _event(reader, at)


_CELEBRATIONS = frozenset("birthday anniversary wedding graduation engagement farewell retirement".split())
_on_the_day = seq(maybe(word("on")), word("the"), word("day", "night", "evening"), maybe(word("when", "that")))


@starts_with("my", "our", "your", "his", "her", "their")
def _celebration(reader: TokenReader, at: int) -> RuleMatch | None:
    """ "On my birthday" is a day, "on my desk" is not."""
    hit = _event(reader, at)
    return hit if hit is not None and reader.word(hit[1] - 1) in _CELEBRATIONS else None


def _text(reader: TokenReader, where: tuple[int, int]) -> str:
    pieces = reader.tokens[where[0] : where[1]]
    return "".join((" " if not t.glued and k else "") + t.raw for k, t in enumerate(pieces))


def _near(
    reader: TokenReader,
    side: EventSide,
    where: tuple[int, int],
    length: Duration | None = None,
    unit: Grain | None = None,
) -> MakeClue:
    event = _text(reader, where)
    return lambda words: EventClue(event, side, words, length=length, unit=unit)


_BEFORE_IDLE_WHEN = frozenset("remember recall know tell me forget remind and or about between".split())


def _names_time(rule: GrammarRule) -> GrammarRule:
    """Leave out "how many days before the move", which asks for the distance, and "remember when"."""

    def checked(reader: TokenReader, at: int) -> RuleMatch | None:
        asked = {"many", "much", "long", "far"} & {reader.word(at - 1), reader.word(at - 2)}
        told = reader.word(at) == "when" and (
            not reader.word(at - 1).isalpha() or reader.word(at - 1) in _BEFORE_IDLE_WHEN
        )
        if asked or (told and at > 0):
            return None
        return rule(reader, at)

    return GrammarRule(checked, rule.first)


event_clue = _names_time(
    either(
        seq(duration, _beside, _event, to=lambda r, length, side, where: _near(r, side, where, length=length)),
        seq(
            maybe(word("the", "on")),
            maybe(word("the")),
            unit_name,
            _beside,
            _event,
            to=lambda r, unit, side, where: _near(r, side, where, unit=unit[0]),
        ),
        seq(_hedge, _sides, _event, to=_near),
        seq(word("when"), _mine, to=lambda r, where: _near(r, "around", where)),
        seq(_on_the_day, _mine, to=lambda r, where: _near(r, "around", where)),
        seq(word("on", "for", "at"), _celebration, to=lambda r, where: _near(r, "around", where)),
    )
)

_extreme_phrase = choice(
    {
        "first": "the first time, the very first time, the earliest, originally, at first, initially",
        "latest": "the last time, last time, the latest, latest, the most recent, most recent, most recently,"
        " the newest, newest, the most up - to - date, currently, the current",
    }
)


def _extreme(end: str) -> MakeClue:
    return lambda words: ExtremeClue("first" if end == "first" else "latest", words)


_ENDS = dict.fromkeys("last latest newest current".split(), "latest")
_ENDS |= dict.fromkeys("first earliest original initial".split(), "first")
_WHOSE = ("the", "my", "our", "your", "his", "her", "their")
_SUBJECTS = frozenset("i we you he she they".split())
# Words after "first" or "last" that do not make it the first or last of several: "first aid", "the last two".
_NOT_COUNTED = frozenset(
    """
    name names aid class floor step steps half resort straw minute call place language lady grade generation person one
    two three four five six seven eight nine ten few couple several of and or to in on at that day days week weeks month
    months year years hour hours night weekend quarter decade century season session sessions
    """.split()
)


@starts_with(*_WHOSE)
def _named_end(reader: TokenReader, at: int) -> RuleMatch | None:
    """The "last" of "my last trip"; the trip itself is what the question is about."""
    place = at + 2 if reader.word(at + 1) == "very" else at + 1
    end, thing = _ENDS.get(reader.word(place)), reader.word(place + 1)
    return (_extreme(end), place + 1) if end and thing.isalpha() and thing not in _NOT_COUNTED else None


@starts_with("last", "first")
def _done_last(reader: TokenReader, at: int) -> RuleMatch | None:
    """ "When did I last run?", "Which did I buy first?"."""
    before, after = reader.word(at - 1), reader.word(at + 1)
    doing = before in _SUBJECTS and after.isalpha() and after not in _NOT_COUNTED
    closing = before.isalpha() and before not in _WHOSE and after in {"", "?"} and at > 1
    return (_extreme(_ENDS[reader.word(at)]), at + 1) if doing or closing else None


extreme_clue = either(_named_end, _done_last, seq(_extreme_phrase, to=lambda _, end: _extreme(end)))


# Sessions by number: "three sessions ago", "our first chat", "sessions 2 through 4".


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
_one = phrase(*_ONE)
_numbered = phrase(
    *(name + end for name in ("session", "conversation", "discussion", "chat session") for end in ("", "s"))
)
_any = phrase(*_ONE, *_MANY)
_in = maybe(word("in", "during", "over", "from", "of", "on", "at", "for", "across", "throughout", "within"))
_whose = seq(_in, maybe(word("the", "our", "my", "your", "that")))
_very = maybe(word("very"))
_last = phrase("last", "previous", "prior", "latest", "most recent", "preceding", "past")
_spoke = phrase(
    *(f"{start} {verb}" for start in ("time we", "time that we", "time you and i", "time i")
      for verb in ("talked", "spoke", "chatted", "discussed", "had a conversation", "conversed"))
)  # fmt: skip


def _ago(nearest: int, farthest: int) -> MakeClue | None:
    if not 0 <= nearest <= farthest:
        return None
    return lambda words: SessionsAgo(nearest, farthest, words)


def _numbers(first: float, last: float) -> MakeClue | None:
    low, high = int(first), int(last)
    return (lambda words: SessionNumbers(low, high, words)) if 1 <= low <= high else None


def _back(_: TokenReader, number: Quantity) -> MakeClue | None:
    return _ago(int(number.low), int(number.high)) if number.low >= 1 else None


def _past(_: TokenReader, number: Quantity) -> MakeClue | None:
    return _ago(1, int(number.high))


_count = either(plain_number, vague_number, seq(phrase("a", "an"), to=lambda _: Quantity(1, 1, 1)))
_sign = maybe(phrase("number", "no .", "no", "nr", "#", "nr ."))
_through = word("through", "to", "-", "–", "until", "thru", "till", "and")

_from = maybe(word("from", "between"))
_the = maybe(word("the"))
_some = either(plain_number, vague_number)
_before_last = phrase("before last", "before the last one", "before the last", "before the previous one")
_before_this = phrase("before this", "before this one", "just before this one")
_second_last = phrase("second last", "second to last", "second - to - last", "penultimate", "next to last")
_from_end = phrase("last", "to last", "- to - last", "most recent")
_this = word("this", "current")

_session = either(
    seq(_whose, _count, _any, word("ago", "back", "earlier", "before"), to=_back),
    seq(_whose, _very, _last, either(_one, _spoke), to=lambda _: _ago(1, 1)),
    seq(_whose, _one, _before_last, to=lambda _: _ago(2, 2)),
    seq(_whose, plain_number, _any, _before_last, to=lambda _, n: _ago(int(n.value) + 1, int(n.value) + 1)),
    seq(_whose, _one, _before_this, to=lambda _: _ago(1, 1)),
    seq(_whose, _second_last, _one, to=lambda _: _ago(2, 2)),
    seq(_whose, ordinal_number, _from_end, _one, to=lambda _, n: _ago(n, n)),
    seq(_whose, _last, _some, _any, to=_past),
    seq(_whose, _this, maybe(word("current")), _one, to=lambda _: _ago(0, 0)),
    seq(_whose, _very, ordinal_number, either(_one, _spoke), to=lambda _, n: _numbers(n, n)),
    seq(_whose, word("first"), _some, _any, to=lambda _, n: _numbers(1, n.value)),
    seq(_whose, word("earliest", "initial"), _one, to=lambda _: _numbers(1, 1)),
    seq(_whose, _numbered, _sign, plain_number, to=lambda _, n: _numbers(n.value, n.value)),
    seq(
        *(_whose, _from, _numbered, _sign, plain_number, _through, maybe(_any), _sign, plain_number),
        to=lambda _, a, b: _numbers(a.value, b.value),
    ),
    seq(
        *(_whose, _from, _the, ordinal_number, maybe(_one), _through, _the, ordinal_number, _any),
        to=lambda _, a, b: _numbers(a, b),
    ),
)


def _from_then(_: TokenReader, side: str, make: MakeClue) -> MakeClue:
    """Since, before or after a session: the sessions on that side of it."""

    def turned(words: MatchedPhrase) -> TimeClue:
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
_row = table({"since": "since", "before": "before", "prior to": "before", "after": "after"})
session_clue = either(_session, seq(_row, _session, to=_from_then))
