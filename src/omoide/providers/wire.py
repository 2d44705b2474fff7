"""One call on the wire: its own thread and event loop, and a client that reads no more than an answer can hold."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

# What the libraries would add besides: which system and Python this is, and whatever stands in variables of their own.
_SENT = frozenset(
    """
    host connection accept accept-encoding content-type content-length content-encoding user-agent
    authorization x-api-key anthropic-version anthropic-beta
    """.split()
)
_OWN = frozenset({"openai-organization", "openai-project"})  # for the provider's own address alone

MAX_BODY_BYTES = 4_000_000  # an answer of 100,000 tokens has half a megabyte


def bounded(timeout: float, own: bool) -> Any:
    """An HTTP client that says no more than it must, and stops reading a body that no answer could fill."""
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

    async def strip(request: httpx2.Request) -> None:
        for name in [name for name in request.headers if name not in _SENT and not (own and name in _OWN)]:
            del request.headers[name]

    return httpx2.AsyncClient(timeout=timeout, event_hooks={"request": [strip], "response": [count]})


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
