"""What tasks of a kind took: time, errors, second tries, and how they ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_FAILED = ("fail", "failed", "failure", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Efficiency:
    """Tasks of one type within the days asked for; means are a task's."""

    type: str
    tasks: int
    succeeded: int
    failed: int
    partial: int
    seconds: float | None  # of those whose duration is known
    errors: float
    retries: float
    by_day: tuple[int, ...]  # tasks, the oldest day first

    @property
    def success_rate(self) -> float | None:
        """Of those that ended one way or the other."""
        ended = self.succeeded + self.failed
        return self.succeeded / ended if ended else None


def efficiency(traces: Iterable[tuple[int, Mapping[str, Any]]], days: int) -> list[Efficiency]:
    """By type of task, the most frequent first. A trace comes with its day, counted from the oldest, 0."""
    groups: dict[str, list[tuple[int, Mapping[str, Any]]]] = defaultdict(list)
    for day, trace in traces:
        groups[str(trace.get("task_type") or trace.get("phase") or "other")].append((day, trace))
    found = [_one(name, members, days) for name, members in groups.items()]
    return sorted(found, key=lambda each: (-each.tasks, each.type))


def retries(actions: Sequence[Any]) -> int:
    """How often something was done again that had failed before."""
    failed: set[tuple[str, str]] = set()
    count = 0
    for each in actions:
        if not isinstance(each, Mapping):
            continue
        what = (str(each.get("action")), str(each.get("target")))
        count += what in failed
        if each.get("error") or str(each.get("result")).casefold() in _FAILED:
            failed.add(what)
        else:
            failed.discard(what)
    return count


def _one(name: str, members: Sequence[tuple[int, Mapping[str, Any]]], days: int) -> Efficiency:
    traces = [trace for _, trace in members]
    ended = [trace.get("outcome") for trace in traces]
    took = [float(trace["duration_seconds"]) for trace in traces if trace.get("duration_seconds") is not None]
    by_day = [0] * days
    for day, _ in members:
        by_day[min(max(day, 0), days - 1)] += 1
    return Efficiency(
        type=name,
        tasks=len(traces),
        succeeded=ended.count("success"),
        failed=ended.count("failure"),
        partial=ended.count("partial"),
        seconds=sum(took) / len(took) if took else None,
        errors=sum(len(trace.get("errors_encountered") or ()) for trace in traces) / len(traces),
        retries=sum(retries(trace.get("action_log") or ()) for trace in traces) / len(traces),
        by_day=tuple(by_day),
    )
