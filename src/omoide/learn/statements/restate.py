"""Says a clause in the third person: with the speaker's name, resolved pronouns and absolute dates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from omoide.language.registry import Language, language_pattern
from omoide.language.statement_words import StatementWords
from omoide.language.time import DateClue, TimeSpan
from omoide.language.time.mentioned import dates_in_statement
from omoide.learn.statements.masking import GAP
from omoide.learn.statements.people import People, Person

USER_MARK = "USER"
_FIRST_WORD = re.compile(r"[\w']+")
_CLOCK_ONLY = re.compile(
    r"\W*(?:[^\W\d]{2,7} )?\d{1,2}(?:[:.h]\d\d|\d\d(?=\s*[ap]))?\s*(?:[ap]\.?m\.?|h|uhr|o'clock)?\W*\Z", re.IGNORECASE
)
_DAY_NUMBER = re.compile(r"\d{1,2}(?:st|nd|rd|th)\b|\d{1,4}[/.-]\d{1,2}|\b(?:19|20)\d\d\b")
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
    text, subject, unresolved = _resolved(text, words, people, turn, place)
    pronoun = unresolved and words.pattern("dependent").match(text) is None
    quoted = words.pattern("quoted_subjects").search(text) is not None
    fragment = words.pattern("has_subject").match(text) is None
    if quoted or fragment:
        return Restated(words.says_template.format(USER_MARK, text), subject, True, unresolved, fragment, pronoun)
    text = third_person(text, words)
    of_user = text.startswith(USER_MARK) and not text.startswith(words.possessive.format(USER_MARK))
    return Restated(text, subject or _subject(text, words, people), of_user, unresolved, False, pronoun)


def third_person(text: str, words: StatementWords) -> str:
    for pattern, replacement in words.pronouns:
        text = words.compiled(pattern).sub(replacement, text)
    text = words.pattern("agreeing").sub(lambda found: _agreed(found, words), text)
    return text.replace("USERS", words.possessive.format(USER_MARK))


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


def dates_in(text: str, at: datetime, language: Language) -> list[DateClue]:
    """The days and longer times that a text speaks of; a bare time of day is no date."""
    words = language.statements
    if words is None:
        return []
    text = words.pattern("now").sub(lambda found: " " * len(found[0]), text)
    found = [clue for clue in dates_in_statement(text, at, language) if not _vague(text, clue, words)]
    return [clue for clue in found if not any(_is_weekday_of(clue, other) for other in found)]


def _is_weekday_of(clue: DateClue, date: DateClue) -> bool:
    """Whether a phrase only says on which weekday another date falls: "the 2nd of September, a Tuesday"."""
    short = len(clue.phrase.text) < len(date.phrase.text) and not any(map(str.isdigit, clue.phrase.text))
    same = clue.span.start.weekday() == date.span.start.weekday() and clue.span.start != date.span.start
    return short and same and clue.span.grain == date.span.grain == "day"


def _vague(text: str, clue: DateClue, words: StatementWords) -> bool:
    before, said = text[: clue.phrase.start], clue.phrase.text
    timed = clue.span.grain in {"second", "minute", "hour", "part"}
    return bool(
        _CLOCK_ONLY.match(said)
        or (timed and not language_pattern("time_words").search(said) and not _DAY_NUMBER.search(said))
        or words.pattern("undated").fullmatch(said)
        or words.pattern("recurring").search(before)
        or words.pattern("recurring").search(said)
        or clue.span.grain in {"decade", "century"}
    )


def with_dates(text: str, clues: list[DateClue], at: datetime) -> str:
    """The text with the calendar date after each time phrase that does not give it."""
    for clue in sorted(clues, key=lambda each: each.phrase.start, reverse=True):
        date, end = written(clue.span, at), clue.phrase.end
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
    if span.grain in {"second", "minute", "hour"}:
        return f"{span.start:%Y-%m-%d %H:%M}"
    return first if first == last else f"{first} to {last}"


def _day(moment: datetime, grain: str) -> str:
    return f"{moment:%Y-%m}" if grain == "month" else f"{moment:%Y}" if grain == "year" else f"{moment:%Y-%m-%d}"


def named(canonical: str, user: str) -> str:
    """A restated clause with the name of the speaker, beginning with a capital letter."""
    text = canonical.replace(USER_MARK, user)
    return text[:1].upper() + text[1:]


def quoted_dates(clues: list[DateClue]) -> Iterator[TimeSpan]:
    for clue in clues:
        if clue.span.start.year > _EARLY and clue.span.end.year < _LATE:
            yield clue.span
