"""Routes of what is known: entities, relations, links, and the life of one memory."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from omoide.interfaces.http import results, shapes
from omoide.interfaces.http.call import Space, answer, done
from omoide.interfaces.http.routes import Id, Name
from omoide.memory import Memory
from omoide.memory.admin import AdminNamespace
from omoide.memory.graph import GraphNamespace
from omoide.memory.review import ReviewNamespace

graph = APIRouter(prefix="/v1")
_ENDING = shapes.Ending()  # what is meant where no body is sent


@graph.patch(
    "/nodes/{id}",
    summary="Change a memory in place; its score stays",
    response_model=results.of(ReviewNamespace.update),
)
async def update(space: Space, id: Id, wording: shapes.Wording) -> JSONResponse:
    given = wording.model_dump(exclude_unset=True)
    return answer(await done(space.review.update, id, given.pop("text", None), **given))


@graph.post("/nodes/{id}/outcome", summary="How it went when a procedure or skill was used")
async def outcome(space: Space, id: Id, ended: shapes.Outcome) -> JSONResponse:
    return answer(await done(space.tasks.outcome, id, ended.outcome))


@graph.post(
    "/nodes/{id}/archive",
    summary="Take a memory out of use; every word is kept",
    response_model=results.of(AdminNamespace.archive),
)
async def archive(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.admin.archive, id))


@graph.delete(
    "/nodes/{id}/archive", summary="Put a memory back into use", response_model=results.of(AdminNamespace.unarchive)
)
async def unarchive(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.admin.unarchive, id))


@graph.get("/nodes/{id}/history", summary="All versions of a memory, oldest first")
async def history(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.history, id))


@graph.get(
    "/nodes/{id}/links", summary="Every link from and to a memory", response_model=results.of(GraphNamespace.links)
)
async def links(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.graph.links, id))


@graph.post("/links", summary="Link two memories", status_code=201)
async def link(space: Space, tie: shapes.Link) -> JSONResponse:
    return answer(await done(space.graph.link, tie.source, tie.target, tie.type), 201)


@graph.get(
    "/entities",
    summary="Who and what is known, the most spoken of first",
    response_model=results.of(GraphNamespace.entities),
)
async def entities(space: Space, limit: shapes.Limit = 20) -> JSONResponse:
    return answer(await done(space.graph.entities, limit))


@graph.put(
    "/entities/{name:path}",
    summary="Create an entity, or add what is new to it",
    response_model=results.of(GraphNamespace.entity),
)
async def describe(space: Space, name: Name, profile: shapes.Profile) -> JSONResponse:
    return answer(await done(space.graph.entity, name, **profile.model_dump(exclude_unset=True)))


@graph.post(
    "/entities/{name:path}/merge",
    summary="This name and another are one thing",
    response_model=results.of(GraphNamespace.merge),
)
async def merge(space: Space, name: Name, other: shapes.Merge) -> JSONResponse:
    return answer(await done(space.graph.merge, name, other.into))


@graph.post("/relations", summary="Relate two entities; those not yet known are created", status_code=201)
async def relate(space: Space, tie: shapes.Relation) -> JSONResponse:
    return answer(await done(space.graph.relate, tie.source, tie.type, tie.target), 201)


@graph.delete("/relations", summary="A relation no longer holds")
async def unrelate(space: Space, tie: shapes.Relation) -> JSONResponse:
    return answer(await done(space.graph.unrelate, tie.source, tie.type, tie.target))


@graph.get("/graph", summary="Things with what is known of each, and how they are related")
async def whole(space: Space, name: Annotated[list[str] | None, Query()] = None) -> JSONResponse:
    return answer(await done(space.graph.read, name))


@graph.get("/weak", summary="What we are least sure of", response_model=results.of(ReviewNamespace.uncertain))
async def weak(space: Space, limit: shapes.Limit = 20) -> JSONResponse:
    return answer(await done(space.review.uncertain, limit))


@graph.get("/sessions/{name:path}", summary="One conversation", response_model=results.of(Memory.session))
async def session(space: Space, name: Name) -> JSONResponse:
    return answer(await done(space.session, name))


@graph.post("/sessions/{name:path}/end", summary="Close a conversation, so that it can be learned from")
async def end(space: Space, name: Name, ending: shapes.Ending = _ENDING) -> JSONResponse:
    return answer(await done(space.end, name, summary=ending.summary))
