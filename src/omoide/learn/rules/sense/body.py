"""Health, food, family and languages in another sense: allergic to Mondays, MS Office, two kids meals."""

from __future__ import annotations

import re

from omoide.learn.rules.known.tools import TOOLS
from omoide.learn.rules.known.words import words

from .said import Said, goes_on
from .things import TIMES

_NO_ALLERGEN = words("""
    work working mornings morning drama nonsense bullshit bs code people meetings meeting talk humans kids idiots
    liars winter summer life love money taxes monday mondays sports exercise cardio gym running cooking cleaning
    chores housework change school homework politics commitment feelings fun losing you me him her them noise
    traffic small-talk excel powerpoint javascript php java spam ads hype buzzwords jargon bureaucracy paperwork
    emails email calls arbeit menschen montage sport trabajo lunes gente trabalho
""")
_ABSTRACT = re.compile(r"(?:ness|ity|ism|ment|tion|sion|shit|ship|hood|ance|ings?)$")
_FOR_A_WHILE = re.compile(
    r"\s*(?:in (?:january|february|march|april|may|june|july|august|september|october|november|december)|on (?:weekdays"
    r"|weekends|\w+days?)|at (?:home|work)|for (?:a|one|two|three|the|this|\d+) \w+|once|this (?:week|month)|today"
    r"|tonight"
    r"|(?:last year|in \d{4}).*\b(?:hated|gave up|stopped|quit|lasted|but)\b|curious|until|except|when|some)",
    re.IGNORECASE,
)
_NO_FOOD = words(
    "lunch breakfast dinner supper brunch alone out much well enough right properly late early anything here there"
)
_TRANSIENT = re.compile(
    r"\s*(?:about|from|by|over|tonight|today|right now|this (?:morning|week)|in (?:my|a|the)|because of|whenever"
    r"|when)\b",
    re.IGNORECASE,
)
_NOT_WED = re.compile(
    r"\s*(?:in (?!\d|[A-Z])|with (?!a\b|my\b|our\b|[A-Z]|child|twins|triplets|number)|to (?:my|the) (?:work|job|idea"
    r"|laptop|game)|from)"
)
_NOT_MINE = re.compile(r"\s*(?:to|from|on|here|over)\b")


def no_allergen(said: Said) -> bool:
    """One is allergic to a matter: food, pollen, animals, drugs. "Stupidity" is none."""
    low = said.low
    parts = low.split()
    listed = low in _NO_ALLERGEN or parts[-1] in _NO_ALLERGEN or low in TIMES or parts[-1] in TIMES or low in TOOLS
    return listed or _ABSTRACT.search(parts[-1]) is not None


def for_a_while(said: Said) -> bool:
    return _FOR_A_WHILE.match(said.after.lstrip("-")) is not None


_JUST_NOW = re.compile(
    r"\b(?:right now|today|tonight|this (?:week|month|morning)|at the moment|until|because of|anymore tonight"
    r"|for now)\b",
    re.IGNORECASE,
)


def no_food(said: Said) -> bool:
    return said.low.split()[0] in _NO_FOOD or _JUST_NOW.search(said.after) is not None


def no_illness(said: Said) -> bool:
    """ "MS Office", "anxiety about the demo", "PTSD from that migration"."""
    return goes_on(said.after) or _TRANSIENT.match(said.after) is not None


def compound(said: Said) -> bool:
    """ "German cooking", "guitar hero", "chess moves"."""
    return goes_on(said.after)


def no_status(said: Said) -> bool:
    return goes_on(said.after) or _NOT_WED.match(said.after) is not None


def no_children(said: Said) -> bool:
    return goes_on(said.after) or _NOT_MINE.match(said.after) is not None
