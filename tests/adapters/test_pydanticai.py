"""Pydantic AI: its real agent with functions in place of a model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from omoide import Memory
from omoide.interfaces.tools import chosen
from tests.adapters.needed import need

need("pydantic_ai", "pydantic-ai")

from pydantic import BaseModel  # noqa: E402
from pydantic_ai import Agent  # noqa: E402
from pydantic_ai.messages import (  # noqa: E402
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel  # noqa: E402
from pydantic_ai.models.test import TestModel  # noqa: E402
from pydantic_ai.run import AgentRunResult  # noqa: E402

from omoide.interfaces.adapters.pydanticai import MemoryCapability, history, instructions, toolset  # noqa: E402


def ran(agent: Agent[Any, Any], prompt: str, **given: Any) -> AgentRunResult[Any]:
    return asyncio.run(agent.run(prompt, **given))


def told(messages: list[ModelMessage]) -> str:
    return "\n".join(each.instructions or "" for each in messages if isinstance(each, ModelRequest))


def test_the_agent_gets_the_context_of_the_prompt(memory: Memory) -> None:
    memory.remember("The app runs on Vercel")
    agent = Agent(TestModel(custom_output_text="On Vercel."), instructions=instructions(memory))
    said = told(ran(agent, "where does the app run?").all_messages())
    assert said.startswith("<omoide-memory")
    assert "The app runs on Vercel" in said


def test_the_model_calls_our_tools_and_gets_errors(memory: Memory) -> None:
    tries = iter([{"facts": "x"}, {"fact": "Otto lives in Berlin"}])

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        arguments = next(tries, None)
        if arguments is None:
            return ModelResponse([TextPart("Done.")])
        return ModelResponse([ToolCallPart("remember_fact", arguments)])

    result = ran(Agent(FunctionModel(model), toolsets=[toolset(memory)]), "Remember it")
    parts = [part for each in result.all_messages() for part in each.parts]
    retry, done = [part for part in parts if isinstance(part, ToolReturnPart)]
    assert "did you mean fact?" in str(retry.content)
    assert str(done.content).startswith("remembered as [id:")
    assert memory.recall("where does Otto live?").texts == ["Otto lives in Berlin"]


def test_the_tools_have_our_names_words_and_schemas(memory: Memory) -> None:
    model = TestModel(call_tools=[])
    ran(Agent(model, toolsets=[toolset(memory, "koshi")]), "hello")
    assert model.last_model_request_parameters is not None
    found = {each.name: each for each in model.last_model_request_parameters.function_tools}
    assert set(found) == {"memory_store", "memory_query", "memory_reinforce", "memory_demote", "memory_update"}
    assert found["memory_query"].parameters_json_schema["required"] == ["query"]


def test_the_capability_adds_context_and_observes(memory: Memory) -> None:
    memory.remember("The app runs on Vercel")
    agent = Agent(
        TestModel(call_tools=[], custom_output_text="On Vercel."), capabilities=[MemoryCapability(memory, session="s1")]
    )
    result = ran(agent, "where does the app run?")
    assert "The app runs on Vercel" in told(result.all_messages())
    assert [(node.role, node.text) for node in memory.list(["episode"], session="s1", order="added").items] == [
        ("user", "where does the app run?"),
        ("agent", "On Vercel."),
    ]


def test_a_structured_answer_is_remembered_as_json(memory: Memory) -> None:
    class Place(BaseModel):
        city: str

    agent = Agent(
        TestModel(call_tools=[], custom_output_args={"city": "Berlin"}),
        output_type=Place,
        capabilities=[MemoryCapability(memory, session="s1", tools="")],
    )
    ran(agent, "where?")
    assert memory.list(["episode"], session="s1", order="added").items[-1].text == '{"city":"Berlin"}'


def test_a_run_goes_on_when_memory_fails(memory: Memory) -> None:
    agent = Agent(
        TestModel(call_tools=[], custom_output_text="Hello."), capabilities=[MemoryCapability(memory, session="s1")]
    )
    memory.close()
    assert ran(agent, "Hi there").output == "Hello."


def test_the_turns_of_a_session_are_a_history(memory: Memory) -> None:
    memory.observe("Hello", session="s1")
    memory.observe("Hi", role="agent", session="s1")
    agent = Agent(TestModel(custom_output_text="Again."))
    result = ran(agent, "and now?", message_history=history(memory, "s1"))
    assert [each.kind for each in result.all_messages()] == ["request", "response", "request", "response"]
    assert len(history(memory, "s1", 1)) == 1


@pytest.mark.parametrize("names", ["core", "all", "reference"])
def test_a_model_that_calls_every_tool_with_made_up_arguments_does_not_end_the_run(memory: Memory, names: str) -> None:
    result = ran(Agent(TestModel(), toolsets=[toolset(memory, names)]), "Try everything")
    called = {part.tool_name for each in result.all_messages() for part in each.parts if isinstance(part, ToolCallPart)}
    assert called == {tool.name for tool in chosen(names)}
