"""Reads the time clues of a question from left to right, the longest first, and the words that are left."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import cache

from omoide.language.languages.english import LANGUAGE as ENGLISH
from omoide.language.registry import Language, compiled_pattern
from omoide.language.time.calendar import EARLIEST, LATEST, TimeSpan
from omoide.language.time.clues import (
    DateClue,
    MatchedPhrase,
    QuestionTime,
    TimeClue,
    event_clue,
    extreme_clue,
    session_clue,
)
from omoide.language.time.combinators import TokenReader, WordToken, either, maybe, seq, tokenise, word
from omoide.language.time.expressions import expression, span_of
from omoide.language.time.pattern import TimePreference, TooMuchWork, bounded
from omoide.language.time.quantities import duration
from omoide.language.time.relative import bare_duration

_NO_CONTENT = frozenset(ENGLISH.conversation_words.split())


# Words read at each end: whoever pastes a document into a question asks before or after it.
_READ = 500


def parse_time(text: str, asked_at: datetime, *, prefer: TimePreference = "past") -> QuestionTime | None:
    """Return what an English question says about time, seen from the moment it is asked, or None.

    A weekday or a date without a year is the latest one (`prefer="future"`: the next one).
    """
    with bounded():
        return _parse(text, asked_at, prefer)


def _parse(text: str, asked_at: datetime, prefer: TimePreference) -> QuestionTime | None:
    reader = time_reader(text, asked_at, prefer)
    zone = asked_at.tzinfo or UTC
    clues: list[TimeClue] = []
    content: list[str] = []
    at = 0
    count = len(reader.tokens)
    while at < count:
        found = _bounded_clue(reader, at, text) if at < _READ or at >= count - _READ else None
        if found is None:
            if _carries(reader.tokens[at]):
                content.append(reader.tokens[at].raw)
            at += 1
            continue
        clue, at = found
        reader.seen.clear()  # nothing before this place is read again
        clues.append(DateClue(clue.span.in_zone(zone), clue.phrase) if isinstance(clue, DateClue) else clue)
    return QuestionTime(tuple(clues), tuple(content)) if clues else None


def resolve_time(phrase: str, reference: datetime, *, prefer: TimePreference = "past") -> TimeSpan | None:
    """Return the span of a bare time expression; None if there is anything else in it.

    "Three months ago" is that very day here.
    """
    reader = time_reader(phrase, reference, prefer, exact_day=True)
    while reader.tokens and reader.tokens[-1].word in {".", ",", "?", "!", ";", ":"}:
        reader.tokens.pop()
    with bounded():
        span = _whole_span(reader)
    return None if span is None else span.in_zone(reference.tzinfo or UTC)


def _whole_span(reader: TokenReader) -> TimeSpan | None:
    try:
        hit = _alone(reader, 0)
        return None if hit is None or hit[1] < len(reader.tokens) else span_of(reader, hit[0])
    except (TooMuchWork, ValueError, OverflowError):
        return None


_alone = either(expression, seq(maybe(word("-")), duration, maybe(word("before", "prior")), to=bare_duration))


def time_reader(text: str, now: datetime, prefer: TimePreference, *, exact_day: bool = False) -> TokenReader:
    """Return a reader of a text, seen from a moment."""
    offset = now.utcoffset() or timedelta(0)
    moment = min(max(now.replace(tzinfo=None), EARLIEST), LATEST)
    return TokenReader(tokenise(text), moment, prefer, exact_day, offset)


def _bounded_clue(reader: TokenReader, at: int, text: str) -> tuple[TimeClue, int] | None:
    """The clue at a place; none for a date that the calendar does not have, or that takes too long to find."""
    try:
        return _clue(reader, at, text)
    except (TooMuchWork, ValueError, OverflowError):
        return None


def _clue(reader: TokenReader, at: int, text: str) -> tuple[TimeClue, int] | None:
    best: tuple[TimeClue, int] | None = None
    hit = expression(reader, at)
    if hit is not None and not hit[0].ambiguous and (span := span_of(reader, hit[0])) is not None:
        best = DateClue(span, _words(reader, at, hit[1], text)), hit[1]
    for rule in (session_clue, extreme_clue, event_clue):
        other = rule(reader, at)
        if other is not None and (best is None or other[1] > best[1]):
            if rule is event_clue and best is not None:
                continue  # "after May 8th": a date we can read is better than an event to look up
            best = other[0](_words(reader, at, other[1], text)), other[1]
    return best


def _words(reader: TokenReader, at: int, end: int, text: str) -> MatchedPhrase:
    low, high = reader.tokens[at].start, reader.tokens[end - 1].end
    return MatchedPhrase(text[low:high], low, high)


def content_words(text: str) -> tuple[str, ...]:
    """The words of an English text that name a subject."""
    return tuple(token.raw for token in tokenise(text) if _carries(token))


def _carries(token: WordToken) -> bool:
    return token.word[:1].isalnum() and token.word not in _NO_CONTENT


_LISTS = {"DAY": "weekdays", "MONTH": "months", "COUNT": "numbers", "UNIT": "units", "SEASON": "seasons"}
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|\d+")


def parse_time_in(
    language: Language, text: str, asked_at: datetime, *, prefer: TimePreference = "past"
) -> QuestionTime | None:
    """Like `parse_time`, for a question in any language: its time phrases are translated into English first."""
    if language.time_phrases is None:
        return parse_time(text, asked_at, prefer=prefer)
    english = _english_words(language)
    clues: list[DateClue] = []
    rest = text.replace("’", "'")
    for pattern, template in _time_patterns(language):
        for found in compiled_pattern(pattern).finditer(rest):
            groups = (english.get(each.lower(), each) if each else "" for each in found.groups())
            read = parse_time(template.format(*groups), asked_at, prefer=prefer)
            if read is not None and read.spans:
                phrase = MatchedPhrase(text[found.start() : found.end()], found.start(), found.end())
                clues.append(DateClue(read.spans[0], phrase))
        for clue in clues:  # what is understood is not read again, and keeps its place
            rest = rest[: clue.phrase.start] + " " * (clue.phrase.end - clue.phrase.start) + rest[clue.phrase.end :]
    if not clues:
        return parse_time(text, asked_at, prefer=prefer)  # "2023-05-08" is the same everywhere
    content = _content(rest, language)
    if content:  # "I am cooking today, which recipe was it?": when it is asked, not when the answer was said
        clues = [clue for clue in clues if not clue.span.holds(asked_at)]
    return QuestionTime(tuple(sorted(clues, key=lambda clue: clue.phrase.start)), content) if clues else None


@cache
def _time_patterns(language: Language) -> tuple[tuple[str, str], ...]:
    """The time phrases of a language with its word lists filled in, each with its English template."""
    groups = {mark: "|".join(_forms(getattr(language, field))) for mark, field in _LISTS.items()}
    groups["COUNT"] = rf"\d+|{groups['COUNT']}"
    found = []
    for pattern, english in language.time_phrases or ():
        for mark, words in groups.items():
            pattern = pattern.replace(mark, f"({words})")
        found.append((rf"\b(?:{pattern})\b" if language.spaced else pattern, english))
    return tuple(found)


def _forms(words: str) -> list[str]:
    return sorted(words.replace("/", " ").split(), key=len, reverse=True)


@cache
def _english_words(language: Language) -> dict[str, str]:
    """Every form in the word lists of a language, with the first form of the English word in the same place."""
    pairs = (
        (forms, english.partition("/")[0])
        for field in _LISTS.values()
        for forms, english in zip(getattr(language, field).split(), getattr(ENGLISH, field).split(), strict=False)
    )
    return {form: english for forms, english in pairs for form in forms.split("/")}


def _content(rest: str, language: Language) -> tuple[str, ...]:
    """The words that are left and name a subject."""
    chat = language.conversation_words.split()
    if not language.function_words:
        for word in sorted(set(chat), key=lambda each: (-len(each), each)):
            rest = re.sub(rf"\b{word}\b" if language.spaced else word, " ", rest, flags=re.IGNORECASE)
        return tuple(_WORD.findall(rest))
    idle = {*chat, *language.function_words.split()}
    return tuple(word for word in _WORD.findall(rest) if word.lower() not in idle)
