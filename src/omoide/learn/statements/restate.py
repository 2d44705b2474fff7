"""Says a clause in the third person: with the speaker's name, resolved pronouns and absolute dates."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

from omoide.language.registry import Language, language_pattern
from omoide.language.statement_words import StatementWords
from omoide.language.time import DateClue, TimeSpan
from omoide.language.time.calendar import Grain, shift
from omoide.language.time.mentioned import dates_in_statement
from omoide.learn.statements.clauses import GAP
from omoide.learn.statements.people import People, Person, clean_name

USER_MARK = "USER"
SAID = f"{USER_MARK}: "  # before the words of the speaker that are kept as they are
_FIRST_WORD = re.compile(r"[\w']+")
_CLOCK_ONLY = re.compile(
    r"\W*(?:[^\W\d]{2,7} )?\d{1,2}(?:[:.h]\d\d|\d\d(?=\s*[ap]))?\s*(?:[ap]\.?m\.?|h|uhr|o'clock)?\W*\Z", re.IGNORECASE
)
_DAY_NUMBER = re.compile(r"\d{1,2}(?:st|nd|rd|th)\b|\d{1,4}[/.-]\d{1,2}|\b(?:19|20)\d\d\b")
_ORDINAL = re.compile(r"(?:[a-z]+ )*\d{1,2}(?:st|nd|rd|th)", re.IGNORECASE)
_ONE_DAY = re.compile(r"(?:on )?the \d{1,2}(?:st|nd|rd|th)", re.IGNORECASE)
_BETWEEN_DAYS = re.compile(r"\s*(?:,|,? (?:and|or|to|till|through)\b|/|&|-|\+)*\s*", re.IGNORECASE)
_BARE_DAY = re.compile(
    r"(?:on |that |the )?(?!(?:next|this|last|today|tomorrow|yesterday)\b)\w+(?: (?:at|in) .+| \w+(?:ing|noon|ght))?\Z",
    re.IGNORECASE,
)
_DAY_OF_MONTH = re.compile(
    r"^(?:\W|on|the|by|until|till|from)*(?:\d\d?(?:st|nd|rd|th)?(?: of)? [a-z]{3,}|[a-z]{3,} \d\d?(?:st|nd|rd|th)?)$",
    re.IGNORECASE,
)
_MONTH = re.compile(r"(?!.*\b(?:ago|last|past)\b)(?:[^\W\d]+ ){0,2}[^\W\d]{3,}", re.IGNORECASE)
_COUNTED = re.compile(r"\D*\b(?:19|20)\d\d, \d+")  # "2012, 240,000 km"
_SUBJECT = re.compile(rf"(?:^|[,;.:!] |\b(?:and|but|so|because|since|that|if|when) ){USER_MARK}(?= )")
_OTHERS = re.compile(r"^ and\b|\b(?:he|she|they|them|their|his|her)\b")
_DIGITS = re.compile(r"\d")
_BEFORE = re.compile(r"\W*(?:before|prior to|vor|avant|antes|prima)\b", re.IGNORECASE)
_SAID_BEFORE = re.compile(r"\bthat \Z", re.IGNORECASE)  # "that Saturday" is one that was spoken of
_PART_OF_NUMBER = re.compile(r"\d \Z|\bscor(?:ed|ing) \Z", re.IGNORECASE)  # "2 1/2", "scoring 8/10"
_SIZE = re.compile(r" scale\b|-[a-z]", re.IGNORECASE)  # "1/24 scale", "20th-century"
_YEAR = re.compile(r"\d{4}|\d\ds\b|'\d\d")
_YEARS = 5  # further away, a year is said
_FUZZY = timedelta(days=7)  # "just before Mother's Day"
_SLACK = timedelta(days=7)  # "for Christmas, on the 24th"
_MOST_STEPS = 12
_AFTER = 15  # characters: "thursday evenings", "the sunday right after"
_EARLY, _LATE = 100, 9000  # years outside of which a span is open
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Restated:
    """A clause in the third person. `canonical` has USER where the speaker's name belongs."""

    canonical: str
    subject: Person | None  # somebody else than the speaker whom the clause begins with
    of_user: bool
    unresolved: bool
    fragment: bool
    pronoun: bool = False  # its subject is "he" or "she", whoever that is


