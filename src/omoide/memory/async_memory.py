"""`AsyncMemory`: the verbs of `Memory` as coroutines. Its types are in the stub beside it, made by tests/memory."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from types import TracebackType
from typing import Any

from omoide.memory.memory import NAMESPACES, Memory
from omoide.memory.mirror import Mirror, mirror_class, mirror_members

_THREADS = 4  # enough for waiting writers to share one fsync, few enough not to compete for the cores


class AsyncMemory(Mirror):
    """A memory for event loops: `async with AsyncMemory("otto.db") as memory: await memory.recall("…")`.

    It has all verbs and namespaces of `Memory`, with the same parameters.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Open a memory with the parameters of `Memory`, or wrap a `Memory` that is open already."""
        memory = args[0] if args and isinstance(args[0], Memory) else Memory(*args, **kwargs)
        super().__init__(memory, ThreadPoolExecutor(_THREADS, thread_name_prefix="omoide"))
        for name, kind in NAMESPACES.items():
            setattr(self, name, mirror_class(kind)(getattr(memory, name), self._pool))

    @wraps(Memory.viewed)
    async def viewed(self, *, audience: str = "private", consent: str | None = None) -> AsyncMemory:
        return AsyncMemory(await self._on_thread(lambda: self._target.viewed(audience=audience, consent=consent)))

    async def close(self) -> None:
        """Wait for the calls that are running, then close the file."""
        await asyncio.to_thread(self._pool.shutdown)
        await asyncio.to_thread(self._target.close)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


for _name, _member in mirror_members(Memory).items():
    if _name not in ("close", "viewed"):
        setattr(AsyncMemory, _name, _member)
