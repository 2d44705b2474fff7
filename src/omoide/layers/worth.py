"""What a memory is worth and how that moves: the seeds' arithmetic, pure."""

from __future__ import annotations


def after_outcome(confidence: float, outcome: str) -> float:
    """Kira-L: success closes 15 % of the gap to certainty, failure takes 30 %, partial says nothing."""
    if outcome == "success":
        return confidence + (1.0 - confidence) * 0.15
    if outcome == "failure":
        return confidence * 0.7
    return confidence


def strengthened(strength: float) -> float:
    """One more piece of evidence for a preference closes a fifth of the gap."""
    return strength + (1.0 - strength) * 0.2
