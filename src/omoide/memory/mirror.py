"""Makes classes whose methods are coroutines from classes whose methods block, by running them on threads."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from omoide.errors import Closed
from omoide.memory.task import Problem, Task
from omoide.working.live_session import LiveSession

T = TypeVar("T")
_HANDLES = (Task, Problem, LiveSession)  # results whose own methods are mirrored too
_MIRRORS: dict[type, type[Mirror]] = {}


class Mirror:
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
    async def call(self: Mirror, /, *args: Any, **kwargs: Any) -> Any:
        result = await self._on_thread(functools.partial(getattr(self._target, name), *args, **kwargs))
        return mirror_class(type(result))(result, self._pool) if isinstance(result, _HANDLES) else result

    return call


def mirror_members(kind: type) -> dict[str, Any]:
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


def mirror_class(kind: type) -> type[Mirror]:
    """Returns the class with the methods of `kind` as coroutines."""
    if kind not in _MIRRORS:
        members = {"__doc__": kind.__doc__, "__module__": __name__, "id": _read_through("id"), **mirror_members(kind)}
        _MIRRORS[kind] = type(f"Async{kind.__name__}", (Mirror,), members)
    return _MIRRORS[kind]
