"""The application: one route a verb, each parses, calls Memory on a worker thread, and answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from omoide import __version__
from omoide.errors import Busy, InvalidInput, NotFound, OmoideError
from omoide.interfaces.http import routes
from omoide.interfaces.http.call import LONGEST
from omoide.interfaces.http.graph import graph
from omoide.interfaces.http.guard import Guard
from omoide.interfaces.http.results import Refusal
from omoide.interfaces.http.spaces import Spaces
from omoide.interfaces.http.upkeep import upkeep
from omoide.interfaces.http.work import work

LARGEST = 16 * 1024 * 1024  # bytes of one request


def application(
    spaces: Spaces,
    *,
    hosts: tuple[str, ...] = (),
    origins: tuple[str, ...] = (),
    largest: int = LARGEST,
    longest: float = LONGEST,
) -> Guard:
    """The API behind its guard. `largest`: bytes of a request; `longest`: seconds of a verb that does not stream."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await anyio.to_thread.run_sync(spaces.close)

    app = FastAPI(
        title="Omoide",
        version=__version__,
        description="Long-term memory for AI agents, in one file on your own machine.",
        lifespan=lifespan,
        responses={status: {"description": why, "model": Refusal} for status, why in _REFUSALS.items()},
        docs_url=None,  # of ours: the framework's loads its scripts from elsewhere
        redoc_url=None,
    )
    guarded = Guard(app, hosts=hosts, origins=origins, largest=largest, longest=longest)
    app.state.spaces, app.state.guard = spaces, guarded
    app.exception_handler(OmoideError)(_refused)
    app.exception_handler(RequestValidationError)(_misread)
    app.exception_handler(HTTPException)(_plain)
    app.include_router(routes.public)
    for router in (routes.verbs, work, graph, upkeep):  # turns of a session before a session of any name
        app.include_router(router)
    return guarded


_REFUSALS = {
    401: "no known token",
    403: "a foreign origin",
    404: "it does not exist",
    413: "too large",
    421: "a foreign host",
    422: "input that says what is wrong with it",
    503: "busy, try again",
}


async def _refused(_: Request, error: Exception) -> JSONResponse:
    match error:
        case NotFound():
            return JSONResponse({"error": str(error)}, status_code=404)
        case InvalidInput():
            return JSONResponse({"error": str(error)}, status_code=422)
        case Busy():
            return JSONResponse({"error": str(error)}, status_code=503, headers={"Retry-After": "1"})
    return JSONResponse({"error": str(error)}, status_code=500)


async def _misread(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return JSONResponse({"error": "; ".join(map(_lesson, error.errors()))}, status_code=422)


def _lesson(found: Mapping[str, Any]) -> str:
    if found["type"] == "json_invalid":  # its place is a number of characters
        return f"the body: this is not JSON ({found['ctx']['error']})"
    place = ".".join(str(part) for part in found["loc"][1:]) or f"the {found['loc'][0]}"
    return f"{place}: {found['msg'].lower()}"


async def _plain(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, status_code=error.status_code, headers=error.headers)
