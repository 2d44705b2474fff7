"""A server of a fleet: requests for a space that another server holds are passed on to it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import suppress
from contextvars import ContextVar
from time import monotonic
from typing import Any

import anyio.to_thread
import httpx
from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from omoide.errors import Busy, Closed, NotFound, OmoideError
from omoide.fleet import Fleet, HeldElsewhere
from omoide.fleet.registry import FleetSpaces
from omoide.fleet.telemetry import span
from omoide.interfaces.http.routes import Allowed, answer, run
from omoide.interfaces.http.spaces import Access
from omoide.memory import Memory
from omoide.memory.spaces import Opening, token_hash

_FORWARDED = "x-omoide-forwarded"
_NOT_HERE = "x-omoide-not-here"
_STALE_OK = "omoide-stale-ok"  # a request with it may be answered from a copy, which is a few seconds old
_SEQUENCE = "omoide-sequence"  # of the copy that answered
_KNOWN_FOR = 2.0  # seconds that a token is not looked up again: as long may a revoked one still work
_MOST_TOKENS = 10_000
_PAUSE = 0.25  # seconds between attempts to take a space whose holder is gone
_HOPS = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "proxy-authorization", "host"}

_memory: ContextVar[Memory | None] = ContextVar("memory", default=None)
_is_copy: ContextVar[bool] = ContextVar("is_copy", default=False)


class FleetSource:
    """Finds what a token opens, as `Spaces` does; the memory is that which the request holds."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet = fleet
        self.folder: FleetSpaces = fleet.spaces
        self._known: OrderedDict[str, tuple[float, Opening]] = OrderedDict()

    def opening(self, token: str) -> Opening | None:
        """What a token opens; answers of PostgreSQL are kept for two seconds."""
        key = token_hash(token)
        kept = self._known.get(key)
        if kept is not None and monotonic() - kept[0] < _KNOWN_FOR:
            return kept[1]
        found = self.fleet.spaces.find(token)
        self._known.pop(key, None)
        if found is not None:
            self._known[key] = (monotonic(), found)
            while len(self._known) > _MOST_TOKENS:
                self._known.popitem(last=False)
        return found

    def find(self, given: str) -> Access | None:
        found = self.opening(given)
        if found is None:
            return None
        right = "read" if _is_copy.get() else found.token.right
        return Access(_memory.get() if found.file is not None else None, right, found.token.space, found.token)

    def close_deleted(self) -> None:
        """A deleted space loses its lease: the next write is refused, the next renewal closes it."""
        self._known.clear()
        with suppress(OmoideError):
            self.fleet.tick()

    def close(self) -> None:
        self.fleet.close()


