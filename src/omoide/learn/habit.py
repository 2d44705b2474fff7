"""What is done again and again in the same order is a procedure, though nobody taught it (Kira-L)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

LEAST_STEPS = 3
LEAST_TIMES = 3
DAYS = 14
_MOST_STEPS = 12  # a longer run is a day's work, not a procedure
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that was done, and in which session or task."""

    id: int
    text: str
    run: str


@dataclass(frozen=True, slots=True)
class Habit:
    """Steps in the words of the last time, and the actions that bear them out, one row for each time."""

    steps: tuple[str, ...]
    times: tuple[tuple[int, ...], ...]


def habits(actions: Sequence[Action]) -> list[Habit]:
    """The longest sequences of actions that were done often enough; `actions` are in order of time."""
    runs: dict[str, list[Action]] = defaultdict(list)
    for action in actions:
        runs[action.run].append(action)
    found: list[Habit] = []
    covered: set[tuple[str, ...]] = set()
    for length in range(_MOST_STEPS, LEAST_STEPS - 1, -1):
        for shape, times in sorted(_repeated(list(runs.values()), length).items()):
            if shape in covered or len(set(shape)) < LEAST_STEPS:
                continue
            found.append(Habit(tuple(each.text for each in times[-1]), tuple(tuple(a.id for a in t) for t in times)))
            covered |= _parts(shape)
    return found


def _repeated(runs: list[list[Action]], length: int) -> dict[tuple[str, ...], list[list[Action]]]:
    """Sequences of this length that occur often enough without overlapping themselves."""
    seen: dict[tuple[str, ...], list[list[Action]]] = defaultdict(list)
    free: dict[tuple[str, ...], int] = {}
    for number, run in enumerate(runs):
        for start in range(len(run) - length + 1):
            window = run[start : start + length]
            steps = tuple(shape(action.text) for action in window)
            place = number * 1_000_000 + start
            if free.get(steps, -1) <= place:
                seen[steps].append(window)
                free[steps] = place + length
    return {shape: times for shape, times in seen.items() if len(times) >= LEAST_TIMES}


def shape(text: str) -> str:
    """What makes two actions the same: the words, not the numbers, the case or the blanks."""
    return " ".join(_NUMBER.sub("#", text.casefold()).split())


def _parts(shape: tuple[str, ...]) -> set[tuple[str, ...]]:
    """A sequence and everything inside it: who has the whole does not need the half."""
    return {shape[i:j] for i in range(len(shape)) for j in range(i + LEAST_STEPS, len(shape) + 1)}
