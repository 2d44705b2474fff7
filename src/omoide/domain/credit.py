"""Outcome credit, pure: how far a memory helps, by how the tasks ended that were told it."""

from __future__ import annotations

import math
from dataclasses import dataclass

_PRIOR_TASKS = 4.0  # imagined tasks at the usual rate of success: a few real ones move little
_STANDARD_ERRORS = 1.28  # standard errors: four in five of such intervals hold the true rate
_MIN_RATE, _MAX_RATE = 0.05, 0.95  # of the usual rate: where everything has succeeded so far, one failure is no scandal
MAX_CREDIT_SHIFT = 0.2  # how far credit moves a score at most, up or down


@dataclass(frozen=True, slots=True)
class Credit:
    """Counts of tasks that succeeded and failed with a memory at hand, each less the lower it stood."""

    succeeded: float = 0.0
    failed: float = 0.0
    tasks: int = 0


def position_weight(place: int) -> float:
    """What stands first was read, what stands tenth perhaps: 1, 0.63, 0.5, 0.43, …"""
    return 1 / math.log2(1 + place)


def usual_success_rate(succeeded: int, failed: int) -> float:
    """How often tasks succeed here at all, by which a memory is measured; a half before there are any."""
    return min(_MAX_RATE, max(_MIN_RATE, (succeeded + 1) / (succeeded + failed + 2)))


def success_rate(credit: Credit, usual: float) -> float:
    """The rate of success with this memory: the mean of a Beta posterior whose prior is the usual rate."""
    return (credit.succeeded + _PRIOR_TASKS * usual) / (credit.succeeded + credit.failed + _PRIOR_TASKS)


def success_interval(credit: Credit, usual: float) -> tuple[float, float]:
    """Where the rate may well lie: Wilson's interval over the posterior's counts, which needs no special function."""
    count = credit.succeeded + credit.failed + _PRIOR_TASKS
    mean = success_rate(credit, usual)
    spread = _STANDARD_ERRORS**2 / count
    centre = (mean + spread / 2) / (1 + spread)
    half = _STANDARD_ERRORS * math.sqrt(mean * (1 - mean) / count + spread / (4 * count)) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)


def credit_effect(credit: Credit, usual: float) -> float:
    """From −1 (harms) to 1 (helps); 0 while the usual rate lies within the doubt."""
    low, high = success_interval(credit, usual)
    if low > usual:
        return (low - usual) / (1 - usual)
    return (high - usual) / usual if high < usual else 0.0
