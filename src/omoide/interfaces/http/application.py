"""The application: the routes behind their guard, and errors as JSON."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from omoide import __version__
from omoide.errors import Busy, Conflict, InvalidInput, NotAllowed, NotFound, OmoideError
from omoide.interfaces.http.guard import Guard, Throttle
from omoide.interfaces.http.models import RefusalBody
from omoide.interfaces.http.other_routes import private, public
from omoide.interfaces.http.routes import LONGEST, methods_of, refuse_unknown_query, verb_routes
from omoide.interfaces.http.spaces import Spaces
from omoide.interfaces.page.views import changes, shell, views

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from omoide.interfaces.http.fleet_server import FleetSource

LARGEST = 16 * 1024 * 1024  # bytes of one request


def application(
    spaces: Spaces | FleetSource,
    *,
    hosts: tuple[str, ...] = (),
    origins: tuple[str, ...] = (),
    largest: int = LARGEST,
    longest: float = LONGEST,
    throttle: Throttle | None = None,
) -> Guard:
    """The API behind its guard.

    Args:
        spaces: The memories, by token.
        hosts: Further names that the server answers to.
        origins: Origins of web pages that may call it.
        largest: Bytes of one request.
        longest: Seconds of one call that does not stream.
        throttle: Slows down wrong tokens.
    """

    @asynccontextmanager
    async def lifespan(running: FastAPI) -> AsyncIterator[None]:
        yield
        await anyio.to_thread.run_sync(running.state.spaces.close)

    app = FastAPI(
        title="Omoide",
        version=__version__,
        description="Long-term memory for AI agents, in one file on your own machine.",
        lifespan=lifespan,
        responses={status: {"description": why, "model": RefusalBody} for status, why in _REFUSALS.items()},
        docs_url=None,  # the framework's page loads its scripts from another server; other_routes has our own
        redoc_url=None,
    )
    inner, more = (app, ()) if isinstance(spaces, Spaces) else _fleet_parts(app, spaces)
    guarded = Guard(inner, hosts=hosts, origins=origins, largest=largest, longest=longest)
    app.state.spaces, app.state.guard, app.state.throttle = spaces, guarded, throttle or Throttle()
    app.exception_handler(OmoideError)(_refused)
    app.exception_handler(RequestValidationError)(_invalid_request)
    app.exception_handler(HTTPException)(_http_error)
    app.include_router(public)
    app.include_router(shell)
    for router in (verb_routes(), private, views, changes, *more):
        app.include_router(router, dependencies=[Depends(refuse_unknown_query)])
    return guarded


def _fleet_parts(app: FastAPI, source: FleetSource) -> tuple[ASGIApp, Sequence[APIRouter]]:
    """What a server of a fleet has besides: it passes requests on, and says how the fleet is."""
    from omoide.interfaces.http import fleet_server

    return fleet_server.Forwarder(app, source), (fleet_server.fleet_public, fleet_server.fleet_routes)


_REFUSALS = {
    400: "The request is not HTTP as it should be, such as a broken header",
    401: "The token is missing or unknown",
    403: "The origin is not allowed, the token may not do this, or the user has not consented to it",
    404: "It does not exist",
    405: "The path has other methods; `Allow` names them",
    409: "Each part is as described, but not together, or not with what the memory holds now",
    413: "The request is too large",
    421: "The host is not allowed",
    422: "The input is wrong; the error says how",
    429: "Too many wrong tokens from this address",
    503: "Busy, try again",
}


_STATUS = {NotFound: 404, NotAllowed: 403, Conflict: 409, InvalidInput: 422, Busy: 503}  # the narrower ones first


async def _refused(_: Request, error: Exception) -> JSONResponse:
    status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 500)
    headers = {"Retry-After": "1"} if status == 503 else None
    return JSONResponse({"error": str(error)}, status, headers)


async def _invalid_request(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return JSONResponse({"error": "; ".join(map(_explained, error.errors()))}, status_code=422)


def _explained(found: Mapping[str, Any]) -> str:
    if found["type"] == "json_invalid":  # its location is only an offset
        return f"the body: this is not JSON ({found['ctx']['error']})"
    place = ".".join(str(part) for part in found["loc"][1:]) or f"the {found['loc'][0]}"
    return f"{place}: {found['msg'].lower().removeprefix('value error, ')}"


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == 405:  # the framework names the methods of the first route of this path alone
        headers["Allow"] = ", ".join(sorted(methods_of(request)))
    return JSONResponse({"error": error.detail}, status_code=error.status_code, headers=headers)
