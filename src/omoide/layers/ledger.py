"""An agent's ledger: where it stands, in Loki's shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

_MOST_FILES = 12  # in the words of a ledger; all of them are in its state


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Where an agent stood at a time."""

    agent_id: str
    last_checkpoint: datetime
    tasks_completed: int
    current_task: str | None
    state: Mapping[str, Any]
    context: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger(Checkpoint):
    """Where an agent stands now. `node_id` is the memory by which it is found; `details` what others wrote besides."""

    node_id: int | None
    details: Mapping[str, Any] | None


def worded(agent: str, task: str | None, done: int, state: Mapping[str, Any], context: Mapping[str, Any]) -> str:
    """A ledger in words that can be found."""
    goal = context.get("current_goal")
    parts = [f"Ledger of {agent}: " + (f"at {task}" if task else "no task at hand") + (f", {goal}" if goal else "")]
    files = state.get("files_modified")
    if isinstance(files, list | tuple) and files:
        parts.append(f"Files modified: {', '.join(map(str, files[:_MOST_FILES]))}")
    stack = context.get("tech_stack")
    if isinstance(stack, list | tuple) and stack:
        parts.append(f"Tech stack: {', '.join(map(str, stack[:_MOST_FILES]))}")
    parts.append(f"{done} tasks completed")
    return ". ".join(parts) + "."
