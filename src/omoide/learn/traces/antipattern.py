"""Errors that were resolved → mistakes to avoid: what fails, why, what prevents it, and where it was met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from omoide.layers.trace import CRASHED
from omoide.layers.trigger import Trigger, signature
from omoide.learn.habit import shape
from omoide.learn.traces.likeness import overlap, stems
from omoide.learn.traces.pattern import Lesson, category, common, typical, worded
from omoide.store import Trace

_SAME = 0.5  # of their words: two accounts of one mistake, told in the same cluster of tasks
_MOST_GOALS = 3
_MOST_FILES = 4
_LONGEST = 300
_LEAST_WORDS = 2  # of a message: one alone stands in too many errors
_MOST_WORDS = 12  # the beginning of a long message tells it apart
_VAGUE = {"error", "errors", "exception", "failed", "failure", "failing", "problem", "bug", "issue", "test", "tests"}


@dataclass(frozen=True, slots=True)
class Mistake:
    """An error with what helped against it, and the trace that met it."""

    trace: Trace
    type: str
    message: str
    resolution: str

    @property
    def shape(self) -> tuple[str, str, str]:
        """What makes two of them the same mistake wherever they were made: the words, not the numbers in them."""
        return shape(self.type), shape(self.message), shape(self.resolution)


def mistakes(trace: Trace) -> list[Mistake]:
    """Of the same one met again and again in one task, the last word."""
    found = {
        (shape(str(each.get("type", ""))), shape(str(each.get("message", "")))): each
        for each in trace.errors
        if each.get("resolution") and each.get("type") != CRASHED
    }
    return [
        Mistake(trace, str(each.get("type", "")), str(each.get("message", "")), str(each["resolution"]))
        for each in found.values()
    ]


def is_same(mistake: Mistake, what_fails: str | None, why: str | None, prevention: str | None) -> bool:
    """Whether it is the mistake that these fields tell of: the same kind of error in much the same words."""
    if shape(mistake.type) != shape(what_fails or ""):
        return False
    own = stems(mistake.message, mistake.resolution)
    return overlap(own, stems(why or "", prevention or "")) >= _SAME


def antipattern(met: Sequence[Mistake]) -> Lesson:
    """The first account of it, with the goals and files of all who made it: so it is found by any of them."""
    first = met[0]
    traces = [each.trace for each in met]
    attributes: dict[str, Any] = {
        "what_fails": first.type or first.message,
        "why": first.message or first.type,
        "prevention": first.resolution,
        "category": category(traces),
    }
    head = ": ".join(part for part in (first.type, first.message) if part)
    text = worded(
        head[:_LONGEST],
        Prevention=first.resolution[:_LONGEST],
        While=typical(each.goal for each in traces)[:_MOST_GOALS],
        Files=common([each.files for each in traces])[:_MOST_FILES],
    )
    return Lesson(text, {name: value for name, value in attributes.items() if value}, confidence(met))


def trigger(mistake: Mistake) -> Trigger | None:
    """The error by which it is told again when somebody meets it: its message, or else a telling name of its kind."""
    head = mistake.message.strip().partition("\n")[0]
    for said, least in ((head, _LEAST_WORDS), (mistake.type, 1)):
        words = signature(" ".join(signature(said).split()[:_MOST_WORDS])).split()
        if len(words) >= least and not {*words} <= _VAGUE:
            return Trigger(error=" ".join(words))
    return None


def confidence(met: Sequence[Mistake]) -> float:
    """Once: .67, twice: .8, three times: .86; less where the task failed all the same."""
    helped = sum(1.0 if each.trace.outcome == "success" else 0.5 for each in met)
    return 1 - 1 / (2 * helped + 1)
