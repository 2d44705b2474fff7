"""AsyncMemory: the same verbs, awaited. There is no second implementation: each one runs Memory's own on a thread."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, Self, TypeVar

from omoide.errors import Closed
from omoide.memory import Memory, Task

if TYPE_CHECKING:
    from omoide.domain import Node, Session
    from omoide.working.board import Board
    from omoide.working.live_session import LiveSession
    from omoide.working.prompt import Prompt

P = ParamSpec("P")
T = TypeVar("T")

_THREADS = 4  # enough that waiting writers share one fsync, few enough not to fight over the cores


def _verb(
    method: Callable[Concatenate[Memory, P], T],
) -> Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, T]]:
    """Memory's method, awaited."""

    @functools.wraps(method)
    async def call(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._on_thread(functools.partial(method, self._memory, *args, **kwargs))

    return call


def _task(
    method: Callable[Concatenate[Memory, P], Task],
) -> Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, AsyncTask]]:
    """Memory's method, awaited, and with it the task that it gives."""

    @functools.wraps(method)
    async def call(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> AsyncTask:
        return AsyncTask(self, await self._on_thread(functools.partial(method, self._memory, *args, **kwargs)))

    return call


def _step(
    method: Callable[Concatenate[Task, P], T],
) -> Callable[Concatenate[AsyncTask, P], Coroutine[Any, Any, T]]:
    """A task's method, awaited."""

    @functools.wraps(method)
    async def call(self: AsyncTask, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._memory._on_thread(functools.partial(method, self._task, *args, **kwargs))

    return call


class AsyncTask:
    """A task under way: `async with await memory.task("…") as task: await task.action("run_test")`.

    An error is resolved by `await task.resolve("…", error.id)`.
    """

    def __init__(self, memory: AsyncMemory, task: Task) -> None:
        self._memory = memory
        self._task = task
        self.id = task.id

    before = _step(Task.before)
    action = _step(Task.action)
    tool = _step(Task.tool)
    error = _step(Task.error)
    resolve = _step(Task.resolve)
    artifact = _step(Task.artifact)
    file = _step(Task.file)
    use = _step(Task.use)
    succeed = _step(Task.succeed)
    partial = _step(Task.partial)
    fail = _step(Task.fail)

    async def trace(self) -> Any:
        """Its episode with everything that was told so far."""
        return await self._memory._on_thread(lambda: self._task.trace)

    async def __aenter__(self) -> AsyncTask:
        await self._memory._on_thread(self._task.__enter__)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._memory._on_thread(lambda: self._task.__exit__(kind, error, trace))


class AsyncMemory:
    """For event loops: `async with AsyncMemory("otto.db") as memory: await memory.recall(…)`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Takes what Memory takes, or a Memory that is open already."""
        given = args[0] if args and isinstance(args[0], Memory) else None
        self._memory = given or Memory(*args, **kwargs)
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="omoide")

    @property
    def path(self) -> str:
        return self._memory.path

    observe = _verb(Memory.observe)
    observe_many = _verb(Memory.observe_many)
    remember = _verb(Memory.remember)
    update = _verb(Memory.update)
    correct = _verb(Memory.correct)
    confirm = _verb(Memory.confirm)
    reinforce = _verb(Memory.reinforce)
    demote = _verb(Memory.demote)
    link = _verb(Memory.link)
    entity = _verb(Memory.entity)
    relate = _verb(Memory.relate)
    unrelate = _verb(Memory.unrelate)
    draw = _verb(Memory.draw)
    graph = _verb(Memory.graph)
    drop = _verb(Memory.drop)
    entities = _verb(Memory.entities)
    end = _verb(Memory.end)
    recall = _verb(Memory.recall)
    context = _verb(Memory.context)
    show = _verb(Memory.show)
    history = _verb(Memory.history)
    links = _verb(Memory.links)
    relations = _verb(Memory.relations)
    resume_task = _task(Memory.resume_task)
    task = _task(Memory.task)
    record_task = _verb(Memory.record_task)
    tasks = _verb(Memory.tasks)
    before_task = _verb(Memory.before_task)
    consolidate = _verb(Memory.consolidate)
    credit = _verb(Memory.credit)
    efficiency = _verb(Memory.efficiency)
    unlink = _verb(Memory.unlink)
    neighbours = _verb(Memory.neighbours)
    backlinks = _verb(Memory.backlinks)
    contradictions = _verb(Memory.contradictions)
    resolve = _verb(Memory.resolve)
    suggest = _verb(Memory.suggest)
    bind = _verb(Memory.bind)
    unbind = _verb(Memory.unbind)
    bindings = _verb(Memory.bindings)
    lessons = _verb(Memory.lessons)
    checkpoint = _verb(Memory.checkpoint)
    checkpoints = _verb(Memory.checkpoints)
    ledger = _verb(Memory.ledger)
    ledgers = _verb(Memory.ledgers)
    handoff = _verb(Memory.handoff)
    handoffs = _verb(Memory.handoffs)
    accept_handoff = _verb(Memory.accept_handoff)
    import_skills = _verb(Memory.import_skills)
    export_skills = _verb(Memory.export_skills)
    skill_markdown = _verb(Memory.skill_markdown)
    skills = _verb(Memory.skills)
    import_loki = _verb(Memory.import_loki)
    export_loki = _verb(Memory.export_loki)
    learn = _verb(Memory.learn)
    outcome = _verb(Memory.outcome)
    explain = _verb(Memory.explain)
    weak = _verb(Memory.weak)
    timeline = _verb(Memory.timeline)
    merge = _verb(Memory.merge)
    split = _verb(Memory.split)
    forget = _verb(Memory.forget)
    receipts = _verb(Memory.receipts)
    account = _verb(Memory.account)
    archive = _verb(Memory.archive)
    narrate = _verb(Memory.narrate)
    narrative = _verb(Memory.narrative)
    narratives = _verb(Memory.narratives)
    where = _verb(Memory.where)
    continuity = _verb(Memory.continuity)
    read_continuity = _verb(Memory.read_continuity)
    unarchive = _verb(Memory.unarchive)
    shelve = _verb(Memory.shelve)
    shelved = _verb(Memory.shelved)
    shelf = _verb(Memory.shelf)
    turns = _verb(Memory.turns)
    session = _verb(Memory.session)
    sessions = _verb(Memory.sessions)
    stats = _verb(Memory.stats)
    doctor = _verb(Memory.doctor)
    maintain = _verb(Memory.maintain)
    jobs = _verb(Memory.jobs)
    maintained = _verb(Memory.maintained)
    backup = _verb(Memory.backup)
    export = _verb(Memory.export)
    import_ = _verb(Memory.import_)
    import_from = _verb(Memory.import_from)
    export_markdown = _verb(Memory.export_markdown)
    export_sqlite = _verb(Memory.export_sqlite)
    flush = _verb(Memory.flush)
    waiting = _verb(Memory.waiting)
    warm = _verb(Memory.warm)

    resume = _verb(Memory.resume)
    lives = _verb(Memory.lives)

    async def live(self, session: str, **given: Any) -> AsyncLive:
        found = await self._on_thread(functools.partial(self._memory.live, session, **given))
        return AsyncLive(found, self._on_thread)

    functools.update_wrapper(live, Memory.live)  # its parameters and its words

    async def close(self) -> None:
        """Waits for the verbs under way, then closes the file."""
        await asyncio.to_thread(self._pool.shutdown)
        await asyncio.to_thread(self._memory.close)

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _on_thread(self, work: Callable[[], T]) -> T:
        try:
            running = asyncio.get_running_loop().run_in_executor(self._pool, work)
        except RuntimeError as error:  # the pool takes no more work after close()
            raise Closed(f"{self.path} was closed; open it again with AsyncMemory({self.path!r})") from error
        return await running


class _OnThread(Protocol):
    async def __call__(self, work: Callable[[], T]) -> T: ...


class AsyncLive:
    """A live session on an event loop: `async with await memory.live("s1") as live: await live.before(…)`."""

    def __init__(self, live: LiveSession, on_thread: _OnThread) -> None:
        self._live = live
        self._on_thread = on_thread

    @property
    def board(self) -> Board:
        return self._live.board

    async def before(self, message: str | None = None, **said: Any) -> Prompt:
        return await self._on_thread(functools.partial(self._live.before, message, **said))

    async def after(self, reply: str, **said: Any) -> Node:
        return await self._on_thread(functools.partial(self._live.after, reply, **said))

    async def observe(self, text: str, **said: Any) -> Node:
        return await self._on_thread(functools.partial(self._live.observe, text, **said))

    async def goal(self, text: str, **said: Any) -> Node:
        return await self._on_thread(functools.partial(self._live.goal, text, **said))

    async def finish(self, goal: int | Node, outcome: str = "success") -> Node:
        return await self._on_thread(functools.partial(self._live.finish, goal, outcome))

    async def end(self, *, summary: str | None = None) -> Session | None:
        return await self._on_thread(functools.partial(self._live.end, summary=summary))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            await self.end()
