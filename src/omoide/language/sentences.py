"""Splits a text into sentences, in any script; tells what a sentence states, and whether a text may speak of a date."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from typing import TypeVar

from omoide.language.english_words import AMBIGUOUS_DATE_WORDS
from omoide.language.registry import PhraseForm, language_pattern, languages
from omoide.language.text import search_terms, shorten, split_at_marks

_MAX_SENTENCE = 600  # characters: a longer one is a list or a paste, and its beginning tells what it is
_MAX_TEXT = 50_000  # characters: a longer text is a document, and its beginning tells what it is
_MAX_SENTENCES = 1_000

_END = re.compile(r"[.!?…]+[\"'”’»)\]*]*(?=\s|\Z)|[。！？｡؟।]+[」』”）]*")
_AFTER_SENTENCE = re.compile(r"(?<=[.!?。！？…])\s+|\n+")
_MARKDOWN = re.compile(r"^\s*(?:[-*•·>]\s+|#{1,6}\s+|\d{1,2}[.)]\s+)+|^\s*\|.*\|\s*$")
_FENCE = re.compile(r"(```|~~~)[ \t]*(\w*)[^\n]*\n?(.*?)(?:\1|\Z)", re.DOTALL)


DECISION, EVENT, OUTCOME, DATED, FEELING = "decision", "event", "outcome", "dated", "feeling"
# What the first sentence of a class is worth beside its own weight: a summary names one of each before two of any.
CLASS_BONUS = {DECISION: 6.0, EVENT: 3.5, OUTCOME: 3.0, DATED: 2.0, FEELING: 1.5}
_WEIGHTS = {
    DECISION: ("decisions", 2.4),
    "plan": ("plans", 1.4),
    OUTCOME: ("outcomes", 2.0),
    EVENT: ("events", 2.2),
    FEELING: ("feelings", 1.8),
    "duty": ("duties", 1.2),
    "date": ("dates", 0.8),
}
_READ_CHARACTERS = 2_000  # preferences are stated in short turns, not deep inside a pasted text
_WORD = re.compile(r"[^\W\d_]+")
_FIRST_WORD = re.compile(r"\\b([^\W\d_]+)(?=\\|\(|')")  # the word that a pattern begins with, as in `\\bmy\\s`
_SHORT_FEELING = 7  # words: "I'm really scared though" does not say of what


T = TypeVar("T")
_MOST_REMEMBERED = 20_000


def remember_by_hash(function: Callable[[str], T]) -> Callable[[str], T]:
    """Cache what a function says of a text. The texts themselves are not kept: they may be erased."""
    results: dict[int, T] = {}

    @wraps(function)
    def remembered(text: str) -> T:
        key = hash(text)
        if key not in results:
            if len(results) >= _MOST_REMEMBERED:
                results.clear()
            results[key] = function(text)
        return results[key]

    return remembered


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, without code and Markdown; the end of a line ends a sentence."""
    found: list[str] = []
    for line in _without_code(text[:_MAX_TEXT]).splitlines():
        begin = 0
        for end in _END.finditer(line):
            if end[0] == "." and language_pattern("abbreviations").search(line, max(0, end.start() - 6), end.end()):
                continue
            if end[0].endswith("?)") and line[begin : begin + 9].lstrip().startswith("("):
                continue  # a question in brackets before its answer, as the extractive summary writes it
            found.append(line[begin : end.end()])
            begin = end.end()
        found.append(line[begin:])
    plain = (_MARKDOWN.sub("", sentence).strip().replace("**", "") for sentence in found)
    return [shorten(sentence, _MAX_SENTENCE) for sentence in plain if any(map(str.isalnum, sentence))][:_MAX_SENTENCES]


def split_verbatim(text: str) -> list[str]:
    """Split a text after its sentences and at line breaks; unlike `split_sentences` it changes and drops no words."""
    return [each for each in _AFTER_SENTENCE.split(text) if each.strip()]


@remember_by_hash
def is_question(sentence: str) -> bool:
    """Whether a sentence is a question, also one without a question mark."""
    if language_pattern("question_endings").search(sentence):
        return True
    return language_pattern("unmarked_questions").fullmatch(sentence) is not None


def with_end_mark(sentence: str) -> str:
    """Return the sentence with a full stop or question mark where nobody typed one."""
    if not sentence.rstrip()[-1:].isalnum():
        return sentence
    return sentence + ("?" if language_pattern("unmarked_questions").fullmatch(sentence.rpartition(": ")[2]) else ".")


