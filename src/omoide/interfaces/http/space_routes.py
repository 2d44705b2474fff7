"""Spaces and tokens while the server runs: for holders of an admin token."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from fastapi import Path as InPath
from fastapi.responses import FileResponse, JSONResponse
from pydantic import BaseModel, ConfigDict
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException

from omoide.errors import NotFound
from omoide.interfaces.http.routes import Allowed, answer, run
from omoide.interfaces.http.spaces import Spaces
from omoide.memory.spaces import SpaceRegistry

space_routes = APIRouter(prefix="/v1")

Name = Annotated[str, InPath(max_length=100)]
LINES: dict[int | str, dict[str, Any]] = {200: {"content": {"application/x-ndjson": {}}, "description": "lines"}}


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


@space_routes.get("/token", summary="Return what the token of the request opens, and with which right")
async def whoami(access: Allowed) -> JSONResponse:
    return answer({"space": access.space, "right": access.right, "token": access.token})


@space_routes.get("/spaces", summary="List the spaces (admin token)")
async def spaces(folder: Folder) -> JSONResponse:
    return answer({"spaces": await run(folder.list)})


@space_routes.post("/spaces", summary="Create a space; returns its first token, once (admin token)", status_code=201)
async def create(folder: Folder, sent: SpaceBody) -> JSONResponse:
    info = await run(folder.create, sent.name)
    issued = await run(folder.issue, sent.name)
    return answer({"space": info, "token": issued.token, "about": issued.about}, 201)


@space_routes.delete("/spaces/{name}", summary="Delete a space, its tokens and all its memories (admin token)")
async def delete(request: Request, folder: Folder, name: Name) -> JSONResponse:
    info = await run(folder.delete, name)
    await run(request.app.state.spaces.close_deleted)
    return answer({"deleted": info})


@space_routes.get("/spaces/{name}/export", summary="Export a space as lines of JSON (admin token)", responses=LINES)
async def export(folder: Folder, name: Name, unencrypted: bool = False) -> FileResponse:
    beside = await run(tempfile.TemporaryDirectory)
    target = Path(beside.name) / "memory.jsonl"

    try:
        await run(partial(folder.export, name, target, unencrypted=unencrypted))
    except BaseException:
        beside.cleanup()
        raise
    return FileResponse(target, media_type="application/x-ndjson", background=BackgroundTask(beside.cleanup))


@space_routes.get(
    "/usage", summary="Return what each space holds, and how often each route was called since the start (admin token)"
)
async def usage(request: Request, folder: Folder) -> JSONResponse:
    metrics = request.app.state.guard.metrics
    return answer({"since": metrics.since, "routes": metrics.routes(), "spaces": await run(folder.usage)})


@space_routes.get("/spaces/{name}/tokens", summary="List the tokens of a space, without their text (admin token)")
async def tokens(folder: Folder, name: Name) -> JSONResponse:
    return answer({"tokens": await run(folder.tokens, name)})


@space_routes.post(
    "/spaces/{name}/tokens", summary="Make a token of a space; returns it once (admin token)", status_code=201
)
async def issue(folder: Folder, name: Name, sent: TokenBody) -> JSONResponse:
    return answer(await run(folder.issue, name, sent.right, note=sent.note, days=sent.days), 201)


@space_routes.post("/tokens/{id}/rotate", summary="Replace a token; the old one stops at once (admin token)")
async def rotate(folder: Folder, id: Name) -> JSONResponse:
    return answer(await run(folder.rotate, id))


@space_routes.delete("/tokens/{id}", summary="Delete a token; it stops at once (admin token)")
async def revoke(folder: Folder, id: Name) -> JSONResponse:
    return answer({"deleted": await run(folder.revoke, id)})
