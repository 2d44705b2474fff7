"""The scan of a question: find every clue, left to right, the longest first, and see what else is asked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from .amount import amount
from .clue import Clue, Dated, Phrase, When
from .combine import Reader, either, maybe, seq, word
from .events import anchored, extreme
from .pattern import Prefer
from .ranges import expression, span_of
from .relative import length_alone
from .sessions import session
from .span import Span, clamp
from .tokens import Token, tokenise

_SCAFFOLD_WORDS = """
    a about again all also an and any anything are as ask asked asking at back be been between both
    bring by can chat chats chatted chatting conversation conversations converse conversed could cover
    covered day days did discuss discussed discussing discussion discussions do does doing done during
    each else entire every everything exactly far for from full gave get give go going gone had happen
    happened happening has have hello hey hi how i i'd i've in into is it just key kind kinds know let
    like list look main many me mention mentioned my of ok okay on or other our out over overview please
    point points quick quickly recall recap remember remind review said say saying session sessions
    share shared show so some something sort sorts speak spoke spoken stuff subject subjects sum
    summaries summarise summarize summary talk talked talking talks tell that the them then there thing
    things this those time to together told topic topics up us was we we'd we've went were what what's
    whats when where which who whole will with work worked working would you you've your yours
"""
# Words that carry no subject: who asks, how the question is put, and that a conversation took place.
_SCAFFOLD = frozenset(_SCAFFOLD_WORDS.split())


# Words read at each end. Whoever pastes a document into a question asks before or after it.
_READ = 500


def parse(text: str, asked_at: datetime, *, prefer: Prefer = "past") -> When | None:
    """What a question says about time, seen from the moment it is asked; None when it says nothing.

    A date without a year, and a weekday, is the latest one (`prefer="future"`: the next one).
    """
    reader = _reader(text, asked_at, prefer)
    zone = asked_at.tzinfo or UTC
    clues: list[Clue] = []
    content: list[str] = []
    at = 0
    count = len(reader.tokens)
    while at < count:
        found = _clue(reader, at, text) if at < _READ or at >= count - _READ else None
        if found is None:
            if _carries(reader.tokens[at]):
                content.append(reader.tokens[at].raw)
            at += 1
            continue
        clue, at = found
        reader.seen.clear()  # nothing before this place is read again
        clues.append(Dated(clue.span.located(zone), clue.phrase) if isinstance(clue, Dated) else clue)
    return When(tuple(clues), tuple(content)) if clues else None


def resolve(phrase: str, reference: datetime, *, prefer: Prefer = "past") -> Span | None:
    """A bare expression as a point or stretch of time: "three months ago" is that very day. None when it is
    not only time.
    """
    reader = _reader(phrase, reference, prefer, point=True)
    while reader.tokens and reader.tokens[-1].word in {".", ",", "?", "!", ";", ":"}:
        reader.tokens.pop()
    hit = _alone(reader, 0)
    if hit is None or hit[1] < len(reader.tokens):
        return None
    span = span_of(reader, hit[0])
    return None if span is None else span.located(reference.tzinfo or UTC)


_alone = either(expression, seq(maybe(word("-")), amount, maybe(word("before", "prior")), to=length_alone))


def _reader(text: str, now: datetime, prefer: Prefer, *, point: bool = False) -> Reader:
    offset = now.utcoffset() or timedelta(0)
    return Reader(tokenise(text), clamp(now.replace(tzinfo=None)), prefer, point, offset)


def _clue(reader: Reader, at: int, text: str) -> tuple[Clue, int] | None:
    best: tuple[Clue, int] | None = None
    hit = expression(reader, at)
    if hit is not None and not hit[0].weak and (span := span_of(reader, hit[0])) is not None:
        best = Dated(span, _words(reader, at, hit[1], text)), hit[1]
    for rule in (session, extreme, anchored):
        other = rule(reader, at)
        if other is not None and (best is None or other[1] > best[1]):
            if rule is anchored and best is not None:
                continue  # "after May 8th": a date we can read is better than an event to look up
            best = other[0](_words(reader, at, other[1], text)), other[1]
    return best


def _words(reader: Reader, at: int, end: int, text: str) -> Phrase:
    low, high = reader.tokens[at].start, reader.tokens[end - 1].end
    return Phrase(text[low:high], low, high)


def _carries(token: Token) -> bool:
    return token.word[:1].isalnum() and token.word not in _SCAFFOLD
