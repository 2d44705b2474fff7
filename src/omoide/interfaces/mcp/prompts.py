"""Prompts that a person picks in their client: what is worth knowing at the start, and before a task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omoide.errors import InvalidInput
from omoide.memory import Memory

PROMPTS: tuple[dict[str, Any], ...] = (
    {
        "name": "session_start",
        "title": "Pick up where we left off",
        "description": "What you should know of the user before the first reply.",
        "arguments": [{"name": "topic", "description": "What this is going to be about.", "required": False}],
    },
    {
        "name": "before_task",
        "title": "Before a task",
        "description": "What earlier work teaches for this task: how-tos, preferences, mistakes.",
        "arguments": [{"name": "goal", "description": "What is to be done.", "required": True}],
    },
)


def filled(memory: Memory, name: str, arguments: Mapping[str, str]) -> dict[str, Any]:
    if name == "session_start":
        pack = memory.context(arguments.get("topic") or "what matters about the user", recipe="session_start")
        return _asking("Here is what is remembered of earlier conversations.", pack.markdown)
    if name == "before_task":
        goal = arguments.get("goal", "").strip()
        if not goal:
            raise InvalidInput("before_task: goal is missing; say what is to be done")
        return _asking(f"The task: {goal}", memory.context(goal, recipe="before_task").markdown)
    raise InvalidInput(f"there is no prompt {name!r}; there are {', '.join(each['name'] for each in PROMPTS)}")


def _asking(words: str, markdown: str) -> dict[str, Any]:
    text = f"{words}\n\n{markdown or 'Nothing that matters here is known yet.'}"
    return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
