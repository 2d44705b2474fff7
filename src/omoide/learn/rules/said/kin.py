"""Relatives, friends and pets by name: what "my sister Anna" says wherever it stands in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from omoide.learn.rules.known.people import DESCRIBES, JOBS, LANGUAGES, PETS, RELATIVES
from omoide.learn.rules.known.tools import ORGANIZATIONS
from omoide.learn.rules.phrase import person
from omoide.learn.rules.rule import NAME

KIN = "|".join(sorted(map(re.escape, RELATIVES), key=len, reverse=True))
_PET = "|".join(sorted(PETS, key=len, reverse=True))
KIND = (
    r"(?:(?:older|younger|best|little|big|good|old|dear|new|twin|eldest|youngest|oldest|close|closest"
    r"|baby|lovely|wonderful|beautiful|childhood|kid|\d+[- ]year[- ]old) )*"
)
_BY_NAME = re.compile(rf"(?i:\b(?:my|our) {KIND}(?P<kin>{KIN}|{_PET})),? (?P<who>{NAME})(?=[\s,.!?;:)']|$)")
_CALLED = re.compile(
    rf"(?i:\b(?:my|our) {KIND}(?P<kin>{KIN}|{_PET})(?:'?s name is| is called| is named|'s called"
    rf"|,? (?:named|called)| goes by)) (?P<who>{NAME})"
)
_HAVE = re.compile(
    rf"(?i:(?:i|we)(?:'ve)?(?: also)? (?:have|got|have got) an? {KIND}(?P<kin>{KIN}"
    rf"|{_PET}),? (?:named|called|whose name is)) (?P<who>{NAME})"
)
_TOO = re.compile(
    rf"(?i:(?:i|we)(?:'ve)?\b[^.;]{{0,60}}\b(?:an?|our) (?:[\w-]+ ){{0,2}}(?P<kin>{_PET}),? (?:named"
    rf"|called)) (?P<who>{NAME})"
)
_IS_MY = re.compile(
    rf"(?P<who>{NAME})(?: is|'s|,) (?i:(?:my|our) {KIND}(?P<kin>{KIN}))(?=\s*(?:$|[,.!;]|and\b|but\b|who\b))"
)
# "My wife is Carla": the name and a pause. A nation, a faith or a hero in its place is a description or a joke.
_IS = re.compile(
    rf"(?i:\b(?:my|our) {KIND}(?P<kin>{KIN}) is) (?P<who>{NAME})"
    r"(?=\s*(?:$|[,.!;:)(]|[–—-] |(?:and|but|who|from|btw|so|if|by the way)\b))"
)
_TITLE = re.compile(r"(?:Mrs?|Ms|Dr|Prof)\.? ")
_ASKED = re.compile(r"\b(?:is|was|are) $", re.IGNORECASE)  # "is my boss Karen?"
_SPOUSE = re.compile(rf"(?i:(?:i'?m|i am|i've been|i got) (?:happily )?(?:married|engaged) to) (?P<who>{NAME})")


@dataclass(frozen=True, slots=True)
class Kin:
    """Somebody by name and what they are to the speaker; `start` and `end` bound the words that say so."""

    who: str
    predicate: str  # sister_of, or has_pet for an animal
    kind: str
    start: int
    end: int


def kin_in(text: str, *, told: bool = True) -> Iterator[Kin]:
    """Everybody whom the words introduce by a relation to the speaker; where it is not `told`, by apposition alone."""
    for pattern in (_BY_NAME, _CALLED, _HAVE, _IS_MY, _SPOUSE):
        for found in pattern.finditer(text):
            yield from _kin(found)
    for found in _IS.finditer(text) if told else ():
        if not any(_describes(part.lower()) for part in found["who"].split()):
            yield from _kin(found)
    too = _TOO.match(text)
    if too:
        yield from _kin(too)


def _describes(word: str) -> bool:
    """Not a name, though it has a capital: "my wife is German", "my best friend is Google"."""
    return word in DESCRIBES | JOBS or word in LANGUAGES or word in ORGANIZATIONS or word.endswith("ing")


def _kin(found: re.Match[str]) -> Iterator[Kin]:
    said = _TITLE.sub("", found["who"])
    names = person(said)
    if not names or (_ASKED.search(found.string[: found.start()]) and found.end() == len(found.string)):
        return
    kind = (found.groupdict().get("kin") or "spouse").lower()
    who = names[0]
    relation = RELATIVES.get(kind)
    yield Kin(
        who,
        f"{relation}_of" if relation else "has_pet",
        relation or kind,
        found.start(),
        found.end("who") - len(said) + len(who),
    )
