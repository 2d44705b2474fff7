"""Routes of work: tasks and their lessons, narratives, ledgers and handoffs, documents on shelves."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from omoide.errors import NotFound
from omoide.interfaces.http import results, shapes
from omoide.interfaces.http.call import Space, answer, done
from omoide.interfaces.http.routes import Id, Name
from omoide.memory import Memory
from omoide.memory.documents import DocumentsNamespace

work = APIRouter(prefix="/v1")

Wanted = Annotated[str | None, Query(max_length=1000)]


# ── tasks ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@work.post("/before", summary="What to know before a task, as Markdown for a prompt", response_model=results.Page)
async def before(space: Space, task: shapes.Goal) -> JSONResponse:
    given = task.model_dump()
    found = await done(space.before_task, given.pop("goal"), **given)
    return answer({"markdown": found.markdown, "tokens": found.tokens})


@work.post("/tasks", summary="Keep how a task went: actions, errors, outcome", status_code=201)
async def record(space: Space, trace: shapes.Trace) -> JSONResponse:
    given = trace.model_dump(exclude_unset=True)
    return answer(await done(space.tasks.record, given.pop("goal"), given.pop("outcome"), **given), 201)


@work.get("/tasks", summary="The latest tasks first")
async def tasks(space: Space, limit: shapes.Limit = 20, open: bool = False) -> JSONResponse:
    return answer(await done(space.tasks.list, limit, open=open))


@work.get("/efficiency", summary="What each type of task took lately")
async def efficiency(space: Space, days: Annotated[int, Query(ge=1, le=3650)] = 7) -> JSONResponse:
    return answer(await done(space.tasks.efficiency, days))


@work.get("/credit", summary="Which memories help tasks and which harm them")
async def credit(space: Space, limit: shapes.Limit = 20) -> JSONResponse:
    return answer(await done(space.tasks.credit, limit))


# ── lessons ───────────────────────────────────────────────────────────────────────────────────────────────────────


@work.post("/lessons", summary="What to be told because of a tool, a file, a command or an error")
async def lessons(space: Space, event: shapes.Event) -> JSONResponse:
    return answer(await done(space.tasks.lessons, **event.model_dump()))


@work.post("/nodes/{id}/bindings", summary="Bind a lesson to what it is to be told for", status_code=201)
async def bind(space: Space, id: Id, condition: shapes.Condition) -> JSONResponse:
    return answer(await done(space.tasks.bind, id, **condition.model_dump()), 201)


@work.get("/nodes/{id}/bindings", summary="What a lesson is bound to")
async def bindings(space: Space, id: Id) -> JSONResponse:
    return answer(await done(space.tasks.bindings, id))


@work.delete("/nodes/{id}/bindings", summary="A lesson is no longer told by itself")
async def unbind(space: Space, id: Id) -> JSONResponse:
    return answer({"unbound": await done(space.tasks.unbind, id)})


# ── where things stand ────────────────────────────────────────────────────────────────────────────────────────────


@work.get("/where", summary="Where was I: the last session, what is open, what became known since")
async def where(
    space: Space,
    session: Wanted = None,
    channel: Wanted = None,
    budget: Annotated[int, Query(ge=1, le=1_000_000)] = 500,
    audience: Wanted = "private",
) -> JSONResponse:
    found = await done(
        space.narrative.recap, session=session, channel=channel, budget=budget, audience=audience or "private"
    )
    return answer({"markdown": found.markdown, "text": found.text})


@work.post("/narratives", summary="Say in one sentence where things stand, or have it made", status_code=201)
async def narrate(space: Space, told: shapes.Narrative) -> JSONResponse:
    given = told.model_dump()
    return answer({"narrative": await done(space.narrative.write, given.pop("text"), **given)}, 201)


@work.get("/narratives", summary="Where things stood, the latest first")
async def narratives(
    space: Space, limit: shapes.Limit = 20, session: Wanted = None, topic: Wanted = None
) -> JSONResponse:
    return answer(await done(space.narrative.list, limit, session=session, topic=topic))


@work.get("/nodes/{id}/narrative", summary="The narrative a memory belongs to, with its neighbours")
async def narrative(space: Space, id: Id) -> JSONResponse:
    return answer({"passage": await done(space.narrative.get, id)})


@work.get(
    "/sessions/{name:path}/turns",
    summary="What was said in a conversation and is still in use",
    response_model=results.of(Memory.sessions),
)
async def turns(space: Space, name: Name, limit: shapes.Limit = 100) -> JSONResponse:
    await done(space.session, name)
    page = await done(space.list, ["episode"], session=name, order="newest", limit=limit)
    return answer(list(page.items)[::-1])


# ── ledgers and handoffs ──────────────────────────────────────────────────────────────────────────────────────────


@work.get("/ledgers", summary="How far each agent is")
async def ledgers(space: Space) -> JSONResponse:
    return answer(await done(space.tasks.ledgers))


@work.get("/ledgers/{name}", summary="How far one agent is")
async def ledger(space: Space, name: Name) -> JSONResponse:
    return answer(await done(space.tasks.ledger, name))


@work.post("/ledgers/{name}", summary="A checkpoint of an agent", status_code=201)
async def checkpoint(space: Space, name: Name, point: shapes.Checkpoint) -> JSONResponse:
    return answer(await done(space.tasks.checkpoint, name, **point.model_dump(exclude_unset=True)), 201)


@work.get("/ledgers/{name}/checkpoints", summary="An agent's checkpoints, the latest first")
async def checkpoints(space: Space, name: Name, limit: shapes.Limit = 20) -> JSONResponse:
    return answer(await done(space.tasks.checkpoints, name, limit))


@work.post("/handoffs", summary="Hand work to another agent", status_code=201)
async def handoff(space: Space, given: shapes.Handoff) -> JSONResponse:
    said = given.model_dump(exclude_unset=True)
    return answer(await done(space.tasks.handoff, from_=said.pop("from", None), **said), 201)


@work.get("/handoffs", summary="Handoffs that wait, also those to anyone")
async def handoffs(space: Space, agent: Wanted = None, open: bool = True, limit: shapes.Limit = 20) -> JSONResponse:
    return answer(await done(space.tasks.handoffs, agent, open=open, limit=limit))


@work.post("/handoffs/{id}/acceptance", summary="Take a handoff; exactly one agent gets it")
async def accept(space: Space, id: Id, who: shapes.Acceptance) -> JSONResponse:
    return answer(await done(space.tasks.accept_handoff, id, who.agent))


# ── shelves ───────────────────────────────────────────────────────────────────────────────────────────────────────


@work.get(
    "/shelves/{shelf}",
    summary="The documents of a shelf, the latest written first",
    response_model=results.of(DocumentsNamespace.list),
)
async def shelf(space: Space, shelf: Name) -> JSONResponse:
    return answer(await done(space.documents.list, shelf))


@work.get("/shelves/{shelf}/{name:path}", summary="One document by its name")
async def shelved(space: Space, shelf: Name, name: Name) -> JSONResponse:
    found = await done(space.documents.get, shelf, name)
    if found is None:
        raise NotFound(f"there is no {name!r} on the shelf {shelf!r}")
    return answer(found)


@work.put("/shelves/{shelf}/{name:path}", summary="Keep a document under a name")
async def shelve(space: Space, shelf: Name, name: Name, page: shapes.Document) -> JSONResponse:
    given = page.model_dump()
    return answer(await done(space.documents.save, shelf, name, given.pop("text"), **given))
