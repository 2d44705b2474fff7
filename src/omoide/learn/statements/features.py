"""What is known about a clause before it is decided whether to keep it: the input of the judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Modality = Literal[
    "asserted", "instructed", "asked", "requested", "supposed", "wished", "reported", "joking", "staged", "small talk"
]
"""Asserted and instructed clauses can be kept; all others never are."""

Person = Literal["first", "kin", "named", "second", "thing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseFeatures:
    """A clause as the judge sees it.

    `flags` are cues found by the tables of the language, independent of the language: name, kin, number, date, future,
    past, lasting, change, hedge, laugh, preference, opinion, plan, event, procedure, standing, possessive,
    unresolved (a pronoun that refers to nobody known), fragment (no subject of its own), in_question (its sentence
    also asks), in_request (its sentence also gives a task), bullet, addressed (it
    speaks of the listener). Those of `Discourse` say what stands around it.
    """

    text: str  # the words of the turn
    restated: str  # the same in the third person
    modality: Modality
    person: Person  # whom it is about
    slot: str | None
    flags: frozenset[str]
    position: float  # in the turn: 0 at the beginning, 1 at the end
    turn_words: int
    before: str = ""  # the clause before it in the turn
    follows: str = ""  # the clause after it
    reply: str = ""  # the turn of the agent just before
    answer: str = ""  # the turn of the agent just after: it shows how the turn was taken


def hand_score(features: ClauseFeatures) -> float:
    """The probability that a clause is worth keeping, where no trained judge is at hand."""
    if features.modality == "instructed":
        return 0.85
    if features.modality != "asserted":
        return 0.0
    words = len(features.text.split())
    score = 0.35 + 0.3 * (features.slot is not None) + 0.04 * min(words, 8) - 0.1 * (words < 4)
    score += sum(weight for flag, weight in _WEIGHTS.items() if flag in features.flags)
    score += {"first": 0.05, "kin": 0.2, "named": 0.15, "second": -0.35, "thing": -0.1}[features.person]
    return min(max(score, 0.02), 0.98)


_WEIGHTS = {
    "name": 0.08,
    "date": 0.12,
    "number": 0.05,
    "future": 0.05,
    "lasting": 0.12,
    "preference": 0.15,
    "change": 0.12,
    "plan": 0.1,
    "procedure": 0.2,
    "possessive": 0.05,
    "unresolved": -0.3,
    "fragment": -0.2,
    "laugh": -0.25,
    "hedge": -0.2,
}
