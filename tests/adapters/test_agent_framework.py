"""Microsoft Agent Framework: its real agent with a scripted client; its own history in memory is the measure."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

import pytest

from omoide import Memory
from tests.adapters.needed import need

need("agent_framework", "agent-framework")

from agent_framework import (  # noqa: E402
    Agent,
    AgentSession,
    BaseChatClient,
    ChatResponse,
    Content,
    HistoryProvider,
    InMemoryHistoryProvider,
    Message,
)

from omoide.interfaces.adapters.agent_framework import MemoryContextProvider, MemoryHistoryProvider  # noqa: E402


class ScriptedClient(BaseChatClient[Any]):
    """Says the same each time and keeps what it was asked."""

    def __init__(self, words: str = "Noted.") -> None:
        super().__init__()
        self.words = words
        self.asked: list[tuple[str, list[str]]] = []

    def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **_: Any
    ) -> Awaitable[ChatResponse]:
        told = str(options.get("instructions") or "")
        self.asked.append((told, [f"{each.role}: {each.text}" for each in messages]))

        async def answer() -> ChatResponse:
            return ChatResponse(messages=[Message("assistant", [self.words])])

        return answer()


@pytest.fixture(params=["ours", "theirs"])
def history(request: pytest.FixtureRequest, memory: Memory) -> HistoryProvider:
    """What is true of both is how a history behaves."""
    return MemoryHistoryProvider(memory) if request.param == "ours" else InMemoryHistoryProvider()


def told(provider: HistoryProvider, session: AgentSession) -> list[str]:
    state = session.state.setdefault(provider.source_id, {})
    return [f"{each.role}: {each.text}" for each in asyncio.run(provider.get_messages(session.session_id, state=state))]


def test_an_agent_goes_on_with_its_session(history: HistoryProvider) -> None:
    client = ScriptedClient()
    agent = Agent(client, "Be brief.", context_providers=[history])
    session = agent.create_session(session_id="s1")
    for words in ("Never suggest Docker.", "What did I say?"):
        asyncio.run(agent.run(words, session=session))
    said = ["user: Never suggest Docker.", "assistant: Noted.", "user: What did I say?"]
    assert client.asked[1][1][-3:] == said
    assert told(history, session) == [*said, "assistant: Noted."]
    assert told(history, agent.create_session(session_id="s2")) == []


def test_messages_come_back_whole(history: HistoryProvider) -> None:
    given = [
        Message("user", ["Deploy it"], author_name="Otto"),
        Message("assistant", [Content.from_function_call("c1", "deploy", arguments={"to": "Vercel"})]),
        Message("tool", [Content.from_function_result("c1", result="deployed")]),
    ]
    state: dict[str, Any] = {}
    asyncio.run(history.save_messages("s1", given, state=state))
    found = asyncio.run(history.get_messages("s1", state=state))
    assert [each.to_dict() for each in found] == [each.to_dict() for each in given]


def test_messages_are_turns_actions_and_results(memory: Memory) -> None:
    call = Content.from_function_call("c1", "deploy", arguments='{"to": "Vercel"}')
    given = [Message("user", ["Deploy it"]), Message("assistant", [call])]
    asyncio.run(MemoryHistoryProvider(memory).save_messages("s1", given))
    turns = memory.list(["episode"], session="s1", order="added").items
    assert [(each.role, each.attributes["type"], each.text) for each in turns] == [
        ("user", "conversation", "Deploy it"),
        ("agent", "action", 'deploy({"to": "Vercel"})'),
    ]


def test_a_cleared_session_restarts_and_stays_remembered(memory: Memory) -> None:
    history = MemoryHistoryProvider(memory)
    asyncio.run(history.save_messages("s1", [Message("user", ["Never suggest Docker"])]))
    asyncio.run(history.clear("s1"))
    assert asyncio.run(history.get_messages("s1")) == []
    assert memory.recall("docker").texts == ["Never suggest Docker"]


def test_another_session_is_told_what_matters(memory: Memory) -> None:
    client = ScriptedClient()
    agent = Agent(client, "Be brief.", context_providers=[MemoryContextProvider(memory, observe=True)])
    for name, words in (("s1", "The app is deployed to Vercel"), ("s2", "Where is the app deployed?")):
        asyncio.run(agent.run(words, session=agent.create_session(session_id=name)))
    instructions = client.asked[1][0]
    assert instructions.startswith("Be brief.")
    assert "The app is deployed to Vercel" in instructions
    assert [each.text for each in memory.list(["episode"], session="s1", order="added").items] == [
        "The app is deployed to Vercel",
        "Noted.",
    ]


def test_a_failing_memory_does_not_stop_the_run(memory: Memory) -> None:
    memory.close()
    agent = Agent(ScriptedClient(), context_providers=[MemoryContextProvider(memory, observe=True)])
    assert asyncio.run(agent.run("Hi there", session=agent.create_session())).text == "Noted."
