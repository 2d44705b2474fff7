"""The known languages: what one language is, which one a text is written in, and the words of all of them together.

A language is data, in one module of `omoide.language.languages`. Its patterns are regular expressions that ignore case.
A line break in a pattern does not count, nor do the spaces around it; every other space does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, reduce
from importlib import import_module
from typing import Any, Literal

from omoide.language import languages as _folder
from omoide.language.statement_words import PrivacyWords, StatementWords

QuestionKind = Literal["why", "when", "who", "what", "how", "general"]
CAPITALIZED_NAME = r"([^\W\d_a-z][\w'-]*)"  # begins with a letter that is not lower case
_NEVER = r"(?!)"
_LINE_BREAK = re.compile(r"\s*\n\s*")
_WORD = re.compile(r"[^\W\d_]+")
_BEGINNING = 10_000  # characters that say which language a text is in
_PATTERNS = (
    "non_questions", "recall_cues", "user_said", "agent_said", "named_said", "collection_cues", "comparison_cues",
    "clause_cues",
)  # fmt: skip
# How the alternatives of all languages become a pattern: WORDS of those with spaces, SIGNS of those without.
_STARTING_WITH = r"\b(?:WORDS)|SIGNS"
_WHOLE_WORDS = r"\b(?:WORDS)\b|SIGNS"
_TEMPLATES = {
    "abbreviations": r"(?:\b(?:WORDS)|\b[A-Z]|\b\d{1,2})\.\Z",
    "question_endings": r"[?？؟]\W*\Z|(?:SIGNS)[。.]?\W*\Z",
    "fillers": r"(?:\W|\b(?:WORDS)\b|SIGNS)+",
    "yes_no": r"\W*(?:WORDS|SIGNS)\b(?:\W|please|thanks|thank you)*",
    "unmarked_questions": r"\W*(?:WORDS)[^.!?,]*",
    "greetings": r"\W*(?:WORDS)",
    "openings": r"^(?:(?:WORDS)\b[,!.…]*\s+)+(?=\S)",
    "work_reports": "WORDS",
    "acknowledgements": r"^\W*(?:WORDS)\b",
    "repetitions": r"\W*(?:WORDS)\b",
    "courtesies": r"\W*(?:WORDS)\W*",
    "first_person": _WHOLE_WORDS,
    "cause_words": _WHOLE_WORDS,
    "takes_place": _WHOLE_WORDS,
    "hedges": _WHOLE_WORDS,
    "completions": _WHOLE_WORDS,
    "plan_details": _WHOLE_WORDS,
    "uncertainty": _WHOLE_WORDS,
    "denials": _WHOLE_WORDS,
    "polar_questions": r"\W*(?:WORDS)\b|SIGNS",
    "constraints": _WHOLE_WORDS,
    "change_words": _WHOLE_WORDS,
    "past_questions": _WHOLE_WORDS,
    "correction_openings": r"(?:WORDS)\b",
    "left_behind": r"(?:\b(?:WORDS) (?:\w+ )?|SIGNS)\Z",
    "present_words": _WHOLE_WORDS,
    "asides": r"\W*(?:WORDS)\W*|SIGNS",
    "time_words": _WHOLE_WORDS,
    "causal_words": _WHOLE_WORDS,
    "anaphora": _WHOLE_WORDS,
    "preferences": "SIGNS",
    "keep_requests": r"(?<![\w'])(?:WORDS)(?!\w)|SIGNS",
    "doubts": r"[?？]|\b(?:WORDS)\b|SIGNS",
    "topic_announcements": (
        r"^\W*(?:(?:ok(?:ay)?|oh|so|and|hey|well|great|thanks|thank you|anyways?|right)\W+){0,3}(?:WORDS)\b"
    ),
}
_MIND_CASE = {"abbreviations", "greetings"}
# Searched in lower-case text, and written so: ignoring case would take five to twelve times as long.
IN_LOWER_CASE = {"constraints", "change_words", "past_questions", "doubts", "keep_requests"}
_WORD_LISTS = ("weekdays", "months", "numbers", "units", "seasons")


@dataclass(frozen=True, slots=True)
class PhraseForm:
    """A pattern made of a start, one of several phrases (separated by commas), and an end; lower case."""

    start: str
    phrases: str
    end: str = r"\b"


@dataclass(frozen=True, slots=True, kw_only=True)
class DateWords:
    """How a language speaks of dates: which words a date has, and whether it lies ahead or behind."""

    words: str = ""  # of a date, beside the lists of the language: "tomorrow", "weekend"
    past_verbs: str = _NEVER  # a date beside one of these is the last one: "I met her on the 9th"
    arranging_verbs: str = _NEVER  # in the past, though the date may lie ahead: "they gave me the 9th"
    ahead_verbs: str = _NEVER  # although it may look past, it speaks of what will be: "it was moved to the 9th"
    ahead_questions: str = _NEVER  # a question with one of these looks ahead: "what's on", "am I free"
    upcoming_cues: str = _NEVER  # asks for what comes next without naming a time: "coming up"
    saying_words: str = _NEVER  # asks what was said at a time, not what happened: "discuss"
    rescheduling: str = ""  # every text that moves or cancels something has one of these words
    moved: str = _NEVER  # says that something takes place at another time: "postponed", "pushed to Friday"
    cancelled: str = _NEVER  # says that it does not take place: "called off"
    unsettled: str = _NEVER  # a sentence with one of these moves and cancels nothing: "might be", "if"
    yearly: str = _NEVER  # what returns every year, and is not moved with a dinner: "birthday is"
    unspecific: str = ""  # words that name no event: "thing", "works"
    same_events: str = ""  # a line for each event that is named in several ways: "visit", "coming to stay"


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. Every field but the name may be left out: the code then does without it for this language."""

    name: str
    order: int = 100  # of two languages that fit a text equally well, the one with the lower number is taken
    characters: str = ""  # a character class; a text with one of them is taken for this language
    spaced: bool = True  # words are separated by spaces
    function_words: str = ""  # frequent words that tell the language from its neighbours
    # Words without content in a question. Short on purpose: dropping frequent words loses answers in small stores.
    stop_words: str = ""
    minor_words: str = ""  # words that claim nothing by themselves
    negations: str = ""  # words that negate, restrict or weaken a sentence
    common_words: str = ""  # everyday words of five letters and more, which are not misspelled names
    general_words: str = ""  # words too general to name a topic
    abbreviations: str = ""  # alternatives after which a full stop does not end a sentence

    # What a question asks for. Of two cues at one place the longer decides ("what time" is more than "what").
    question_cues: tuple[tuple[QuestionKind, str], ...] = ()
    non_questions: str = _NEVER  # phrases with a question word that ask nothing: "remember when", "that's why"
    slot_questions: tuple[tuple[str, str], ...] = ()  # slots, and the words of a question that ask for them
    recall_cues: str = _NEVER  # explicit recall: "do you remember", "like last time"
    user_said: str = _NEVER
    agent_said: str = _NEVER
    named_said: str = _NEVER  # one group per alternative: the name; the only pattern that minds case
    collection_cues: str = _NEVER  # "all", "how many", "history"
    comparison_cues: str = _NEVER
    # Kinds of values that questions ask for, and the words that tell: name, part_of_name, number, phone, thing.
    value_questions: tuple[tuple[str, str], ...] = ()
    number_words: str = ""
    titles: str = ""  # before a name: "mrs"
    clause_cues: str = _NEVER  # a further clause begins

    # Time. Each list is in the order of English; a slash separates forms of one word.
    weekdays: str = ""
    months: str = ""
    numbers: str = ""  # from one to ten
    units: str = ""  # hours, days, weeks, months, years
    seasons: str = ""  # spring, summer, autumn, winter
    date_words: DateWords = DateWords()
    # Patterns and the English phrase each stands for. DAY, MONTH, COUNT, UNIT and SEASON are groups that hold any word
    # of the lists above; {0} is the first group, translated. None: the grammar reads the language itself.
    time_phrases: tuple[tuple[str, str], ...] | None = None
    conversation_words: str = ""  # words of a question that name no subject: "talked", "topic"

    # Conversation. Alternatives of patterns; those of all languages are tried together.
    fillers: str = ""  # greetings, thanks and the like
    keep_requests: str = ""  # asks that what was said be kept: "write that down", "put it somewhere safe"
    yes_no: str = ""
    polar_questions: str = ""  # the words by which a question begins that is answered by yes or no: "does"
    question_endings: str = ""  # by which a sentence without a question mark is a question
    unmarked_questions: str = ""  # whole sentences that are questions although nobody typed the mark
    greetings: str = ""  # whole sentences; these mind case
    openings: str = ""  # words a sentence can do without: "well, so"
    first_person: str = ""
    cause_words: str = ""  # "because": says what a feeling is about

    # What a sentence states.
    decisions: str = ""
    plans: str = ""
    outcomes: str = ""
    events: str = ""
    feelings: str = ""
    duties: str = ""  # promises, and what should be remembered
    dates: str = ""
    causal_words: str = ""  # say that one thing brought about another
    time_words: str = ""  # a date can be worked out from a text with one of them
    commitments: str = ""  # "I'll …", "remember to …"
    completions: str = ""  # reports that something is done
    plan_details: str = ""  # words of a plan that its report need not repeat
    uncertainty: str = ""  # "not sure", "let me check"
    denials: str = ""
    change_words: str = ""  # words by which a sentence may end what was said before: "now", "instead", "moved"
    left_behind: str = ""  # words before what a change leaves behind: "from", "instead of"
    past_questions: str = ""  # words by which a question asks how it was: "used to", "before", "what was"
    correction_openings: str = ""  # by which a turn takes back the one before: "scratch that"
    present_words: str = ""  # by which a question asks how it is by now: "nowadays", "still"; they name no subject
    asides: str = ""  # clauses that tell why one asks: "for the insurance form"
    constraints: str = ""  # words of what must be considered without being asked: allergies, limits, house rules
    examples: str = ""
    anaphora: str = ""  # pronouns that refer to what was said before
    topic_announcements: str = ""  # "by the way"
    preference_forms: tuple[
        PhraseForm, ...
    ] = ()  # lasting preferences and instructions: "I prefer …", "never suggest …"
    preferences: str = ""  # the same, for a language without spaces
    doubts: str = ""  # in a sentence that states no preference of today: "what if", "used to"
    takes_place: str = ""  # with a date: something that happened or will
    hedges: str = ""  # an assistant's general advice
    work_reports: str = ""  # an assistant reports what it did
    acknowledgements: str = ""  # an assistant says that it has heard
    repetitions: str = ""  # the same, before the user's own words ("Noted: Friday")
    courtesies: str = ""  # whole sentences of an assistant that are only kind
    privacy: PrivacyWords | None = None  # how people ask for privacy, and words of sensitive matters
    statements: StatementWords | None = None  # how people state things; without it nothing is learned by reading


