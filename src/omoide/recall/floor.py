"""How likely a hit is about what was asked: its evidence, held against what chance alone reaches in this store.

The scores that rank hits are stretched anew for each question, so the best of nothing scores as high as the best of
plenty. What is judged here is absolute: the cosine itself, and the share of the question's words that stand in the hit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from omoide.layers import Node

# Fitted by logistic regression on seven public sets, answerable questions against questions of other sets, each set
# with equal weight (docs/decisions/0010-relevance-floor.md).
_SLOPE, _CHANCE, _OFFSET = 16.0, 18.8, 4.28
_SHARED = 0.4  # what all words of the question in one hit are worth, as cosine
_ENDING = 2  # letters that may differ at a word's end, as the index forgives them
# Words of a question that say that something is asked, and not what.
_EMPTY = frozenset(
    """
    a am an and any anything are about can could did do does else ever everything for from have hello hey hi how i in is
    it know known me my of on or our please recall remember said say something talk talked tell that the there thing
    things this to told us was we were what when where which who why will with would you your
    """.split()
)


@dataclass(frozen=True, slots=True)
class Calibration:
    """What chance reaches, by one model in one store, measured with questions that have nothing to do with it."""

    unrelated: float  # cosine of two questions on different things
    chance: float  # cosine of such a question and the node most like it, on average: it grows with the store


PRIOR = Calibration(unrelated=0.0, chance=0.25)  # where nothing could be measured: a store of some hundred turns


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a hit, whatever the other hits are."""

    alike: float | None  # cosine; None where there is no vector
    shared: float  # of the question's words, 0…1


def probability(evidence: Evidence, by: Calibration) -> float:
    """That this hit is about what was asked. Where no vector tells, it is taken to be as alike as chance has it."""
    chance = _stretched(by.chance, by)
    alike = chance if evidence.alike is None else _stretched(evidence.alike, by)
    return 1 / (1 + math.exp(_OFFSET + _CHANCE * chance - _SLOPE * (alike + _SHARED * evidence.shared)))


def shared(terms: Sequence[str], node: Node) -> float:
    """The share of the question's words that a reader will see in the node, give or take an ending."""
    return share(terms, " ".join((node.text, node.speaker or "", *node.tags, _about(node))))


def _about(node: Node) -> str:
    """What a preference is one for: "prefers yarn" is about the package manager, and does not say so."""
    return str(node.attributes.get("name") or "").replace("_", " ") if node.kind == "preference" else ""


def share(terms: Sequence[str], text: str) -> float:
    """The same of any text."""
    seen = sum(term.casefold()[: max(3, len(term) - _ENDING)] in text.casefold() for term in terms)
    return seen / len(terms) if terms else 0.0


def names_something(terms: Sequence[str]) -> bool:
    """Whether the question has a word that could be missing here. "What do you know about me?" asks for anything."""
    return any(term.casefold() not in _EMPTY for term in terms)


def _stretched(cosine: float, by: Calibration) -> float:
    """Models differ in what they call unlike: from 0 for unrelated texts to 1 for the same text."""
    return (cosine - by.unrelated) / max(1 - by.unrelated, 0.01)