def without_opening(sentence: str) -> str:
    """Return the sentence without introductory words such as "well, so"."""
    return language_pattern("openings").sub("", sentence)


def is_greeting(sentence: str) -> bool:
    """Whether a sentence is a greeting ("Good morning"). After "When?" the same words may be an answer."""
    return language_pattern("greetings").fullmatch(sentence.strip()) is not None


def is_filler(sentence: str) -> bool:
    """Whether a sentence is only greetings, thanks and the like."""
    return language_pattern("fillers").fullmatch(sentence.strip()) is not None


def asks_to_keep(text: str) -> bool:
    """Whether a person asks that something be kept: "remember that …", "put it somewhere safe"."""
    return language_pattern("keep_requests").search(text[:_READ_CHARACTERS].lower().replace("’", "'")) is not None


def holds_content(text: str, *, by_agent: bool = False) -> bool:
    """Whether a text says more than greetings and thanks; of an agent's, more than kind words."""
    if len(text) > _READ_CHARACTERS:
        return True
    sentences = split_at_marks(text, semicolons=True)
    empty = (is_filler, is_greeting, is_courtesy) if by_agent else (is_filler, is_greeting)
    return any(each.strip() and not any(matches(each) for matches in empty) for each in sentences)


def is_yes_or_no(sentence: str) -> bool:
    """Whether a sentence is an answer that means nothing without its question."""
    return language_pattern("yes_no").fullmatch(sentence) is not None


@remember_by_hash
def statement_weights(sentence: str) -> Mapping[str, float]:
    """Return the classes of statement that a sentence belongs to, with the weight of each."""
    found = {name: weight for name, (field, weight) in _WEIGHTS.items() if language_pattern(field).search(sentence)}
    if "date" in found and language_pattern("takes_place").search(sentence):
        found[DATED] = 0.0  # "Surgery is on Thursday at 8am"
    return found


@remember_by_hash
def states_preference(text: str) -> bool:
    """Whether a sentence of the text states a lasting preference or instruction of the speaker.

    Precise rather than complete: marked turns are considered for every later question, so a passing "I love it!" must
    not match. Each form of a language has cue words; a sentence without any is rejected without running a pattern.
    """
    lowered = text[:_READ_CHARACTERS].lower().replace("’", "'")
    doubt = language_pattern("doubts")  # questions, hypotheticals and statements about the past
    sentences = split_at_marks(lowered, semicolons=True)
    return any(_matches_form(sentence) and not doubt.search(sentence) for sentence in sentences)


@remember_by_hash
def states_constraint(text: str) -> bool:
    """Whether a text may state what must be considered without being asked: an allergy, a limit, a rule, a wish.

    Complete rather than precise: one in three turns of everyday talk has such a word. Whether a constraint matters for
    a question is decided by their similarity.
    """
    read = text[:_READ_CHARACTERS].lower().replace("’", "'")
    return language_pattern("constraints").search(read) is not None


def is_about_self(sentence: str) -> bool:
    """Whether the speaker speaks of themselves."""
    return language_pattern("first_person").search(sentence) is not None


def is_unexplained_feeling(sentence: str) -> bool:
    """Whether a sentence states a feeling but not what it is about: it means little without what was said before."""
    if FEELING not in statement_weights(sentence) or len(search_terms(sentence)) > _SHORT_FEELING:
        return False
    return language_pattern("cause_words").search(sentence) is None


def is_hedge(sentence: str) -> bool:
    """Whether a sentence is general advice or an offer of help."""
    return language_pattern("hedges").search(sentence) is not None


@remember_by_hash
def is_work_report(sentence: str) -> bool:
    """Whether an agent reports its own work, which is worth as much as a user's word."""
    return language_pattern("work_reports").search(sentence) is not None


def is_acknowledgement(sentence: str) -> bool:
    """Whether an agent says that it has heard."""
    return language_pattern("acknowledgements").search(sentence) is not None


def is_courtesy(sentence: str) -> bool:
    """Whether an agent says nothing more: kind words, or the user's own once more ("Noted: Friday at nine")."""
    if language_pattern("courtesies").fullmatch(sentence):
        return True
    return language_pattern("repetitions").match(sentence) is not None and not is_work_report(sentence)


