"""What a memory is worth and how that moves: the seeds' arithmetic, pure."""

from __future__ import annotations

import math


def confidence_after_outcome(confidence: float, outcome: str) -> float:
    """Kira-L: success closes 15 % of the gap to certainty, failure takes 30 %, partial says nothing."""
    if outcome == "success":
        return confidence + (1.0 - confidence) * 0.15
    if outcome == "failure":
        return confidence * 0.7
    return confidence


def strengthen(strength: float) -> float:
    """One more piece of evidence for a preference closes a fifth of the gap."""
    return strength + (1.0 - strength) * 0.2


def entity_importance(mentions: int, context: float = 5.0) -> int:
    """How much an entity matters, 1 to 10 (Kira-L: from how often it is mentioned, and in what context).

    One mention in an ordinary turn is 5, Kira-L's default; four times as many are one more. `context` is the mean
    importance of the turns that speak of it: half of what it differs from an ordinary turn's counts.
    """
    found = 5 + math.log2(max(1, mentions)) / 2 + (context - 5) / 2
    return max(1, min(10, math.floor(found + 0.5)))
