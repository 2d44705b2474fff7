"""OpenAI Agents SDK: a session that is remembered, the context before each model call, and our tools."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from omoide.domain import Node
from omoide.errors import InvalidInput, OmoideError, needs_extra
from omoide.interfaces.adapters.conversation import (
    ConversationItem,
    StoredConversation,
    context_for,
    last_user_text,
    text_of,
)
from omoide.interfaces.tools import Tool, chosen
from omoide.memory import Memory

with needs_extra("sessions and tools for OpenAI agents need openai-agents", "openai-agents"):
    from agents import FunctionTool
    from agents.memory import SessionSettings
    from agents.memory.session_settings import coerce_session_settings, resolve_session_limit
    from agents.run import CallModelData, ModelInputData

_ROLES = {"user": "user", "assistant": "agent", "system": "system", "developer": "system"}


class MemorySession:
    """A session of the SDK: `Runner.run(agent, "…", session=MemorySession(memory, "s1"))`."""

    def __init__(
        self, memory: Memory, session: str, session_settings: SessionSettings | dict[str, Any] | None = None
    ) -> None:
        self.session_id = session
        self.session_settings = coerce_session_settings({} if session_settings is None else session_settings)
        self._conversation = StoredConversation(memory, session, "openai-agents")

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The items of the conversation in order, or the latest `limit` of them."""
        limit = resolve_session_limit(limit, self.session_settings)
        found = [_item(each) for each in await asyncio.to_thread(self._conversation.items)]
        return found if limit is None else found[max(len(found) - limit, 0) :]

    async def add_items(self, items: Sequence[Any]) -> None:
        """Adds items in one transaction."""
        before = await asyncio.to_thread(self._conversation.items) if any("call_id" in each for each in items) else []
        names = {
            each["call_id"]: each["name"]
            for each in [*map(_item, before), *items]
            if {"call_id", "name"} <= each.keys()
        }
        await asyncio.to_thread(self._conversation.add, [_item_of(dict(each), names) for each in items])

    async def pop_item(self) -> Any | None:
        """Removes and returns the last item; it is withdrawn, not erased."""
        found = await asyncio.to_thread(self._conversation.pop)
        return None if found is None else _item(found)

    async def clear_session(self) -> None:
        """Starts the conversation again. What was said stays remembered; `memory.forget` erases it."""
        await asyncio.to_thread(self._conversation.clear)


def context_filter(
    memory: Memory, *, budget: int | None = None
) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """For `RunConfig(call_model_input_filter=…)`: adds the context of the user's message after the instructions."""

    async def add(data: CallModelData[Any]) -> ModelInputData:
        given = data.model_data
        found = await asyncio.to_thread(context_for, memory, last_user_text(given.input), budget)
        parts = [part for part in (given.instructions, found) if part]
        return ModelInputData(input=given.input, instructions="\n\n".join(parts) or None)

    return add


def tools(memory: Memory, names: str = "core") -> list[FunctionTool]:
    """Our tools for `Agent(tools=…)`: sets or single names."""
    return [_function_tool(memory, each) for each in chosen(names)]


def _function_tool(memory: Memory, tool: Tool) -> FunctionTool:
    async def invoke(_: Any, arguments: str) -> str:
        try:
            given = json.loads(arguments or "{}")
            if not isinstance(given, dict):
                raise InvalidInput(f"{tool.name}: expected an object of arguments, got {arguments!r}")
            return (await asyncio.to_thread(tool, memory, given)).text
        except (OmoideError, json.JSONDecodeError) as error:
            return f"error: {error}"  # the model reads it and tries again

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.schema,
        on_invoke_tool=invoke,
        strict_json_schema=False,  # strict would make every optional argument required
    )


def _item(found: dict[str, Any] | Node) -> dict[str, Any]:
    if isinstance(found, Node):
        return {"role": "user" if found.role == "user" else "assistant", "content": found.text}
    return found


def _item_of(item: dict[str, Any], names: Mapping[str, str]) -> ConversationItem:
    """A message is a turn, a call an action of the agent, its output a turn of the tool; reasoning has no text."""
    kind = item.get("type", "message")
    if kind == "function_call":
        return ConversationItem(item, "agent", f"{item.get('name')}({item.get('arguments', '')})", "action")
    if kind == "function_call_output":
        name = "".join(names.get(str(item.get("call_id")), "function").split()) or "function"
        return ConversationItem(item, f"tool:{name[:90]}", text_of(item.get("output")))
    if kind == "message" and item.get("role") in _ROLES:
        return ConversationItem(item, _ROLES[item["role"]], text_of(item.get("content")))
    return ConversationItem(item, "system", "")
