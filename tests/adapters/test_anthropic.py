"""Anthropic's memory tool: its own runner, over HTTP on the loopback, and beside its own file system."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide import Memory
from tests.adapters.needed import need
from tests.providers.server import ScriptedAnswer, Server

need("anthropic", "anthropic")

from anthropic import Anthropic  # noqa: E402
from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError  # noqa: E402
from anthropic.tools import BetaLocalFilesystemMemoryTool  # noqa: E402

from omoide.interfaces.adapters.anthropic import AsyncMemoryTool, MemoryTool  # noqa: E402

STORY: list[dict[str, Any]] = [
    {"command": "create", "path": "/memories/a.md", "file_text": "one\ntwo\nthree\n"},
    {"command": "create", "path": "/memories/a.md", "file_text": "again"},
    {"command": "view", "path": "/memories/a.md"},
    {"command": "view", "path": "/memories/a.md", "view_range": [2, 3]},
    {"command": "str_replace", "path": "/memories/a.md", "old_str": "two", "new_str": "2"},
    {"command": "str_replace", "path": "/memories/a.md", "old_str": "four", "new_str": "4"},
    {"command": "insert", "path": "/memories/a.md", "insert_line": 1, "insert_text": "one and a half\n"},
    {"command": "insert", "path": "/memories/a.md", "insert_line": 99, "insert_text": "x"},
    {"command": "view", "path": "/memories/a.md"},
    {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b/c.md"},
    {"command": "view", "path": "/memories/b/c.md"},
    {"command": "view", "path": "/memories/a.md"},
    {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/d.md"},
    {"command": "delete", "path": "/memories/b/c.md"},
    {"command": "delete", "path": "/memories/b/c.md"},
    {"command": "delete", "path": "/memories"},
    {"command": "view", "path": "/etc/passwd"},
]


def answered(tool: BetaAbstractMemoryTool, command: dict[str, Any]) -> str:
    try:
        return str(tool.call(command))
    except ToolError as error:
        return f"error: {error.content}"


def test_it_answers_like_the_official_file_system(memory: Memory, tmp_path: Path) -> None:
    ours, theirs = MemoryTool(memory), BetaLocalFilesystemMemoryTool(str(tmp_path / "files"))
    for command in STORY:
        assert answered(ours, command) == answered(theirs, command), command


FILES = ["a.md", "b.md", "notes/a.md", "notes/b.md", "notes/deep/c.txt", "notes.md"]
PATH = st.sampled_from([f"/memories/{name}" for name in FILES])
PLACE = st.sampled_from([f"/memories/{name}" for name in (*FILES, "notes", "notes/deep", "old")])
TEXT = st.lists(st.sampled_from(["one", "two", "Otto hates Docker", "x" * 700, ""]), max_size=5).map("\n".join)
RANGE = st.tuples(st.integers(1, 4), st.integers(-1, 6)).map(list)
OLD = st.sampled_from(["one", "two\n", "Docker", "\n"])
COMMAND = st.one_of(
    st.fixed_dictionaries({"command": st.just("create"), "path": PATH, "file_text": TEXT}),
    st.fixed_dictionaries(
        {"command": st.just("view"), "path": st.just("/memories") | PLACE}, optional={"view_range": RANGE}
    ),
    st.fixed_dictionaries({"command": st.just("str_replace"), "path": PLACE, "old_str": OLD, "new_str": TEXT}),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": PLACE, "insert_line": st.integers(0, 6), "insert_text": TEXT}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": PLACE}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": PATH, "new_path": PATH}),
    st.fixed_dictionaries(
        {"command": st.just("rename"), "old_path": st.just("/memories/notes"), "new_path": st.just("/memories/old")}
    ),
)


@settings(max_examples=int(os.environ.get("MEMORY_TOOL_STORIES", "30")), deadline=None)
@given(st.lists(COMMAND, max_size=12))
def test_any_commands_on_ordinary_paths_are_answered_like_the_official_file_system(commands: list[Any]) -> None:
    with Memory(":memory:", embedder=None) as memory, TemporaryDirectory() as folder:
        ours, theirs = MemoryTool(memory), BetaLocalFilesystemMemoryTool(folder)
        for command in commands:
            if (
                "old_path" in command
                and answered(ours, {"command": "view", "path": command["old_path"]})[:6] == "error:"
            ):
                continue  # theirs makes the new folder, though there is nothing to move
            assert answered(ours, command) == answered(theirs, command), command


def test_the_async_tool_answers_the_same(memory: Memory) -> None:
    tool = AsyncMemoryTool(memory)

    async def story() -> str:
        await tool.call({"command": "create", "path": "/memories/a", "file_text": "one"})
        with pytest.raises(ToolError):
            await tool.call({"command": "view", "path": "/memories/b"})
        return str(await tool.call({"command": "view", "path": "/memories/a"}))

    assert asyncio.run(story()).endswith("     1\tone")


def test_clearing_withdraws_every_file(memory: Memory) -> None:
    tool = MemoryTool(memory)
    tool.call({"command": "create", "path": "/memories/a", "file_text": "Otto hates Docker"})
    assert tool.clear_all_memory() == "All memory cleared"
    assert memory.documents.list("memories") == []
    assert [node.text for node in memory.list(state="archived")] == ["Otto hates Docker"]


def test_the_official_tool_runner_uses_it(memory: Memory, server: Server) -> None:
    command = '{"command": "create", "path": "/memories/otto.md", "file_text": "Otto hates Docker"}'
    server.say(ScriptedAnswer(command, tool=True, name="memory"), ScriptedAnswer("Noted."))
    with Anthropic(base_url=server.anthropic, api_key="none", max_retries=0) as client:
        runner = client.beta.messages.tool_runner(
            model="m",
            max_tokens=100,
            messages=[{"role": "user", "content": "Otto hates Docker"}],
            tools=[MemoryTool(memory)],
        )
        last = runner.until_done()
    assert last.content[0].text == "Noted."  # type: ignore[union-attr]
    assert server.asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    result = server.asked[1]["messages"][-1]["content"][0]
    assert result["content"] == "File created successfully at: /memories/otto.md"
    assert memory.recall("docker").texts == ["Otto hates Docker"]
