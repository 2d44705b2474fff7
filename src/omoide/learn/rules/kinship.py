"""Relatives and pets as claims, and those that are no more."""

from __future__ import annotations

import re
from dataclasses import replace

from omoide.learn.proposal import Claim

from . import voice
from .dates import ended
from .found import Found, Scene, quoted
from .said.kin import Kin
from .sentence import Clause

_DIED = re.compile(
    r"\s*(?:has |just |sadly |recently )*(?:died|passed away|was put (?:down|to sleep)|ran away|is dead|is gone)\b",
    re.IGNORECASE,
)


def kin_found(scene: Scene, clause: Clause, kin: Kin) -> Found:
    """ "My sister Anna": who she is, whatever else is said of her."""
    name = scene.speaker.name
    pet = kin.predicate == "has_pet"
    subject, object = (scene.speaker.subject, kin.who) if pet else (kin.who, scene.speaker.subject)
    text = f"{name} has a {kin.kind} named {kin.who}" if pet else voice.told(kin.who, kin.predicate, name, ended=False)
    claim = Claim(
        subject=subject,
        predicate=kin.predicate,
        object=object,
        text=text,
        quote=quoted(scene.turn, clause.start, clause.end),
        confidence=min(1.0, scene.ceiling),
        source_type=scene.source,
    )
    return Found(claim, None if pet else "person", None)


def lost(found: Found, clause: Clause, kin: Kin, scene: Scene) -> Found:
    """ "My dog Rex died": he was theirs until then. A sister stays a sister."""
    if kin.predicate != "has_pet" or not _DIED.match(clause.text[kin.end :]):
        return found
    since = ended(clause.text, scene.turn.at) or scene.turn.at
    text = f"{scene.speaker.name} had a {kin.kind} named {kin.who}"
    return replace(found, claim=replace(found.claim, text=text, valid_until=since))
