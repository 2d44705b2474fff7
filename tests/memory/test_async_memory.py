"""AsyncMemory has the verbs of Memory and its namespaces, as coroutines."""

from __future__ import annotations

import ast
import asyncio
import inspect
from pathlib import Path

import pytest

from omoide import AsyncMemory, Memory
from omoide.errors import Closed
from omoide.memory.memory import NAMESPACES
from omoide.memory.mirror import mirror_class
from omoide.memory.task import Task
from omoide.working.live_session import LiveSession
from tests.memory.async_stub import STUB, stub


def verbs(kind: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(member)
        for name, member in inspect.getmembers(kind)
        if callable(member) and not name.startswith("_")
    }


PAIRS = [(Memory, AsyncMemory), *((kind, mirror_class(kind)) for kind in (*NAMESPACES.values(), Task, LiveSession))]


@pytest.mark.parametrize(("plain", "mirrored"), PAIRS, ids=lambda kind: kind.__name__)
def test_every_verb_is_a_coroutine_with_the_same_parameters_and_documentation(plain: type, mirrored: type) -> None:
    assert verbs(plain).keys() == verbs(mirrored).keys()
    for name, signature in verbs(plain).items():
        method = getattr(mirrored, name)
        assert inspect.iscoroutinefunction(method), name
        assert [*signature.parameters][1:] == [*inspect.signature(method).parameters][1:], name
        if name != "close":
            assert getattr(plain, name).__doc__ == method.__doc__


def test_the_types_are_those_of_memory() -> None:
    wanted, written = (
        [ast.unparse(node) for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
        for text in (stub(), STUB.read_text("utf-8"))
    )
    assert wanted == written, "run `python -m tests.memory.async_stub`"


def test_it_remembers_and_recalls_from_an_event_loop(tmp_path: Path) -> None:
    async def story() -> list[str]:
        async with AsyncMemory(tmp_path / "a.db", embedder=None) as memory:
            await memory.observe("Never suggest Docker, I hate it.", session="s1")
            await asyncio.gather(*(memory.observe(f"turn {n}", session="s1") for n in range(20)))
            assert (await memory.session("s1")).episode_count == 21
            return list((await memory.recall("docker", limit=1)).texts)

    assert asyncio.run(story()) == ["Never suggest Docker, I hate it."]


def test_namespaces_tasks_and_live_sessions_are_awaited_too(tmp_path: Path) -> None:
    async def story() -> tuple[str, str, list[str]]:
        async with AsyncMemory(tmp_path / "a.db", embedder=None) as memory:
            await memory.graph.entity("Otto", type="person")
            async with await memory.task("Deploy the app") as task:
                problem = await task.error("Timeout", "no answer")
                await problem.resolved("try again")
            async with await memory.live("s1") as live:
                await live.before("Hello")
                await live.after("Hi there")
            turns = await memory.list(["episode"], session="s1", order="added")
            return (await memory.graph.entity("otto")).name, task.outcome, [node.text for node in turns]

    assert asyncio.run(story()) == ("Otto", "success", ["Hello", "Hi there"])


def test_closing_waits_for_what_is_under_way_and_may_be_done_twice(tmp_path: Path) -> None:
    async def story() -> int:
        memory = AsyncMemory(tmp_path / "a.db", embedder=None)
        under_way = [asyncio.create_task(memory.observe(f"turn {n}")) for n in range(50)]
        await asyncio.sleep(0)
        await memory.close()
        await memory.close()
        with pytest.raises(Closed):
            await memory.observe("too late")
        return len(await asyncio.gather(*under_way))

    assert asyncio.run(story()) == 50