class Forwarder:
    """Holds the space of a request while it is answered, or passes the request on to the server that holds it."""

    def __init__(self, inner: ASGIApp, source: FleetSource) -> None:
        self._inner = inner
        self._source = source
        self._fleet = source.fleet
        self._rates: dict[str, tuple[float, float]] = {}  # space: requests left, and when that was
        self._elsewhere: dict[str, tuple[float, HeldElsewhere]] = {}  # space: until when this is believed
        self._client: httpx.AsyncClient | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)  # the life of the application: it returns at its end
            if self._client is not None:
                await self._client.aclose()
            return
        kind, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        try:
            known = kind.lower() == "bearer" and token
            opening = await anyio.to_thread.run_sync(self._source.opening, token) if known else None
            if opening is None or opening.token.space is None:
                await self._inner(scope, receive, send)
            else:
                await self._serve(opening.token.space, scope, receive, send)
        except NotFound as error:
            await _refusal(404, error)(scope, receive, send)
        except (Busy, Closed) as error:
            await _refusal(503, error)(scope, receive, send)

    async def _serve(self, space: str, scope: Scope, receive: Receive, send: Send) -> None:
        body: bytes | None = None
        until = monotonic() + 2 * self._fleet.lease_seconds
        while True:
            using = self._fleet.using(space)
            try:
                if (known := self._elsewhere.get(space)) is not None and monotonic() < known[0]:
                    raise known[1]
                memory = await anyio.to_thread.run_sync(using.__enter__)
            except HeldElsewhere as error:
                if Headers(scope=scope).get(_STALE_OK):
                    await self._answer_from_copy(space, scope, receive, send)
                    return
                body = await _whole_body(receive) if body is None else body
                if await self._forward(error, scope, body, send):
                    self._elsewhere[space] = (monotonic() + _KNOWN_FOR, error)
                    return
                self._elsewhere.pop(space, None)
                if monotonic() > until:
                    raise
                await asyncio.sleep(_PAUSE)
                continue
            try:
                if (refusal := self._limited(space, scope, memory)) is not None:
                    self._fleet.counts.limited += 1
                    await refusal(scope, receive, send)
                    return
                mark = _memory.set(memory)
                await self._inner(scope, receive if body is None else _replayed(body), send)
                _memory.reset(mark)
                return
            finally:
                await anyio.to_thread.run_sync(using.__exit__, None, None, None)

    async def _answer_from_copy(self, space: str, scope: Scope, receive: Receive, send: Send) -> None:
        memory, sequence = await anyio.to_thread.run_sync(self._fleet.reading, space)

        async def numbered(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[_SEQUENCE] = str(sequence)
            await send(message)

        mark, copied = _memory.set(memory), _is_copy.set(True)
        await self._inner(scope, receive, numbered)
        _memory.reset(mark)
        _is_copy.reset(copied)

    def _limited(self, space: str, scope: Scope, memory: Memory) -> JSONResponse | None:
        rate = self._fleet.settings.fleet_space_rate
        if rate:
            left, at = self._rates.get(space, (rate * 10, monotonic()))
            left = min(rate * 10, left + (monotonic() - at) * rate) - 1
            self._rates[space] = (max(left, 0.0), monotonic())
            if left < 0:
                return _refusal(429, f"a space may make {rate:g} requests a second; wait a moment")
        most = self._fleet.settings.fleet_space_size
        if most and scope["method"] in ("POST", "PUT", "PATCH") and memory.stats().bytes > most * 1024 * 1024:
            return _refusal(507, f"this space has reached its {most} megabytes; forget something or ask for more")
        return None

    async def _forward(self, error: HeldElsewhere, scope: Scope, body: bytes, send: Send) -> bool:
        """Passes a request on; False if the holder cannot be reached or no longer has the space, so that nothing
        happened and the space may be asked for again."""
        headers = Headers(scope=scope)
        if headers.get(_FORWARDED):
            response: Any = _refusal(503, error)
            response.headers[_NOT_HERE] = "1"
            await response(scope, _replayed(body), send)
            return True
        address = error.holder.address
        if not address or address == self._fleet.address or not error.holder.seconds_left:
            return False
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=httpx.Timeout(None, connect=3.0), trust_env=False)
        sent = [(k, v) for k, v in headers.items() if k.lower() not in _HOPS] + [(_FORWARDED, self._fleet.server)]
        path = scope["raw_path"].decode() + (f"?{scope['query_string'].decode()}" if scope["query_string"] else "")
        request = self._client.build_request(scope["method"], f"{address}{path}", headers=sent, content=body)
        with span("fleet.forward", space=error.space):
            try:
                found = await self._answered(request, error)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                return False
            except httpx.HTTPError as why:
                raise Busy(f"the server that holds this space broke off ({type(why).__name__}); try again") from why
        if found.headers.get(_NOT_HERE):
            await found.aclose()
            return False
        self._fleet.counts.forwarded += 1
        kept = {k: v for k, v in found.headers.items() if k.lower() not in _HOPS}
        response = StreamingResponse(found.aiter_raw(), found.status_code, kept)
        try:
            await response(scope, _replayed(body), send)
        finally:
            await found.aclose()
        return True

    async def _answered(self, request: httpx.Request, error: HeldElsewhere) -> httpx.Response:
        """Waits for the holder as long as it is the holder: a server that hangs loses the space."""
        assert self._client is not None
        asked = asyncio.ensure_future(self._client.send(request, stream=True))
        try:
            while True:
                done, _ = await asyncio.wait({asked}, timeout=self._fleet.lease_seconds / 2)
                if done:
                    return asked.result()
                holder = await anyio.to_thread.run_sync(self._fleet.holder, error.space)
                if holder.server != error.holder.server or not holder.seconds_left:
                    raise Busy("the server that held this space does not answer; send it again with the same key")
        finally:
            asked.cancel()


async def _whole_body(receive: Receive) -> bytes:
    """The guard before this has bounded it."""
    parts = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            break
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            break
    return b"".join(parts)


def _replayed(body: bytes) -> Receive:
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])
    never = asyncio.Event()

    async def receive() -> Message:
        message = next(messages, None)
        if message is None:
            await never.wait()  # the client is still there
            return {"type": "http.disconnect"}
        return message

    return receive


def _refusal(status: int, why: object) -> JSONResponse:
    return JSONResponse({"error": str(why)}, status, {"Retry-After": "1"} if status in (429, 503) else None)


# ── routes ────────────────────────────────────────────────────────────────────────────────────────────────────────

fleet_public = APIRouter()
fleet_routes = APIRouter(prefix="/v1/fleet")


def _fleet(request: Request, access: Allowed) -> Fleet:
    if access.right != "admin":
        raise HTTPException(403, "only an admin token may see the fleet; `omoide spaces token --admin` makes one")
    source: FleetSource = request.app.state.spaces
    return source.fleet


@fleet_public.get("/ready", summary="Return whether this server takes requests; needs no token")
async def ready(request: Request) -> JSONResponse:
    source: FleetSource = request.app.state.spaces
    good = await run(source.fleet.is_ready)
    return JSONResponse({"ready": good}, 200 if good else 503)


@fleet_routes.get("/status", summary="List the servers and spaces of the fleet (admin token)")
async def status(fleet: Fleet = Depends(_fleet)) -> JSONResponse:  # noqa: B008 — FastAPI reads it from the default
    return answer(await run(fleet.status))


@fleet_routes.get("/metrics", summary="Return counts of this server for Prometheus (admin token)")
async def metrics(fleet: Fleet = Depends(_fleet)) -> PlainTextResponse:  # noqa: B008
    return PlainTextResponse(fleet.counts.page(len(fleet.held()), await run(fleet.lag)))
