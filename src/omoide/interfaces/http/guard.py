"""The guard before every route: checks host, origin and size, counts requests, and slows down who guesses tokens."""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import IPv6Address, ip_address, ip_network
from time import monotonic, perf_counter
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from omoide.interfaces.http import routes
from omoide.interfaces.network import LOOPBACK, refusal


class _TooLarge(Exception):
    """The request is larger than allowed."""


class Guard:
    """Refuses foreign hosts and origins, so that a web page cannot reach a memory through DNS rebinding."""

    def __init__(
        self, inner: ASGIApp, *, hosts: Collection[str], origins: Collection[str], largest: int, longest: float
    ) -> None:
        self.inner = inner
        self._hosts = {*LOOPBACK, *(each.lower() for each in hosts)}
        self._origins = set(origins)
        self._largest = largest
        self._longest = longest
        self.metrics = Metrics()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if (refused := self._refusal(headers, scope)) is not None:
            self.metrics.answered(scope["method"], refused.status_code)
            await refused(scope, receive, send)
            return
        routes.longest.set(self._longest)
        origin = headers.get("origin")
        if origin and scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            self.metrics.answered("OPTIONS", 204)
            await Response(status_code=204, headers=_allowed(origin) | _PREFLIGHT)(scope, receive, send)
            return
        await self._measured(scope, receive, _to(origin, send) if origin else send)

    def _refusal(self, headers: Headers, scope: Scope) -> JSONResponse | None:
        if (foreign := refusal(headers, self._hosts, self._origins, scope)) is not None:
            return _refused(*foreign)
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._largest:
            return self._too_large()
        return None

    async def _measured(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Counts a body without a stated length while it arrives; one that is too large is answered here, whatever the
        application makes of the part that it got."""
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
            await self.inner(scope, counted, noted)
        if (route := scope.get("route")) is not None:  # an unknown path has no route
            self.metrics.took(scope["method"], route.path, perf_counter() - began)
        if read > self._largest and not started:
            self.metrics.answered(scope["method"], 413)
            await self._too_large()(scope, receive, send)

    def _too_large(self) -> JSONResponse:
        return _refused(413, f"a request may have {self._largest:,} bytes; send large imports in parts")


# What an allowed page may send; its browser asks before it does.
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Access-Control-Max-Age": "600",
}


def _allowed(origin: str) -> dict[str, str]:
    return {"Access-Control-Allow-Origin": origin, "Vary": "Origin"}


def _to(origin: str, send: Send) -> Send:
    """Lets the page of an allowed origin read the answer."""

    async def allowing(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_allowed(origin))
        await send(message)

    return allowing


def _refused(status: int, why: str) -> JSONResponse:
    return JSONResponse({"error": why}, status_code=status)


# ── metrics ───────────────────────────────────────────────────────────────────────────────────────────────────────

_GAUGES = {
    "nodes": "Memories in the file.",
    "edges": "Links between memories.",
    "entities": "Entities.",
    "sessions": "Sessions.",
    "bytes": "Size of the file.",
}


class Metrics:
    """Counts of all memories together since the server started, in the format of Prometheus."""

    def __init__(self) -> None:
        self._answered: Counter[tuple[str, int]] = Counter()
        self._calls: Counter[tuple[str, str]] = Counter()
        self._seconds: Counter[tuple[str, str]] = Counter()
        self.since = datetime.now(UTC)

    def answered(self, method: str, status: int) -> None:
        self._answered[method, status] += 1

    def took(self, method: str, route: str, seconds: float) -> None:
        """Counted by the route's pattern, so that the page stays as short as the list of routes."""
        self._calls[method, route] += 1
        self._seconds[method, route] += seconds  # type: ignore[assignment]

    def routes(self) -> list[dict[str, Any]]:
        """How often each route was called, and the milliseconds of a call on average; the busiest first."""
        return [
            {"route": " ".join(key), "calls": calls, "milliseconds": 1000 * self._seconds[key] / calls}
            for key, calls in self._calls.most_common()
        ]

    def page(self, stats: Any) -> str:
        lines = []
        for name, about in _GAUGES.items():
            lines += [f"# HELP omoide_{name} {about}", f"# TYPE omoide_{name} gauge"]
            lines.append(f"omoide_{name} {getattr(stats, name)}")
        lines += ["# HELP omoide_requests_total Requests answered.", "# TYPE omoide_requests_total counter"]
        for (method, status), count in sorted(self._answered.items()):
            lines.append(f'omoide_requests_total{{method="{method}",status="{status}"}} {count}')
        lines += [
            "# HELP omoide_request_seconds Seconds until the last byte was sent.",
            "# TYPE omoide_request_seconds summary",
        ]
        for (method, route), count in sorted(self._calls.items()):
            labels = f'{{method="{method}",route="{route}"}}'
            lines.append(f"omoide_request_seconds_sum{labels} {self._seconds[method, route]:.6f}")
            lines.append(f"omoide_request_seconds_count{labels} {count}")
        return "\n".join(lines) + "\n"


# Slows down those who guess tokens, without hindering who already holds one.


_FREE = 5  # failures without a pause: somebody mistypes
_LONGEST = 60.0  # seconds of a pause
_FORGOTTEN = 600.0  # seconds after which failures no longer count
_MOST = 10_000  # addresses, and tokens, that are remembered


class Throttle:
    """After a few wrong tokens from one address, each further failure doubles the pause before the next attempt.

    During the pause a token is not even looked at, unless the same address has used it before: others behind the same
    proxy go on working. A wrong token that is sent again is no guess: a program with an old token is told so each time.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()  # address: how many, and when the last was
        self._known: OrderedDict[tuple[str, bytes], bool] = OrderedDict()  # whether the token was right

    def pause(self, address: str, token: str) -> float:
        """Seconds until the next attempt is looked at; 0 if it may be now."""
        near = _near(address)
        failures, last = self._failures.get(near, (0, 0.0))
        if failures < _FREE or (near, _digest(token)) in self._known:
            return 0.0
        return max(0.0, last + min(_LONGEST, 2.0 ** (failures - _FREE)) - self._now())

    def failed(self, address: str, token: str) -> None:
        near = _near(address)
        key = near, _digest(token)
        known = self._known.get(key)
        self._known[key] = False
        _shorten(self._known)
        if known is False:
            return
        failures, last = self._failures.pop(near, (0, 0.0))
        now = self._now()
        self._failures[near] = (failures + 1 if now - last < _FORGOTTEN else 1, now)
        _shorten(self._failures)

    def passed(self, address: str, token: str) -> None:
        self._known[_near(address), _digest(token)] = True
        _shorten(self._known)


def _near(address: str) -> str:
    """The address, or the network that one IPv6 customer owns."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else address


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _shorten(remembered: OrderedDict[Any, Any]) -> None:
    if len(remembered) > _MOST:
        remembered.popitem(last=False)
