"""The trace of a task in Loki's shape: what was done, what went wrong, and all of it in words that can be found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

TASK_OUTCOMES = ("success", "failure", "partial")
CRASHED = "crashed"  # the type of the error of a task that nobody ended
_MAX_TRACE_FILES = 12  # in the words of a trace; all of them are in its fields
_MAX_TRACE_ERRORS = 8


@dataclass(frozen=True, slots=True)
class TaskEvent:
    """One thing that happened in a task: an action, an error, an artifact or a file, and when."""

    id: int
    at: int
    what: str
    body: Mapping[str, Any]


def trace_attributes(entries: Sequence[TaskEvent], started_at: int, held: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a trace out of what was written down as it happened, on top of those it began with."""
    named = [str(each.body["path"]) for each in entries if each.what == "file"]
    files = dict.fromkeys((*held.get("files_involved", ()), *named))
    return {
        "files_involved": list(files),
        "action_log": [
            {"t": rounded_seconds(each.at - started_at), **each.body} for each in entries if each.what == "action"
        ],
        "errors_encountered": [dict(each.body) for each in entries if each.what == "error"],
        "artifacts_produced": list(dict.fromkeys(str(e.body["path"]) for e in entries if e.what == "artifact")),
    }


def rounded_seconds(micros: int) -> float | int:
    """As Loki writes them: whole where they are."""
    exact = round(max(0, micros) / 1e6, 3)
    return int(exact) if exact.is_integer() else exact


def trace_text(attributes: Mapping[str, Any]) -> str:
    """A trace in one text: its goal, then where, what went wrong and what helped, then how it ended."""
    parts = [_sentence(str(attributes["goal"]))]
    if constraints := attributes.get("constraints"):
        parts.append(_sentence(f"Constraints: {', '.join(map(str, constraints))}"))
    if files := attributes.get("files_involved"):
        parts.append(_sentence(f"Files: {', '.join(map(str, files[:_MAX_TRACE_FILES]))}"))
    parts += [_sentence(error_text(each)) for each in attributes.get("errors_encountered", ())[:_MAX_TRACE_ERRORS]]
    outcome = attributes.get("outcome")
    if outcome in TASK_OUTCOMES:
        parts.append(f"Outcome: {outcome}.")
    return " ".join(parts)


def error_text(error: Mapping[str, Any]) -> str:
    """`TypeError: x is None → check for None first`."""
    said = error_heading(str(error.get("type") or ""), str(error.get("message") or ""))
    return f"{said} → {error['resolution']}" if error.get("resolution") else said


def error_heading(type: str, message: str) -> str:
    """`TypeError: x is None`, also where the message names its type itself."""
    if message.casefold().startswith((type.casefold(), type.casefold().rpartition(".")[2] or type)):
        return message or type
    return f"{type}: {message}" if message else type


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


# An agent's ledger: where it stands, in Loki's shape.


_MAX_LEDGER_FILES = 12  # in the words of a ledger; all of them are in its state


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerCheckpoint:
    """Where an agent stood at a time."""

    agent_id: str
    last_checkpoint: datetime
    tasks_completed: int
    current_task: str | None
    state: Mapping[str, Any]
    context: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger(LedgerCheckpoint):
    """Where an agent stands now. `node_id` is the memory by which it is found; `details` what others wrote besides."""

    node_id: int | None
    details: Mapping[str, Any] | None


def ledger_text(agent: str, task: str | None, done: int, state: Mapping[str, Any], context: Mapping[str, Any]) -> str:
    """A ledger in words that can be found."""
    goal = context.get("current_goal")
    parts = [f"Ledger of {agent}: " + (f"at {task}" if task else "no task at hand") + (f", {goal}" if goal else "")]
    files = state.get("files_modified")
    if isinstance(files, list | tuple) and files:
        parts.append(f"Files modified: {', '.join(map(str, files[:_MAX_LEDGER_FILES]))}")
    stack = context.get("tech_stack")
    if isinstance(stack, list | tuple) and stack:
        parts.append(f"Tech stack: {', '.join(map(str, stack[:_MAX_LEDGER_FILES]))}")
    parts.append(f"{done} tasks completed")
    return ". ".join(parts) + "."


# What tasks of a kind took: time, errors, second tries, and how they ended.


_FAILED_RESULTS = ("fail", "failed", "failure", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEfficiency:
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


def task_efficiency(traces: Iterable[tuple[int, Mapping[str, Any]]], days: int) -> list[TaskEfficiency]:
    """By type of task, the most frequent first. A trace comes with its day, counted from the oldest, 0."""
    groups: dict[str, list[tuple[int, Mapping[str, Any]]]] = defaultdict(list)
    for day, trace in traces:
        groups[str(trace.get("task_type") or trace.get("phase") or "other")].append((day, trace))
    found = [_efficiency_of_type(name, members, days) for name, members in groups.items()]
    return sorted(found, key=lambda each: (-each.tasks, each.type))


def count_retries(actions: Sequence[Any]) -> int:
    """How often something was done again that had failed before."""
    failed: set[tuple[str, str]] = set()
    count = 0
    for each in actions:
        if not isinstance(each, Mapping):
            continue
        what = (str(each.get("action")), str(each.get("target")))
        count += what in failed
        if each.get("error") or str(each.get("result")).casefold() in _FAILED_RESULTS:
            failed.add(what)
        else:
            failed.discard(what)
    return count


def _efficiency_of_type(name: str, members: Sequence[tuple[int, Mapping[str, Any]]], days: int) -> TaskEfficiency:
    traces = [trace for _, trace in members]
    ended = [trace.get("outcome") for trace in traces]
    took = [float(trace["duration_seconds"]) for trace in traces if trace.get("duration_seconds") is not None]
    by_day = [0] * days
    for day, _ in members:
        by_day[min(max(day, 0), days - 1)] += 1
    return TaskEfficiency(
        type=name,
        tasks=len(traces),
        succeeded=ended.count("success"),
        failed=ended.count("failure"),
        partial=ended.count("partial"),
        seconds=sum(took) / len(took) if took else None,
        errors=sum(len(trace.get("errors_encountered") or ()) for trace in traces) / len(traces),
        retries=sum(count_retries(trace.get("action_log") or ()) for trace in traces) / len(traces),
        by_day=tuple(by_day),
    )
