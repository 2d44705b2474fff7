"""Pydantic AI: our tools, the pack as instructions, earlier turns as history, and all of it as one capability."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from omoide.errors import InvalidInput, MissingExtra, NotFound
from omoide.interfaces.adapters.pack import open_to_failure, pack
from omoide.interfaces.adapters.words import words
from omoide.interfaces.tools import Tool as OurTool
from omoide.interfaces.tools import chosen
from omoide.memory import Memory

try:
    from pydantic_ai import FunctionToolset, ModelRetry, RunContext, Tool
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
    from pydantic_ai.run import AgentRunResult
    from pydantic_core import to_json
except ImportError as error:
    raise MissingExtra(
        'tools for Pydantic AI need pydantic-ai-slim; `pip install "omoide[pydantic-ai]"` brings it'
    ) from error

_RETRIES = 3  # a run ends over one call more that is wrong; the framework's own 1 leaves a small model no room


def toolset(memory: Memory, names: str = "core") -> FunctionToolset[Any]:
    """Our tools for `Agent(toolsets=[…])`: sets or single names, as in docs/reference/tools.md."""
    return FunctionToolset([_tool(memory, each) for each in chosen(names)], max_retries=_RETRIES)


def instructions(memory: Memory, *, budget: int | None = None) -> Callable[[RunContext[Any]], Awaitable[str]]:
    """For `Agent(instructions=…)`: what matters for the prompt of the run."""

    async def told(ctx: RunContext[Any]) -> str:
        return await asyncio.to_thread(pack, memory, words(ctx.prompt), budget)

    return told


def history(memory: Memory, session: str, limit: int | None = None) -> list[ModelMessage]:
    """The turns of a session for `message_history=…`: who said what, without the tools they used."""
    spoken = [
        each for each in memory.list(["episode"], session=session, order="added") if each.role in ("user", "agent")
    ]
    return [
        ModelRequest(parts=[UserPromptPart(each.text, timestamp=each.event_at)])
        if each.role == "user"
        else ModelResponse(parts=[TextPart(each.text)], timestamp=each.event_at)
        for each in (spoken if limit is None else spoken[max(len(spoken) - limit, 0) :])
    ]


@dataclass
class Remembering(AbstractCapability[Any]):
    """`Agent(model, capabilities=[Remembering(memory, session="s1")])`: hears, tells and remembers by itself.

    `tools` are sets or names; an empty string gives the model none.
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
        """Both turns, once a run: a run that is replayed is not heard twice."""
        answer = result.output if isinstance(result.output, str) else to_json(result.output).decode()
        said = {"user": words(ctx.prompt), "agent": answer}
        turns = [
            {"text": text, "role": role, "session": self.session, "key": f"{ctx.run_id}:{role}"}
            for role, text in said.items()
            if text.strip()
        ]
        await asyncio.to_thread(open_to_failure, "these two turns", lambda: self.memory.observe_many(turns), None)
        return result


def _tool(memory: Memory, tool: OurTool) -> Tool[Any]:
    async def call(**arguments: Any) -> str:
        try:
            return (await asyncio.to_thread(tool, memory, arguments)).text
        except (InvalidInput, NotFound) as error:
            raise ModelRetry(str(error)) from error  # it says what to do better

    return Tool.from_schema(call, tool.name, tool.description, tool.schema)
