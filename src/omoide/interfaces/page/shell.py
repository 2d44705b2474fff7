"""The files of the page, served to anybody since they hold no memory, and the events that a page follows."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from functools import cache
from importlib.resources import files
from mimetypes import guess_type

import anyio
from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse

from omoide.errors import NotFound, OmoideError
from omoide.interfaces.http.routes import Space, run
from omoide.interfaces.serialise import as_json
from omoide.memory.overview import Overview

shell = APIRouter(include_in_schema=False)

_HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "font-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_TYPES = {".js": "text/javascript", ".woff2": "font/woff2", ".svg": "image/svg+xml"}


@shell.get("/")
async def index(request: Request) -> Response:
    return _file(request, "index.html")


@shell.get("/assets/{name}")
async def asset(request: Request, name: str) -> Response:
    return _file(request, name)


def _file(request: Request, name: str) -> Response:
    found = _assets().get(name)
    if found is None:
        raise NotFound(f"the page has no file {name}")
    content, tag, kind = found
    headers = {**_HEADERS, "ETag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)


@cache
def _assets() -> dict[str, tuple[bytes, str, str]]:
    """Every file by its name: content, tag and type. There are few, so they stay in memory."""
    found = {}
    for each in files("omoide.interfaces.page").joinpath("assets").iterdir():
        if each.is_file():
            content = each.read_bytes()
            ending = each.name[each.name.rfind(".") :]
            kind = _TYPES.get(ending) or guess_type(each.name)[0] or "application/octet-stream"
            found[each.name] = (content, f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"', kind)
    return found


# What a page follows: an event each time that anybody has written to the file, also another process.


changes = APIRouter(prefix="/v1/page", include_in_schema=False)

_PAUSE = 0.5  # seconds between two looks; reading the mark takes microseconds
_BEATS = 30  # looks until a line is sent anyway, so that a lost connection is noticed


@changes.get("/changes")
async def follow(request: Request, space: Space) -> StreamingResponse:
    return StreamingResponse(
        _events(request, Overview(space)), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


async def _events(request: Request, overview: Overview) -> AsyncIterator[str]:
    seen = await run(overview.state)
    yield _event("following", {})
    quiet = 0
    while not await request.is_disconnected():
        await anyio.sleep(_PAUSE)
        try:
            state = await run(overview.state)
        except OmoideError:  # the space was deleted, or the server stops
            return
        if state != seen:
            seen, quiet = state, 0
            yield _event("changed", {"state": str(state)})
        elif (quiet := quiet + 1) >= _BEATS:
            quiet = 0
            yield ": nothing new\n\n"


def _event(kind: str, data: dict[str, str]) -> str:
    return f"event: {kind}\ndata: {as_json(data)}\n\n"
