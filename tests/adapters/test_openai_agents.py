"""OpenAI Agents SDK: its real runner, over HTTP on the loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from omoide import Memory
from tests.adapters.needed import need
from tests.providers.server import ScriptedAnswer, Server

need("agents", "openai-agents")

from agents import Agent, OpenAIResponsesModel, RunConfig, Runner, set_tracing_disabled  # noqa: E402
from agents.memory import Session, SessionSettings  # noqa: E402
from openai import AsyncOpenAI  # noqa: E402

from omoide.interfaces.adapters.openai_agents import MemorySession, context_filter, tools  # noqa: E402


@pytest.fixture(autouse=True)
def _untraced() -> Iterator[None]:
    set_tracing_disabled(True)  # it would send what is said to its makers
    yield
    set_tracing_disabled(False)


def agent(server: Server, **given: Any) -> Agent[Any]:
    client = AsyncOpenAI(base_url=server.openai, api_key="none", max_retries=0)
    return Agent(name="a", instructions="Be brief.", model=OpenAIResponsesModel("m", client), **given)


def items(memory: Memory, session: str = "s1", limit: int | None = None) -> list[Any]:
    return asyncio.run(MemorySession(memory, session).get_items(limit))


USER = {"role": "user", "content": "Never suggest Docker."}
CALL = {"type": "function_call", "call_id": "c7", "name": "deploy", "arguments": '{"to": "Vercel"}'}
OUTPUT = {"type": "function_call_output", "call_id": "c7", "output": "deployed"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": []}


def test_it_implements_the_session_protocol(memory: Memory) -> None:
    assert isinstance(MemorySession(memory, "s1"), Session)


def test_items_are_returned_whole_in_order_and_limited(memory: Memory) -> None:
    given = [USER, THOUGHT, CALL, OUTPUT, {"role": "assistant", "content": [{"type": "output_text", "text": "Fine."}]}]
    asyncio.run(MemorySession(memory, "s1").add_items(given))
    assert items(memory) == given
    assert items(memory, limit=2) == given[-2:]
    assert items(memory, limit=0) == []
    assert items(memory, "s2") == []


@pytest.mark.parametrize("settings", [SessionSettings(limit=1), {"limit": 1}])
def test_the_settings_of_a_session_limit_it_too(memory: Memory, settings: Any) -> None:
    session = MemorySession(memory, "s1", session_settings=settings)
    asyncio.run(session.add_items([USER, {"role": "assistant", "content": "Fine."}]))
    assert [each["content"] for each in asyncio.run(session.get_items())] == ["Fine."]


def test_an_unknown_setting_of_a_session_is_refused(memory: Memory) -> None:
    assert MemorySession(memory, "s1").session_settings == SessionSettings()
    with pytest.raises(TypeError, match="limitt"):
        MemorySession(memory, "s1", session_settings={"limitt": 1})


def test_items_are_stored_as_turns(memory: Memory) -> None:
    asyncio.run(MemorySession(memory, "s1").add_items([USER, CALL]))
    asyncio.run(MemorySession(memory, "s1").add_items([OUTPUT]))
    told = [
        (node.role, node.attributes["type"], node.text)
        for node in memory.list(["episode"], session="s1", order="added").items
    ]
    assert told == [
        ("user", "conversation", "Never suggest Docker."),
        ("agent", "action", 'deploy({"to": "Vercel"})'),
        ("tool:deploy", "observation", "deployed"),
    ]
    assert memory.recall("docker").texts[0] == "Never suggest Docker."


def test_pop_withdraws_the_last_item(memory: Memory) -> None:
    session = MemorySession(memory, "s1")
    asyncio.run(session.add_items([USER, {"role": "assistant", "content": "Use Podman."}]))
    assert asyncio.run(session.pop_item()) == {"role": "assistant", "content": "Use Podman."}
    assert items(memory) == [USER]
    assert memory.recall("podman").texts == []
    assert [node.text for node in memory.list(state="archived")] == ["Use Podman."]
    asyncio.run(session.pop_item())
    assert asyncio.run(session.pop_item()) is None


def test_a_cleared_session_restarts_and_forgets_nothing(memory: Memory) -> None:
    session = MemorySession(memory, "s1")
    asyncio.run(session.add_items([USER]))
    asyncio.run(session.clear_session())
    assert items(memory) == []
    assert asyncio.run(session.pop_item()) is None
    assert memory.recall("docker").texts == ["Never suggest Docker."]
    asyncio.run(session.add_items([{"role": "user", "content": "Hello again"}]))
    assert [each["content"] for each in items(memory)] == ["Hello again"]


def test_turns_observed_elsewhere_are_messages_of_the_session(memory: Memory) -> None:
    memory.observe("Hello", session="s1")
    memory.observe("Hi", role="agent", session="s1")
    assert items(memory) == [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]


def test_a_secret_in_an_item_does_not_reach_the_file(memory: Memory) -> None:
    asyncio.run(MemorySession(memory, "s1").add_items([{"role": "user", "content": "my password: hunter2hunter2"}]))
    assert "hunter2" not in json.dumps(items(memory))


def test_a_run_gets_the_conversation_and_the_context(memory: Memory, server: Server) -> None:
    memory.remember("The app is deployed to Vercel", session="long ago")
    server.say(ScriptedAnswer("To Vercel."))
    config = RunConfig(call_model_input_filter=context_filter(memory))
    for question in ("Where is the app deployed?", "Why is the app deployed there?"):
        result = asyncio.run(
            Runner.run(agent(server), question, session=MemorySession(memory, "s1"), run_config=config)
        )
        assert result.final_output == "To Vercel."
    first, second = server.asked
    assert first["instructions"].startswith("Be brief.\n\n<omoide-memory")
    assert "deployed to Vercel" in first["instructions"]
    assert [each["role"] for each in second["input"]] == ["user", "assistant", "user"]
    assert [node.role for node in memory.list(["episode"], session="s1", order="added").items] == [
        "user",
        "agent",
        "user",
        "agent",
    ]


def test_a_failing_memory_does_not_stop_the_run(memory: Memory, server: Server) -> None:
    memory.close()
    server.say(ScriptedAnswer("Hello."))
    config = RunConfig(call_model_input_filter=context_filter(memory))
    assert asyncio.run(Runner.run(agent(server), "Hi there", run_config=config)).final_output == "Hello."
    assert server.asked[0]["instructions"] == "Be brief."


def test_the_model_calls_our_tools_and_reads_what_was_wrong(memory: Memory, server: Server) -> None:
    server.say(
        ScriptedAnswer('{"facts": "Otto"}', tool=True, name="remember_fact"),
        ScriptedAnswer('{"fact": "Otto lives in Berlin"}', tool=True, name="remember_fact"),
        ScriptedAnswer("Done."),
    )
    asyncio.run(Runner.run(agent(server, tools=tools(memory)), "Remember that Otto lives in Berlin"))
    outputs = [each["output"] for each in server.asked[2]["input"] if each.get("type") == "function_call_output"]
    assert "did you mean fact?" in outputs[0]
    assert outputs[1].startswith("remembered as [id:")
    assert memory.recall("where does Otto live?").texts == ["Otto lives in Berlin"]
    assert {each["name"] for each in server.asked[0]["tools"]} >= {"search_memory", "get_context"}
