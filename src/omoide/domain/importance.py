"""How important a memory is, how long it is retained, and how evidence changes its confidence."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

_IMPORTANT_WORDS = ("remember", "important", "never", "always")
_NOISE_PHRASES = ("ok", "thanks", "got it")
_EFFORT_CHARACTERS = 500


def classify_importance(
    text: str,
    *,
    type: str = "conversation",
    role: str | None = None,
    outcome: str | None = None,
    tags: Collection[str] = (),
    length: int | None = None,
) -> int:
    """Importance of an episode, 1 to 10.

    Corrections, important words, failures and long user turns raise it; system events and noise lower it.
    """
    lowered = text.lower()
    score = 5
    if type == "conversation" and "correction" in tags:
        score += 2
    if outcome == "failure":
        score += 1
    if any(word in lowered for word in _IMPORTANT_WORDS):
        score += 2
    if role == "user" and (len(text) if length is None else length) > _EFFORT_CHARACTERS:
        score += 1
    if type == "system":
        score -= 2
    if lowered.strip(" .!\n\t") in _NOISE_PHRASES:
        score -= 3
    return max(1, min(10, score))


RetentionPolicy = Literal["carried", "kira", "kira_delete"]
"""When turns are archived: once live memories state their content; after a number of days; or deleted after that."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How many days an episode keeps its form before it is compressed further."""

    raw_days: int = 7
    raw_important_days: int = 30
    compressed_days: int = 90

    def days(self, compression: str, importance: int) -> int | None:
        """None: for ever."""
        match compression:
            case "raw":
                return self.raw_important_days if importance >= 8 else self.raw_days
            case "compressed":
                return None if importance >= 6 else self.compressed_days
            case _:
                return None


def confidence_after_outcome(confidence: float, outcome: str) -> float:
    """Success closes 15 % of the gap to 1, failure takes 30 %, partial changes nothing."""
    if outcome == "success":
        return confidence + (1.0 - confidence) * 0.15
    if outcome == "failure":
        return confidence * 0.7
    return confidence


def strengthen(strength: float) -> float:
    """The strength of a preference after one more piece of evidence, which closes a fifth of the gap to 1."""
    return strength + (1.0 - strength) * 0.2


def entity_importance(mentions: int, context: float = 5.0) -> int:
    """Importance of an entity, 1 to 10.

    One mention in an ordinary turn gives 5; every four times as many mentions add one. `context` is the mean
    importance of the turns that mention it: half of its difference from 5 is added.
    """
    found = 5 + math.log2(max(1, mentions)) / 2 + (context - 5) / 2
    return max(1, min(10, math.floor(found + 0.5)))
