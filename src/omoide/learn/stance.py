"""Whether words of a turn say how things are: what is asked, supposed, staged, quoted or said in jest teaches nobody.

The rules read no such words themselves; this holds whoever else reads them to the same.
"""

from __future__ import annotations

import re
from functools import lru_cache

from omoide.learn.proposal import Claim, Correction, HowTo, Item, Judgement, Mentioned, Relating, Turn, Wish
from omoide.learn.rules.mask import GAP, masked
from omoide.learn.rules.mood import ASKED, JEST, REPORTED, STAGED, SUPPOSED, UNKEPT, Read, stances
from omoide.learn.rules.sentence import sentences

QUOTED = "it is quoted, or code, or a log"
_ASKED_OF_YOU = re.compile(r"\b(?:can|could|would|will) you\b", re.IGNORECASE)
_KIN = re.compile(r"\w+_of|has_pet")
_WHENEVER = re.compile(r"when(?:ever)? \w+ing\b", re.IGNORECASE)


def against(item: Item, turn: Turn, *, of_user: bool) -> str | None:
    """Why an item may not rest on its words, where it may not. `of_user`: it says something of the user."""
    if turn.role != "user" or turn.origin != "user":
        return None  # what others say is weighed by whose word it is
    whys = {_why(item, read, place) for place in _places(item.quote.words, turn.text) for read in _read(turn, place)}
    if not whys or "" in whys:
        return None
    why = min(whys)
    return None if why == REPORTED and not of_user else why


def _why(item: Item, read: Read | None, place: tuple[int, int]) -> str:
    if read is None:
        return QUOTED
    match item:
        case Claim() | Judgement() | Relating():
            clauses = read.presupposed if _KIN.fullmatch(_tie(item)) else read.told
            inside = any(clause.start < place[1] and place[0] < clause.end for clause in clauses)
            return "" if inside else read.why or (ASKED if read.asks else SUPPOSED)
        case Wish():
            polite = read.why == ASKED and _ASKED_OF_YOU.search(read.sentence.text)
            return "" if polite else read.why
        case HowTo():  # "if the build fails, first …" teaches
            return read.why if read.why in (STAGED, JEST, UNKEPT) else ""
        case Correction(whole=True):  # "just kidding" is said in jest, and takes back
            return ""
        case Correction():  # "when deploying, don't push to main, push to release" supposes nothing
            always = "?" not in read.sentence.mark and _WHENEVER.match(read.sentence.text)
            return "" if always and read.why in (SUPPOSED, ASKED) else read.why
        case Mentioned():
            return read.why
    return ""


def _tie(item: Claim | Judgement | Relating) -> str:
    return item.predicate if isinstance(item, Claim) else item.type if isinstance(item, Relating) else ""


def _places(words: str, text: str) -> list[tuple[int, int]]:
    """Everywhere they stand: what is asked once and told once is told."""
    return [found.span() for found in re.finditer(re.escape(words), text)][:20] if words else []


def _read(turn: Turn, place: tuple[int, int]) -> list[Read | None]:
    """The sentences a place touches; none of them where all of it was blanked."""
    text, reads = _stances(turn.text, turn.speaker)
    start, end = place
    if start >= len(text):
        return []  # beyond what the rules read at all
    if not text[start:end].replace(GAP, "").strip(" .,!?\"'«»“”„`"):
        return [None]
    return [read for read in reads if read.sentence.start < end and start < read.sentence.end]


@lru_cache(maxsize=256)
def _stances(text: str, speaker: str | None) -> tuple[str, tuple[Read, ...]]:
    text = masked(text, speaker)
    return text, tuple(stances(sentences(text)))
