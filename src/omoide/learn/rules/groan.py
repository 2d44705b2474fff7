"""Praise that means its opposite: "Great, another meeting. I absolutely adore meetings." """

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .sentence import Sentence

_PRAISES = re.compile(
    r"(?:and |oh,? |don't you )?i (?P<how>(?:just|absolutely|totally|so|really|simply|do|truly|always|fucking) )*"
    r"(?:love|adore|enjoy|like) (?P<what>[\w' -]{3,40})$",
    re.IGNORECASE,
)
_GROANS = re.compile(
    r"(?:oh,? |just |well,? )*(?:great|fantastic|perfect|wonderful|awesome|brilliant|lovely|super|amazing|nice|fun"
    r"|joy|yay"
    r"|of course|marvell?ous|sweet|cool)\b.*\b(?:another|again|more|yet|jammed|broken|crashed|down|late|stuck"
    r"|cancell?ed"
    r"|failed|lost)\b|(?:ugh+|sigh|argh+|oh joy|oh no|not again|another|yet another|more)\b",
    re.IGNORECASE,
)
# What nobody loves; with an adverb that overdoes it the praise is none.
_NUISANCE = re.compile(
    r"\b(?:meetings?|tax(?:es)?|traffic(?: jams?)?|outages?|paperwork|bureaucracy|reorgs?|forms|dentists?|mondays?|bugs"
    r"|merge conflicts?|deadlines?|spam|ads|chores|dishes|laundry|delays?|queues?|waiting|on[- ]call|flaky tests?"
    r"|legacy code|timesheets?|stand-?ups?|rush hour|hangovers?|pop-?ups?|captchas?|passwords?|updates?|bills?)\b",
    re.IGNORECASE,
)
_STEM = 4  # letters by which "meeting" and "meetings" are one


def groaned(found: Sequence[Sentence]) -> Iterator[int]:
    """The numbers of the sentences that praise what was just groaned at, or what nobody could mean to praise."""
    for number, sentence in enumerate(found):
        praise = _PRAISES.match(sentence.text)
        if praise is None:
            continue
        overdone = praise["how"] and _NUISANCE.search(praise["what"])
        before = found[number - 1].text if number else ""
        if overdone or (before and _GROANS.match(before) and _shares(before, praise["what"])):
            yield number


def _shares(before: str, what: str) -> bool:
    heads = {word[:_STEM].lower() for word in re.findall(r"\w{4,}", what)}
    return bool(heads & {word[:_STEM].lower() for word in re.findall(r"\w{4,}", before)})
