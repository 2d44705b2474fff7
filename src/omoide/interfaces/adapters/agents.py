"""OpenAI Agents SDK: a session that is remembered, the pack before each model call, and our tools."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from omoide.domain import Node
from omoide.errors import InvalidInput, MissingExtra, OmoideError
from omoide.interfaces.adapters.pack import pack
from omoide.interfaces.adapters.thread import Said, Thread
from omoide.interfaces.adapters.words import question, words
from omoide.interfaces.tools import Tool, chosen
from omoide.memory import Memory

try:
    from agents import FunctionTool
    from agents.memory import SessionSettings
    from agents.run import CallModelData, ModelInputData
except ImportError as error:
    raise MissingExtra(
        'sessions and tools for OpenAI agents need openai-agents; `pip install "omoide[openai-agents]"` brings it'
    ) from error

_ROLES = {"user": "user", "assistant": "agent", "system": "system", "developer": "system"}


class MemorySession:
    """The SDK's Session over one of ours: `Runner.run(agent, "…", session=MemorySession(memory, "s1"))`."""

    session_settings: SessionSettings | None = None

    def __init__(self, memory: Memory, session: str) -> None:
        self.session_id = session
        self._thread = Thread(memory, session, "openai-agents")

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The conversation, or the latest of it, in order."""
        settings = self.session_settings
        limit = limit if limit is not None or settings is None else settings.limit
        found = [_item(each) for each in await asyncio.to_thread(self._thread.items)]
        return found if limit is None else found[max(len(found) - limit, 0) :]

    async def add_items(self, items: Sequence[Any]) -> None:
        """Keeps them, all or none."""
        before = await asyncio.to_thread(self._thread.items) if any("call_id" in each for each in items) else []
        names = {
            each["call_id"]: each["name"]
            for each in [*map(_item, before), *items]
            if {"call_id", "name"} <= each.keys()
        }
        await asyncio.to_thread(self._thread.add, [_said(dict(each), names) for each in items])

    async def pop_item(self) -> Any | None:
        """Takes the last item back; it is archived, not erased."""
        found = await asyncio.to_thread(self._thread.pop)
        return None if found is None else _item(found)

    async def clear_session(self) -> None:
        """Begins anew: nothing is given back any more, everything stays remembered. `memory.forget` erases."""
        await asyncio.to_thread(self._thread.clear)


def remembering(
    memory: Memory, *, budget: int | None = None
) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """For `RunConfig(call_model_input_filter=…)`: what matters for the user's message, after the instructions."""

    async def add(data: CallModelData[Any]) -> ModelInputData:
        given = data.model_data
        found = await asyncio.to_thread(pack, memory, question(given.input), budget)
        parts = [part for part in (given.instructions, found) if part]
        return ModelInputData(input=given.input, instructions="\n\n".join(parts) or None)

    return add


def tools(memory: Memory, names: str = "core") -> list[FunctionTool]:
    """Our tools for `Agent(tools=…)`: sets or single names, as in docs/reference/tools.md."""
    return [_function_tool(memory, each) for each in chosen(names)]


def _function_tool(memory: Memory, tool: Tool) -> FunctionTool:
    async def invoke(_: Any, arguments: str) -> str:
        try:
            given = json.loads(arguments or "{}")
            if not isinstance(given, dict):
                raise InvalidInput(f"{tool.name}: arguments are an object, got {arguments!r}")
            return (await asyncio.to_thread(tool, memory, given)).text
        except (OmoideError, json.JSONDecodeError) as error:
            return f"error: {error}"  # the model reads it and tries again

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.schema,
        on_invoke_tool=invoke,
        strict_json_schema=False,  # strict would make every optional argument a required one
    )


def _item(found: dict[str, Any] | Node) -> dict[str, Any]:
    if isinstance(found, Node):
        return {"role": "user" if found.role == "user" else "assistant", "content": found.text}
    return found


def _said(item: dict[str, Any], names: Mapping[str, str]) -> Said:
    """Messages are turns; a call is an action of the agent, its output what a tool saw; thoughts stay without words."""
    kind = item.get("type", "message")
    if kind == "function_call":
        return Said(item, "agent", f"{item.get('name')}({item.get('arguments', '')})", "action")
    if kind == "function_call_output":
        name = "".join(names.get(str(item.get("call_id")), "function").split()) or "function"
        return Said(item, f"tool:{name[:90]}", words(item.get("output")))
    if kind == "message" and item.get("role") in _ROLES:
        return Said(item, _ROLES[item["role"]], words(item.get("content")))
    return Said(item, "system", "")
