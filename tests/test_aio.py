"""AsyncMemory: the same verbs, and no way for the two to drift apart."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path

import pytest

from omoide import AsyncMemory, Memory
from omoide.errors import Closed


def verbs(kind: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(member)
        for name, member in inspect.getmembers(kind)
        if callable(member) and not name.startswith("_")
    }


def test_the_two_have_the_same_verbs_with_the_same_parameters_and_words() -> None:
    plain, awaited = verbs(Memory), verbs(AsyncMemory)
    assert plain.keys() == awaited.keys()
    for name in plain:
        assert [*plain[name].parameters.values()] == [*awaited[name].parameters.values()], name
        if name != "close":
            assert getattr(Memory, name).__doc__ == getattr(AsyncMemory, name).__doc__


def test_every_verb_is_awaited() -> None:
    assert all(inspect.iscoroutinefunction(getattr(AsyncMemory, name)) for name in verbs(AsyncMemory))


def test_it_remembers_and_recalls_from_an_event_loop(tmp_path: Path) -> None:
    async def story() -> list[str]:
        async with AsyncMemory(tmp_path / "a.db", embedder=None) as memory:
            await memory.observe("Never suggest Docker, I hate it.", session="s1")
            await asyncio.gather(*(memory.observe(f"turn {n}", session="s1") for n in range(20)))
            assert (await memory.session("s1")).episode_count == 21
            return (await memory.recall("docker", limit=1)).texts

    assert asyncio.run(story()) == ["Never suggest Docker, I hate it."]


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
