"""What a page follows: an event each time that anybody has written to the file, also another process."""

from __future__ import annotations

from collections.abc import AsyncIterator

import anyio
from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from omoide.errors import OmoideError
from omoide.interfaces.http.routes import Space, run
from omoide.interfaces.serialise import as_json
from omoide.memory.overview import Overview

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
