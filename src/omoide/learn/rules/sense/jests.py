"""What is said with a laugh, and names that everybody knows from a film or a song."""

from __future__ import annotations

import re

from omoide.learn.rules.known.words import words

from .said import Said

_LAUGHS = re.compile(
    r"\b(?:lol|lmao|rofl|(?:ha){2,}h?|(?:he){2,}|jk)\b|😂|🤣|(?-i:XD)\b",
    re.IGNORECASE,
)
# In English a laugh ends plain statements too ("im from portugal lol"), so it counts only where people jest most.
_ABROAD = re.compile(r"\b(?:(?:ja){2,}j?|(?:je){2,}|kkk+|(?:rs){2,}|mdr|ptdr|xd+)\b", re.IGNORECASE)
_FAMOUS = words("""
    batman superman spiderman gandalf frodo shrek morpheus neo voldemort dumbledore hagrid yoda chewbacca skywalker
    godzilla rumpelstiltskin cinderella pikachu zorro dracula frankenstein heisenberg
""")
_KNOWN = frozenset(
    {
        "inigo montoya", "slim shady", "james bond", "bond", "maximus decimus", "maximus decimus meridius",
        "forrest gump", "tyler durden", "darth vader", "luke skywalker", "harry potter", "sherlock holmes",
        "jack sparrow", "tony stark", "bruce wayne", "clark kent", "peter parker", "walter white", "homer simpson",
        "indiana jones", "john rambo", "han solo", "optimus prime", "ron burgundy", "rick sanchez", "keyser soze",
        "don quixote", "santa claus", "captain jack", "captain jack sparrow", "jon snow", "barry allen",
    }
)  # fmt: skip


def laughed(said: Said) -> bool:
    """ "I'm allergic to work lol"."""
    return _LAUGHS.search(said.words + said.tail) is not None


def laughed_abroad(said: Said) -> bool:
    return _ABROAD.search(said.words + said.tail) is not None


def famous(said: Said) -> bool:
    """ "My name is Inigo Montoya"."""
    return said.low in _KNOWN or said.low.split()[-1] in _FAMOUS