def restate(text: str, words: StatementWords, people: People, turn: int, place: int) -> Restated:
    """The words of a clause in the third person; words that cannot be turned are quoted after the speaker's name."""
    text = _SPACES.sub(" ", text.replace(GAP, " ")).strip(" ,;:-–—")
    if heading := words.pattern("headings").match(text):
        rest = restate(text[heading.end() :], words, people, turn, place)
        if not rest.fragment and not rest.canonical.startswith(SAID):
            return replace(rest, canonical=heading[0] + rest.canonical, of_user=False)
    text, subject, unresolved = _resolved(text, words, people, turn, place)
    pronoun = unresolved and words.pattern("dependent").match(text) is None
    if dropped := words.pattern("dropped").match(text):
        text = words.restored[dropped["going"] is not None].format(text[:1].lower() + text[1:])
    quoted = words.pattern("quoted_subjects").search(text) is not None
    fragment = words.pattern("has_subject").match(text) is None
    if quoted or fragment:
        return Restated(SAID + text, subject, True, unresolved, fragment, pronoun)
    text = third_person(text, words)
    of_user = text.startswith(USER_MARK) and not text.startswith(words.possessive.format(USER_MARK))
    return Restated(text, subject or _subject(text, words, people), of_user, unresolved, False, pronoun)


def third_person(text: str, words: StatementWords) -> str:
    for pattern, replacement in words.pronouns:
        text = words.compiled(pattern).sub(replacement, text)
    text = words.pattern("agreeing").sub(lambda found: _agreed(found, words), text)
    return text.replace("USERS", words.possessive.format(USER_MARK))


def ordered(text: str, words: StatementWords) -> str:
    """An instruction in the user's words, without what leads to it: "Never ask USER to paste rows"."""
    if words.pattern("wants").match(text):
        return third_person(text, words)
    for lead in ("openings", "asks_for"):
        found = words.pattern(lead).match(text)
        if found and len(text[found.end() :].split()) > 1:
            text = text[found.end() :]
    text = third_person(text.rstrip(" ,.!"), words)
    return text[:1].upper() + text[1:]


def _agreed(found: re.Match[str], words: StatementWords) -> str:
    adverbs, verb = found["adverbs"], found["verb"]
    emphatic = adverbs.lower().split()[-1:] == ["do"]
    if emphatic and words.pattern("no_verbs").match(verb):  # "I also do the garlic"
        return f"{USER_MARK} {re.sub('do $', 'does ', adverbs, flags=re.IGNORECASE)}{verb}"
    if verb.lower() not in words.words("unchanged_verbs") and not emphatic:
        for pattern, form in words.verb_forms:
            if re.match(pattern, verb, re.IGNORECASE):
                verb = re.sub(pattern, form, verb, flags=re.IGNORECASE)
                break
    return f"{USER_MARK} {adverbs}{verb}"


def _resolved(
    text: str, words: StatementWords, people: People, turn: int, place: int
) -> tuple[str, Person | None, bool]:
    """The text with the names of those whom a pronoun at its beginning, or "my husband", means."""
    subject: Person | None = None
    first = _FIRST_WORD.match(text)
    pronoun = first[0].lower() if first else ""
    unresolved = False
    if first and pronoun in words.he_she:
        subject = people.meant_by(pronoun, turn, place)
        unresolved = subject is None
        if subject:
            text = _named_for(pronoun, text[first.end() :], subject, words) + text[first.end() :]
    elif words.pattern("dependent").match(text):
        unresolved = True

    def with_name(found: re.Match[str]) -> str:
        name = people.named(found["kin"].lower())
        return f"{found[0]} {name}" if name and name not in text else found[0]

    return words.pattern("kin_alone").sub(with_name, text), subject, unresolved


def _named_for(pronoun: str, rest: str, person: Person, words: StatementWords) -> str:
    who = person.name or f"{words.possessive.format(USER_MARK)} {person.kin}"
    _, mark, ending = pronoun.partition("'")
    if pronoun in {"hes", "shes"}:
        mark, ending = "'", "s"
    if pronoun in {"his", "her"}:
        return words.possessive.format(who)
    contracted = ending == "s" and mark and words.pattern("participles").match(rest) is None
    return f"{who} is" if contracted else who + mark + ending


def _subject(text: str, words: StatementWords, people: People) -> Person | None:
    """The person with whom a restated clause begins."""
    head = text.removeprefix(words.possessive.format(USER_MARK)).lstrip()
    for person in sorted(people.known, key=lambda each: -len(each.name)):
        if (
            person.name
            and not (person.weak or person.fictional)
            and re.match(rf"(?:[\w-]+ ){{0,3}}?{re.escape(person.name)}(?!\w)", head)
        ):
            return person
    if head != text:
        for person in people.known:
            if (
                person.kin
                and not person.name
                and re.match(rf"(?:[\w-]+ ){{0,2}}?{re.escape(person.kin)}\b", head, re.IGNORECASE)
            ):
                return person
    return None


