"""Google ADK: its real runner with a scripted model; what its own memory service does is the measure."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from omoide import Memory
from omoide.errors import NotFound
from tests.adapters.needed import need

need("google.adk", "google-adk")

from google.adk.agents import LlmAgent  # noqa: E402
from google.adk.events import Event  # noqa: E402
from google.adk.memory import BaseMemoryService, InMemoryMemoryService  # noqa: E402
from google.adk.memory.memory_entry import MemoryEntry  # noqa: E402
from google.adk.models import BaseLlm, LlmRequest, LlmResponse  # noqa: E402
from google.adk.runners import Runner  # noqa: E402
from google.adk.sessions import InMemorySessionService, Session  # noqa: E402
from google.adk.tools.preload_memory_tool import PreloadMemoryTool  # noqa: E402
from google.genai import types  # noqa: E402

from omoide.interfaces.adapters.adk import MemoryService  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
OTTO: Any = {"app_name": "app", "user_id": "otto"}


@pytest.fixture(params=["ours", "theirs"])
def service(request: pytest.FixtureRequest, memory: Memory) -> BaseMemoryService:
    """What is true of both is how a memory service behaves."""
    return MemoryService(memory) if request.param == "ours" else InMemoryMemoryService()


def event(text: str, id: str, author: str = "user") -> Event:
    content = types.Content(role="user" if author == "user" else "model", parts=[types.Part(text=text)])
    return Event(id=id, author=author, content=content, timestamp=1_772_442_000.0)


def session(*events: Event, id: str = "s1", user: str = "otto") -> Session:
    return Session(id=id, app_name="app", user_id=user, events=list(events))


def found(service: BaseMemoryService, query: str, **whose: str) -> list[Any]:
    answer = asyncio.run(service.search_memory(**OTTO | whose, query=query))
    return [(each.author, each.content.parts[0].text) for each in answer.memories if each.content.parts]


DEPLOYED = event("The app is deployed to Vercel", "e1")


def test_a_session_is_found_by_its_own_user_alone(service: BaseMemoryService) -> None:
    asyncio.run(service.add_session_to_memory(session(DEPLOYED)))
    assert found(service, "deployed app") == [("user", "The app is deployed to Vercel")]
    assert found(service, "deployed app", user_id="ada") == []
    assert found(service, "deployed app", app_name="other") == []
    assert found(service, "zebra") == []


def test_a_session_that_is_added_again_is_stored_once(service: BaseMemoryService) -> None:
    asyncio.run(service.add_session_to_memory(session(DEPLOYED)))
    asyncio.run(service.add_session_to_memory(session(DEPLOYED, event("Fine, deployed", "e2", "agent"))))
    asyncio.run(service.add_events_to_memory(**OTTO, events=[DEPLOYED], session_id="s1"))
    assert sorted(found(service, "deployed")) == [
        ("agent", "Fine, deployed"),
        ("user", "The app is deployed to Vercel"),
    ]


def test_a_deleted_memory_does_not_come_back_with_its_session(service: BaseMemoryService) -> None:
    asyncio.run(service.add_session_to_memory(session(DEPLOYED)))
    (one,) = asyncio.run(service.search_memory(**OTTO, query="deployed app")).memories
    asyncio.run(service.delete_memory(**OTTO, memory_id=one.id))
    asyncio.run(service.add_session_to_memory(session(DEPLOYED)))
    assert found(service, "deployed app") == []


def test_calls_and_thoughts_are_not_remembered(service: BaseMemoryService) -> None:
    call = types.Part(function_call=types.FunctionCall(name="deploy", args={"to": "Vercel"}))
    asyncio.run(service.add_session_to_memory(session(Event(author="agent", content=types.Content(parts=[call])))))
    assert found(service, "deploy Vercel") == []


def test_a_memory_of_another_user_cannot_be_deleted(memory: Memory) -> None:
    service = MemoryService(memory)
    asyncio.run(service.add_session_to_memory(session(DEPLOYED)))
    (one,) = asyncio.run(service.search_memory(**OTTO, query="deployed app")).memories
    with pytest.raises(NotFound):
        asyncio.run(service.delete_memory(app_name="app", user_id="ada", memory_id=one.id))


def test_statements_are_remembered_and_each_user_may_have_a_memory(memory: Memory) -> None:
    service = MemoryService(lambda app, user: memory)
    stated = MemoryEntry(content=types.Content(parts=[types.Part(text="Otto lives in Berlin")]), author="user")
    asyncio.run(service.add_memory(**OTTO, memories=[stated]))
    assert found(service, "where does Otto live?") == [(None, "Otto lives in Berlin")]
    assert [node.kind for node in memory.list()] == ["fact"]


class ScriptedLlm(BaseLlm):
    asked: list[str]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.asked.append(str(llm_request.contents))
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="Noted.")]))


def test_the_runner_tells_its_agent_in_a_second_session_what_was_said_in_the_first(memory: Memory) -> None:
    model = ScriptedLlm(model="scripted", asked=[])
    sessions = InMemorySessionService()
    runner = Runner(
        app_name="app",
        agent=LlmAgent(name="helper", model=model, tools=[PreloadMemoryTool()]),
        session_service=sessions,
        memory_service=MemoryService(memory),
    )

    async def say(text: str, id: str) -> None:
        held = await sessions.create_session(**OTTO, session_id=id)
        words = types.Content(role="user", parts=[types.Part(text=text)])
        async for _ in runner.run_async(user_id="otto", session_id=held.id, new_message=words):
            pass
        done = await sessions.get_session(**OTTO, session_id=id)
        assert done is not None
        await runner.memory_service.add_session_to_memory(done)  # type: ignore[union-attr,unused-ignore]

    asyncio.run(say("The app is deployed to Vercel", "s1"))
    asyncio.run(say("Where is the app deployed?", "s2"))
    assert "The app is deployed to Vercel" in model.asked[-1]
