"""Errors that were resolved → mistakes to avoid: what fails, why, what prevents it, and where it was met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from omoide.layers.trigger import Trigger, signature
from omoide.learn.traces.mistake import Mistake
from omoide.learn.traces.pattern import Lesson, category, common, typical, worded
from omoide.store import Trace

_MOST_GOALS = 3
_MOST_FILES = 4
_MOST_SOUGHT = 16  # goals, and files, that it is found by
_LONGEST = 300
_LEAST_WORDS = 2  # of a message: one alone stands in too many errors
_MOST_WORDS = 12  # the beginning of a long message tells it apart
_NEVER_HELPED = 0.3  # the most that is believed of a cure that no task succeeded with
_TRIED = "Tried, and the task failed all the same"
# Words of any failure: a lesson that is bound to nothing else would be told for everything.
_VAGUE = frozenset(
    "error errors exception failed failure failing fail fails problem bug issue test tests process exited exit code "
    "request requests response status with command returned return non zero http https call script run running job "
    "task build step unknown unexpected internal fatal invalid bad could cannot can not t the a an is was of to in on "
    "while during and for from by server client stderr stdout output 0 1 2".split()
)


def antipattern(met: Sequence[Mistake], accident: bool = False) -> Lesson:
    """The first account of it, with the goals and files of all who made it: so it is found by any of them.

    An accident that befalls any task is found by its message alone.
    """
    first = met[0]
    traces = [each.trace for each in met]
    attributes: dict[str, Any] = {
        "what_fails": first.type or first.message,
        "why": first.message or first.type,
        "prevention": first.resolution,
        "category": category(traces),
    }
    cure = "Prevention" if any(each.helped for each in met) else _TRIED
    where = {} if accident else {"While": goals(traces), "Files": files(traces)}
    text = worded(first.words[:_LONGEST], **{cure: first.resolution[:_LONGEST]}, **where)
    kept = {name: value for name, value in attributes.items() if value}
    return Lesson(text, kept, confidence(met), tuple(traces), belongs=not accident)


def goals(traces: Sequence[Trace]) -> list[str]:
    """Of those who made it, worded as differently as they come."""
    return typical(each.goal for each in traces)[:_MOST_GOALS]


def files(traces: Sequence[Trace]) -> list[str]:
    return common([each.files for each in traces])[:_MOST_FILES]


def found_by(traces: Sequence[Trace]) -> list[str]:
    """The goals and files of all who met it, beside its words: whoever wants the same finds it."""
    counted = Counter(file for each in traces for file in each.files)
    return [
        *typical(each.goal for each in traces)[:_MOST_SOUGHT],
        *(file for file, _ in counted.most_common(_MOST_SOUGHT)),
    ]


def trigger(mistake: Mistake) -> Trigger | None:
    """The error by which it is told again when somebody meets it: its message, or else a telling name of its kind."""
    head = mistake.message.strip().partition("\n")[0]
    for said, least in ((head, _LEAST_WORDS), (mistake.type, 1)):
        words = signature(" ".join(signature(said).split()[:_MOST_WORDS])).split()
        if len(words) >= least and not _VAGUE.issuperset(words):
            return Trigger(error=" ".join(words))
    return None


def confidence(met: Sequence[Mistake]) -> float:
    """Once: .67, twice: .8, three times: .86; less where the task failed all the same, little where it always did."""
    helped = sum(1.0 if each.trace.outcome == "success" else 0.5 for each in met)
    sure = 1 - 1 / (2 * helped + 1)
    return sure if any(each.helped for each in met) else min(_NEVER_HELPED, sure)
