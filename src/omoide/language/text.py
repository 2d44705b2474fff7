"""Validates text, prepares it for the full-text index (SQLite FTS5), builds search terms, compares words by stem."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise

from omoide.errors import InvalidInput

MAX_TEXT_BYTES = 1_000_000  # of one memory; split a longer document
MAX_TERMS = 64  # of one question; the search chooses among them by frequency
MAX_PHRASES = 8
MAX_PHRASE_CHARACTERS = 200  # a longer quotation is pasted text, not an exact phrase to search for

# Scripts without spaces between words, and the combining marks in them. Digits and punctuation are left out: FTS5
# separates words there. Hangul has spaces, but particles are attached to nouns, so it is indexed by pairs as well.
_MARK = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u0f18\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0fbc"
    "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d"
    "\u17b4-\u17d3\u17dd\u302a-\u302f\u3099\u309a\ua9e5\uaa7b-\uaa7d"
)
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"  # Thai, Lao
    "\u0f00\u0f18\u0f19\u0f35\u0f37\u0f39\u0f40-\u0f84\u0f86-\u0fbc"  # Tibetan
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a-\uaa7f"  # Myanmar
    "\u1780-\u17d3\u17d7\u17dc\u17dd"  # Khmer
    "\u1100-\u11ff\ua960-\ua97c\uac00-\ud7fb"  # Hangul
    "\u3005-\u3007\u3021-\u302f\u3031-\u3035\u3038-\u303c"  # Han iteration marks and numerals
    "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # Hiragana, Katakana
    "\u3105-\u312f\u31a0-\u31bf\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\uf900-\ufaff"  # Bopomofo, Han, Yi
    "\U00017000-\U00018d08\U0001aff0-\U0001b2fb\U00020000-\U0003ffff"  # Tangut, old kana, rare Han
)
_UNIT = re.compile(f".[{_MARK}]*", re.DOTALL)  # one character with its combining marks

# FTS5 knows Unicode 6.1 and treats later characters as letters: "love it🥰" would be `love` and `it🥰`. These are the
# later symbols in common use (currencies, direction marks, arrows, emoji), and the keycap and № ℠ ℡ ™, which would
# become part of the word beside them too.
_SYMBOL = re.compile(
    "[\u061c\u2000-\u2e7f\U0001f000-\U0001faff](?<="  # fast path for ordinary text: three comparisons
    "[\u061c\u2066-\u2069\u20ba-\u20c0\u20e3\u2116\u2120-\u2122\u218a\u218b\u23f4-\u23ff\u2700\u2b4d-\u2b4f\u2b5a-\u2bff"
    "\u2e3c-\u2e5d\U0001f0bf\U0001f0e0-\U0001f0f5\U0001f10d-\U0001f10f\U0001f12f\U0001f16c-\U0001f16f"
    "\U0001f19b-\U0001f1ad\U0001f260-\U0001f265\U0001f321-\U0001f32f\U0001f336\U0001f37d-\U0001f37f"
    "\U0001f394-\U0001f39f\U0001f3c5\U0001f3cb-\U0001f3df\U0001f3f1-\U0001f3ff\U0001f43f\U0001f441\U0001f4f8"
    "\U0001f4fd-\U0001f4ff\U0001f53e\U0001f53f\U0001f544-\U0001f54f\U0001f568-\U0001f5fa\U0001f641-\U0001f644"
    "\U0001f650-\U0001f67f\U0001f6c6-\U0001f6ff\U0001f774-\U0001faff])"
)
# A soft hyphen is inside a word; a variation selector ("❤️" has one) would become part of the next word.
_INVISIBLE = re.compile("[\u00ad\ufe00-\ufe0f\U000e0100-\U000e01ef]")

_AT_MARK = re.compile(r"[^.!?？。！\n]+[.!?？。！]*")
_AT_MARK_OR_SEMICOLON = re.compile(r"[^.!?;\n。！？；]+[.!?;\n。！？；]*")
_ASCII_WORD = re.compile("[A-Za-z0-9]+")
# The bounded scheme keeps this linear. An address ends where ASCII does: Chinese may follow without a space.
_URL = re.compile(r"(?<![a-z0-9])(?:[a-z][a-z0-9+.\-]{1,15}://|www\.)[!#-;=?-~]+", re.ASCII | re.IGNORECASE)
# Possessive quantifiers keep this linear too. The lookarounds of the straight marks keep 5" and 7" from quoting the
# words between them.
_PHRASE = re.compile(
    r'(?<!\w)"(?=\S)([^"]++)(?<=\S)"(?!\w)'
    "|[“„”]([^“„”]++)[“”]|[«»]([^«»]++)[«»]|「([^「」]++)」|『([^『』]++)』"
)


class _WordCharacters(dict[int, int | None]):
    """A table for str.translate, filled on demand: what FTS5 takes for part of a word stays, the rest becomes space."""

    def __missing__(self, code: int) -> int:
        category = unicodedata.category(chr(code))
        self[code] = kept = code if category[0] in "LNM" or category == "Co" else 0x20
        return kept


_WORD_CHARACTERS = _WordCharacters()


def validate_text(text: object, limit_bytes: int = MAX_TEXT_BYTES) -> str:
    """Return the text unchanged. Raises InvalidInput if it is empty, too long or not storable, and says what to do."""
    if not isinstance(text, str):
        raise InvalidInput(f"text must be a str, not {type(text).__name__}; decode bytes as UTF-8 first")
    if not text or text.isspace():
        raise InvalidInput("text is empty; send the words to remember")
    if "\0" in text:
        raise InvalidInput(
            f"text holds a NUL character at position {text.index(chr(0))}; "
            "is it binary data? Remove it with text.replace('\\0', '')"
        )
    try:
        size = len(text) if text.isascii() else len(text.encode())
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"text holds half a surrogate pair (U+{ord(text[error.start]):04X}) at position {error.start}; "
            "repair it with text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')"
        ) from None
    if size > limit_bytes:
        raise InvalidInput(f"text is {size:,} bytes long, the limit is {limit_bytes:,}; split it and store the parts")
    return text


def index_text(text: str) -> str | None:
    """Return the form of a text that is indexed instead of it, or None if the text is indexed as it is."""
    if text.isascii():
        return None
    seen = _unspaced_runs().sub(_characters_and_pairs, _normalized(text))
    seen = seen.strip()  # spaces around a run of unspaced script
    return None if seen == text.strip() else seen


def search_terms(text: str) -> list[str]:
    """Return the distinct words of a question, in order, as the index has them."""
    distinct: dict[str, str] = {}
    for word in _query_words(_URL.sub(" ", _normalized(text))):
        # lower() instead of casefold(): FTS5 distinguishes ß from ss, so a question may need both.
        distinct.setdefault(word.lower(), word)
        if len(distinct) == MAX_TERMS:
            break
    return list(distinct.values())


def quoted_phrases(text: str) -> list[str]:
    """Return the phrases in quotation marks: "…" “…” „…“ «…» »…« 「…」 『…』."""
    if text.isascii() and '"' not in text:
        return []
    found = (next(filter(None, quote.groups())).strip() for quote in _PHRASE.finditer(text))
    distinct = dict.fromkeys(phrase for phrase in found if _is_searchable_phrase(phrase))
    return list(distinct)[:MAX_PHRASES]


def fts_terms(terms: Iterable[str], phrases: Iterable[str] = ()) -> tuple[str, ...]:
    """Return terms and phrases in FTS5 syntax, each in quotation marks, so that none is an operator or a column name.

    Terms come from `search_terms`; phrases are converted to their indexed form here.
    """
    words = [_words(term) for term in terms]
    words += [_words(index_text(phrase) or phrase) for phrase in phrases]
    # Only word characters are left: no quotation mark to escape, no NUL at which SQLite would stop.
    return tuple(f'"{" ".join(each)}"' for each in words if each)


def match_expression(terms: Iterable[str], phrases: Iterable[str] = ()) -> str | None:
    """Return an FTS5 MATCH expression that finds any of the terms or phrases; None without any."""
    return " OR ".join(fts_terms(terms, phrases)) or None


def split_at_marks(text: str, *, semicolons: bool = False) -> list[str]:
    """Split a text at every end mark, also inside "3.5" and "e.g.": quick, for texts that are searched for cues."""
    return (_AT_MARK_OR_SEMICOLON if semicolons else _AT_MARK).findall(text)


def has_unspaced_script(text: str) -> bool:
    """Whether some of the text is in a script without spaces between words."""
    return not text.isascii() and _unspaced_runs().search(text) is not None


def shorten(text: str, characters: int) -> str:
    """Return at most `characters` of a text, cut between words where possible, with an ellipsis."""
    if len(text) <= characters:
        return text
    if characters < 1:
        return ""
    end = characters - 1
    gap = next((at for at in range(end, end // 2, -1) if text[at].isspace()), 0)
    if not gap:
        while end and unicodedata.category(text[end])[0] == "M":  # keep a letter with its accents
            end -= 1
    return text[: gap or end].rstrip(" \t\r\n,;:–—-") + "…"


@cache
def _unspaced_runs() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]+")  # takes 3 ms, so only when text is not ASCII


def _normalized(text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", _SYMBOL.sub(" ", text)))


def _words(text: str) -> list[str]:
    return _ASCII_WORD.findall(text) if text.isascii() else text.translate(_WORD_CHARACTERS).split()


def _query_words(text: str) -> Iterator[str]:
    if text.isascii():
        yield from (word for word in _ASCII_WORD.findall(text) if len(word) > 1)
        return
    runs = _unspaced_runs()
    for word in text.translate(_WORD_CHARACTERS).split():
        position = 0
        for run in runs.finditer(word):
            if run.start() - position > 1:
                yield word[position : run.start()]
            yield from _characters_and_pairs(run).split()
            position = run.end()
        if len(word) - position > 1:
            yield word[position:]


def _characters_and_pairs(run: re.Match[str]) -> str:
    """Turn a run of unspaced script into single characters and pairs: 金融科 → 金 金融 融 融科 科."""
    units = _UNIT.findall(run[0])
    return f" {''.join([f'{first} {first}{second} ' for first, second in pairwise(units)])}{units[-1]} "


def _is_searchable_phrase(phrase: str) -> bool:
    return len(phrase) <= MAX_PHRASE_CHARACTERS and bool(_words(phrase))


_MIN_STEM = 4  # letters
_MAX_ENDING = 3  # letters


def is_same_word(one: str, other: str) -> bool:
    """Whether one of two words is the other with a short ending: "plan" and "planned"."""
    short, long = sorted((one, other), key=len)
    return one == other or (
        len(short) >= _MIN_STEM and long.startswith(short) and len(long) - len(short) <= _MAX_ENDING
    )


# Compares words regardless of their endings, without a dictionary.
#
# SQLite's own Porter stemmer builds the search index; these functions compare words outside of it. They are crude on
# purpose: two different words may meet now and then, inflections of one word nearly always do.


_REMEMBERED = 10_000  # words
_ENDINGS = "ations ation ments ment ings ing ies ied ers ed er es ly s d n e y".split()


@lru_cache(_REMEMBERED)
def stem(word: str) -> str:
    """Return a lower-case word without its ending: "planned", "plans" and "planning" become "plan"."""
    if len(word) < 4 or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2]:  # running → runn → run
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def singular(word: str) -> str:
    """Return a word without the s of a plural or of the third person; tenses stay."""
    return word[:-1] if len(word) > 3 and word.islower() and word[-1] == "s" and word[-2] not in "sui'’" else word


# Common English words by frequency: two texts that share one need not be related, and one says little by itself.
#
# `common_words.txt` has the stems of about 35,000 English words, the most frequent first, from the frequency lists of
# zxcvbn (`common_words.LICENSE`); of its names and passwords only those that are also English words.


_FORM_ENDINGS = ("s", "es", "ed", "ing", "er", "ly", "e", "d")
_FUNCTION_WORDS = 200  # the most frequent ones: a phrase of only these says nothing


@cache
def _ranks() -> dict[str, int]:
    text = resources.files("omoide.language").joinpath("common_words.txt").read_text(encoding="ascii")
    return {word: rank for rank, word in enumerate(text.split())}


@cache
def word_rank(word: str) -> int | None:
    """The place of a lower-case word by frequency; None for a name or another rare word."""
    forms = {word, word[:-1] + "i" if word.endswith("y") else word, stem(word)}
    forms |= {word.removesuffix(ending) for ending in _FORM_ENDINGS if len(word) > len(ending) + 1}
    return min((rank for each in forms if (rank := _ranks().get(each)) is not None), default=None)


def is_common_word(stemmed: str) -> bool:
    """Whether the stem of a word, as the full-text index has it, is common."""
    return stemmed in _ranks()


def is_everyday_word(stemmed: str, most: int) -> bool:
    """Whether a word is among the most frequent ones."""
    return _ranks().get(stemmed, most) < most


def is_function_word(stemmed: str) -> bool:
    """Whether a word only connects other words."""
    return len(stemmed) < 2 or is_everyday_word(stemmed, _FUNCTION_WORDS)


_ENDS_SENTENCE = frozenset('.!?…:\n"“')


def starts_sentence(text: str, place: int) -> bool:
    """Whether what begins there begins a sentence."""
    while place and text[place - 1].isspace() and text[place - 1] != "\n":
        place -= 1
    return not place or text[place - 1] in _ENDS_SENTENCE
