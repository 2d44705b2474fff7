"""The protocol over streamable HTTP, with the official SDK: behind a token, and behind checks of Host and Origin."""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable, Collection, Sequence
from functools import partial
from socket import socket
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from omoide.errors import InvalidInput, OmoideError
from omoide.interfaces import network
from omoide.interfaces.mcp.handlers import Document, Handlers, about_resource
from omoide.interfaces.tools import Tool
from omoide.memory import Memory

Context = ServerRequestContext[Any]

_LARGEST = 4 * 1024 * 1024  # bytes of one request


def serve(
    memory: Memory,
    tools: Sequence[Tool],
    host: str,
    listener: socket,
    token: str,
    origins: Sequence[str],
    names: Sequence[str] = (),
) -> None:
    """Serves on a bound socket, until Ctrl-C or SIGTERM."""
    threading.Thread(target=Handlers(memory, tools).preload, name="omoide-preload").start()
    network.serve(app(memory, tools, host, token, origins, names), listener)


def app(
    memory: Memory,
    tools: Sequence[Tool],
    host: str,
    token: str,
    origins: Sequence[str] = (),
    names: Sequence[str] = (),
) -> ASGIApp:
    """The SDK's application behind a bearer token. `names`: further names that it answers to.

    Host and Origin are checked, so that a web page cannot reach a memory through DNS rebinding.
    """
    if not token:
        raise InvalidInput("HTTP needs a token; give one, or let `omoide mcp --http` generate one")
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # ours below is strict
    inner: Starlette = server(Handlers(memory, tools)).streamable_http_app(
        transport_security=security, host=host, max_request_body_size=_LARGEST
    )
    return _Guarded(inner, token, {*network.LOOPBACK, host.lower(), *(each.lower() for each in names)}, set(origins))


class _Guarded:
    """Refuses every request for a foreign host, from a foreign page or without the token."""

    def __init__(self, inner: ASGIApp, token: str, names: Collection[str], origins: Collection[str]) -> None:
        self._inner = inner
        self._token = token.encode()
        self._names = names
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(Headers(scope=scope), scope) if scope["type"] == "http" else None
        await (refused or self._inner)(scope, receive, send)

    def _refusal(self, headers: Headers, scope: Scope) -> JSONResponse | None:
        """The SDK would compare the beginning of Host and Origin, which `127.0.0.1:80.evil.com` passes."""
        if (foreign := network.refusal(headers, self._names, self._origins, scope)) is not None:
            return JSONResponse({"error": foreign[1]}, foreign[0])
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode("latin-1"), self._token):
            return None
        why = "a token is required: send the header `Authorization: Bearer TOKEN`"
        return JSONResponse({"error": why}, 401, {"WWW-Authenticate": "Bearer"})


def new_token() -> str:
    return secrets.token_urlsafe(24)


def server(handlers: Handlers) -> Server[Any]:
    """The handlers behind the SDK. Each call runs on a worker thread; Memory is safe for that."""
    about = handlers.about

    async def call_tool(context: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
        work = partial(handlers.call, call.name, call.arguments, _progress(context))
        return types.CallToolResult.model_validate(await anyio.to_thread.run_sync(work))

    return Server(
        about["name"],
        version=about["version"],
        title=about["title"],
        description=about["description"],
        instructions=handlers.instructions,
        on_list_tools=_method(handlers, "tools/list", types.ListToolsResult),
        on_call_tool=call_tool,
        on_list_resources=_method(handlers, "resources/list", types.ListResourcesResult),
        on_list_resource_templates=_method(handlers, "resources/templates/list", types.ListResourceTemplatesResult),
        on_read_resource=_method(handlers, "resources/read", types.ReadResourceResult),
        on_list_prompts=_method(handlers, "prompts/list", types.ListPromptsResult),
        on_get_prompt=_method(handlers, "prompts/get", types.GetPromptResult),
    )


def _method(handlers: Handlers, method: str, result: Any) -> Callable[[Context, Any], Any]:
    """Answers a method; an error of ours becomes an error of the protocol with the same message."""

    async def handler(_: Context, params: Any) -> Any:
        given: Document = {} if params is None else params.model_dump(by_alias=True, mode="json", exclude_none=True)
        try:
            found = await anyio.to_thread.run_sync(partial(handlers.methods[method], given))
        except OmoideError as error:
            raise MCPError(types.INVALID_PARAMS, str(error), about_resource(given)) from None
        return result.model_validate(found)

    return handler


def _progress(context: Context) -> Callable[[float, float | None, str], None]:
    """Reports progress from the worker thread, if the client asked for it."""

    def report(done: float, total: float | None, message: str) -> None:
        anyio.from_thread.run(context.session.report_progress, done, total, message)

    return report
