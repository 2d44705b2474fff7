"""Finds quotes in texts, checks whether words are supported by a text, and compares the words of statements."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from omoide.domain.entity import name_key
from omoide.language.languages.english import LANGUAGE as ENGLISH
from omoide.language.languages.english import NUMBER_WORDS
from omoide.language.registry import language_pattern, languages, words_of
from omoide.language.text import has_unspaced_script, stem

MIN_QUOTE_SIMILARITY = 95  # per cent; below it a model paraphrases
_MIN_FUZZY_LENGTH = 12  # characters; in a shorter quote one letter can make another word
_MAX_FUZZY_TEXT = 20_000  # characters
_MAX_GAP = 200  # characters that "…" in a quote may stand for: "I moved … to Berlin"

_EQUIVALENT_CHARACTERS = str.maketrans(
    dict.fromkeys("‘’‚‛ʼ`´′", "'") | dict.fromkeys("“”„‟«»‹›″「」『』", '"') | dict.fromkeys("‐‑‒–—―−", "-")
)
_IGNORED_CHARACTERS = frozenset("*\u00ad\u200b\u200c\u200d\u2060\ufeff")  # Markdown emphasis and invisible characters
_GAP = re.compile(r"\s*(?:\.\.\.|…|\[\.\.\.\])\s*")
_OUTER_MARKS = " \t\r\n\"'“”‘’„«»"
_WORD = re.compile(r"\w+(?:'\w+)?")
# Words that change the meaning of a sentence: a fuzzy match must have the same ones.
_MEANING_CHANGING = frozenset(
    """
    not no never none nothing nobody without cannot neither nor hardly unless if except but only
    nicht kein keine keinen keiner nie niemals ohne ne pas jamais sans sin nunca jamás não nem nunca sem
    """.split()
)
_NEGATING = _MEANING_CHANGING - frozenset("hardly unless if except but only".split())
_NOT_NEGATING = re.compile(r"\bnot (?:only|just)\b|\b(?:don'?t|do not|never) forget\b|\bno (?:doubt|matter)\b")


@dataclass(frozen=True, slots=True)
class _NormalizedText:
    """A normalised text with the original position of each character."""

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self.places[start], self.places[end - 1] + 1


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Start and end of a quote in a text, or None.

    Case, whitespace and the style of quotation marks are ignored; gaps ("…") and small differences are allowed.
    """
    quote = quote.strip()
    if not any(map(str.isalnum, quote)):
        return None
    if found := _find_whole_words(quote, text):
        return found
    plain = _normalize(text)
    for wanted in dict.fromkeys(
        (_normalize(quote).text.strip(), _normalize(quote.strip(_OUTER_MARKS).rstrip(".!?,;:")).text.strip())
    ):
        if wanted and (found := _find_whole_words(wanted, plain.text)):
            return plain.span(*found)
    if found := _find_with_gaps(quote, plain) or _find_similar(_normalize(quote).text.strip(), plain):
        return plain.span(*found)
    return None


def _find_whole_words(wanted: str, text: str) -> tuple[int, int] | None:
    """Find text at word boundaries: "art" is not found in "part"."""
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not _splits_word(text, at) and not _splits_word(text, end):
            return at, end
        at = text.find(wanted, at + 1)
    return None


