"""The desk behind the official SDK, which brings the transport over HTTP; each call runs on a worker thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from omoide.errors import OmoideError
from omoide.interfaces.mcp.desk import Desk, Document

Context = ServerRequestContext[Any]


def server(desk: Desk) -> Server[Any]:
    """Calls of one connection may run at the same time; Memory is safe for that."""
    about = desk.about

    async def call_tool(context: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
        work = partial(desk.call, call.name, call.arguments, _progress(context))
        return types.CallToolResult.model_validate(await anyio.to_thread.run_sync(work))

    return Server(
        about["name"],
        version=about["version"],
        title=about["title"],
        description=about["description"],
        instructions=desk.instructions,
        on_list_tools=_asked(desk, "tools/list", types.ListToolsResult),
        on_call_tool=call_tool,
        on_list_resources=_asked(desk, "resources/list", types.ListResourcesResult),
        on_list_resource_templates=_asked(desk, "resources/templates/list", types.ListResourceTemplatesResult),
        on_read_resource=_asked(desk, "resources/read", types.ReadResourceResult),
        on_list_prompts=_asked(desk, "prompts/list", types.ListPromptsResult),
        on_get_prompt=_asked(desk, "prompts/get", types.GetPromptResult),
    )


def _asked(desk: Desk, method: str, result: Any) -> Callable[[Context, Any], Any]:
    """Where the protocol has no place for a failed result, its own error carries our words."""

    async def handler(_: Context, params: Any) -> Any:
        given: Document = {} if params is None else params.model_dump(by_alias=True, mode="json", exclude_none=True)
        try:
            found = await anyio.to_thread.run_sync(partial(desk.methods[method], given))
        except OmoideError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        return result.model_validate(found)

    return handler


def _progress(context: Context) -> Callable[[float, float | None, str], None]:
    """Told from the worker thread; a client that asked for none hears nothing."""

    def report(done: float, total: float | None, message: str) -> None:
        anyio.from_thread.run(context.session.report_progress, done, total, message)

    return report
