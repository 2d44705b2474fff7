"""One route a verb. What a program sends is a shape; what it gets back are the records that the library hands out."""

from __future__ import annotations

import inspect
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse

from omoide import __version__
from omoide.errors import InvalidInput
from omoide.interfaces.document import document
from omoide.interfaces.http import results, shapes
from omoide.interfaces.http.call import Space, answer, done
from omoide.interfaces.tools import chosen, named
from omoide.memory import Memory
from omoide.memory.review import ReviewNamespace

public = APIRouter()
verbs = APIRouter(prefix="/v1")

_ONLY_OURS = "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
Id = Annotated[int, Path(ge=1, le=2**62)]
Name = Annotated[str, Path(max_length=1000)]


@public.get("/health", summary="Whether the server answers; needs no token")
async def health() -> dict[str, str]:
    return {"status": "ok", "version": __version__}


@public.get("/docs", include_in_schema=False)
async def docs() -> HTMLResponse:
    """A page to try it on, without anything from elsewhere: it works offline, and nobody else learns of it."""
    page = files("omoide.interfaces.http").joinpath("page.html").read_text("utf-8")
    return HTMLResponse(page, headers={"Content-Security-Policy": _ONLY_OURS})


@verbs.get("/metrics", summary="Counts for Prometheus", response_class=PlainTextResponse)
async def metrics(request: Request, space: Space) -> PlainTextResponse:
    return PlainTextResponse(request.app.state.guard.metrics.page(await done(space.stats)))


@verbs.post(
    "/observe",
    summary="Keep one turn, action, tool result or event",
    status_code=201,
    response_model=results.of(Memory.observe),
)
async def observe(space: Space, turn: shapes.Turn) -> JSONResponse:
    return answer(await done(space.observe, **turn.model_dump()), 201)


@verbs.post(
    "/observe/many", summary="Keep many, all or none", status_code=201, response_model=results.of(Memory.observe_many)
)
async def observe_many(space: Space, turns: shapes.Turns) -> JSONResponse:
    return answer(await done(space.observe_many, [each.model_dump() for each in turns.turns]), 201)


@verbs.post(
    "/remember", summary="Keep a sentence as knowledge", status_code=201, response_model=results.of(Memory.remember)
)
async def remember(space: Space, said: shapes.Statement) -> JSONResponse:
    given = said.model_dump()
    return answer(await done(_remember, space, given), 201)


def _remember(memory: Memory, given: dict[str, Any]) -> Any:
    """Fields of the kind stand apart, so that none of them can pass for an argument of the verb."""
    text, attributes = given.pop("text"), given.pop("attributes")
    if taken := set(attributes) & set(inspect.signature(memory.remember).parameters):
        raise InvalidInput(f"attributes: {', '.join(sorted(taken))} is not a field of a kind; say it beside the text")
    return memory.remember(text, **given, **attributes)


@verbs.post("/recall", summary="What matters here, best first, each with its reason", response_model=results.Recalled)
async def recall(space: Space, question: shapes.Question) -> JSONResponse:
    given = question.model_dump()
    found = await done(space.recall, given.pop("text"), **given)
    rows = [{**document(hit.node), "score": hit.score, "why": hit.why} for hit in found.hits]
    return answer({"hits": rows, "probability": found.probability})


@verbs.post("/context", summary="The same, formatted for a prompt and cut to a budget", response_model=results.Page)
async def context(space: Space, message: shapes.Message) -> JSONResponse:
    given = message.model_dump()
    pack = await done(space.context, given.pop("text"), **given)
    return answer({"markdown": pack.markdown, "tokens": pack.tokens})


@verbs.get("/nodes/{id}", summary="One memory, whole", response_model=results.of(Memory.get))
async def show(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.get, id))


@verbs.get("/nodes/{id}/explanation", summary="Where a memory comes from")
async def explain(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.explain, id))


@verbs.post(
    "/nodes/{id}/correction",
    summary="Replace a memory by a better one",
    status_code=201,
    response_model=results.of(Memory.correct),
)
async def correct(space: Space, id: Id, better: shapes.Correction) -> JSONResponse:
    return answer(await done(space.correct, id, better.text, at=better.at), 201)


@verbs.post("/nodes/{id}/confirmation", summary="It is so", response_model=results.of(ReviewNamespace.confirm))
async def confirm(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.review.confirm, id))


@verbs.post(
    "/nodes/{id}/reinforcement", summary="This memory helped", response_model=results.of(ReviewNamespace.reinforce)
)
async def reinforce(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.review.reinforce, id))


@verbs.post(
    "/nodes/{id}/demotion",
    summary="This memory was stale or beside the point",
    response_model=results.of(ReviewNamespace.demote),
)
async def demote(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.review.demote, id))


@verbs.post("/forget", summary="What would be erased; with preview false, erase it for good")
async def forget(space: Space, target: shapes.Forgetting) -> JSONResponse:
    return answer(await done(space.forget, **target.model_dump()))


@verbs.get(
    "/entities/{name:path}", summary="An entity with its relations and its timeline", response_model=results.Known
)
async def entity(space: Space, name: Name) -> JSONResponse:
    found = await done(space.graph.entity, name)
    relations, timeline = await done(space.graph.relations, name), await done(space.graph.timeline, name)
    return answer({"entity": found, "relations": relations, "timeline": timeline})


@verbs.get("/sessions", summary="The latest sessions first", response_model=results.of(Memory.sessions))
async def sessions(space: Space, limit: shapes.Limit = 20) -> JSONResponse:
    return answer(await done(space.sessions, limit))


@verbs.get("/stats", summary="What is in the file, in numbers", response_model=results.of(Memory.stats))
async def stats(space: Space) -> JSONResponse:
    return answer(await done(space.stats))


@verbs.get("/tools", summary="Every agent tool with its schema", response_model=list[results.Described])
async def tools(_: Space) -> JSONResponse:
    return answer(
        [
            {"name": each.name, "description": each.description, "parameters": each.schema}
            for each in chosen("all,reference")
        ]
    )


@verbs.post("/tools/{name}", summary="Call an agent tool", response_model=results.Said)
async def tool(space: Space, name: Name, arguments: Annotated[dict[str, Any], Body()]) -> JSONResponse:
    said = await done(named(name), space, arguments)
    return answer({"text": said.text, "data": said.data})
