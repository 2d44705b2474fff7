"""Routes that are no verb: health, metrics, tools, profiles, whole exports; spaces and tokens for an admin token."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import anyio.to_thread
from fastapi import APIRouter, Body, Depends, Query, Request
from fastapi import Path as InPath
from fastapi.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from pydantic import BaseModel, ConfigDict
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException

from omoide import __version__
from omoide.errors import Conflict, InvalidInput, NotFound
from omoide.interfaces import documents
from omoide.interfaces.http import models
from omoide.interfaces.http.routes import READ_ONLY, Allowed, Space, Tell, answer, own_path, run, streamed
from omoide.interfaces.http.spaces import Spaces
from omoide.interfaces.tools import chosen, named
from omoide.memory.spaces import SpaceRegistry

public = APIRouter()
private = APIRouter(prefix="/v1")

_ONLY_OWN_CONTENT = "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_EVENTS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}, "description": "events"}}
_LINES: dict[int | str, dict[str, Any]] = {200: {"content": {"application/x-ndjson": {}}, "description": "lines"}}
_BODY = {"requestBody": {"content": {"text/plain": {"schema": {"type": "string", "minLength": 1}}}, "required": True}}
Name = Annotated[str, InPath(max_length=500, json_schema_extra=dict(models.NAME))]
Audience = Literal["private", "shared"]
Consent = Annotated[str | None, Query(max_length=500, json_schema_extra=models.described(models.NAME))]
Moment = Annotated[str | None, Query(json_schema_extra=models.described(models.MOMENT))]


@public.get("/health", summary="Return whether the server answers; needs no token")
async def health() -> dict[str, str]:
    return {"status": "ok", "version": __version__}


@public.get("/docs", include_in_schema=False)
async def docs() -> HTMLResponse:
    """A page to try the API on. It loads nothing from other servers, so it works offline and stays private."""
    page = files("omoide.interfaces.http").joinpath("page.html").read_text("utf-8")
    return HTMLResponse(page, headers={"Content-Security-Policy": _ONLY_OWN_CONTENT})


@private.get("/metrics", summary="Return counts for Prometheus", responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request, space: Space) -> PlainTextResponse:
    return PlainTextResponse(request.app.state.guard.metrics.page(await run(space.stats)))


@private.get(
    "/entities/{name:path}",
    summary="Return an entity with its relations and its timeline",
    dependencies=[Depends(own_path)],
    response_model=models.ProfileBody,
)
async def profile(
    space: Space,
    name: Name,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
    audience: Audience = "private",
    consent: Consent = None,
) -> JSONResponse:
    def read() -> Any:
        seen = space.viewed(audience=audience, consent=consent)
        return documents.profile(seen, seen.graph.entity(name), limit)

    return answer(await run(read))


@private.get(
    "/agenda.ics", summary="Return the agenda as an iCalendar file", responses={200: {"content": {"text/calendar": {}}}}
)
async def icalendar(
    space: Space,
    since: Moment = None,
    until: Moment = None,
    audience: Audience = "private",
    consent: Consent = None,
) -> Response:
    found = await run(lambda: space.agenda(since, until, audience=audience, consent=consent))
    return Response(found.icalendar, media_type="text/calendar")


@private.get("/tools", summary="List every agent tool with its schema", response_model=list[models.ToolBody])
async def tools(_: Space) -> JSONResponse:
    return answer(
        [
            {"name": each.name, "description": each.description, "parameters": each.schema}
            for each in chosen("all,reference")
        ]
    )


@private.post("/tools/{name}", summary="Call an agent tool", response_model=models.ToolAnswerBody)
async def tool(
    space: Space,
    access: Allowed,
    name: Name,
    arguments: Annotated[dict[str, Any], Body()],
    audience: Audience = "private",
    consent: Consent = None,
) -> JSONResponse:
    called = named(name)
    if access.right != "write" and not called.reads:
        raise READ_ONLY
    seen = space.viewed(audience=audience, consent=consent)
    try:
        found = await run(called, seen, arguments)
    except InvalidInput as error:  # which arguments a tool takes depends on its name
        raise Conflict(str(error)) from error
    return answer({"text": found.text, "data": found.data})


tool.reads = True  # type: ignore[attr-defined]  # a token that may only read calls tools that only read


@private.get("/admin/export", summary="Export everything, history included, as lines of JSON", responses=_LINES)
async def export(space: Space, embeddings: bool = False, unencrypted: bool = False) -> FileResponse:
    return await _exported(lambda file: space.admin.export(file, embeddings=embeddings, unencrypted=unencrypted))


async def _exported(write: Callable[[Path], object]) -> FileResponse:
    """The file that `write` makes, however long it takes; it is deleted once it is sent."""
    folder = await anyio.to_thread.run_sync(tempfile.TemporaryDirectory)
    file = Path(folder.name) / "memory.jsonl"
    try:
        await anyio.to_thread.run_sync(write, file)
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(file, media_type="application/x-ndjson", background=BackgroundTask(folder.cleanup))


@private.post(
    "/admin/import",
    summary="Import an export; streams events, the last of them the report",
    responses=_EVENTS,
    openapi_extra=_BODY,
)
async def import_(space: Space, request: Request) -> StreamingResponse:
    content = await request.body()
    if not content:
        raise InvalidInput("the body: an export is needed")

    def work(tell: Tell) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "memory.jsonl"
            file.write_bytes(content)
            return space.admin.import_(file, progress=lambda bytes, of: tell({"bytes": bytes, "of": of}))

    return streamed(work)


# Spaces and tokens while the server runs.


SpaceName = Annotated[str, InPath(max_length=100)]


class SpaceBody(BaseModel):
    """A new space."""

    model_config = ConfigDict(extra="forbid")
    name: str


class TokenBody(BaseModel):
    """A new token of a space."""

    model_config = ConfigDict(extra="forbid")
    right: Literal["read", "write"] = "write"
    note: str = ""
    days: float | None = None


def _folder(request: Request, access: Allowed) -> SpaceRegistry:
    spaces: Spaces = request.app.state.spaces
    if access.right != "admin":
        raise HTTPException(403, "only an admin token may manage spaces; `omoide spaces token --admin` makes one")
    if spaces.folder is None:
        raise NotFound("this server has a single memory; start it with --spaces FOLDER to manage several")
    return spaces.folder


Folder = Annotated[SpaceRegistry, Depends(_folder)]


@private.get("/token", summary="Return what the token of the request opens, and with which right")
async def whoami(access: Allowed) -> JSONResponse:
    return answer({"space": access.space, "right": access.right, "token": access.token})


@private.get("/spaces", summary="List the spaces (admin token)")
async def spaces(folder: Folder) -> JSONResponse:
    return answer({"spaces": await run(folder.list)})


@private.post("/spaces", summary="Create a space; returns its first token, once (admin token)", status_code=201)
async def create(folder: Folder, sent: SpaceBody) -> JSONResponse:
    info = await run(folder.create, sent.name)
    issued = await run(folder.issue, sent.name)
    return answer({"space": info, "token": issued.token, "about": issued.about}, 201)


@private.delete("/spaces/{name}", summary="Delete a space, its tokens and all its memories (admin token)")
async def delete(request: Request, folder: Folder, name: SpaceName) -> JSONResponse:
    info = await run(folder.delete, name)
    await run(request.app.state.spaces.close_deleted)
    return answer({"deleted": info})


@private.get(
    "/spaces/{name}/export", name="export", summary="Export a space as lines of JSON (admin token)", responses=_LINES
)
async def export_space(folder: Folder, name: SpaceName, unencrypted: bool = False) -> FileResponse:
    return await _exported(lambda file: folder.export(name, file, unencrypted=unencrypted))


@private.get(
    "/usage", summary="Return what each space holds, and how often each route was called since the start (admin token)"
)
async def usage(request: Request, folder: Folder) -> JSONResponse:
    metrics = request.app.state.guard.metrics
    return answer({"since": metrics.since, "routes": metrics.routes(), "spaces": await run(folder.usage)})


@private.get("/spaces/{name}/tokens", summary="List the tokens of a space, without their text (admin token)")
async def tokens(folder: Folder, name: SpaceName) -> JSONResponse:
    return answer({"tokens": await run(folder.tokens, name)})


@private.post(
    "/spaces/{name}/tokens", summary="Make a token of a space; returns it once (admin token)", status_code=201
)
async def issue(folder: Folder, name: SpaceName, sent: TokenBody) -> JSONResponse:
    return answer(await run(folder.issue, name, sent.right, note=sent.note, days=sent.days), 201)


@private.post("/tokens/{id}/rotate", summary="Replace a token; the old one stops at once (admin token)")
async def rotate(folder: Folder, id: SpaceName) -> JSONResponse:
    return answer(await run(folder.rotate, id))


@private.delete("/tokens/{id}", summary="Delete a token; it stops at once (admin token)")
async def revoke(folder: Folder, id: SpaceName) -> JSONResponse:
    return answer({"deleted": await run(folder.revoke, id)})
