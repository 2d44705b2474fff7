"""Routes of what is known: entities, relations, links, and the life of one memory."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from omoide.interfaces.http import results, shapes
from omoide.interfaces.http.call import Space, answer, done
from omoide.interfaces.http.routes import Id, Name
from omoide.memory import Memory

graph = APIRouter(prefix="/v1")
_ENDING = shapes.Ending()  # what is meant where no body is sent


@graph.patch(
    "/nodes/{id}", summary="Change a memory in place; its score stays", response_model=results.of(Memory.update)
)
async def update(space: Space, id: Id, wording: shapes.Wording) -> JSONResponse:
    given = wording.model_dump(exclude_unset=True)
    return answer(await done(space.update, id, given.pop("text", None), **given))


@graph.post("/nodes/{id}/outcome", summary="How it went when a procedure or skill was used")
async def outcome(space: Space, id: Id, ended: shapes.Outcome) -> JSONResponse:
    return answer(await done(space.outcome, id, ended.outcome))


@graph.post(
    "/nodes/{id}/archive",
    summary="Take a memory out of use; every word is kept",
    response_model=results.of(Memory.archive),
)
async def archive(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.archive, id))


@graph.delete("/nodes/{id}/archive", summary="Put a memory back into use", response_model=results.of(Memory.unarchive))
async def unarchive(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.unarchive, id))


@graph.get("/nodes/{id}/history", summary="All versions of a memory, oldest first")
async def history(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.history, id))


@graph.get("/nodes/{id}/links", summary="Every link from and to a memory", response_model=results.of(Memory.links))
async def links(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.links, id))


@graph.post("/links", summary="Link two memories", status_code=201)
async def link(space: Space, tie: shapes.Link) -> JSONResponse:
    return answer(await done(space.link, tie.source, tie.target, tie.type), 201)


@graph.get(
    "/entities", summary="Who and what is known, the most spoken of first", response_model=results.of(Memory.entities)
)
async def entities(space: Space, limit: shapes.Limit = 20) -> JSONResponse:
    return answer(await done(space.entities, limit))


@graph.put(
    "/entities/{name:path}",
    summary="Create an entity, or add what is new to it",
    response_model=results.of(Memory.entity),
)
async def describe(space: Space, name: Name, profile: shapes.Profile) -> JSONResponse:
    return answer(await done(space.entity, name, **profile.model_dump(exclude_unset=True)))


@graph.post(
    "/entities/{name:path}/merge",
    summary="This name and another are one thing",
    response_model=results.of(Memory.merge),
)
async def merge(space: Space, name: Name, other: shapes.Merge) -> JSONResponse:
    return answer(await done(space.merge, name, other.into))


@graph.post("/relations", summary="Relate two entities; those not yet known are created", status_code=201)
async def relate(space: Space, tie: shapes.Relation) -> JSONResponse:
    return answer(await done(space.relate, tie.source, tie.type, tie.target), 201)


@graph.delete("/relations", summary="A relation no longer holds")
async def unrelate(space: Space, tie: shapes.Relation) -> JSONResponse:
    return answer(await done(space.unrelate, tie.source, tie.type, tie.target))


@graph.get("/graph", summary="Things with what is known of each, and how they are related")
async def whole(space: Space, name: Annotated[list[str] | None, Query()] = None) -> JSONResponse:
    return answer(await done(space.graph, name))


@graph.get("/weak", summary="What we are least sure of", response_model=results.of(Memory.weak))
async def weak(space: Space, limit: shapes.Limit = 20) -> JSONResponse:
    return answer(await done(space.weak, limit))


@graph.get("/sessions/{name:path}", summary="One conversation", response_model=results.of(Memory.session))
async def session(space: Space, name: Name) -> JSONResponse:
    return answer(await done(space.session, name))


@graph.post("/sessions/{name:path}/end", summary="Close a conversation, so that it can be learned from")
async def end(space: Space, name: Name, ending: shapes.Ending = _ENDING) -> JSONResponse:
    return answer(await done(space.end, name, summary=ending.summary))
