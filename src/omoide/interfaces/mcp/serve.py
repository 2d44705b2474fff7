"""The road for clients that find us: streamable HTTP behind a token, and behind checks of Host and Origin."""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Sequence
from socket import socket
from typing import Any

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from omoide.errors import InvalidInput
from omoide.interfaces import listen
from omoide.interfaces.mcp.desk import Desk
from omoide.interfaces.mcp.server import server
from omoide.interfaces.tools import Tool
from omoide.memory import Memory

_LARGEST = 4 * 1024 * 1024  # bytes of one request
_OWN = ("127.0.0.1", "localhost", "[::1]")


def over_http(
    memory: Memory, tools: Sequence[Tool], host: str, place: socket, token: str, origins: Sequence[str]
) -> None:
    """At a place that was taken already, until Ctrl-C or SIGTERM."""
    threading.Thread(target=Desk(memory, tools).warm, name="omoide-warm").start()
    listen.serve(app(memory, tools, host, place.getsockname()[1], token, origins), place)


def app(
    memory: Memory, tools: Sequence[Tool], host: str, port: int, token: str, origins: Sequence[str] = ()
) -> ASGIApp:
    """The SDK's application behind a bearer token. Host and Origin are checked wherever we listen: a page in a browser
    must not reach a memory through a name that it made point here."""
    if not token:
        raise InvalidInput("a memory over HTTP needs a token; give one, or let `omoide mcp --http` make one")
    hosts = [*_OWN, *([] if host in ("0.0.0.0", "::") else [host])]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[f"{name}:{port}" for name in hosts] + [f"{name}:*" for name in _OWN],
        allowed_origins=[*(f"http://{name}:*" for name in _OWN), *origins],
    )
    inner: Starlette = server(Desk(memory, tools)).streamable_http_app(
        transport_security=security, host=host, max_request_body_size=_LARGEST
    )
    return _Guarded(inner, token)


class _Guarded:
    """No request passes without the token, whatever it asks for."""

    def __init__(self, inner: ASGIApp, token: str) -> None:
        self._inner = inner
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._knows(scope["headers"]):
            refusal = JSONResponse(
                {"error": "a token is needed: send the header `Authorization: Bearer TOKEN`"},
                status_code=401,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await refusal(scope, receive, send)
            return
        await self._inner(scope, receive, send)

    def _knows(self, headers: Any) -> bool:
        sent = dict(headers).get(b"authorization", b"")
        scheme, _, given = sent.partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(), self._token)


def new_token() -> str:
    return secrets.token_urlsafe(24)
