"""How sure we still are: what time and use leave of a confidence. A closed form, so it never compounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

_DAY = 86_400e6  # microseconds
_MONTH = 365.25 / 12  # days


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceState:
    """What decay goes by: how sure it was, when it was last confirmed and last used, how often it was recalled."""

    confidence: float
    recorded_at: int
    confirmed_at: int | None = None
    accessed_at: int | None = None
    accesses: int = 0

    @property
    def borne_out_at(self) -> int:
        """When somebody last said so: being recalled is no news of the world."""
        return max(self.recorded_at, self.confirmed_at or 0)

    @property
    def used_at(self) -> int:
        return max(self.borne_out_at, self.accessed_at or 0)


class Decay(Protocol):
    """Pure: what is left of a confidence at a moment, never more than it was."""

    def left(self, held: ConfidenceState, now: int) -> float: ...


@dataclass(frozen=True, slots=True)
class NoDecay:
    """It does not become less true: what happened, what was confirmed, technical facts (Kira-L)."""

    def left(self, held: ConfidenceState, now: int) -> float:
        return held.confidence


@dataclass(frozen=True, slots=True)
class ForgettingCurve:
    """Yodoca's forgetting curve from the last confirmation or use; each recall slows it a little.

    Use never lifts it above what it was stated with: being recalled is not being true.
    """

    rate: float

    def left(self, held: ConfidenceState, now: int) -> float:
        faded = held.confidence * math.exp(-self.rate * _days(held.used_at, now) ** 0.8)
        return min(held.confidence, faded + 0.05 * math.log(1 + held.accesses / 20))


@dataclass(frozen=True, slots=True)
class LinearDecay:
    """Kira-L's slow decay: so much a month, after some months in which nobody said it again."""

    a_month: float
    after_months: float = 0.0

    def left(self, held: ConfidenceState, now: int) -> float:
        months = _days(held.borne_out_at, now) / _MONTH - self.after_months
        return max(0.0, held.confidence - self.a_month * max(0.0, months))


CIRCUMSTANCE_DECAY = LinearDecay(0.05, 6)  # where somebody lives, works, and with whom: it changes, and rarely tells us
TASTE_DECAY = LinearDecay(0.02)  # what somebody likes: it changes slower
NO_DECAY = NoDecay()

# By predicate, as learning writes them. What is not here fades by the node's own rate (Yodoca).
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
_PERMANENT = "name born_in birthday comes_from native_language nationality graduated_from"  # what is so for good
_BY_PREDICATE: dict[str, Decay] = {
    **dict.fromkeys(_CIRCUMSTANCES.split(), CIRCUMSTANCE_DECAY),
    **dict.fromkeys(_TASTES.split(), TASTE_DECAY),
    **dict.fromkeys((*_TECHNICAL.split(), *_PERMANENT.split()), NO_DECAY),
}


def decay_by_predicate(predicate: str | None, rate: float) -> Decay:
    """How a fact ages: by what it says of its subject, else by its own rate; a rate of 0 was confirmed for good."""
    return _BY_PREDICATE.get(predicate or "", decay_by_rate(rate)) if rate else NO_DECAY


def decay_by_rate(rate: float) -> Decay:
    return ForgettingCurve(rate) if rate else NO_DECAY


def _days(since: int, now: int) -> float:
    return max(0, now - since) / _DAY
