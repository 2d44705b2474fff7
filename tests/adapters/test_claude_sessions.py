"""Claude Agent SDK: its own suite for session stores, and its real program against a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from omoide import Memory
from tests.adapters.needed import need
from tests.clients.scripted_model import ScriptedModel, serving

need("claude_agent_sdk", "claude-agent-sdk")

from claude_agent_sdk import ClaudeAgentOptions, list_sessions_from_store, query  # noqa: E402
from claude_agent_sdk.testing import run_session_store_conformance  # noqa: E402

from omoide.interfaces.adapters.claude_sessions import ClaudeSessionStore  # noqa: E402

KEY: Any = {"project_key": "-work", "session_id": "s1"}
SUBAGENT: Any = {**KEY, "subpath": "subagents/agent-1"}


def entry(text: str, by: str = "user", **more: Any) -> Any:
    return {"type": by, "message": {"role": by, "content": text}, "timestamp": "2026-03-02T09:00:00Z"} | more


@pytest.mark.parametrize("erase", [False, True])
def test_the_fourteen_contracts_of_the_sdk_hold(erase: bool) -> None:
    with ExitStack() as opened:

        def store() -> ClaudeSessionStore:
            return ClaudeSessionStore(opened.enter_context(Memory(":memory:", embedder=None)), erase=erase)

        asyncio.run(run_session_store_conformance(store))


def test_what_was_said_is_remembered_and_the_rest_is_stored_beside_it(memory: Memory) -> None:
    store = ClaudeSessionStore(memory)
    given = [
        {"type": "queue-operation"},
        entry("Never suggest Docker", uuid="a"),
        entry("Fine.", "assistant", uuid="b"),
        {"type": "mode"},
    ]
    asyncio.run(store.append(KEY, given))
    assert asyncio.run(store.load(KEY)) == given
    assert memory.recall("docker").texts[0] == "Never suggest Docker"
    turns = memory.list(["episode"], order="added").items
    assert [(each.role, each.text) for each in turns] == [("user", "Never suggest Docker"), ("agent", "Fine.")]
    assert turns[0].event_at.isoformat() == "2026-03-02T09:00:00+00:00"


def test_entries_that_are_sent_again_are_stored_once(memory: Memory) -> None:
    store = ClaudeSessionStore(memory)
    first, second = entry("Never suggest Docker", uuid="a"), entry("Use Podman", uuid="b")
    asyncio.run(store.append(KEY, [first]))
    asyncio.run(store.append(KEY, [first]))
    asyncio.run(store.append(KEY, [first, second]))
    assert asyncio.run(store.load(KEY)) == [first, second]
    assert len(memory.list(["episode"]).items) == 2


def test_what_a_subagent_is_asked_is_no_word_of_the_user(memory: Memory) -> None:
    asyncio.run(ClaudeSessionStore(memory).append(SUBAGENT, [entry("Look for Docker", isSidechain=True)]))
    assert [each.role for each in memory.list(["episode"]).items] == ["agent"]


def test_a_deleted_session_stays_remembered_unless_it_is_erased(memory: Memory) -> None:
    for erase, left in ((False, ["Never suggest Docker"]), (True, [])):
        store = ClaudeSessionStore(memory, erase=erase)
        asyncio.run(store.append(KEY, [entry("Never suggest Docker", uuid="a")]))
        asyncio.run(store.delete(KEY))
        assert asyncio.run(store.load(KEY)) is None
        assert asyncio.run(store.list_sessions("-work")) == []
        assert memory.recall("docker").texts == left


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with serving(ScriptedModel("On Vercel.")) as found:
        yield found


def test_the_real_program_goes_on_from_the_store_on_another_machine(
    memory: Memory, model: ScriptedModel, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    project.mkdir()

    async def ask(words: str, home: str, resume: str | None) -> str:
        environment = {
            "HOME": str(tmp_path / home),
            "CLAUDE_CONFIG_DIR": str(tmp_path / home / ".claude"),
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
        options = ClaudeAgentOptions(
            session_store=ClaudeSessionStore(memory), cwd=project, env=environment, resume=resume, setting_sources=[]
        )
        return [each async for each in query(prompt=words, options=options)][-1].session_id  # type: ignore[union-attr]

    session = asyncio.run(ask("The app is deployed to Vercel", "one", None))
    asyncio.run(ask("Where is the app deployed?", "two", session))
    assert "The app is deployed to Vercel" in model.bodies()[-1]
    assert "The app is deployed to Vercel" in memory.recall("where is the app deployed?").texts
    (listed,) = asyncio.run(list_sessions_from_store(ClaudeSessionStore(memory), directory=str(project)))
    assert listed.first_prompt == "The app is deployed to Vercel"
