"""Relatives that are denied or were, names that are none, and what nobody needs to be reminded of."""

from __future__ import annotations

import re

from omoide.learn.rules.known.given import GIVEN
from omoide.learn.rules.known.people import LANGUAGES, NATIONALITIES
from omoide.learn.rules.known.tools import ORGANIZATIONS, TOOLS
from omoide.learn.rules.known.words import words

from .said import Said
from .things import TIMES

_DENIED = re.compile(r"\b(?:not|isn't|wasn't|no longer|never) (?:my|our)\b", re.IGNORECASE)
_FORMER = re.compile(
    r"\b(?:my|our) (?:old|former|previous|ex|last|then) (?:boss|manager|supervisor|roommate|flatmate|housemate"
    r"|colleague"
    r"|coworker|co-worker|teammate|teacher|tutor|coach|trainer|mentor|neighbou?r|landlord|doctor|dentist|therapist)\b",
    re.IGNORECASE,
)
_IS_MY = re.compile(r"(?:\bis|'s) (?:my|our)\b", re.IGNORECASE)  # told, where "my brother Tom" takes it for granted
_NAMELESS = words("""
    jokes thinks shower shoes program session appointment list always said please nobody someone work life
""")
_ADJECTIVE = re.compile(r"(?:able|ible|ing|less|ful|ous|ish|ed|ly)$")
_NO_NAME = words("""
    mud taken enough missing wrong long short hard easy spelled common rare weird strange unusual unique boring
    plain confused lost tired done sick hungry home new sad happy bored stuck broke fine dead late ready back here
    外卖 legion obvious einstein sherlock captain gäste
""")


def no_relative(said: Said) -> bool:
    """The name stands as the subject of what was said: "my brother Tim"."""
    low = said.subject.casefold()
    if _DENIED.search(said.words) or _FORMER.search(said.words):
        return True
    if said.asked and _IS_MY.search(said.words):
        return True
    known = low in ORGANIZATIONS or low in TOOLS or low in LANGUAGES or low in NATIONALITIES or low in TIMES
    return low in _NAMELESS or (known and low not in GIVEN)


_NOBODY = words("whoever whatever whichever neither everyone everybody nobody most many some none both anyone dad mom")


def nobody(said: Said) -> bool:
    """ "Whoever lives in Oslo", "the Chinese use WeChat": said of no one person."""
    low = said.subject.casefold()
    return low in _NOBODY or low in NATIONALITIES or low in TIMES or (low in LANGUAGES and low not in GIVEN)


def no_name(said: Said) -> bool:
    low = said.low
    if low in GIVEN:
        return False
    if said.predicate == "called" and said.written == "Captain":
        return False
    described = said.written == low and _ADJECTIVE.search(low) is not None  # written small
    return low.startswith("了") or described or low in _NO_NAME or low.split()[-1] in _NO_NAME or low in TIMES


_POINTLESS = re.compile(
    r"(?:i'm|i am) (?:just |only )?(?:joking|kidding)|you are an? (?:ai|assistant|bot|language model)\b", re.IGNORECASE
)


def not_to_the_point(said: Said) -> bool:
    return _POINTLESS.match(said.object) is not None
