"""`AsyncMemory`: the same verbs as coroutines. They are made from `Memory` itself and run its methods on threads."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from omoide.errors import Closed
from omoide.memory.memory import NAMESPACES, Memory
from omoide.memory.task import Problem, Task
from omoide.working.live_session import LiveSession

T = TypeVar("T")
_THREADS = 4  # enough for waiting writers to share one fsync, few enough not to compete for the cores
_HANDLES = (Task, Problem, LiveSession)  # results whose own methods are mirrored too
_MIRRORS: dict[type, type[_Mirror]] = {}


class _Mirror:
    """An object whose public methods are coroutines. Properties are read directly."""

    def __init__(self, target: Any, pool: ThreadPoolExecutor) -> None:
        self._target = target
        self._pool = pool

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    async def _on_thread(self, work: Callable[[], T]) -> T:
        try:
            running = asyncio.get_running_loop().run_in_executor(self._pool, work)
        except RuntimeError as error:  # the pool was shut down by close()
            raise Closed("the memory was closed; open it again with AsyncMemory(path)") from error
        return await running

    async def __aenter__(self) -> Self:
        await self._on_thread(self._target.__enter__)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._on_thread(lambda: self._target.__exit__(kind, error, trace))

    def __repr__(self) -> str:
        return f"Async{self._target!r}"


def _coroutine(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a method of a mirror that runs the method of its target on a thread."""

    @functools.wraps(method)
    async def call(self: _Mirror, /, *args: Any, **kwargs: Any) -> Any:
        result = await self._on_thread(functools.partial(getattr(self._target, name), *args, **kwargs))
        return mirror_class(type(result))(result, self._pool) if isinstance(result, _HANDLES) else result

    return call


def _members(kind: type) -> dict[str, Any]:
    """The members of a mirror class: a coroutine for each public method, and all public properties."""
    found: dict[str, Any] = {}
    for name, member in inspect.getmembers(kind):
        if name.startswith("_"):
            continue
        if callable(member):
            found[name] = _coroutine(name, member)
        elif isinstance(member, property):
            found[name] = _read_through(name, member.__doc__)
    return found


def _read_through(name: str, doc: str | None = None) -> property:
    return property(lambda self: getattr(self._target, name), doc=doc)


def mirror_class(kind: type) -> type[_Mirror]:
    """Returns the class with the methods of `kind` as coroutines."""
    if kind not in _MIRRORS:
        members = {"__doc__": kind.__doc__, "__module__": __name__, "id": _read_through("id"), **_members(kind)}
        _MIRRORS[kind] = type(f"Async{kind.__name__}", (_Mirror,), members)
    return _MIRRORS[kind]


class AsyncMemory(_Mirror):
    """A memory for event loops: `async with AsyncMemory("otto.db") as memory: await memory.recall("…")`.

    It has all verbs and namespaces of `Memory`, with the same parameters.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Open a memory with the parameters of `Memory`, or wrap a `Memory` that is open already."""
        memory = args[0] if args and isinstance(args[0], Memory) else Memory(*args, **kwargs)
        super().__init__(memory, ThreadPoolExecutor(_THREADS, thread_name_prefix="omoide"))
        for name, kind in NAMESPACES.items():
            setattr(self, name, mirror_class(kind)(getattr(memory, name), self._pool))

    async def close(self) -> None:
        """Wait for the calls that are running, then close the file."""
        await asyncio.to_thread(self._pool.shutdown)
        await asyncio.to_thread(self._target.close)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


for _name, _member in _members(Memory).items():
    if _name != "close":
        setattr(AsyncMemory, _name, _member)
