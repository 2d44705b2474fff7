"""Where a quote stands in a text: word for word but for case, spaces and shapes of quotation marks, or nearly so."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

NEARLY = 95  # per cent of the letters; below it a model has begun to say things in its own words
_SHORTEST_NEAR = 12  # letters; in a shorter quote one letter is another word
_LONGEST_NEAR = 20_000  # letters of a text that are worth comparing
_LONGEST_GAP = 200  # letters that a quote may leave out where it says so: "I moved … to Berlin"

_SAME = str.maketrans(
    dict.fromkeys("‘’‚‛ʼ`´′", "'") | dict.fromkeys("“”„‟«»‹›″「」『』", '"') | dict.fromkeys("‐‑‒–—―−", "-")
)
_DROPPED = frozenset("*\u00ad\u200b\u200c\u200d\u2060\ufeff")  # emphasis in Markdown, and what cannot be seen
_GAP = re.compile(r"\s*(?:\.\.\.|…|\[\.\.\.\])\s*")
_OUTER = " \t\r\n\"'“”‘’„«»"
_WORD = re.compile(r"\w+(?:'\w+)?")
# Words whose absence turns a sentence around. Nearly the same but for one of these is not the same.
_TURNING = frozenset(
    """
    not no never none nothing nobody without cannot neither nor hardly unless if except but only
    nicht kein keine keinen keiner nie niemals ohne ne pas jamais sans sin nunca jamás não nem nunca sem
    """.split()
)


@dataclass(frozen=True, slots=True)
class _Plain:
    """A text as it is compared, and where each of its letters stood."""

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self.places[start], self.places[end - 1] + 1


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Start and end of the words in the text that the quote means, or None if they stand nowhere."""
    quote = quote.strip()
    if not any(map(str.isalnum, quote)):
        return None
    if found := _whole(quote, text):
        return found
    plain = _plain(text)
    for wanted in dict.fromkeys(
        (_plain(quote).text.strip(), _plain(quote.strip(_OUTER).rstrip(".!?,;:")).text.strip())
    ):
        if wanted and (found := _whole(wanted, plain.text)):
            return plain.span(*found)
    if found := _with_gaps(quote, plain) or _near(_plain(quote).text.strip(), plain):
        return plain.span(*found)
    return None


def _whole(wanted: str, text: str) -> tuple[int, int] | None:
    """Not from the middle of a word: "art" does not stand in "part"."""
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not _splits(text, at) and not _splits(text, end):
            return at, end
        at = text.find(wanted, at + 1)
    return None


def _splits(text: str, at: int) -> bool:
    """Whether a cut here goes through a word, in a script that has spaces between words."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return before.isalnum() and after.isalnum() and ord(before) < 0x0E00 and ord(after) < 0x0E00


def _with_gaps(quote: str, plain: _Plain) -> tuple[int, int] | None:
    """Parts with "…" between them, in order and close together: the whole stretch is the quote."""
    parts = [part for piece in _GAP.split(quote) if (part := _plain(piece.strip(_OUTER)).text.strip())]
    if len(parts) < 2:
        return None
    start = end = -1
    for part in parts:
        at = plain.text.find(part, max(end, 0))
        if at < 0 or (start >= 0 and at - end > _LONGEST_GAP):
            return None
        start, end = (at if start < 0 else start), at + len(part)
    return start, end


def _near(wanted: str, plain: _Plain) -> tuple[int, int] | None:
    if not _SHORTEST_NEAR <= len(wanted) <= len(plain.text) + _SHORTEST_NEAR:
        return None
    from rapidfuzz import fuzz

    text = plain.text[:_LONGEST_NEAR]
    found = fuzz.partial_ratio_alignment(wanted, text, score_cutoff=NEARLY)
    if found is None or found.dest_start == found.dest_end:
        return None
    start, end = found.dest_start, found.dest_end
    while _splits(text, start):
        start -= 1
    while _splits(text, end):
        end += 1
    return (start, end) if _weighty(wanted) == _weighty(text[start:end]) else None


def _weighty(text: str) -> list[str]:
    """Numbers, and words that turn a sentence around: these must be the same, in order."""
    words = (word for word in _WORD.findall(text))
    return [word for word in words if word in _TURNING or word.endswith("n't") or any(map(str.isdigit, word))]


@lru_cache(maxsize=64)
def _plain(text: str) -> _Plain:
    letters: list[str] = []
    places: list[int] = []
    for at, character in enumerate(text.translate(_SAME)):
        if character in _DROPPED:
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
    return _Plain("".join(letters), tuple(places))
