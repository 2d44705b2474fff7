"""Routes of the views Timeline, Graph, Sessions, Inbox and Maintenance."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from omoide.interfaces.documents import Document
from omoide.interfaces.http.routes import Space, answer, run
from omoide.interfaces.page.views import card
from omoide.interfaces.serialise import serialise
from omoide.memory import Memory
from omoide.memory.overview import Overview
from omoide.memory.overview_time import TimeOverview

time_views = APIRouter(prefix="/v1/page", include_in_schema=False)

Many = Annotated[int, Query(ge=1, le=5_000)]
Moment = Annotated[str, Query(max_length=64)]
Name = Annotated[str | None, Query(max_length=1_000)]


@time_views.get("/timeline")
async def timeline(space: Space, since: Moment, until: Moment, subject: Name = None, limit: Many = 400) -> JSONResponse:
    return answer(await run(TimeOverview(space).timeline, since, until, subject or None, limit))


@time_views.get("/believed")
async def believed(space: Space, at: Moment, subject: Name = None, limit: Many = 100) -> JSONResponse:
    found = await run(TimeOverview(space).believed, at, subject or None, limit)
    return answer({"cards": [card(each) for each in found]})


@time_views.get("/graph")
async def graph(space: Space, limit: Many = 5_000, least: Annotated[int, Query(ge=1)] = 1) -> JSONResponse:
    found = await run(TimeOverview(space).graph, limit, least)
    return answer(
        {
            "nodes": [[each.id, each.name, each.type, each.mentions] for each in found["nodes"]],
            "lines": [[each.source, each.target, each.type, each.weight] for each in found["lines"]],
        }
    )


@time_views.get("/sessions")
async def sessions(space: Space, words: str = "", limit: Many = 50) -> JSONResponse:
    return answer({"sessions": await run(TimeOverview(space).sessions, words, limit)})


@time_views.get("/session")
async def session(
    space: Space,
    name: Annotated[str, Query(max_length=1_000)],
    after: Annotated[int, Query(ge=0)] = 0,
    limit: Many = 200,
) -> JSONResponse:
    return answer(await run(_session, space, name, after, limit))


def _session(space: Memory, name: str, after: int, limit: int) -> Document:
    found = TimeOverview(space).session_lines(name, after, limit)
    return {
        "session": serialise(space.session(name)),
        "next": found[-1].node.id if len(found) == limit else None,
        "lines": [
            {
                "id": each.node.id,
                "at": each.node.event_at,
                "role": each.node.role,
                "speaker": each.node.speaker,
                "text": each.text,
                "shortened": len(each.text) < len(each.node.text),
                "sensitive": each.node.sensitive,
                "learned": [card(memory) for memory in each.learned],
            }
            for each in found
        ],
    }


@time_views.get("/inbox")
async def inbox(
    space: Space, days: Annotated[int, Query(ge=1, le=3_650)] = 1, limit: Annotated[int, Query(ge=1, le=200)] = 50
) -> JSONResponse:
    def work() -> Document:
        found = TimeOverview(space).inbox(days, limit)
        pairs = [[card(each) for each in pair] for pair in found["contradictions"]]
        lists = {name: [card(each) for each in found[name]] for name in ("learned", "doubtful", "redacted")}
        refused = [{**each, "turn": card(each["turn"])} for each in found["refused"]]
        return {**lists, "contradictions": pairs, "refused": refused}

    return answer(await run(work))


@time_views.post("/refused/{id}")
async def learn_refused(space: Space, id: int) -> JSONResponse:
    return answer({"id": (await run(TimeOverview(space).learn_refused, id)).id})


@time_views.delete("/refused/{id}")
async def drop_refused(space: Space, id: int) -> JSONResponse:
    await run(TimeOverview(space).drop_refused, id)
    return answer({"dropped": id})


@time_views.get("/maintenance")
async def maintenance(space: Space) -> JSONResponse:
    def work() -> Document:
        overview = TimeOverview(space)
        return {
            "stats": serialise(space.stats()),
            "growth": overview.growth(),
            "copies": overview.copies(),
            "speed": overview.speed(),
            "recall_ms": overview.recall_time(),
            "nights": serialise(space.admin.nights(14)),
            "settings": Overview(space).settings(),
        }

    return answer(await run(work))


@time_views.get("/night/{id}")
async def night(space: Space, id: int) -> JSONResponse:
    return answer({"changes": await run(TimeOverview(space).night, id)})
