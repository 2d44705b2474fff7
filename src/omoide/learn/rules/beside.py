"""What stands beside the rest and not in its place: a second job, a summer elsewhere; and what is no claim at all."""

from __future__ import annotations

import re

from omoide.learn.predicates import is_single

_SECOND = re.compile(
    r"\b(?:i|we) also work\b|\bi'm also working\b|\bon the side\b|\bside (?:job|gig|hustle)\b|\bsecond job\b"
    r"|\bas well\s*[.!]?$|\bpart-time too\b",
    re.IGNORECASE,
)
_FOR_A_WHILE = re.compile(
    r"\bfor (?:the|this|a|one|two|three|four|six|a few|a couple of|\d+) (?:\w+ )?(?:summer|winter|spring|autumn"
    r"|semester"
    r"|term|season|week|weekend|month|while|bit)s?\b(?! now)|\bfor now\b|\btemporarily\b|\bjust until\b",
    re.IGNORECASE,
)
_SO_FAR = re.compile(r"\b(?:i've|i have|we've|we have|been)\b", re.IGNORECASE)  # "I've lived here for a month"
_OR = re.compile(r"\s*,?\s+or\s+(?!so\b|something\b|whatever\b)", re.IGNORECASE)
_WHOSE = re.compile(r"'s?\s+[a-z]")


def predicate(name: str, clause: str) -> str:
    """The predicate of its own under which it does not end what is."""
    if name == "works_at" and _SECOND.search(clause):
        return "also_works_at"
    if name == "lives_in" and _FOR_A_WHILE.search(clause) and not _SO_FAR.search(clause):
        return "stays_in"
    return name


def is_it(name: str, object: str, rest: str) -> bool:
    """Whether the words are about the object itself: not "Acme's competitor", not "Boston or Cambridge"."""
    after = rest.partition(object)[2]
    return not _WHOSE.match(after) and not (is_single(name) and _OR.match(after))
