"""Pydantic AI: our tools, the context as instructions, earlier turns as history, and all of it as a capability."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from omoide.errors import InvalidInput, NotFound, needs_extra
from omoide.interfaces.adapters.conversation import context_for, or_log, session_turns, text_of
from omoide.interfaces.tools import Tool as OurTool
from omoide.interfaces.tools import chosen
from omoide.memory import Memory

with needs_extra("tools for Pydantic AI need pydantic-ai-slim", "pydantic-ai"):
    from pydantic_ai import FunctionToolset, ModelRetry, RunContext, Tool
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
    from pydantic_ai.run import AgentRunResult
    from pydantic_core import to_json

_RETRIES = 3  # the framework's default of 1 ends a run too early for a small model


def toolset(memory: Memory, names: str = "core") -> FunctionToolset[Any]:
    """Our tools for `Agent(toolsets=[…])`: sets or single names."""
    return FunctionToolset([_tool(memory, each) for each in chosen(names)], max_retries=_RETRIES)


def instructions(memory: Memory, *, budget: int | None = None) -> Callable[[RunContext[Any]], Awaitable[str]]:
    """For `Agent(instructions=…)`: the context of the prompt."""

    async def context(ctx: RunContext[Any]) -> str:
        return await asyncio.to_thread(context_for, memory, text_of(ctx.prompt), budget)

    return context


def history(memory: Memory, session: str, limit: int | None = None) -> list[ModelMessage]:
    """The turns of a session for `message_history=…`: messages of the user and the agent, without tool calls."""
    spoken = [each for each in session_turns(memory, session) if each.role in ("user", "agent")]
    return [
        ModelRequest(parts=[UserPromptPart(each.text, timestamp=each.event_at)])
        if each.role == "user"
        else ModelResponse(parts=[TextPart(each.text)], timestamp=each.event_at)
        for each in (spoken if limit is None else spoken[max(len(spoken) - limit, 0) :])
    ]


@dataclass
class MemoryCapability(AbstractCapability[Any]):
    """Adds the context to every run and observes both turns.

    `Agent(model, capabilities=[MemoryCapability(memory, session="s1")])`.
    `tools` are sets or single tools; an empty string gives the model none.
    """

    memory: Memory
    session: str
    tools: str = "core"
    budget: int | None = None

    def get_instructions(self) -> Any:
        return instructions(self.memory, budget=self.budget)

    def get_toolset(self) -> Any:
        return toolset(self.memory, self.tools) if self.tools else None

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Observes both turns. Their keys follow from the run, so a replayed run is stored once."""
        answer = result.output if isinstance(result.output, str) else to_json(result.output).decode()
        texts = {"user": text_of(ctx.prompt), "agent": answer}
        turns = [
            {"text": text, "role": role, "session": self.session, "key": f"{ctx.run_id}:{role}"}
            for role, text in texts.items()
            if text.strip()
        ]
        await asyncio.to_thread(or_log, "these two turns", lambda: self.memory.observe_many(turns), None)
        return result


def _tool(memory: Memory, tool: OurTool) -> Tool[Any]:
    async def call(ctx: RunContext[Any], **arguments: Any) -> str:
        try:
            return (await asyncio.to_thread(tool, memory, arguments)).text
        except (InvalidInput, NotFound) as error:
            if ctx.retry >= ctx.max_retries:
                return f"error: {error}"  # one more exception would end the run
            raise ModelRetry(str(error)) from error  # the message says what to change

    return Tool.from_schema(call, tool.name, tool.description, tool.schema, takes_ctx=True)
