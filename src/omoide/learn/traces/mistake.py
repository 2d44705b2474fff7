"""An error as one trace met it: which others are the same, and which cures are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from omoide.layers.trace import CRASHED, headed
from omoide.layers.trigger import codes
from omoide.learn.habit import shape
from omoide.learn.traces.likeness import overlap, stems
from omoide.store import Trace

_SAME = 0.5  # of their words: two accounts of one mistake
_SAME_CURE = 0.33  # a cure is told in few words: one in three is the thing that helped ("open as cp1252")


@dataclass(frozen=True, slots=True)
class Mistake:
    """An error, what helped against it where something did, and the trace that met it."""

    trace: Trace
    type: str
    message: str
    resolution: str

    @property
    def shape(self) -> tuple[str, str, str]:
        """What makes two of them the same wherever they were made: the words, and only those numbers that tell."""
        told = " ".join((shape(self.message), *codes(self.message)))
        return shape(self.type), told, shape(self.resolution)

    @property
    def words(self) -> str:
        return headed(self.type, self.message)

    @property
    def helped(self) -> bool:
        return bool(self.resolution) and self.trace.outcome == "success"


def met(trace: Trace) -> list[Mistake]:
    """Of the same one met again and again in one task, the last word; that the process died is none of them."""
    found = {}
    for each in trace.errors:
        if each.get("type") != CRASHED:
            said = (str(each.get(part) or "") for part in ("type", "message", "resolution"))
            mistake = Mistake(trace, *said)
            found[mistake.shape[:2]] = mistake
    return list(found.values())


def mistakes(trace: Trace) -> list[Mistake]:
    """Those that something helped against."""
    return [each for each in met(trace) if each.resolution]


def is_same(mistake: Mistake, what_fails: str | None, why: str | None, prevention: str | None) -> bool:
    """Whether it is the mistake that these fields tell of: the same error in much the same words, and the same cure.

    Another cure for the same message is another lesson: counted together, one of them would be lost.
    """
    told, cure = why or "", prevention or ""
    if shape(mistake.type) != shape(what_fails or "") or codes(mistake.message) != codes(told):
        return False
    own, theirs = stems(mistake.message, mistake.resolution), stems(told, cure)
    return is_cure(mistake.resolution, cure) and overlap(own, theirs) >= _SAME


def is_error(one: Mistake, other: Mistake) -> bool:
    """Whether two traces of one cluster met the same error: of one type, or in much the same words."""
    if codes(one.message) != codes(other.message):
        return False
    if one.type and shape(one.type) == shape(other.type):
        return True
    return overlap(stems(one.message), stems(other.message)) >= _SAME


def is_cure(one: str, other: str) -> bool:
    return shape(one) == shape(other) or overlap(stems(one), stems(other)) >= _SAME_CURE


def gathered(found: Sequence[Mistake], same: Callable[[Mistake, Mistake], bool]) -> list[list[Mistake]]:
    """Groups of those that are the same, directly or through others, in the order of their first."""
    groups: list[list[Mistake]] = []
    for each in found:
        joined = [group for group in groups if any(same(each, other) for other in group)]
        own = [mistake for group in joined for mistake in group] + [each]
        groups = [group for group in groups if group not in joined]
        groups.append(own)
    return groups
