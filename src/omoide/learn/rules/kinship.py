"""Relatives and pets as claims, and those that are no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from omoide.learn.proposal import Claim

from . import voice
from .dates import ended
from .found import Found, Scene, quoted
from .opening import Opened
from .phrase import person
from .rule import NAME
from .said.kin import Kin
from .sentence import Clause

_DIED = re.compile(
    r"\s*(?:has |just |sadly |recently )*(?:died|passed away|was put (?:down|to sleep)|ran away|is dead|is gone)\b",
    re.IGNORECASE,
)


_GONE = re.compile(
    rf"(?:(?:sadly|unfortunately|our|my|poor|sweet|little|old),? )*(?P<who>{NAME})"
    r"(?i:(?: has| just| sadly| recently)* (?:died|passed away|was put (?:down|to sleep)|ran away))\b"
)
_PUT_DOWN = re.compile(
    rf"(?i:(?:we|i)(?: just| sadly| recently)* (?:had to put|put|lost)) (?P<who>{NAME})(?P<down> (?:down|to sleep))?\b"
)


def gone(scene: Scene, clause: Clause, open_: Opened) -> Iterator[Found]:
    """ "Rex died yesterday", "we had to put Rex down": ends that he is theirs, if he is; nobody is born of it."""
    match = _GONE.match(open_.text) or _PUT_DOWN.match(open_.text)
    if match is None or (" put " in match[0] and match.re is _PUT_DOWN and not match["down"]):
        return
    for who in person(match["who"])[:1]:
        claim = Claim(
            subject=scene.speaker.subject,
            predicate="has_pet",
            object=who,
            text=f"{scene.speaker.name} no longer has {who}",
            quote=quoted(scene.turn, clause.start, clause.end),
            confidence=1.0,
            negated=True,
            valid_until=ended(open_.timed, scene.turn.at),
        )
        yield Found(claim, None, None)


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


_AT_WORK_OR_HOME = frozenset(
    "boss colleague roommate neighbor teacher coach mentor doctor landlord cofounder nanny business_partner".split()
)
_LEFT = re.compile(
    r"\s*(?:has |have |just |sadly |recently |finally )*(?:left(?: the (?:company|team|firm)| us)?|quit|resigned"
    r"|retired"
    r"|got (?:fired|laid off|sacked)|was (?:fired|let go|laid off|sacked)|moved (?:out|away)|changed jobs|died"
    r"|passed away)"
    r"(?=\s*(?:$|[,.!;]|(?:last|yesterday|today|this|in|on|two|three|a few|recently|because|for|after|and)\b))",
    re.IGNORECASE,
)
_ASLEEP = re.compile(r"\s*(?:to sleep|down)\b", re.IGNORECASE)
_GAVE_UP = re.compile(r"\b(?:buried|put down|gave|rehomed|lost|said goodbye to|had to put|put) $", re.IGNORECASE)


def lost(found: Found, clause: Clause, kin: Kin, scene: Scene) -> Found:
    """ "My dog Rex died", "my boss Tina left": theirs until then. A sister stays a sister."""
    name, after = scene.speaker.name, clause.text[kin.end :]
    if kin.predicate == "has_pet":
        gone = _GAVE_UP.search(clause.text[: kin.start])
        over = _DIED.match(after) or (gone and (not gone[0].startswith(("put", "had")) or _ASLEEP.match(after)))
        text = f"{name} had a {kin.kind} named {kin.who}"
    else:
        over = _LEFT.match(after) if kin.kind in _AT_WORK_OR_HOME else None
        text = f"{kin.who} was {name}'s {kin.kind.replace('_', ' ')}"
    if not over:
        return found
    since = ended(clause.text, scene.turn.at) or scene.turn.at
    return replace(found, claim=replace(found.claim, text=text, valid_until=since))
