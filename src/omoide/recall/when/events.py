"""Time told from an event, and first and last times: what only memory itself can place."""

from __future__ import annotations

from collections.abc import Callable

from .amount import Amount, amount, unit_name
from .clue import Anchored, Clue, Extreme, Phrase, Side
from .combine import Hit, Reader, Rule, either, maybe, phrase, seq, starting, table, word
from .ranges import expression
from .span import Grain

Make = Callable[[Phrase], Clue]

_OPENERS_WORDS = """
    the my our your his her their its this that a an i we you he she they it i'd we'd
"""
_OPENERS = frozenset(_OPENERS_WORDS.split())
_STOPS_WORDS = """
    ? ! . ; : , ( ) did do does was were is are has have had will would could should can what which who
    where why how when to and or but before after since until
"""
_STOPS = frozenset(_STOPS_WORDS.split())
_VAGUE = frozenset(["that", "this", "it", "then", "all", "long", "now"])
_LONGEST = 12  # words; an event is a name, not a paragraph

_sides: Rule = table(
    dict.fromkeys(["before", "prior to", "ahead of", "leading up to", "until", "up to"], "before")
    | dict.fromkeys(["after", "following", "since", "ever since"], "after")
    | dict.fromkeys(["during", "around", "around the time of", "at the time of", "on the day of"], "around")
)
_beside: Rule = table({"before": "before", "prior to": "before", "after": "after", "following": "after"})
_hedge: Rule = maybe(phrase("right", "just", "shortly", "soon", "immediately", "long", "directly"))


@Rule
def _event(reader: Reader, at: int) -> Hit | None:
    """The words that name the event: from an article, a possessive, a name or an -ing form up to where the
    clause ends.
    """
    end = at
    first = reader.tokens[at] if at < len(reader.tokens) else None
    if first is None or not (first.word in _OPENERS or first.word.endswith("ing") or (first.capital and at > 0)):
        return None
    while end < len(reader.tokens) and end - at < _LONGEST and reader.word(end) not in _STOPS:
        dated = expression(reader, end) if end > at else None
        if dated is not None and not dated[0].weak:
            break  # "their camping trip last year": the year is a clue of its own
        end += 1
    named = end - at > 1 or not first.word or (first.word not in _OPENERS and first.word not in _VAGUE)
    return ((at, end), end) if end > at and named else None


@starting("i", "we", "my", "our")
def _mine(reader: Reader, at: int) -> Hit | None:
    """After "when" only the asker's own doings date anything; "when using", "when it rains" do not."""
    return _event(reader, at)


_FEASTS = frozenset(["birthday", "anniversary", "wedding", "graduation", "engagement", "farewell", "retirement"])
_on_the_day: Rule = seq(maybe(word("on")), word("the"), word("day", "night", "evening"), maybe(word("when", "that")))


@starting("my", "our", "your", "his", "her", "their")
def _feast(reader: Reader, at: int) -> Hit | None:
    """ "On my birthday" is a day, "on my desk" is not."""
    hit = _event(reader, at)
    return hit if hit is not None and reader.word(hit[1] - 1) in _FEASTS else None


def _text(reader: Reader, where: tuple[int, int]) -> str:
    pieces = reader.tokens[where[0] : where[1]]
    return "".join((" " if not t.glued and k else "") + t.raw for k, t in enumerate(pieces))


def _far(reader: Reader, length: Amount, side: Side, where: tuple[int, int]) -> Make:
    event = _text(reader, where)
    return lambda words: Anchored(event, side, words, length=length)


def _next_to(reader: Reader, unit: tuple[Grain, int], side: Side, where: tuple[int, int]) -> Make:
    event = _text(reader, where)
    return lambda words: Anchored(event, side, words, unit=unit[0])


def _near(reader: Reader, side: Side, where: tuple[int, int]) -> Make:
    event = _text(reader, where)
    return lambda words: Anchored(event, side, words)


_TELL = frozenset(["remember", "recall", "know", "tell", "me", "forget", "remind", "and", "or", "about", "between"])


def _unasked(rule: Rule) -> Rule:
    """ "How many days before the move" asks for the distance; "remember when" is no date."""

    def unasked(reader: Reader, at: int) -> Hit | None:
        asked = {"many", "much", "long", "far"} & {reader.word(at - 1), reader.word(at - 2)}
        told = reader.word(at) == "when" and (not reader.word(at - 1).isalpha() or reader.word(at - 1) in _TELL)
        if asked or (told and at > 0):
            return None
        return rule(reader, at)

    return Rule(unasked, rule.first)


anchored: Rule = _unasked(
    either(
        seq(amount, _beside, _event, to=_far),
        seq(maybe(word("the", "on")), maybe(word("the")), unit_name, _beside, _event, to=_next_to),
        seq(_hedge, _sides, _event, to=_near),
        seq(word("when"), _mine, to=lambda r, where: _near(r, "around", where)),
        seq(_on_the_day, _mine, to=lambda r, where: _near(r, "around", where)),
        seq(word("on", "for", "at"), _feast, to=lambda r, where: _near(r, "around", where)),
    )
)

_FIRST = ["the first time", "the very first time", "the earliest", "originally", "at first", "initially"]
_LATEST = [
    "the last time",
    "last time",
    "the latest",
    "latest",
    "the most recent",
    "most recent",
    "most recently",
]
_LATEST += ["the newest", "newest", "the most up - to - date", "currently", "the current"]


def _extreme(end: str) -> Callable[[Reader], Make]:
    return lambda _: lambda words: Extreme("first" if end == "first" else "latest", words)


_ENDS = {"last": "latest", "latest": "latest", "newest": "latest", "current": "latest"}
_ENDS |= {"first": "first", "earliest": "first", "original": "first", "initial": "first"}
_WHOSE = ("the", "my", "our", "your", "his", "her", "their")
_SUBJECTS = frozenset(["i", "we", "you", "he", "she", "they"])
# What is called first or last without being the end of a row, and what counts on ("the last two").
_NO_ROW_WORDS = """
    name names aid class floor step steps half resort straw minute call place language lady grade generation person one
    two three four five six seven eight nine ten few couple several of and or to in on at that day days week weeks month
    months year years hour hours night weekend quarter decade century season session sessions
"""
_NO_ROW = frozenset(_NO_ROW_WORDS.split())


@starting(*_WHOSE)
def _named_end(reader: Reader, at: int) -> Hit | None:
    """The end of "my last trip", "the very first book": the thing itself is what is asked about."""
    place = at + 2 if reader.word(at + 1) == "very" else at + 1
    end, thing = _ENDS.get(reader.word(place)), reader.word(place + 1)
    return (_extreme(end)(reader), place + 1) if end and thing.isalpha() and thing not in _NO_ROW else None


@starting("last", "first")
def _done_last(reader: Reader, at: int) -> Hit | None:
    """ "When did I last run?", "Which did I buy first?"."""
    before, after = reader.word(at - 1), reader.word(at + 1)
    doing = before in _SUBJECTS and after.isalpha() and after not in _NO_ROW
    closing = before.isalpha() and before not in _WHOSE and after in {"", "?"} and at > 1
    return (_extreme(_ENDS[reader.word(at)])(reader), at + 1) if doing or closing else None


extreme: Rule = either(
    _named_end,
    _done_last,
    seq(phrase(*_FIRST), to=_extreme("first")),
    seq(phrase(*_LATEST), to=_extreme("latest")),
)
