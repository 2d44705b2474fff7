"""Routes of the views of the page, beside those of the verbs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Query
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from omoide import __version__
from omoide.interfaces.documents import Document
from omoide.interfaces.http.routes import Allowed, Space, answer, run
from omoide.interfaces.serialise import serialise
from omoide.memory import Memory
from omoide.memory.overview import MemoryCard, Overview, TimeOverview

views = APIRouter(prefix="/v1/page", include_in_schema=False)

_MOST = 500  # memories of one page


@views.get("/about")
async def about(access: Allowed) -> JSONResponse:
    """What the token opens: the page shows no button that it may not press."""
    path = access.memory.path if access.memory is not None else None
    return answer({"version": __version__, "right": access.right, "space": access.space, "path": path})


class MemoriesQuery(BaseModel):
    """Filters of the list of memories."""

    model_config = ConfigDict(extra="forbid")
    kinds: list[str] | None = None
    subject: str | None = None
    session: str | None = None
    since: str | None = None
    until: str | None = None
    text: str | None = None
    origin: str | None = None
    below: float | None = None
    sensitive: bool | None = None
    state: Literal["live", "superseded", "archived", "all"] = "live"
    order: Literal["newest", "oldest", "added", "updated", "important"] = "newest"
    limit: int = Field(30, ge=1, le=_MOST)
    cursor: str | None = None


@views.get("/memories")
async def memories(space: Space, asked: Annotated[MemoriesQuery, Query()]) -> JSONResponse:
    def work() -> Document:
        page = space.list(**asked.model_dump(exclude_none=True))
        return {"cards": [card(each) for each in Overview(space).page(page)], "next_cursor": page.next_cursor}

    return answer(await run(work))


memories.query_names = list(MemoriesQuery.model_fields)  # type: ignore[attr-defined]


@views.get("/memories/{id}")
async def memory(space: Space, id: int) -> JSONResponse:
    """One memory whole, with everything that is known about it."""
    return answer(await run(_whole, space, id))


def _whole(space: Memory, id: int) -> Document:
    why, overview = space.explain(id), Overview(space)
    shown = overview.cards([why.node])[0]
    return {
        **card(shown),
        "text": why.node.text,
        "shortened": False,
        "attributes": why.node.attributes,
        "details": why.node.details,
        "entities": [{"name": each.name, "type": each.type} for each in why.entities],
        "contradicts": [card(each) for each in overview.cards([space.get(other) for other in why.contradicts])],
        "versions": [
            {"id": each.node.id, "text": each.node.text, "state": each.node.state, "at": each.node.event_at}
            for each in space.history(id)
        ],
        "changes": [{name: change[name] for name in ("at", "verb") if name in change} for change in why.changes],
    }


@views.get("/subjects")
async def subjects(space: Space, words: str = "", limit: Annotated[int, Query(ge=1, le=500)] = 50) -> JSONResponse:
    found = await run(Overview(space).subjects, words, limit)
    return answer(
        {
            "subjects": [
                {
                    "name": each.entity.name,
                    "type": each.entity.type,
                    "mentions": each.entity.mention_count,
                    "learned": each.learned,
                }
                for each in found
            ]
        }
    )


class Question(BaseModel):
    """A message as an agent would receive it."""

    model_config = ConfigDict(extra="forbid")
    query: str
    budget: int | None = None
    recipe: str = "everyday"
    as_of: str | None = None
    consent: str | None = None


@views.post("/ask")
async def ask(space: Space, asked: Annotated[Question, Body()]) -> JSONResponse:
    return answer(await run(_ask, space, asked))


ask.reads = True  # type: ignore[attr-defined]


def _ask(space: Memory, asked: Question) -> Document:
    pack, overview = space.context(**asked.model_dump()), Overview(space)
    hits = {hit.id: hit for hit in pack.hits}
    return {
        "markdown": pack.markdown,
        "tokens": pack.tokens,
        "budget": pack.budget,
        "reason": pack.reason,
        "milliseconds": pack.trace.milliseconds,
        "sections": [
            {
                "title": part.title,
                "tokens": part.tokens,
                "lines": [_line(line, hits.get(line.id or 0)) for line in part.lines],
            }
            for part in pack.sections
        ],
        "left_out": overview.left_out(pack),
        "steps": overview.steps(pack),
    }


def _line(line: Any, hit: Any) -> Document:
    """A line of a pack: a memory with the reason why it is there, or a person who was named."""
    found = {"id": line.id, "text": line.text, "tokens": line.tokens}
    if hit is None:
        return {**found, "why": "named in the message", "kind": "entity"}
    node = hit.node
    more = {"at": node.event_at, "origin": node.origin, "session": node.session, "probability": hit.probability}
    return {**found, **more, "kind": node.kind, "why": hit.why, "confidence": hit.confidence}


@views.get("/ask")
async def askable(space: Space) -> JSONResponse:
    """How a question may be asked: the recipes, and since when anything is known."""
    first = await run(lambda: space.list(order="oldest", state="all", limit=1).items)
    return answer({"recipes": Overview(space).recipes(), "first": first[0].event_at if first else None})


_SHOWN = (
    "id kind event_at recorded_at updated_at valid_from valid_until importance score access_count confirmed_at "
    "origin role speaker source_type session tags sensitive audience state state_at"
).split()


def card(found: MemoryCard) -> Document:
    """A memory as the page shows it in a list."""
    node = found.node
    return {
        **{name: getattr(node, name) for name in _SHOWN},
        "text": found.text,
        "shortened": found.shortened,
        "confidence": found.confidence,
        "quotes": found.quotes,
        "replaced": found.replaced,
        "replaced_by": found.replaced_by,
    }


# Routes of the views Timeline, Graph, Sessions, Inbox and Maintenance.


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
