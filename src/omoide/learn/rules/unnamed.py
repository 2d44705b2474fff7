"""Relatives without a name: "my husband is allergic to shellfish" is a fact of the user's about his husband.

Nobody is born of it: there is no person called Husband. The relation stands in the predicate, `husband_allergic_to`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from . import voice
from .found import Found, Scene
from .known.people import RELATIVES

# The one of whom there is mostly one. "My friend" and "my colleague" may be another tomorrow.
_ONLY = frozenset("mother father wife husband partner girlfriend boyfriend fiance fiancee son daughter".split())
_KINS = "|".join(sorted((re.escape(word) for word, kind in RELATIVES.items() if kind in _ONLY), key=len, reverse=True))
_KIN = re.compile(rf"(?i:(?:my|our) (?P<kin>{_KINS})) (?=(?i:is|lives?|works?|has|speaks)\b)")
STAND_IN = "Zyzzyva"  # nobody's name, so that the rules for names can read the clause
_KEPT = frozenset("allergic_to lives_in works_at works_as has_condition diet speaks".split())


def stood_in(text: str) -> tuple[str, str] | None:
    """The clause with a name in the place of the relative, and who that is."""
    found = _KIN.match(text)
    if found is None:
        return None
    rest = re.sub(r"^(lives|works|speaks) (?:alone|now|still|only|part-time|full-time) ", r"\1 ", text[found.end() :])
    return f"{STAND_IN} {rest}", RELATIVES[found["kin"].lower()]


def of_relative(scene: Scene, found: Iterator[Found], kin: str) -> Iterator[Found]:
    """What was read of the stand-in, told of the relative."""
    for item in found:
        claim = item.claim
        if claim.subject != STAND_IN or claim.predicate not in _KEPT or claim.negated or claim.valid_until:
            continue
        who = f"{scene.speaker.name}'s {kin}"
        text = voice.told(who, claim.predicate, claim.object, ended=False)
        predicate = f"{kin}_{claim.predicate}"
        told = replace(claim, subject=scene.speaker.subject, predicate=predicate, text=text)
        yield Found(told, None, None)


def plain(predicate: str) -> str:
    """The predicate without its relative."""
    kin, _, rest = predicate.partition("_")
    return rest if kin in _ONLY and rest in _KEPT else predicate
