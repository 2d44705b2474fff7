"""Finds the times that a statement speaks of: "the 26th", "a week from Thursday", "24 to 31 October".

A question is read by `parse_time`, which looks back. A statement looks ahead unless its verb is in the past: "on the
9th" is the next 9th in a plan and the last one in a report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from omoide.language.english_words import AMBIGUOUS_DATE_WORDS
from omoide.language.registry import Language, compiled_pattern, detect_language
from omoide.language.sentences import date_words, may_have_date
from omoide.language.time.calendar import EARLIEST, LATEST, TimeSpan, calendar_unit, grain_rank, shift
from omoide.language.time.clues import DateClue, MatchedPhrase, QuestionTime
from omoide.language.time.combinators import TokenReader
from omoide.language.time.expressions import expression, span_of
from omoide.language.time.parser import content_words, parse_time_in, time_reader
from omoide.language.time.pattern import TimePreference, bounded

_MOST_TIMES = 12
_SOON = timedelta(days=30)  # "what's coming up?"
_NEAR = timedelta(days=120)
_FAR = timedelta(days=60)  # a day that is further back and named without its year may be the coming one
_ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th"})
_REACH = 6  # words before a date word at which its expression may begin: "in the first week of next October"
_SENTENCE_END = re.compile(r"(?<=[.!?。！？…])(?<!\d\.)[\"')\]]*\s+|\n+|(?<=[。！？])|;\s+")
_CLAUSE_END = re.compile(
    r",? (?:and|but|so|because|which|though|although|while)\b|[:()–—]|,(?!\d| including\b| such as\b)"
)
_OWN_CLAUSE = 2  # words before a date that make a clause with a verb: "stitches come out on the 24th"
_VERBS = frozenset({"may"})
_TRAILING = 4  # words without a verb that go on with the sentence before
_JOINED_CLAUSE = 3  # the same after "and", which may join two names as well: "Ana and my boss on Friday"
# Days of the month that the grammar does not trust in a question: "the 12th", but not "the 12th floor".
_ORDINAL = r"the \d{1,2}(?:st|nd|rd|th)"
_BARE_DAYS = re.compile(
    rf"(?:(?:from|between) )?(?:{_ORDINAL}(?: ?(?:to|and|through|until|till|-|–) ?(?:{_ORDINAL}|\d\d?\w\w))?"
    r"|(?=.{0,16}\d\d)\d{1,2}(?:st|nd|rd|th) ?(?:to|through|until|till|-|–) ?(?:the )?\d{1,2}(?:st|nd|rd|th))",
    re.I,
)
_AFTER_DAY = re.compile(
    r"\W*\Z|\s*[,.;:!?()–—-]|\s+(?:of|at|in|on|to|for|from|with|and|or|but|because|so|then|when|if|that|as|is|was|are|were"
    r"|got|has|will|we|i|he|she|they|it|not|instead|now|though|please|works?|morning|afternoon|evening|until|by)\b",
    re.IGNORECASE,
)
_TIMES_OF_DAY = frozenset({"clock", "part"})
_CLOCK_ONLY = re.compile(r"\W*(?:[^\W\d]{2,7} )?\d{1,2}(?:[:.h]\d\d)?\s*(?:[ap]\.?m\.?|h|uhr)?\W*", re.IGNORECASE)
_LINKS = frozenset("on in at by from since until till during around about last next this the back only for".split())
_DIGITS = re.compile(r"\d")
_ASKS = re.compile(
    r"\W*(?:(?:so|and|hey|ok|okay|wait|oh)\W+)*(?:is|are|was|were|did|does|do|has|have|had|will|would|when|what|which|who"
    r"|where|why|how|should|am)\b",
    re.IGNORECASE,
)
# "Moved from the 9th to the 12th": the first date is the one that no longer holds.
_MOVED_FROM = re.compile(
    r"\b(?:moved?|moving|pushed|shifted|rescheduled|postponed|changed?|slipped|brought forward|bumped|switched)\b"
    r"[^.;?!]{0,60}?\b(from\b[^.;?!]{1,40}?)(?=\bto\b)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\b(?:not|instead(?: of)?|rather than|no longer|used to be|except(?: for)?|apart from)|n't)"
    r"(?: be| (?:on|in|at|for))? (?:the )?\Z",
    re.IGNORECASE,
)
_ONE_DAY = re.compile(rf"(?:on |for )?{_ORDINAL}\W*", re.IGNORECASE)
_COMING_DAY = re.compile(rf"(?:(?:back|on|by|until|till|for) )*{_ORDINAL}\W*", re.IGNORECASE)
_SLACK = timedelta(days=7)  # "for Christmas, on the 24th"
_REPLACED = re.compile(r"\binstead\b|\brather than\b|n't\b.*, (?:but|he's|she's|it's|they're|we're|i'm)\b", re.I)
_REPEATED = re.compile(r"\b(?:every|each|most|all|per)(?: (?:other|second|single))? \Z", re.IGNORECASE)
_USUALLY = re.compile(r"\b(?:usually|normally|generally|typically|always)\b", re.IGNORECASE)
_A_WEEKDAY = re.compile(r"(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: \w{7,9})?\W*", re.IGNORECASE)
_NAMING = re.compile(r"\b(?:call(?:s|ed)? me|i['’]m|i am|name(?:['’]s| is)) \Z", re.IGNORECASE)
_NOW = re.compile(r"\bnow(?= (?:(?:on|at|in|for) )?(?:the )?([^\W\d]+|\d))", re.IGNORECASE)  # "it's now Tuesday"
_DOUBLED_NAME = re.compile(r"\W*([^\W\d]+)-\1(?:['’]s)?\W*", re.IGNORECASE)  # "Jun-Jun" is nobody's June
_LIMITS = re.compile(r"(?:by|until|till|til|up to|before|prior to|no later than)\b", re.IGNORECASE)
_TODAY = re.compile(
    r"(?:today|now|right now|this (?:morning|afternoon|evening|night|week|month|year)|tonight)\W*", re.I
)


def dates_in_statement(text: str, at: datetime, language: Language | None = None) -> list[DateClue]:
    """Return the days and longer times that a text says something about, seen from the moment it was said.

    Left out: bare times of day, habits ("every Monday"), what only a question asks, dates that are taken back ("not the
    9th", "moved from the 9th"), and centuries. "By Friday" is that Friday.
    """
    if not may_have_date(text):
        return []
    with bounded():
        return _dates_in(text, at, language or detect_language(text))


def _dates_in(text: str, at: datetime, language: Language) -> list[DateClue]:
    found: list[DateClue] = []
    for start, end in _sentences(text, language):
        sentence = text[start:end]
        if may_have_date(sentence) and not (sentence.rstrip().endswith("?") and _ASKS.match(sentence)):
            earlier = [] if _REPLACED.search(sentence) else found
            for clue in _dates(sentence, at, language):
                found += [placed(_following(clue, earlier, at), start)]
        if len(found) >= _MOST_TIMES:
            break
    return found[:_MOST_TIMES]


def _following(clue: DateClue, earlier: list[DateClue], at: datetime) -> DateClue:
    """A coming day without its month follows the coming day before it: "on December 11, back on the 25th"."""
    day = clue.span.start
    before = next((each.span.start for each in reversed(earlier) if each.span.start > at), at)
    if day < at or day > before - _SLACK or not _COMING_DAY.fullmatch(clue.phrase.text):
        return clue
    months = (before.year - day.year) * 12 + before.month - day.month
    months += day.day < before.day and before.day - day.day >= _SLACK.days
    start = shift(day.replace(tzinfo=None), months, "month").replace(tzinfo=day.tzinfo)
    return replace(clue, span=replace(clue.span, start=start, end=start + (clue.span.end - day)))


def _sentences(text: str, language: Language) -> list[tuple[int, int]]:
    """Where sentences begin and end; a few words without a verb belong to the one before: "We split up. On Sunday"."""
    found: list[tuple[int, int]] = []
    begin = 0
    for end in [*(each.end() for each in _SENTENCE_END.finditer(text)), len(text)]:
        piece = text[begin:end]
        if found and len(piece.split()) <= _TRAILING and _goes_on(piece) and not _verbs(piece, language):
            found[-1] = (found[-1][0], end)
        else:
            found.append((begin, end))
        begin = end
    return found


def _goes_on(piece: str) -> bool:
    """Whether a piece names no matter of its own before its date: "On Sunday", but not "keys on 1 December"."""
    if not may_have_date(piece):
        return True
    first = piece.split()[0].strip(".,!?()").lower()
    return first in _LINKS or first[:1].isdigit() or date_words().fullmatch(first) is not None


def question_time(language: Language, text: str, asked_at: datetime) -> QuestionTime | None:
    """What a question says about time: a question in the present or future tense looks ahead, others look back.

    "What's coming up?" asks for the next 30 days.
    """
    cues = compiled_pattern(language.date_words.ahead_questions)
    ahead = cues.search(text) is not None and not _is_past(text, language)
    found = parse_time_in(language, text, asked_at, prefer="future" if ahead else "past")
    if found is None and (cue := compiled_pattern(language.date_words.upcoming_cues).search(text)):
        soon = TimeSpan(asked_at, asked_at + _SOON, "day")
        rest = content_words(text[: cue.start()] + text[cue.end() :])
        return QuestionTime((DateClue(soon, MatchedPhrase(cue[0], cue.start(), cue.end())),), rest)
    return found


def is_time_of_speaking(clue: DateClue, at: datetime) -> bool:
    """Whether a clue only says "today" or "this week", a time that is stored with the text anyway."""
    return _TODAY.fullmatch(clue.phrase.text) is not None and clue.span.holds(at)


def _dates(sentence: str, at: datetime, language: Language) -> Iterator[DateClue]:
    sentence = _MOVED_FROM.sub(lambda found: _blanked(found, 1), sentence)
    sentence = _NOW.sub(lambda found: " " * 3 if _begins_date(found[1]) else found[0], sentence)
    clues = list(_clues(sentence, at, language))
    for clue in (_replaced_day(each, clues, sentence) for each in clues):
        before = sentence[: clue.phrase.start]
        if _DENIED.search(before) or _REPEATED.search(before) or clue.span.grain in {"decade", "century"}:
            continue
        if _DOUBLED_NAME.fullmatch(clue.phrase.text) or _is_habit_or_name(clue.phrase.text, before):
            continue
        if may_have_date(clue.phrase.text) and (span := _closed(clue, at)) is not None:
            yield replace(clue, span=span)


def _begins_date(word: str) -> bool:
    return word.isdigit() or date_words().fullmatch(word) is not None


def _is_habit_or_name(phrase: str, before: str) -> bool:
    """Whether a day is any such day ("usually on Friday"), or a month is somebody ("call me Mar")."""
    if _NAMING.search(before) and phrase.strip(" .,!").lower() in AMBIGUOUS_DATE_WORDS | {"april", "june", "august"}:
        return True
    clause = _CLAUSE_END.split(before)[-1]
    return _A_WEEKDAY.fullmatch(phrase) is not None and _USUALLY.search(clause) is not None


def _replaced_day(clue: DateClue, clues: list[DateClue], sentence: str) -> DateClue:
    """A bare day of the month that another date replaces lies in the month of that date: "not on the 24th but ..."."""
    if not (_ONE_DAY.fullmatch(clue.phrase.text) and _REPLACED.search(sentence)):
        return clue
    span = clue.span
    for other in (each.span for each in clues if not _ONE_DAY.fullmatch(each.phrase.text)):
        if other.grain == "day" and other.start > span.end and span.start.day < other.start.day:
            start = other.start.replace(day=span.start.day)
            return replace(clue, span=replace(span, start=start, end=start + (span.end - span.start)))
    return clue


def _clues(sentence: str, at: datetime, language: Language) -> Iterator[DateClue]:
    if language.time_phrases is not None:
        prefer: TimePreference = "past" if _is_past(sentence, language) else "future"
        read = parse_time_in(language, sentence, at, prefer=prefer)
        clues = [clue for clue in read.clues if isinstance(clue, DateClue)] if read else []
        yield from (each for each in clues if not _CLOCK_ONLY.fullmatch(each.phrase.text))
        return
    zone = at.tzinfo or UTC
    reader = time_reader(sentence, at, "future")
    place, last = 0, -1
    anchors = [index for index, token in enumerate(reader.tokens) if _is_date_token(reader, index)]
    for anchor in anchors:
        place = max(place, anchor - _REACH)
        while place <= anchor:
            found = _match(reader, place, sentence, language) if place > last else None
            place += 1
            if found is not None:
                span, last = found[0], found[1] - 1
                low, high = reader.tokens[place - 1].start, reader.tokens[last].end
                place = found[1]
                yield DateClue(span.in_zone(zone), MatchedPhrase(sentence[low:high], low, high))
                break


def _match(reader: TokenReader, at: int, sentence: str, language: Language) -> tuple[TimeSpan, int] | None:
    if not expression.may_begin(reader.tokens[at].key):
        return None
    hit = expression(reader, at)
    if hit is None or hit[0].kinds <= _TIMES_OF_DAY or (hit[0].ambiguous and not _is_day(reader, at, hit[1], sentence)):
        return None
    span = ahead = span_of(reader, hit[0])
    if (found := _past_verb(sentence, reader.tokens[at].start, language)) is not None:
        verb, own_clause = found
        stop = reader.tokens[at].end if reader.tokens[at].start > verb else len(sentence)
        arranged = compiled_pattern(language.date_words.arranging_verbs).match(sentence, verb, stop) is not None
        reader.prefer = "past"
        reader.seen.clear()
        hit = expression(reader, at)
        span = None if hit is None else span_of(reader, hit[0])
        span = _nearer(span, ahead, reader.now) if arranged or not own_clause else span
        reader.prefer = "future"
        reader.seen.clear()
    return None if span is None or hit is None else (span, hit[1])


def _nearer(past: TimeSpan | None, ahead: TimeSpan | None, at: datetime) -> TimeSpan | None:
    """The past day, or the coming one if it is nearer: "they booked us for the 3rd of October" looks ahead."""
    if past is None or ahead is None or past.grain != ahead.grain or grain_rank(past.grain) > grain_rank("month"):
        return past
    near = ahead.start - at < _NEAR and max(_FAR, ahead.start - at) < at - past.end
    return ahead if near else past


def _is_day(reader: TokenReader, at: int, end: int, sentence: str) -> bool:
    low, high = reader.tokens[at].start, reader.tokens[end - 1].end
    return bool(_BARE_DAYS.fullmatch(sentence, low, high) and _AFTER_DAY.match(sentence, high))


def _closed(clue: DateClue, at: datetime) -> TimeSpan | None:
    """The span itself, or its known end: "by Friday" and "since March" are open on the other side."""
    span = clue.span
    zone = span.start.tzinfo
    start, end = span.start.replace(tzinfo=None), span.end.replace(tzinfo=None)
    grain = span.grain if grain_rank(span.grain) >= grain_rank("day") else "day"
    if _LIMITS.match(clue.phrase.text) or start <= EARLIEST:
        start = max(start, shift(end, -1, grain))
    elif end >= LATEST:
        end = min(end, calendar_unit(start, grain).end)
    if start.year < 1800 or end.year >= 2300 or start >= end:
        return None
    return replace(span, start=start.replace(tzinfo=zone), end=end.replace(tzinfo=zone))


# ── which way a sentence looks ──


def _past_verb(sentence: str, place: int, language: Language) -> tuple[int, bool] | None:
    """Where the verb of a date stands if it is in the past: the nearest in its clause, else in the sentence.

    Also whether it is in the clause: "from 1 January, and I've thought about it" says little about January."""
    breaks = list(_CLAUSE_END.finditer(sentence))
    opening = max((each for each in breaks if each.end() <= place), key=re.Match.end, default=None)
    begin = opening.end() if opening else 0
    stop = min((each.start() for each in breaks if each.start() >= place), default=len(sentence))
    verbs = _verbs(sentence, language)
    for low, high in ((begin, stop), (0, len(sentence))):
        before = [each for each in verbs if low <= each[0] < place]
        after = [each for each in verbs if place <= each[0] < high]
        if before or after:
            verb, is_past = before[-1] if before else after[0]
            return (verb, (low, high) == (begin, stop)) if is_past else None
        least = _JOINED_CLAUSE if opening and opening[0].endswith("and") else _OWN_CLAUSE
        if len(sentence[begin:place].split()) >= least:
            return None  # a clause of its own, in the present
    return None


def _verbs(sentence: str, language: Language) -> list[tuple[int, bool]]:
    """Where verbs stand that tell the tense, and whether each is in the past."""
    ahead = [each.span() for each in compiled_pattern(language.date_words.ahead_verbs).finditer(sentence)]
    past = [each.start() for each in compiled_pattern(language.date_words.past_verbs).finditer(sentence)]
    found = [(place, True) for place in past if not any(start <= place < end for start, end in ahead)]
    return sorted([*found, *((start, False) for start, _ in ahead)])


def _is_past(text: str, language: Language) -> bool:
    return compiled_pattern(language.date_words.past_verbs).search(text) is not None


# ── the quick test ──


def _is_date_token(reader: TokenReader, index: int) -> bool:
    token = reader.tokens[index]
    if token.word in AMBIGUOUS_DATE_WORDS - _VERBS and index and reader.number(index - 1) is not None:
        return True
    if token.number is None:
        return token.word == "q" or date_words().fullmatch(token.raw) is not None
    following = reader.word(index + 1)
    joined = following in _ORDINAL_ENDINGS or (following in "-/." and reader.number(index + 2) is not None)
    return (joined and reader.glued(index + 1)) or 1900 <= token.number < 2100


def placed(clue: DateClue, start: int) -> DateClue:
    """The clue in a longer text, in which its own begins at `start`."""
    phrase = clue.phrase
    return replace(clue, phrase=replace(phrase, start=phrase.start + start, end=phrase.end + start))


def _blanked(found: re.Match[str], group: int) -> str:
    begin, end = found.start(group) - found.start(), found.end(group) - found.start()
    return found[0][:begin] + " " * (end - begin) + found[0][end:]