@cache
def compiled_pattern(pattern: str, *, case_sensitive: bool = False) -> re.Pattern[str]:
    """Compile a pattern of a Language when it is first needed, since compiling all of them would slow every start."""
    return re.compile(_LINE_BREAK.sub("", pattern), re.NOFLAG if case_sensitive else re.IGNORECASE)


@cache
def languages() -> tuple[Language, ...]:
    """Every language that has a module in omoide.language.languages, in order of `Language.order`."""
    from pkgutil import iter_modules  # not needed by processes that read no text

    modules = (import_module(f"{_folder.__name__}.{found.name}") for found in iter_modules(_folder.__path__))
    return tuple(sorted((module.LANGUAGE for module in modules), key=lambda language: (language.order, language.name)))


def detect_language(text: str) -> Language:
    """Return the language a text is written in: by its characters, else by its most frequent words.

    Chinese and Japanese share characters: a text with such characters gets both, combined. English where nothing speaks
    for another language. Of a long text, the beginning is looked at.
    """
    text = text[:_BEGINNING]
    if not text.isascii():
        found = [each for each in languages() if each.characters and compiled_pattern(each.characters).search(text)]
        if found:
            return _combined(tuple(found))
    words = _WORD.findall(text.lower())
    return max(_by_words(), key=lambda known: sum(word in known[1] for word in words))[0]  # the first of equals


