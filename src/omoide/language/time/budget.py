"""Bounds the work of reading times: "9000 weekends ago" looks at 63,000 days, and a text may say so a thousand times.

Work is counted in days, months and years looked at, so that the same text gives the same result on every machine.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

MOST_STEPS = 100_000  # a weekday on a date takes up to 30,000; this many take about a fifth of a second


class TooMuchWork(Exception):
    """The text asks for more than the budget of one reading."""


class _Budget(threading.local):
    left: int | None = None


_budget = _Budget()


@contextmanager
def bounded(steps: int = MOST_STEPS) -> Iterator[None]:
    """Inside, all reading together may take so many steps; within another budget, that one counts."""
    if _budget.left is not None:
        yield
        return
    _budget.left = steps
    try:
        yield
    finally:
        _budget.left = None


def spend() -> None:
    """Counts one step. Raises TooMuchWork when the budget is used up."""
    if _budget.left is not None:
        _budget.left -= 1
        if _budget.left < 0:
            raise TooMuchWork
