"""Routes that look after a space: long ones stream, a whole space goes out and comes in as lines of JSON."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import anyio.to_thread
from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse, StreamingResponse
from starlette.background import BackgroundTask

from omoide.interfaces.document import document
from omoide.interfaces.http import shapes
from omoide.interfaces.http.call import Space, answer, done
from omoide.interfaces.http.stream import Tell, streamed

upkeep = APIRouter(prefix="/v1")
_EVENTS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}, "description": "events"}}
_LINES: dict[int | str, dict[str, Any]] = {200: {"content": {"application/x-ndjson": {}}, "description": "lines"}}
_LESSON, _ROUND = shapes.Lesson(), shapes.Maintenance()  # what is meant where no body is sent
_BODY = {"requestBody": {"content": {"text/plain": {"schema": {"type": "string"}}}, "required": True}}


@upkeep.post(
    "/learn", summary="Learn from conversations; a stream of events, the last of them the report", responses=_EVENTS
)
async def learn(space: Space, lesson: shapes.Lesson = _LESSON) -> StreamingResponse:
    def work(tell: Tell) -> Any:
        report = space.learn(lesson.session, progress=lambda name, turns: tell({"session": name, "turns": turns}))
        return {**document(report), "counts": report.counts}

    return streamed(work)


@upkeep.post(
    "/maintain", summary="Do now what is done every night; a stream that ends with the report", responses=_EVENTS
)
async def maintain(space: Space, round: shapes.Maintenance = _ROUND) -> StreamingResponse:
    def work(tell: Tell) -> Any:
        return space.maintain(
            round.jobs, dry_run=round.dry_run, progress=lambda job, steps: tell({"job": job, "steps": steps})
        )

    return streamed(work)


@upkeep.get("/export", summary="Everything, history included, as lines of JSON", responses=_LINES)
async def export(space: Space, embeddings: bool = False) -> FileResponse:
    folder = await anyio.to_thread.run_sync(tempfile.TemporaryDirectory)
    file = Path(folder.name) / "memory.jsonl"
    await anyio.to_thread.run_sync(lambda: space.admin.export(file, embeddings=embeddings))
    return FileResponse(file, media_type="application/x-ndjson", background=BackgroundTask(folder.cleanup))


@upkeep.post(
    "/import",
    summary="Take in what was exported; a stream that ends with what became of it",
    responses=_EVENTS,
    openapi_extra=_BODY,
)
async def import_(space: Space, request: Request) -> StreamingResponse:
    content = await request.body()

    def work(tell: Tell) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "memory.jsonl"
            file.write_bytes(content)
            return space.admin.import_(file, progress=lambda bytes, of: tell({"bytes": bytes, "of": of}))

    return streamed(work)


@upkeep.get("/doctor", summary="Whether the file and its indexes are sound")
async def doctor(space: Space) -> JSONResponse:
    findings = await done(space.admin.doctor)
    return answer({"healthy": all(each.ok for each in findings), "findings": findings})


@upkeep.get("/receipts", summary="What was erased, the latest first: counts and ids, no words")
async def receipts(space: Space, limit: shapes.Limit = 20) -> JSONResponse:
    return answer(await done(space.admin.receipts, limit))
