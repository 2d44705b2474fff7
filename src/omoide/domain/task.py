"""Tasks: the trace of one task, the ledger of an agent, and efficiency figures over many tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

TASK_OUTCOMES = ("success", "failure", "partial")
CRASHED = "crashed"  # error type of a task whose process died
_MAX_TRACE_FILES = 12  # listed in the text of a trace; the attributes hold all of them
_MAX_TRACE_ERRORS = 8


@dataclass(frozen=True, slots=True)
class TaskEvent:
    """One event of a task: an action, error, artifact or file."""

    id: int
    at: int
    type: str  # action, error, artifact or file
    data: Mapping[str, Any]


def trace_attributes(events: Sequence[TaskEvent], started_at: int, initial: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a trace, from its events and the attributes it started with."""
    paths = [str(event.data["path"]) for event in events if event.type == "file"]
    files = dict.fromkeys((*initial.get("files_involved", ()), *paths))
    return {
        "files_involved": list(files),
        "action_log": [
            {"t": rounded_seconds(event.at - started_at), **event.data} for event in events if event.type == "action"
        ],
        "errors_encountered": [dict(event.data) for event in events if event.type == "error"],
        "artifacts_produced": list(dict.fromkeys(str(e.data["path"]) for e in events if e.type == "artifact")),
    }


def rounded_seconds(micros: int) -> float | int:
    """Seconds to the millisecond; an int where they are whole."""
    exact = round(max(0, micros) / 1e6, 3)
    return int(exact) if exact.is_integer() else exact


def trace_text(attributes: Mapping[str, Any]) -> str:
    """The searchable text of a trace: goal, constraints, files, errors with their resolutions, outcome."""
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
    heading = error_heading(str(error.get("type") or ""), str(error.get("message") or ""))
    return f"{heading} → {error['resolution']}" if error.get("resolution") else heading


def error_heading(type: str, message: str) -> str:
    """`TypeError: x is None`, without repeating a type that the message starts with."""
    if message.casefold().startswith((type.casefold(), type.casefold().rpartition(".")[2] or type)):
        return message or type
    return f"{type}: {message}" if message else type


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


# ── ledgers ──


_MAX_LEDGER_FILES = 12  # listed in the text of a ledger; the state holds all of them


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerCheckpoint:
    """The recorded state of an agent at one time."""

    agent_id: str
    last_checkpoint: datetime
    tasks_completed: int
    current_task: str | None
    state: Mapping[str, Any]
    context: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger(LedgerCheckpoint):
    """The current state of an agent. `node_id` is its searchable memory; `details` holds fields of other programs."""

    node_id: int | None
    details: Mapping[str, Any] | None


def ledger_text(agent: str, task: str | None, done: int, state: Mapping[str, Any], context: Mapping[str, Any]) -> str:
    """The searchable text of a ledger."""
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


# ── efficiency ──


_FAILED_RESULTS = ("fail", "failed", "failure", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEfficiency:
    """Figures for the tasks of one type within a number of days. `seconds`, `errors` and `retries` are means."""

    type: str
    tasks: int
    succeeded: int
    failed: int
    partial: int
    seconds: float | None  # of tasks with a known duration
    errors: float
    retries: float
    by_day: tuple[int, ...]  # tasks per day, the oldest day first

    @property
    def success_rate(self) -> float | None:
        """Share of successes among tasks that succeeded or failed."""
        ended = self.succeeded + self.failed
        return self.succeeded / ended if ended else None


def task_efficiency(traces: Iterable[tuple[int, Mapping[str, Any]]], days: int) -> list[TaskEfficiency]:
    """Figures for each task type, the most frequent first. Traces come with their day, 0 for the oldest."""
    groups: dict[str, list[tuple[int, Mapping[str, Any]]]] = defaultdict(list)
    for day, trace in traces:
        groups[str(trace.get("task_type") or trace.get("phase") or "other")].append((day, trace))
    found = [_efficiency_of_type(name, members, days) for name, members in groups.items()]
    return sorted(found, key=lambda each: (-each.tasks, each.type))


def count_retries(actions: Sequence[Any]) -> int:
    """How often an action was repeated after it had failed."""
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
