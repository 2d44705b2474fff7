"""Decay of the confidence of inferred memories. Computed in closed form from stored values, so it never compounds.

What a person stated, corrected or confirmed does not decay (`Node.is_inferred`); `currency.py` says how it ages.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from omoide.domain.currency import slot_of

_DAY = 86_400e6  # microseconds
_MONTH = 365.25 / 12  # days


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceState:
    """The stored values that decay is computed from."""

    confidence: float
    recorded_at: int
    confirmed_at: int | None = None
    accessed_at: int | None = None
    accesses: int = 0

    @property
    def last_evidence_at(self) -> int:
        """When it was last stated. Being recalled does not count as new evidence."""
        return max(self.recorded_at, self.confirmed_at or 0)

    @property
    def used_at(self) -> int:
        return max(self.last_evidence_at, self.accessed_at or 0)


class Decay(Protocol):
    """Computes the confidence that remains at a moment; never more than the stored one."""

    def remaining(self, state: ConfidenceState, now: int) -> float: ...


@dataclass(frozen=True, slots=True)
class NoDecay:
    """For events, what never changes, and technical facts."""

    def remaining(self, state: ConfidenceState, now: int) -> float:
        return state.confidence


@dataclass(frozen=True, slots=True)
class ForgettingCurve:
    """Exponential decay since the last confirmation or use. Each recall slows it a little.

    Recalls never raise it above the stated confidence.
    """

    rate: float

    def remaining(self, state: ConfidenceState, now: int) -> float:
        decayed = state.confidence * math.exp(-self.rate * _days(state.used_at, now) ** 0.8)
        return min(state.confidence, decayed + 0.05 * math.log(1 + state.accesses / 20))


@dataclass(frozen=True, slots=True)
class LinearDecay:
    """A fixed loss per month, starting some months after the last evidence."""

    per_month: float
    after_months: float = 0.0

    def remaining(self, state: ConfidenceState, now: int) -> float:
        months = _days(state.last_evidence_at, now) / _MONTH - self.after_months
        return max(0.0, state.confidence - self.per_month * max(0.0, months))


CIRCUMSTANCE_DECAY = LinearDecay(0.05, 6)  # home, work, relationships: changes are rarely reported
TASTE_DECAY = LinearDecay(0.02)  # likes and dislikes change more slowly
NO_DECAY = NoDecay()

_TECHNICAL = frozenset(
    """
    uses stopped_using deployed_on hosted_on runs_on built_with written_in depends_on part_of created_by version
    default_branch package_manager framework language database port url repository requires supports is_a
    """.split()
)


def decay_by_predicate(predicate: str | None, rate: float) -> Decay:
    """The decay of an inferred fact with this predicate. A rate of 0 means that it was confirmed and never decays."""
    slot = slot_of(predicate)
    if not rate or predicate in _TECHNICAL or (slot is not None and slot.currency == "permanent"):
        return NO_DECAY
    if slot is not None and slot.group == "taste":
        return TASTE_DECAY
    if slot is not None and slot.group in ("circumstance", "relation"):
        return CIRCUMSTANCE_DECAY
    return decay_by_rate(rate)


def decay_by_rate(rate: float) -> Decay:
    return ForgettingCurve(rate) if rate else NO_DECAY


def _days(since: int, now: int) -> float:
    return max(0, now - since) / _DAY