def alternatives(field: str, *, spaced: bool | None = None) -> str:
    """Join one field of all languages into the alternatives of a pattern.

    `spaced` takes only languages that do, or do not, separate words by spaces: only the former have word boundaries.
    """
    chosen = (each for each in languages() if spaced is None or each.spaced == spaced)
    return "|".join(filter(None, (_LINE_BREAK.sub("", getattr(each, field).strip()) for each in chosen)))


@cache
def language_pattern(field: str) -> re.Pattern[str]:
    """Return one pattern for a field of all languages, such as "fillers"."""
    template = _TEMPLATES.get(field, _STARTING_WITH)
    for mark, spaced in (("WORDS", True), ("SIGNS", False)):
        template = template.replace(mark, alternatives(field, spaced=spaced) or _NEVER)
    return re.compile(template, re.NOFLAG if field in _MIND_CASE | IN_LOWER_CASE else re.IGNORECASE)


@cache
def words_of(*fields: str) -> frozenset[str]:
    """Return the words in one or more fields of all languages, such as "stop_words"."""
    return frozenset(word for language in languages() for field in fields for word in getattr(language, field).split())


@cache
def _by_words() -> tuple[tuple[Language, frozenset[str]], ...]:
    known = (each for each in languages() if each.function_words)
    return tuple((each, frozenset(each.function_words.split())) for each in known)


@cache
def _combined(several: tuple[Language, ...]) -> Language:
    return reduce(_both, several)


def _both(one: Language, other: Language) -> Language:
    changes: dict[str, Any] = {
        field: f"{getattr(one, field).strip()}|{getattr(other, field).strip()}" for field in _PATTERNS
    }
    changes |= {field: _paired(getattr(one, field), getattr(other, field)) for field in _WORD_LISTS}
    return replace(
        one,
        question_cues=one.question_cues + other.question_cues,
        time_phrases=(*(one.time_phrases or ()), *(other.time_phrases or ())),
        conversation_words=f"{one.conversation_words} {other.conversation_words}",
        function_words=f"{one.function_words} {other.function_words}".strip(),
        **changes,
    )


def _paired(one: str, other: str) -> str:
    """Lists of words in the same order, as one list in which a slash separates the forms."""
    if not one or not other:
        return one or other
    return " ".join(map("/".join, zip(one.split(), other.split(), strict=True)))