def _splits_word(text: str, at: int) -> bool:
    """Whether a position is inside a word, for scripts with spaces between words."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return before.isalnum() and after.isalnum() and ord(before) < 0x0E00 and ord(after) < 0x0E00


def _find_with_gaps(quote: str, plain: _NormalizedText) -> tuple[int, int] | None:
    """Find the parts of a quote with "…", in order and close together."""
    parts = [part for piece in _GAP.split(quote) if (part := _normalize(piece.strip(_OUTER_MARKS)).text.strip())]
    if len(parts) < 2:
        return None
    start = end = -1
    for part in parts:
        at = plain.text.find(part, max(end, 0))
        if at < 0 or (start >= 0 and at - end > _MAX_GAP):
            return None
        start, end = (at if start < 0 else start), at + len(part)
    return start, end


def _find_similar(wanted: str, plain: _NormalizedText) -> tuple[int, int] | None:
    if not _MIN_FUZZY_LENGTH <= len(wanted) <= len(plain.text) + _MIN_FUZZY_LENGTH:
        return None
    from rapidfuzz import fuzz

    text = plain.text[:_MAX_FUZZY_TEXT]
    found = fuzz.partial_ratio_alignment(wanted, text, score_cutoff=MIN_QUOTE_SIMILARITY)
    if found is None or found.dest_start == found.dest_end:
        return None
    start, end = found.dest_start, found.dest_end
    while _splits_word(text, start):
        start -= 1
    while _splits_word(text, end):
        end += 1
    return (start, end) if _critical_words(wanted) == _critical_words(text[start:end]) else None


def _critical_words(text: str) -> list[str]:
    """Numbers and words that change the meaning, in order. They must be equal in a fuzzy match."""
    words = (word for word in _WORD.findall(text))
    return [word for word in words if word in _MEANING_CHANGING or word.endswith("n't") or any(map(str.isdigit, word))]


@lru_cache(maxsize=64)
def _normalize(text: str) -> _NormalizedText:
    letters: list[str] = []
    places: list[int] = []
    for at, character in enumerate(text.translate(_EQUIVALENT_CHARACTERS)):
        if character in _IGNORED_CHARACTERS:
            continue
        if character.isspace():
            if not letters or letters[-1] != " ":
                letters.append(" ")
                places.append(at)
            continue
        folded = character.casefold() if character.isascii() else unicodedata.normalize("NFKC", character).casefold()
        for letter in folded:
            if not letter.isspace() or not letters or letters[-1] != " ":
                letters.append(" " if letter.isspace() else letter)
                places.append(at)
    return _NormalizedText("".join(letters), tuple(places))


def is_negated(text: str) -> bool:
    """Whether a text denies something."""
    plain = _NOT_NEGATING.sub(" ", _normalize(text).text)
    negating = any(word in _NEGATING or word.endswith("n't") for word in _WORD.findall(plain))
    return negating or any(sign in plain for sign in "不没沒")


# ── support: are words present in a text, allowing for inflection, number words and dates ──


_NUMBERS = {word: str(value) for value, word in enumerate(NUMBER_WORDS[:13])}
_NUMBERS |= {"once": "1", "twice": "2", "dozen": "12", "twenty": "20", "thirty": "30", "fifty": "50", "hundred": "100"}
_MONTHS = frozenset(form for forms in ENGLISH.months.split() for form in forms.split("/")[:1])
_DATE = re.compile(r"\d{4}-\d\d?(?:-\d\d?)?(?:t\d\d?:\d\d(?::\d\d)?z?)?|(?:19|20)\d\d|\d\d?(?:st|nd|rd|th)?")
_WRITTEN_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d\d?[./-]\d\d?\b")


def is_supported(words: str, text: str) -> bool:
    """Whether a text contains all content words."""
    return bool(content_words(words)) and not unsupported_words(words, text)


def unsupported_words(words: str, text: str, *, dated: bool = True) -> list[str]:
    """The content words that a text does not contain. `dated`: "last month" supports any date."""
    key, whole = name_key(words), _text_key(text)
    if not key:
        return []
    if f" {key} " in f" {whole} ":
        return []
    if has_unspaced_script(key):
        solid = whole.replace(" ", "")
        return [part for part in key.split() if part not in solid]
    stems = _stems(text)
    timed = dated and language_pattern("time_words").search(text) is not None
    return [word for word in content_words(words) if not _word_is_supported(word, stems, timed, whole)]


def mentions_time(text: str) -> bool:
    """Whether a text mentions a date or an expression such as "ago" from which one can be computed."""
    return language_pattern("time_words").search(text) is not None or _WRITTEN_DATE.search(text) is not None


def supported_share(words: str, text: str) -> float:
    """The share of content words that a text contains, from 0 to 1."""
    content = content_words(words)
    return 1 - len(unsupported_words(words, text)) / len(content) if content else 1.0


def _word_is_supported(word: str, stems: frozenset[str], timed: bool, whole: str) -> bool:
    if stem(word) in stems or _number(word) in stems:
        return True
    if timed and (word in _MONTHS or _DATE.fullmatch(word)):
        return True
    return len(word) > 4 and word in whole.replace(" ", "")  # "darkmode" for "dark mode"


@lru_cache(maxsize=256)
def _text_key(text: str) -> str:
    return name_key(text)


@lru_cache(maxsize=256)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(_number(word)) for word in _text_key(text).split())


def _number(word: str) -> str:
    """Write number words as digits: "seven" and "07" become 7."""
    return word.lstrip("0") or "0" if word.isdigit() else _NUMBERS.get(word, word)


def content_words(words: str) -> list[str]:
    """The words that claim something by themselves; all of them if none does."""
    found = name_key(words.replace("_", " ")).split()
    return [word for word in found if word not in words_of("minor_words")] or found


# The words by which statements are compared: their stems, how rare they are, their numbers and limits.


NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_LABEL = re.compile(r"(?:\b(?:number|no\.|nr\.?|nummer)\s*|#)(\d+)", re.IGNORECASE)
_WHOLE_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")

_FEWEST_MEMORIES = 1_000  # in a smaller file every word would seem common


def word_rarity(memories: int, of: int) -> float:
    """How much a word tells, from 0 to 1, if so many memories of all contain it."""
    return max(0.0, 1.0 - math.log(memories + 1) / math.log(max(of, _FEWEST_MEMORIES) + 1))


@cache
def _empty_words() -> frozenset[str]:
    return words_of("stop_words", "minor_words")


@cache
def announcing_words() -> frozenset[str]:
    """Stems of words that say that something changes, and not what: "cancelled", "moved"."""
    known = (each.statements for each in languages() if each.statements is not None)
    return frozenset(stem(word) for each in known for word in each.matter_ignored.split())


@cache
def _weekdays() -> frozenset[str]:
    names = (name for each in languages() for name in each.weekdays.replace("/", " ").split())
    return frozenset(form for name in names for form in (name, f"{name}s"))


def weekdays_in(spoken: str) -> frozenset[str]:
    """The weekdays among words that are divided by spaces."""
    return _weekdays() & frozenset(spoken.split())


@lru_cache(maxsize=4096)  # the same memories are compared with every new one
def stems(text: str, without: frozenset[str]) -> frozenset[str]:
    """The stems of the content words of a text, except some."""
    words = (word for part in _WHOLE_WORD.findall(text) for word in name_key(part).split())
    skipped = _empty_words() | without
    return frozenset(stem(word) for word in words if len(word) > 1 and word not in skipped)


def labels_in(text: str, own: frozenset[str]) -> frozenset[str]:
    """The numbers that tell things apart and are no amounts: "boat number 5", "Room 5 is free", "Meeting note 2"."""
    found = set(_LABEL.findall(text))
    first = NUMBER.search(text)
    before = [name_key(word) for word in _WHOLE_WORD.findall(text[: first.start()])] if first else []
    if before and before[0] in _empty_words():
        before = before[1:]
    plain = bool(before) and not any(word in own or word in _empty_words() for word in before)
    if first and plain and (len(before) == 1 or not _WHOLE_WORD.search(text, first.end())):
        found.add(first.group())
    return frozenset(found)


def limits_in(text: str) -> frozenset[str]:
    """The words of a text that negate, restrict or weaken it."""
    words = (word.casefold().replace("’", "'") for word in _WHOLE_WORD.findall(text))
    negations = words_of("negations")
    return frozenset("not" if word.endswith("n't") else word for word in words if word in negations or "n't" in word)
