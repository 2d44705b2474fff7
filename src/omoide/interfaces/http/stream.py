"""Long work as a stream of server-sent events: its progress, and at the end its report or an error."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
from fastapi.responses import StreamingResponse

from omoide.errors import OmoideError
from omoide.interfaces.serialise import as_json, serialise

Tell = Callable[[dict[str, Any]], None]


class _Disconnected(KeyboardInterrupt):
    """The client has disconnected: the work stops at its next step."""


def streamed(work: Callable[[Tell], Any]) -> StreamingResponse:
    """Runs `work` on a thread; it tells its steps, and its result is the report."""
    return StreamingResponse(_events(work), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _events(work: Callable[[Tell], Any]) -> AsyncIterator[str]:
    sending, receiving = anyio.create_memory_object_stream[tuple[str, Any]](100)

    def tell(step: dict[str, Any]) -> None:
        sent(("progress", step))

    def sent(event: tuple[str, Any]) -> None:
        try:
            anyio.from_thread.run(sending.send, event)  # waits while the listener is slow
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise _Disconnected from None

    def run() -> None:
        try:
            sent(_ended(work, tell))
        except _Disconnected:
            return

    async with sending, receiving, anyio.create_task_group() as tasks:
        tasks.start_soon(anyio.to_thread.run_sync, run)
        try:
            async for kind, data in receiving:
                yield f"event: {kind}\ndata: {as_json(data)}\n\n"
                if kind != "progress":
                    break
        finally:  # before waiting for the thread, which might wait for us
            receiving.close()


def _ended(work: Callable[[Tell], Any], tell: Tell) -> tuple[str, Any]:
    try:
        return "report", serialise(work(tell))
    except OmoideError as error:
        return "error", {"error": str(error)}