@lru_cache(maxsize=8)  # asked for by each clause of a turn
def _spans_of(turn: str, at: datetime, zone: str, language: Language) -> dict[str, TimeSpan]:
    """`zone` is that of `at`: times of other zones are equal, and the days are not."""
    return {each.phrase.text: each.span for each in dates_in_statement(turn, at, language)}


def dates_in(
    text: str, at: datetime, language: Language, before: DateClue | None = None, turn: str = ""
) -> list[DateClue]:
    """The days and longer times that a text speaks of, after the date `before`; a bare time of day is no date.

    "Not on the 24th, but on October 31" is about October, which only the whole `turn` may say."""
    words = language.statements
    if words is None:
        return []
    text = words.pattern("now").sub(lambda found: " " * len(found[0]), text)
    found = [clue for clue in dates_in_statement(text, at, language) if not _vague(text, clue, words, at)]
    if turn and any(_ONE_DAY.fullmatch(each.phrase.text) for each in found):
        whole = _spans_of(turn, at, str(at.tzinfo), language)
        found = [replace(each, span=whole.get(each.phrase.text, each.span)) for each in found]
    found = [clue for clue in _of_one_month(text, found) if not any(_are_listed(clue, each, text) for each in found)]
    before = None if words.pattern("past").search(text) or not _may_be_open(found) else before
    found = _in_order(found, at, before)
    return [clue for clue in found if not any(_is_weekday_of(clue, other) for other in found)]


def _of_one_month(text: str, clues: list[DateClue]) -> list[DateClue]:
    """The dates of a text, where "the 17th and 18th of April" are both in April."""
    for number, (clue, later) in enumerate(itertools.pairwise(clues)):
        joined = _BETWEEN_DAYS.fullmatch(text[clue.phrase.end : later.phrase.start])
        if joined and _ORDINAL.fullmatch(clue.phrase.text) and _DAY_OF_MONTH.fullmatch(later.phrase.text):
            begins = later.span.start - timedelta(days=later.span.start.day - clue.span.start.day)
            span = replace(clue.span, start=begins, end=begins + (clue.span.end - clue.span.start))
            clues = [*clues[:number], replace(clue, span=span), *clues[number + 1 :]]
    return clues


def _may_be_open(clues: list[DateClue]) -> bool:
    """Whether the first date says a day but no month, so that it may follow a date that was said before."""
    return bool(clues) and (_is_bare(clues[0]) or _ORDINAL.fullmatch(clues[0].phrase.text) is not None)


def _are_listed(clue: DateClue, other: DateClue, text: str) -> bool:
    """Whether two weekdays stand in a list, as those of a habit do: "rehab's Monday, Wednesday, Friday"."""
    first, last = sorted((clue, other), key=lambda each: each.phrase.start)
    between = text[first.phrase.end : last.phrase.start]
    return clue is not other and _BETWEEN_DAYS.fullmatch(between) is not None and all(map(_is_bare, (clue, other)))


def _is_bare(clue: DateClue) -> bool:
    return _BARE_DAY.match(clue.phrase.text) is not None and not _DIGITS.search(clue.phrase.text)


def _in_order(clues: list[DateClue], at: datetime, earlier: DateClue | None = None) -> list[DateClue]:
    """The dates of a text, where a day or month that is only numbered or named follows the coming date before it."""
    found: list[DateClue] = []
    for clue in clues:
        before = next((each for each in reversed(found) if each.span.start > at), earlier)
        said = clue.phrase.text
        named = clue.span.start < at and _DAY_OF_MONTH.search(said) is not None and not _ORDINAL.fullmatch(said)
        step: Grain = "year" if named or clue.span.grain == "month" else "month" if _DIGITS.search(said) else "week"
        open_ = (
            named
            or _is_bare(clue)
            or _ORDINAL.fullmatch(said)
            or (clue.span.grain == "month" and _MONTH.fullmatch(said))
        )
        for _ in range(_MOST_STEPS):
            if before is None or not open_ or _may_follow(clue.span.start, before.span.start, step):
                break
            span = clue.span
            begins = shift(span.start.replace(tzinfo=None), 1, step).replace(tzinfo=span.start.tzinfo)
            clue = replace(clue, span=replace(span, start=begins, end=begins + (span.end - span.start)))
        found.append(clue)
    return found


def _may_follow(day: datetime, before: datetime, step: Grain) -> bool:
    return day >= before or (step == "month" and day.month == before.month and before - day < _SLACK)


