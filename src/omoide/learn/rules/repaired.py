"""What is taken back in the breath it was said in: "I live in Paris. No wait, in Lyon", "…, that was wrong"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from omoide.layers.entity import name_key
from omoide.learn.predicates import is_single
from omoide.learn.proposal import Claim, Quote

from . import meant
from .found import Found, Scene
from .phrase import RUN

_CUE = (
    r"(?:no,? wait|wait,? no|wait|hold on|sorry|oops|er+m?|uh|i meant?|correction|rather|scratch that|make that|no"
    r"|my mistake|my bad|well,? (?:technically|actually|strictly speaking)|technically|actually|strictly speaking"
    r"|or rather"
    r"|to be (?:precise|exact|more precise))"
)
_REPAIR = re.compile(
    rf"(?:[.,;:!?…–—-]+\s*|\s)(?i:(?:{_CUE}[,.!:;\s–—-]{{1,4}}){{1,4}}(?:actually,? )?"
    rf"(?:it's |it is |in |at |on |to |from |for )?)"
    rf"(?P<right>{RUN})\s*(?=[.!,;)]|$)",
    re.MULTILINE,
)
_AGAIN = re.compile(
    rf"(?:^|[.,;:!?…–—-]+\s*|\s)(?:(?:no,? wait|wait,? no|wait|scratch that|correction|my mistake|oops|i mean)\b"
    rf"|{_CUE}[,.!:]*\s+(?:sorry|wait)\b|that (?:was|is) (?:wrong|not true|a mistake|incorrect)\b|that's wrong\b)",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"that (?:was|is) (?:wrong|not true|a mistake|incorrect|a lie)\b|that's (?:wrong|not true|a lie)\b"
    r"|\b(?:actually|no|wait),? i (?:don't|do not)(?=\s*(?:$|[.!]))",
    re.IGNORECASE,
)
_SURELY = re.compile(
    r"\b(?:wait|meant?|correction|scratch|make that|rather|technically|actually|strictly|precise|exact)\b",
    re.IGNORECASE,
)
_NEXT = re.compile(r"[.!?]\s")


def repaired(scene: Scene, text: str, found: Sequence[Found]) -> list[Found]:
    """The claims without those that were taken back, and with what was meant in the place of what was said."""
    kept = [item for item in found if not _taken_back(item.claim, text, found)]
    for repair in _REPAIR.finditer(text) if kept else ():
        kept = [_instead(scene, item, repair, text) for item in kept]
    return kept


def _instead(scene: Scene, item: Found, repair: re.Match[str], text: str) -> Found:
    claim, right = item.claim, repair["right"].strip(" .,")
    at = text.rfind(claim.object, 0, repair.start())
    begins = text.find(claim.quote.words)
    between = text[at + len(claim.object) : repair.start()]
    if min(at, begins) < 0 or len(between) > 20 or _NEXT.search(between) or not _alike(claim.object, right, repair[0]):
        return item
    wrong = claim.object
    quote = Quote(claim.quote.episode, scene.turn.text[begins : repair.end()].strip())
    text_ = re.sub(rf"(?<!\w){re.escape(wrong)}(?!\w)", lambda _: right, claim.text)
    return replace(item, claim=replace(claim, object=right, text=text_, quote=quote))


def _alike(one: str, other: str, repair: str) -> bool:
    """Both of one sort: a town is not set right by a person's name, unless the words leave no doubt."""
    sorts = meant.type_of(one), meant.type_of(other)
    fits = sorts[0] == sorts[1] or ("person" in sorts and _SURELY.search(repair) is not None)
    return one[:1].isupper() and fits and name_key(one) != name_key(other)


def _taken_back(claim: Claim, text: str, found: Sequence[Found]) -> bool:
    begins = text.find(claim.quote.words)
    at = text.find(claim.object, begins) if begins >= 0 else -1
    if at < 0:
        return False
    ends = at + len(claim.object)
    wrong = _WRONG.search(text, ends)
    if wrong and not _NEXT.search(text[ends : wrong.start()].lstrip(".! ")):
        return True
    return any(_AGAIN.search(text[ends:later]) for later in _later(claim, ends, text, found))


def _later(claim: Claim, ends: int, text: str, found: Sequence[Found]) -> Iterator[int]:
    """Where another value of the same is told after it; the words between may say that it is told anew."""
    for other in (item.claim for item in found):
        same = other.subject == claim.subject and other.predicate == claim.predicate and not other.negated
        at = text.find(other.quote.words, ends)
        # The words of what is told anew may open with "no wait" themselves.
        if same and is_single(claim.predicate) and name_key(other.object) != name_key(claim.object) and at >= 0:
            yield text.find(other.object, at)
