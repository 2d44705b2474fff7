"""Decay of confidence over time. Computed in closed form from stored values, so it never compounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

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
    """For events, confirmed memories and technical facts."""

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

# Predicates as learning writes them. Any other predicate decays by the rate of its node.
_CIRCUMSTANCES = """
    lives_in lived_in located_in home_town address timezone moved_to
    works_at works_as works_for works_on job_title employer manager occupation studies_at studies
    married_to partner spouse relationship_status marital_status dating friend_of colleague_of has_children has_pet
"""
_TASTES = "likes loves enjoys prefers dislikes hates avoids wants favourite favorite interested_in diet"
_TECHNICAL = """
    uses stopped_using deployed_on hosted_on runs_on built_with written_in depends_on part_of created_by version
    default_branch package_manager framework language database port url repository requires supports is_a
"""
_PERMANENT = "name born_in birthday comes_from native_language nationality graduated_from"
_BY_PREDICATE: dict[str, Decay] = {
    **dict.fromkeys(_CIRCUMSTANCES.split(), CIRCUMSTANCE_DECAY),
    **dict.fromkeys(_TASTES.split(), TASTE_DECAY),
    **dict.fromkeys((*_TECHNICAL.split(), *_PERMANENT.split()), NO_DECAY),
}


def decay_by_predicate(predicate: str | None, rate: float) -> Decay:
    """The decay of a fact with this predicate. A rate of 0 means that it was confirmed and never decays."""
    return _BY_PREDICATE.get(predicate or "", decay_by_rate(rate)) if rate else NO_DECAY


def decay_by_rate(rate: float) -> Decay:
    return ForgettingCurve(rate) if rate else NO_DECAY


def _days(since: int, now: int) -> float:
    return max(0, now - since) / _DAY