def _is_weekday_of(clue: DateClue, date: DateClue) -> bool:
    """Whether a phrase only says on which weekday another date falls: "the 2nd of September, a Tuesday"."""
    short = len(clue.phrase.text) < len(date.phrase.text) and not any(map(str.isdigit, clue.phrase.text))
    same = clue.span.start.weekday() == date.span.start.weekday() and clue.span.start != date.span.start
    return short and same and clue.span.grain == date.span.grain == "day"


def _vague(text: str, clue: DateClue, words: StatementWords, now: datetime) -> bool:
    before, said = text[: clue.phrase.start], clue.phrase.text
    timed = clue.span.grain in {"second", "minute", "hour", "part"}
    return bool(
        _CLOCK_ONLY.match(said)
        or _COUNTED.fullmatch(said)
        or _PART_OF_NUMBER.search(before)
        or (_SAID_BEFORE.search(before) and not _DIGITS.search(said))
        or _SIZE.match(text, clue.phrase.end)
        or (abs(clue.span.start.year - now.year) > _YEARS and not _YEAR.search(said))
        or (clue.span.grain == "day" and clue.span.end - clue.span.start > _FUZZY and not _DIGITS.search(said))
        or (timed and not language_pattern("time_words").search(said) and not _DAY_NUMBER.search(said))
        or words.pattern("undated").fullmatch(said)
        or words.pattern("recurring").search(before)
        or words.pattern("recurring").search(said)
        or words.pattern("recurring").search(text[clue.phrase.start : clue.phrase.end + _AFTER])
        or clue.span.grain in {"decade", "century"}
    )


def with_dates(text: str, clues: list[DateClue], at: datetime) -> str:
    """The text with the calendar date after each time phrase that does not give it."""
    for clue in sorted(clues, key=lambda each: each.phrase.start, reverse=True):
        date, end = written(clue.span, at), clue.phrase.start + len(clue.phrase.text.rstrip(" .,;"))
        if clue.span.grain in {"day", "month", "year"} and _BEFORE.match(clue.phrase.text):
            date = _day(clue.span.end, clue.span.grain)
        if date not in clue.phrase.text and not _ISO.search(clue.phrase.text):
            text = f"{text[:end]} ({date}){text[end:]}"
    return text


def written(span: TimeSpan, at: datetime) -> str:
    """A span as a date: 2026-09-26, 2026-09, 2026, or from one day to another; an open end is left out."""
    first, last = _day(span.start, span.grain), _day(span.end - timedelta(seconds=1), span.grain)
    long = span.end - span.start > timedelta(days=1)
    if span.start.year < _EARLY or (long and abs(span.start - at) < timedelta(days=1)):
        return last
    if span.end.year > _LATE or (long and abs(span.end - at) < timedelta(days=1)):
        return first
    return first if first == last else f"{first} to {last}"


def _day(moment: datetime, grain: str) -> str:
    return f"{moment:%Y-%m}" if grain == "month" else f"{moment:%Y}" if grain == "year" else f"{moment:%Y-%m-%d}"


def named(canonical: str, user: str, words: StatementWords | None = None) -> str:
    """A restated clause with the name of the speaker, beginning with a capital letter."""
    text = pronominal(canonical, words) if words else canonical
    text = f'{SAID}"{text[len(SAID) :].replace(chr(34), chr(39))}"' if text.startswith(SAID) else text
    text = text.replace(USER_MARK, user)
    return text[:1].upper() + text[1:]


def pronominal(canonical: str, words: StatementWords) -> str:
    """A clause about the speaker alone, whom it names once."""
    subject = _SUBJECT.search(canonical)
    if subject is None or words.pattern("joint_subjects").match(canonical[subject.start() :][:9]):
        return canonical
    rest = canonical[subject.end() :]
    others = [each.start() for each in _OTHERS.finditer(rest)]  # after them, "their" may be somebody else's
    for name in words.pattern("names").finditer(rest):
        before = rest[: name.start()].split()[-1:]
        person = clean_name(name[0], words) and not (before and before[0].lower() in words.words("before_things"))
        others += [name.start()] if person and USER_MARK not in name[0] else []
    end = min(others, default=len(rest))
    alone, after = rest[:end], rest[end:]
    for pattern, pronoun in words.again:
        alone = words.compiled(pattern).sub(pronoun, alone)
    return f"{canonical[: subject.end()]}{alone}{after}"


def quoted_dates(clues: list[DateClue]) -> Iterator[TimeSpan]:
    for clue in clues:
        if clue.span.start.year > _EARLY and clue.span.end.year < _LATE:
            yield clue.span