def _without_code(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    return _FENCE.sub(_code_line, text)


def _code_line(fence: re.Match[str]) -> str:
    lines = len(fence[3].strip().splitlines())
    return f"\n[{fence[2] or 'code'}, {lines} line{'' if lines == 1 else 's'}]\n"


def _matches_form(sentence: str) -> bool:
    words = frozenset(_WORD.findall(sentence))
    if not _all_cues().isdisjoint(words):
        for first_word, cues, pattern in _forms():
            if (first_word is None or first_word in words) and not cues.isdisjoint(words) and pattern.search(sentence):
                return True
    return not sentence.isascii() and language_pattern("preferences").search(sentence) is not None


@cache
def _forms() -> tuple[tuple[str | None, frozenset[str], re.Pattern[str]], ...]:
    """Compiled on first use, so processes that only recall do not pay for it."""
    return tuple(_compiled(form) for language in languages() for form in language.preference_forms)


def _compiled(form: PhraseForm) -> tuple[str | None, frozenset[str], re.Pattern[str]]:
    """The word that a form begins with, if any; the longest word of each phrase; the pattern."""
    phrases = form.phrases.split(",")
    first_word = _FIRST_WORD.match(form.start)
    cues = frozenset(max(_WORD.findall(phrase), key=len) for phrase in phrases)
    choices = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in phrases)
    return first_word and first_word[1], cues, re.compile(f"{form.start}(?:{choices}){form.end}")


@cache
def _all_cues() -> frozenset[str]:
    return frozenset().union(*(cues for _, cues, _ in _forms()))


# The quick test whether a text may speak of a date. Most do not, and the time grammar is not even loaded.


# Numbers that make a date by themselves: 26th, 5/8, 2023-05-08, 2024, Q3.
_DATE_NUMBER = re.compile(
    r"\d(?:st|nd|rd|th)\b|\b\d{1,4}[-/.]\d{1,2}\b|\b(?:19|20)\d\d\b|\bq[1-4]\b|\b\d\d? (?:march|mar|jan|dec)\b",
    re.IGNORECASE,
)


_DATE_WORD, _DIGIT = re.compile(r"\w+"), re.compile(r"\d")
_MOST_CHARACTERS = 4_000  # of a text; the dates of a longer one are those of a pasted document


def may_have_date(text: str) -> bool:
    """Whether a text has a word or a number of which every date has one. A pasted document is not searched."""
    if len(text) > _MOST_CHARACTERS:
        return False
    whole, capitals, rest = _date_words_by_form()
    words = _DATE_WORD.findall(text)
    if not whole.isdisjoint(map(str.lower, words)) or not capitals.isdisjoint(words):
        return True
    return (_DIGIT.search(text) is not None and _DATE_NUMBER.search(text) is not None) or rest.search(text) is not None


@cache
def date_words() -> re.Pattern[str]:
    """Words of dates in all languages; those with other meanings ("may", "sun") only with a capital."""
    sure, signs = _date_words()
    capital = "|".join(sorted(word.capitalize() for word in AMBIGUOUS_DATE_WORDS))
    return re.compile(rf"\b(?:(?i:{_either(sure)})|{capital})\b|{_either(signs)}")


@cache
def _date_words_by_form() -> tuple[frozenset[str], frozenset[str], re.Pattern[str]]:
    """The same, faster to look up: words of letters only, those that need a capital, and a pattern of all others."""
    sure, signs = _date_words()
    whole = frozenset(word for word in sure if _DATE_WORD.fullmatch(word))
    capitals = frozenset(word.capitalize() for word in AMBIGUOUS_DATE_WORDS)
    return whole, capitals, re.compile(rf"\b(?i:{_either(sure - whole)})\b|{_either(signs)}")


def _date_words() -> tuple[frozenset[str], frozenset[str]]:
    """Words of dates without the ambiguous ones, and those of languages that write no spaces."""
    spaced: set[str] = set()
    signs: set[str] = set()
    for language in languages():
        lists = (language.weekdays, language.months, language.seasons, language.units, language.date_words.words)
        words = {form for each in lists for form in each.replace("/", " ").split()}
        (spaced if language.spaced else signs).update(words)
    return frozenset(spaced - AMBIGUOUS_DATE_WORDS), frozenset(signs)


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True)) or "(?!)"
