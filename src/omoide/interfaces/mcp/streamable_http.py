"""The protocol over streamable HTTP, with the official SDK: behind a token, and behind checks of Host and Origin."""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable, Sequence
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
from omoide.interfaces.mcp.handlers import Document, Handlers
from omoide.interfaces.tools import Tool
from omoide.memory import Memory

Context = ServerRequestContext[Any]

_LARGEST = 4 * 1024 * 1024  # bytes of one request
_LOOPBACK = tuple(f"[{each}]" if ":" in each else each for each in network.LOOPBACK)


def serve(
    memory: Memory, tools: Sequence[Tool], host: str, listener: socket, token: str, origins: Sequence[str]
) -> None:
    """Serves on a bound socket, until Ctrl-C or SIGTERM."""
    threading.Thread(target=Handlers(memory, tools).preload, name="omoide-preload").start()
    network.serve(app(memory, tools, host, listener.getsockname()[1], token, origins), listener)


def app(
    memory: Memory, tools: Sequence[Tool], host: str, port: int, token: str, origins: Sequence[str] = ()
) -> ASGIApp:
    """The SDK's application behind a bearer token. It checks Host and Origin, so that a web page cannot reach a memory
    through DNS rebinding."""
    if not token:
        raise InvalidInput("HTTP needs a token; give one, or let `omoide mcp --http` generate one")
    hosts = [*_LOOPBACK, *([] if host in ("0.0.0.0", "::") else [host])]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[f"{name}:{port}" for name in hosts] + [f"{name}:*" for name in _LOOPBACK],
        allowed_origins=[*(f"http://{name}:*" for name in _LOOPBACK), *origins],
    )
    inner: Starlette = server(Handlers(memory, tools)).streamable_http_app(
        transport_security=security, host=host, max_request_body_size=_LARGEST
    )
    return _TokenRequired(inner, token)


class _TokenRequired:
    """Refuses every request without the token."""

    def __init__(self, inner: ASGIApp, token: str) -> None:
        self._inner = inner
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not _is_well_formed(Headers(scope=scope)):
            await JSONResponse({"error": "malformed Host or Origin"}, status_code=421)(scope, receive, send)
            return
        if scope["type"] == "http" and not self._is_authorized(scope["headers"]):
            refusal = JSONResponse(
                {"error": "a token is required: send the header `Authorization: Bearer TOKEN`"},
                status_code=401,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await refusal(scope, receive, send)
            return
        await self._inner(scope, receive, send)

    def _is_authorized(self, headers: Any) -> bool:
        sent = dict(headers).get(b"authorization", b"")
        scheme, _, given = sent.partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(), self._token)


def _is_well_formed(headers: Headers) -> bool:
    """The SDK compares the beginning of Host and Origin, which `127.0.0.1:80.evil.com` passes."""
    origin = headers.get("origin")
    host = network.host_name(headers.get("host", ""))
    return host is not None and (origin is None or network.origin_host(origin) is not None)


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
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        return result.model_validate(found)

    return handler


def _progress(context: Context) -> Callable[[float, float | None, str], None]:
    """Reports progress from the worker thread, if the client asked for it."""

    def report(done: float, total: float | None, message: str) -> None:
        anyio.from_thread.run(context.session.report_progress, done, total, message)

    return report
