"""LangChain: a retriever in a chain, and a history that its own runnable drives."""

from __future__ import annotations

import asyncio
import warnings

from omoide import Memory
from tests.adapters.needed import need

need("langchain_core", "langchain")

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage  # noqa: E402
from langchain_core.runnables import RunnableLambda  # noqa: E402
from langchain_core.runnables.history import RunnableWithMessageHistory  # noqa: E402

from omoide.interfaces.adapters.langchain import LangChainRetriever, MemoryHistory  # noqa: E402


def test_a_retriever_gives_documents_with_their_reasons(memory: Memory) -> None:
    node = memory.remember("The app runs on Vercel", tags=["deploy"])
    memory.remember("Ada grows tomatoes")
    (found,) = LangChainRetriever(memory=memory, limit=5).invoke("where does the app run?")
    assert (found.page_content, found.id) == ("The app runs on Vercel", str(node.id))
    assert found.metadata["kind"] == "fact"
    assert found.metadata["tags"] == ["deploy"]
    assert found.metadata["why"]


def test_the_retriever_is_async_and_takes_options_of_recall(memory: Memory) -> None:
    memory.remember("The app runs on Vercel")
    memory.observe("Vercel again", session="s1")
    retriever = LangChainRetriever(memory=memory, options={"kinds": ["episode"]})
    assert [each.page_content for each in asyncio.run(retriever.ainvoke("Vercel"))] == ["Vercel again"]


def test_a_call_may_ask_for_fewer_documents(memory: Memory) -> None:
    memory.remember("The app runs on Vercel")
    memory.remember("The docs run on Vercel")
    retriever = LangChainRetriever(memory=memory, limit=5)
    assert (len(retriever.invoke("Vercel")), len(retriever.invoke("Vercel", limit=1))) == (2, 1)
    assert len(asyncio.run(retriever.ainvoke("Vercel", limit=1))) == 1


def test_the_retriever_works_in_a_chain(memory: Memory) -> None:
    memory.remember("The app runs on Vercel")
    chain = LangChainRetriever(memory=memory) | RunnableLambda(lambda found: found[0].page_content.upper())
    assert chain.invoke("Vercel") == "THE APP RUNS ON VERCEL"


def test_messages_are_returned_whole(memory: Memory) -> None:
    given = [
        SystemMessage("Be brief."),
        HumanMessage([{"type": "text", "text": "Deploy it"}]),
        AIMessage("", tool_calls=[{"name": "deploy", "args": {"to": "Vercel"}, "id": "c1", "type": "tool_call"}]),
        ToolMessage("deployed", tool_call_id="c1", name="deploy"),
        AIMessage("Done."),
    ]
    MemoryHistory(memory, "s1").add_messages(given)
    assert MemoryHistory(memory, "s1").messages == given
    assert [node.role for node in memory.list(["episode"], session="s1", order="added").items] == [
        "system",
        "user",
        "agent",
        "tool:deploy",
        "agent",
    ]


def test_a_cleared_history_restarts_and_forgets_nothing(memory: Memory) -> None:
    history = MemoryHistory(memory, "s1")
    history.add_user_message("Never suggest Docker")
    history.clear()
    assert history.messages == []
    assert memory.recall("docker").texts == ["Never suggest Docker"]


def test_a_runnable_stores_its_conversation(memory: Memory) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer versions would rather have a graph
        chat = RunnableWithMessageHistory(
            RunnableLambda(lambda messages: AIMessage(f"{len(messages)} so far")),
            lambda session_id: MemoryHistory(memory, session_id),
        )
        config = {"configurable": {"session_id": "s1"}}
        assert chat.invoke([HumanMessage("one")], config=config).content == "1 so far"  # type: ignore[arg-type,unused-ignore]
        assert chat.invoke([HumanMessage("two")], config=config).content == "3 so far"  # type: ignore[arg-type,unused-ignore]
    assert [node.text for node in memory.list(["episode"], session="s1", order="added").items] == [
        "one",
        "1 so far",
        "two",
        "3 so far",
    ]
