"""`with_memory`: the real openai client over HTTP on the loopback, both protocols, plain, awaited and streamed."""

from __future__ import annotations

import asyncio
import copy
import logging
from typing import Any

import pytest

from omoide import Memory
from tests.adapters.needed import need
from tests.providers.server import ScriptedAnswer, Server, error

need("openai", "openai")

from openai import APIStatusError, AsyncOpenAI, OpenAI  # noqa: E402

from omoide.interfaces.adapters.openai import with_memory  # noqa: E402

ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "where does the app run?"}]
TURNS = [("user", "where does the app run?"), ("agent", "On Vercel, still.")]


@pytest.fixture
def told(memory: Memory, server: Server) -> Memory:
    memory.remember("The app runs on Vercel")
    server.say(ScriptedAnswer("On Vercel, still."))
    return memory


def said(memory: Memory) -> list[tuple[str | None, str]]:
    return [(node.role, node.text) for node in memory.list(["episode"], session="s1", order="added").items]


def plain(server: Server, memory: Memory) -> OpenAI:
    return with_memory(OpenAI(base_url=server.openai, api_key="none", max_retries=0), memory, session="s1")


def awaited(server: Server, memory: Memory) -> AsyncOpenAI:
    return with_memory(AsyncOpenAI(base_url=server.openai, api_key="none", max_retries=0), memory, session="s1")


def chat(client: Any, **given: Any) -> Any:
    return client.chat.completions.create(model="m", messages=ASKED, **given)


def test_the_context_follows_the_system_prompt_and_both_turns_are_stored(told: Memory, server: Server) -> None:
    with plain(server, told) as client:
        assert chat(client).choices[0].message.content == "On Vercel, still."
    system, memories, user = server.asked[0]["messages"]
    assert (system, user) == (ASKED[0], ASKED[1])
    assert memories["role"] == "system"
    assert memories["content"].startswith("<omoide-memory")
    assert "The app runs on Vercel" in memories["content"]
    assert said(told) == TURNS


def test_the_messages_of_the_caller_stay_as_they_are(told: Memory, server: Server) -> None:
    messages: list[Any] = copy.deepcopy(ASKED)
    with plain(server, told) as client:
        client.chat.completions.create(model="m", messages=messages)
    assert messages == ASKED


def test_responses_get_context_and_are_stored(told: Memory, server: Server) -> None:
    with plain(server, told) as client:
        client.responses.create(model="m", input="where does the app run?", instructions="Be brief.")
    asked = server.asked[0]
    assert asked["instructions"] == "Be brief."
    assert [each["role"] for each in asked["input"]] == ["developer", "user"]
    assert "The app runs on Vercel" in asked["input"][0]["content"]
    assert said(told) == TURNS


def test_a_stream_is_passed_on_piece_by_piece_and_kept_when_it_ends(told: Memory, server: Server) -> None:
    with plain(server, told) as client:
        stream = chat(client, stream=True)
        pieces = [chunk.choices[0].delta.content or "" for chunk in stream]
        assert "".join(pieces) == "On Vercel, still."
        assert len(pieces) > 2
        assert said(told) == TURNS
        events = [each.type for each in client.responses.create(model="m", input="and the site?", stream=True)]
    assert events[0] == "response.created"
    assert said(told)[2:] == [("user", "and the site?"), ("agent", "On Vercel, still.")]


def test_a_stream_that_is_closed_early_is_stored(told: Memory, server: Server) -> None:
    with plain(server, told) as client, chat(client, stream=True) as stream:
        next(stream)
    assert said(told) == [TURNS[0], ("agent", "On ")]


def test_an_async_client_does_the_same(told: Memory, server: Server) -> None:
    async def story() -> str:
        async with awaited(server, told) as client:
            await chat(client)
            await client.responses.create(model="m", input="and the site?")
            pieces = [chunk.choices[0].delta.content or "" async for chunk in await chat(client, stream=True)]
            async with await client.responses.create(model="m", input="and then?", stream=True) as events:
                async for _ in events:
                    pass
            return "".join(pieces)

    assert asyncio.run(story()) == "On Vercel, still."
    assert "The app runs on Vercel" in str(server.asked[0])
    assert [text for role, text in said(told) if role == "user"] == [
        "where does the app run?",
        "and the site?",
        "and then?",
    ]


def test_the_same_call_again_is_the_same_turn_and_another_reply_another(told: Memory, server: Server) -> None:
    server.say(ScriptedAnswer("On Vercel, still."), ScriptedAnswer("On Vercel, still."), ScriptedAnswer("On Fly."))
    with plain(server, told) as client:
        for _ in range(3):
            chat(client)
    assert said(told) == [*TURNS, ("agent", "On Fly.")]


def test_a_loop_over_tools_asks_once(told: Memory, server: Server) -> None:
    server.say(ScriptedAnswer("{}", tool=True), ScriptedAnswer("On Vercel, still."))
    call = {"id": "c1", "type": "function", "function": {"name": "answer", "arguments": "{}"}}
    rest: list[Any] = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "vercel.com"},
    ]
    with plain(server, told) as client:
        chat(client)
        client.chat.completions.create(model="m", messages=[*ASKED, *rest])  # type: ignore[list-item]
    assert said(told) == TURNS


def test_a_call_that_fails_keeps_nothing_and_is_kept_once_when_it_is_tried_again(told: Memory, server: Server) -> None:
    server.say(error(500), ScriptedAnswer("On Vercel, still."))
    with plain(server, told) as client:
        with pytest.raises(APIStatusError):
            chat(client)
        assert said(told) == []
        chat(client)
    assert said(told) == TURNS


def test_a_failing_memory_is_logged_and_the_call_goes_on(
    told: Memory, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    told.close()
    with plain(server, told) as client, caplog.at_level(logging.ERROR, "omoide.adapters"):
        assert chat(client).choices[0].message.content == "On Vercel, still."
        assert "".join(each.choices[0].delta.content or "" for each in chat(client, stream=True)) == "On Vercel, still."
    assert server.asked[0]["messages"] == ASKED
    assert "the memory failed and the call goes on" in caplog.text


def test_the_rest_of_the_client_is_unchanged(told: Memory, server: Server) -> None:
    with plain(server, told) as client:
        assert client.api_key == "none"
        assert client.max_retries == 0
        chat(client.with_options(max_retries=1))
    assert said(told) == TURNS


def test_only_text_parts_are_stored(told: Memory, server: Server) -> None:
    parts: list[Any] = [
        {"type": "text", "text": "where does the app run?"},
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
    ]
    with plain(server, told) as client:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": parts}])
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": parts[1:]}])
    assert "The app runs on Vercel" in server.asked[0]["messages"][0]["content"]
    assert len(server.asked[1]["messages"]) == 1
    assert said(told)[0] == TURNS[0]


def test_what_was_injected_is_never_stored_again(told: Memory, server: Server) -> None:
    with plain(server, told) as client:
        chat(client)
    assert not any("omoide-memory" in text for _, text in said(told))
