"""A rule: how a claim begins, what it is about, and how the words after it are read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .listing import Reader
from .phrase import CAPITAL

# Words between the subject and its verb that change nothing.
_ADVERBS = (
    r"(?: (?:currently|now|still|also|actually|really|recently|just|finally|officially|mostly|mainly"
    r"|usually|always|absolutely|totally|both|all|already|originally"
    r"|personally|truly|honestly|do|mostly|primarily|only|generally|genuinely|especially|particularly"
    r"|definitely|very much|love to|so|even|myself|quite))*"
)
NAME = rf"(?:(?:Mrs?|Ms|Dr|Prof)\.? )?{CAPITAL}[\w-]+(?: {CAPITAL}[\w-]+)?"


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern` is matched at the clause's first word; its group `rest` begins where the object does."""

    predicate: str
    pattern: re.Pattern[str]
    read: Reader
    type: str | None = None  # of the object, where it is a thing of the world
    ended: bool = False
    confidence: float = 1.0
    past: bool = False  # told as over: a fact of the time it names, and nothing where it names none


def mine(
    predicate: str, verbs: str, read: Reader, type: str | None = None, *, ended: bool = False, confidence: float = 1.0
) -> Rule:
    """ "I …", "we …" followed by one of the verbs."""
    pattern = rf"(?i:(?:i|we)(?:'ve| have|ve)?{_ADVERBS}(?: been)? (?:{verbs}))\s+(?P<rest>\S.*)"
    return Rule(predicate, re.compile(pattern), read, type, ended, confidence)


def am(
    predicate: str, words: str, read: Reader, type: str | None = None, *, ended: bool = False, confidence: float = 1.0
) -> Rule:
    """ "I am …", "we're …" followed by one of the words ("" for none)."""
    said = rf" (?:{words})" if words else ""
    pattern = rf"(?i:(?:i'?m|i am|we're|we are|i have been|i've been){_ADVERBS}{said})\s+(?P<rest>\S.*)"
    return Rule(predicate, re.compile(pattern), read, type, ended, confidence)


def named(
    predicate: str,
    verbs: str,
    read: Reader,
    type: str | None = None,
    *,
    ended: bool = False,
    confidence: float = 0.9,
    past: bool = False,
) -> Rule:
    """A name followed by one of the verbs: what the user tells about somebody else."""
    pattern = rf"(?P<who>{NAME})(?i:(?:'s)?{_ADVERBS} (?:{verbs}))\s+(?P<rest>\S.*)"
    return Rule(predicate, re.compile(pattern), read, type, ended, confidence, past)


def plain(
    predicate: str,
    pattern: str,
    read: Reader,
    type: str | None = None,
    *,
    ended: bool = False,
    confidence: float = 1.0,
    past: bool = False,
) -> Rule:
    """Any other opening, without regard to case."""
    return Rule(predicate, re.compile(f"(?i:{pattern})(?P<rest>\\S.*)"), read, type, ended, confidence, past)
