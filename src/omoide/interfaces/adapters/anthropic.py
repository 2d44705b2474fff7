"""Anthropic's memory tool for its tool runner: `client.beta.messages.tool_runner(tools=[MemoryTool(memory)], …)`."""

from __future__ import annotations

import asyncio
from typing import Any

from omoide.errors import OmoideError, needs_extra
from omoide.interfaces.adapters.anthropic_files import Files
from omoide.memory import Memory

with needs_extra("the memory tool for Anthropic needs anthropic", "anthropic"):
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError


class MemoryTool(BetaAbstractMemoryTool):
    """Files under /memories, each a document in the memory."""

    def __init__(self, memory: Memory, **given: Any) -> None:
        super().__init__(**given)
        self._files = Files(memory)

    def execute(self, command: Any) -> str:
        return _run(self._files, command)

    def clear_all_memory(self) -> str:
        return self._files.clear()

    view = create = str_replace = insert = delete = rename = execute


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for async clients."""

    def __init__(self, memory: Memory, **given: Any) -> None:
        super().__init__(**given)
        self._files = Files(memory)

    async def execute(self, command: Any) -> str:
        return await asyncio.to_thread(_run, self._files, command)

    async def clear_all_memory(self) -> str:
        return await asyncio.to_thread(self._files.clear)

    view = create = str_replace = insert = delete = rename = execute


def _run(files: Files, command: Any) -> str:
    try:
        return files.run(command.model_dump(exclude_none=True))
    except OmoideError as error:
        raise ToolError(str(error)) from error
