"""One call on the wire: its own thread and event loop, and a client that reads no more than an answer can hold."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

MAX_BODY_BYTES = 4_000_000  # an answer of 100,000 tokens has half a megabyte


def bounded(timeout: float) -> Any:
    """An HTTP client that stops reading a body that no answer could fill."""
    import httpx2

    class Counted(httpx2.AsyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            read = 0
            async for part in self._stream:
                read += len(part)
                if read > MAX_BODY_BYTES:
                    raise ValueError(f"the answer has more than {MAX_BODY_BYTES:,} bytes")
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def count(response: httpx2.Response) -> None:
        response.stream = Counted(response.stream)

    return httpx2.AsyncClient(timeout=timeout, event_hooks={"response": [count]})


def apart(work: Coroutine[Any, Any, T]) -> T:
    """Runs in a thread of its own, so that it may be called from a program that has an event loop (a notebook)."""
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(asyncio.run(work))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="omoide-languagemodel", daemon=True)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]
