"""What "I meant Tuesday" sets right: the one thing of the same sort that was said just before."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial

from omoide.learn.proposal import Turn

from .known.people import LANGUAGES, NOT_NAMES
from .known.places import PLACES
from .known.tools import ORGANIZATIONS, TOOLS
from .mask import masked
from .phrase import RUN

_DAYS = "monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight yesterday"
_MONTHS = "january february march april may june july august september october november december"
_OPENS = re.compile(
    r"(?:(?:it|that|this|he|she|they|i|my name|the name)(?:'s| is|'re| are|'m| am| was| were| should be)|it should be"
    r"|its|on|in|at|to|by|the|an?|called|named|spelled|spelt|pronounced|actually|really|for|with|use|using)\s+",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\w.:,%-]*|\$\d[\w.,]*")


def value(words: str) -> str:
    """ "it's on Tuesday" → Tuesday."""
    words = words.strip(" ,.!:;-—")
    while (opens := _OPENS.match(words)) and opens.end() < len(words):
        words = words[opens.end() :]
    return words


def slip(right: str, before: Sequence[Turn]) -> str | None:
    """What was said where `right` was meant: by the speaker or by the agent after them, if only one thing fits."""
    if not before:
        return None
    own = next((turn.text for turn in reversed(before[-3:]) if turn.role == "user"), "")
    back = before[-1].text if before[-1].role == "agent" else ""
    for find in _sorts(right):
        mine, theirs = (_others(find(masked(text)), right) for text in (own, back))
        fits = next((names for names in (mine, theirs) if names), {})
        if fits:
            return next(iter(fits.values())) if len(fits) == 1 else None
    return None


def _others(found: Sequence[str], right: str) -> dict[str, str]:
    return {name.casefold(): name for name in found if name.casefold() != right.casefold()}


_Find = Callable[[str], list[str]]


def _sorts(right: str) -> Iterator[_Find]:
    """How others of its sort are found in a text, the closest sort first; none where it is of no sort we can tell."""
    low = right.casefold()
    for listed in (frozenset(_DAYS.split()), frozenset(_MONTHS.split())):
        if low in listed:
            yield partial(_of_list, listed=listed)
            return
    if _NUMBER.fullmatch(right):
        yield lambda text: [found.rstrip(".,:") for found in _NUMBER.findall(text)]
        return
    known = next((each for each in (PLACES, TOOLS, LANGUAGES, ORGANIZATIONS) if low in each), None)
    if known is not None:
        yield partial(_of_list, listed=known)
    if right[:1].isupper() and len(right.split()) < 4:
        yield lambda text: [name for name in _names(text) if not _common(name)]
        yield lambda text: [name for name in _names(text) if name.casefold() not in NOT_NAMES | _OPENERS]


def _of_list(text: str, listed: Container[str]) -> list[str]:
    return [name for name in (*_names(text), *re.findall(r"[\w.+#-]*\w", text)) if name.casefold() in listed]


def is_sorted(right: str) -> bool:
    """Whether it is surely a place, a tool, a day, a number: something that there are others of."""
    low = right.casefold()
    listed = (PLACES, TOOLS, LANGUAGES, ORGANIZATIONS, _DAYS.split(), _MONTHS.split())
    return any(low in each for each in listed) or _NUMBER.fullmatch(right) is not None


def type_of(right: str) -> str | None:
    """What kind of thing it is, as far as its name tells; none for a day, a number or a common word."""
    low = right.casefold()
    for known, type in ((PLACES, "place"), (TOOLS, "tool"), (ORGANIZATIONS, "organization")):
        if low in known:
            return type
    named = right[:1].isupper() and len(right.split()) < 4 and not _common(right) and low not in _MONTHS.split()
    return "person" if named else None


def names(turn: Turn) -> list[str]:
    """The names in a turn that are no words of the language."""
    return [name for name in _names(masked(turn.text)) if name.casefold() not in NOT_NAMES | _OPENERS]


def _names(text: str) -> list[str]:
    return [name for run in re.findall(RUN, text) if (name := _trimmed(run.split()))]


def _trimmed(words: list[str]) -> str:
    """Without the words that only open a sentence with a capital: "In 2019 I" names nobody."""
    while words and (words[0].casefold() in NOT_NAMES | _OPENERS or words[0][0].isdigit()):
        words = words[1:]
    while words and words[-1].casefold() in NOT_NAMES | _OPENERS:
        words = words[:-1]
    return " ".join(words).strip(".,;:!?'")


def _common(name: str) -> bool:
    """A word that only opens its sentence, or a name of another sort."""
    low = name.casefold()
    return (
        low in NOT_NAMES
        or any(low in known for known in (PLACES, TOOLS, LANGUAGES))
        or low in _DAYS.split()
        or low in _OPENERS
    )


_OPENERS = frozenset(
    "meet book call send write tell ask remind invite email text add move order schedule cancel set put buy get note"
    " in on at from since until my we our he she they ich wir mein meine great nice ok okay sure done yes no hi hello"
    " thanks so and the i'll".split()
)
