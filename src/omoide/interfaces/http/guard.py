"""What every request passes before it reaches a verb: its name, its origin, its size; and what is counted of it."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from time import perf_counter
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from omoide.interfaces.http import call
from omoide.interfaces.http.metrics import Metrics

_OWN = ("127.0.0.1", "localhost", "::1")


class _TooLarge(Exception):
    """More was sent than a request may hold."""


class Guard:
    """Foreign hosts and origins are refused wherever we listen: a page in a browser must not reach a memory through a
    name that it made point here."""

    def __init__(
        self, inner: ASGIApp, *, hosts: Collection[str], origins: Collection[str], largest: int, longest: float
    ) -> None:
        self._inner = inner
        self._hosts = {*_OWN, *hosts}
        self._origins = set(origins)
        self._largest = largest
        self._longest = longest
        self.metrics = Metrics()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if (refusal := self._refusal(headers)) is not None:
            self.metrics.answered(scope["method"], refusal.status_code)
            await refusal(scope, receive, send)
            return
        call.longest.set(self._longest)
        origin = headers.get("origin")
        if origin and scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            self.metrics.answered("OPTIONS", 204)
            await Response(status_code=204, headers=_allowed(origin) | _PREFLIGHT)(scope, receive, send)
            return
        await self._measured(scope, receive, _to(origin, send) if origin else send)

    def _refusal(self, headers: Headers) -> JSONResponse | None:
        host = urlsplit(f"//{headers.get('host', '')}").hostname
        if host not in self._hosts:
            return _refused(421, f"this server does not answer to the name {host!r}; start it with --host")
        origin = headers.get("origin")
        if origin and origin not in self._origins and urlsplit(origin).hostname not in _OWN:
            return _refused(403, f"pages of {origin} may not call this server; start it with --origin to admit them")
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._largest:
            return self._too_large()
        return None

    async def _measured(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A body without a stated length is counted as it comes. Whatever the application makes of one that was cut
        off, the answer is ours."""
        read, started = 0, False

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._largest:
                raise _TooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal started
            if read > self._largest and not started:
                return
            if message["type"] == "http.response.start":
                started = True
                self.metrics.answered(scope["method"], message["status"])
            await send(message)

        began = perf_counter()
        with suppress(_TooLarge):
            await self._inner(scope, counted, noted)
        if (route := scope.get("route")) is not None:  # what leads nowhere is nobody's
            self.metrics.took(scope["method"], route.path, perf_counter() - began)
        if read > self._largest and not started:
            self.metrics.answered(scope["method"], 413)
            await self._too_large()(scope, receive, send)

    def _too_large(self) -> JSONResponse:
        return _refused(413, f"a request may hold {self._largest:,} bytes; send large imports in parts")


# What an admitted page may send; its browser asks before it does.
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Access-Control-Max-Age": "600",
}


def _allowed(origin: str) -> dict[str, str]:
    return {"Access-Control-Allow-Origin": origin, "Vary": "Origin"}


def _to(origin: str, send: Send) -> Send:
    """Lets the page of an admitted origin read the answer."""

    async def allowing(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_allowed(origin))
        await send(message)

    return allowing


def _refused(status: int, why: str) -> JSONResponse:
    return JSONResponse({"error": why}, status_code=status)
