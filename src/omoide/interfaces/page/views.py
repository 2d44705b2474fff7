"""Routes of the page: its files, which hold no memory, its views beside the verbs, and the events that it follows."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from functools import cache
from importlib.resources import files
from mimetypes import guess_type
from typing import Annotated, Any, Literal

import anyio
from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from omoide import __version__
from omoide.errors import NotFound, OmoideError
from omoide.interfaces.documents import Document, as_json, serialise
from omoide.interfaces.http.routes import Allowed, Space, answer, run
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
        return {"cards": [card(each) for each in Overview(space).cards(page.items)], "next_cursor": page.next_cursor}

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
    rows = [
        {"name": each.name, "type": each.type, "mentions": each.mention_count, "learned": learned}
        for each, learned in found
    ]
    return answer({"subjects": rows})


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
    lines = [[_line(line, hits.get(line.id or 0)) for line in part.lines] for part in pack.sections]
    parts = zip(pack.sections, lines, strict=True)
    return {
        **{name: getattr(pack, name) for name in ("markdown", "tokens", "budget", "reason")},
        "milliseconds": pack.trace.milliseconds,
        "sections": [{"title": part.title, "tokens": part.tokens, "lines": shown} for part, shown in parts],
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
    own = ("text", "shortened", "confidence", "quotes", "replaced", "replaced_by")
    return {name: getattr(found.node, name) for name in _SHOWN} | {name: getattr(found, name) for name in own}


# Timeline, Graph, Sessions, Inbox and Maintenance.


Many = Annotated[int, Query(ge=1, le=5_000)]
Moment = Annotated[str, Query(max_length=64)]
Name = Annotated[str | None, Query(max_length=1_000)]


@views.get("/timeline")
async def timeline(space: Space, since: Moment, until: Moment, subject: Name = None, limit: Many = 400) -> JSONResponse:
    return answer(await run(TimeOverview(space).timeline, since, until, subject or None, limit))


@views.get("/believed")
async def believed(space: Space, at: Moment, subject: Name = None, limit: Many = 100) -> JSONResponse:
    found = await run(TimeOverview(space).believed, at, subject or None, limit)
    return answer({"cards": [card(each) for each in found]})


@views.get("/graph")
async def graph(space: Space, limit: Many = 5_000, least: Annotated[int, Query(ge=1)] = 1) -> JSONResponse:
    found = await run(TimeOverview(space).graph, limit, least)
    return answer(
        {
            "nodes": [[each.id, each.name, each.type, each.mentions] for each in found["nodes"]],
            "lines": [[each.source, each.target, each.type, each.weight] for each in found["lines"]],
        }
    )


@views.get("/sessions")
async def sessions(space: Space, words: str = "", limit: Many = 50) -> JSONResponse:
    return answer({"sessions": await run(TimeOverview(space).sessions, words, limit)})


@views.get("/session")
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


@views.get("/inbox")
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


@views.post("/refused/{id}")
async def learn_refused(space: Space, id: int) -> JSONResponse:
    return answer({"id": (await run(TimeOverview(space).learn_refused, id)).id})


@views.delete("/refused/{id}")
async def drop_refused(space: Space, id: int) -> JSONResponse:
    await run(TimeOverview(space).drop_refused, id)
    return answer({"dropped": id})


@views.get("/maintenance")
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


@views.get("/night/{id}")
async def night(space: Space, id: int) -> JSONResponse:
    return answer({"changes": await run(TimeOverview(space).night, id)})


# The files of the page, served to anybody.


shell = APIRouter(include_in_schema=False)

_HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "font-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_TYPES = {".js": "text/javascript", ".woff2": "font/woff2", ".svg": "image/svg+xml"}


@shell.get("/")
async def index(request: Request) -> Response:
    return _file(request, "index.html")


@shell.get("/assets/{name}")
async def asset(request: Request, name: str) -> Response:
    return _file(request, name)


def _file(request: Request, name: str) -> Response:
    found = _assets().get(name)
    if found is None:
        raise NotFound(f"the page has no file {name}")
    content, tag, kind = found
    headers = {**_HEADERS, "ETag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)


@cache
def _assets() -> dict[str, tuple[bytes, str, str]]:
    """Every file by its name: content, tag and type. There are few, so they stay in memory."""
    found = {}
    for each in files("omoide.interfaces.page").joinpath("assets").iterdir():
        if each.is_file():
            content = each.read_bytes()
            ending = each.name[each.name.rfind(".") :]
            kind = _TYPES.get(ending) or guess_type(each.name)[0] or "application/octet-stream"
            found[each.name] = (content, f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"', kind)
    return found


# What a page follows: an event each time that anybody has written to the file, also another process.


changes = APIRouter(prefix="/v1/page", include_in_schema=False)

_PAUSE = 0.5  # seconds between two looks; reading the mark takes microseconds
_BEATS = 30  # looks until a line is sent anyway, so that a lost connection is noticed


@changes.get("/changes")
async def follow(request: Request, space: Space) -> StreamingResponse:
    return StreamingResponse(
        _events(request, Overview(space)), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


async def _events(request: Request, overview: Overview) -> AsyncIterator[str]:
    seen = await run(overview.state)
    yield _event("following", {})
    quiet = 0
    while not await request.is_disconnected():
        await anyio.sleep(_PAUSE)
        try:
            state = await run(overview.state)
        except OmoideError:  # the space was deleted, or the server stops
            return
        if state != seen:
            seen, quiet = state, 0
            yield _event("changed", {"state": str(state)})
        elif (quiet := quiet + 1) >= _BEATS:
            quiet = 0
            yield ": nothing new\n\n"


def _event(kind: str, data: dict[str, str]) -> str:
    return f"event: {kind}\ndata: {as_json(data)}\n\n"
