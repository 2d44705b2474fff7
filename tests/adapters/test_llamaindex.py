"""LlamaIndex: a retriever, a block of its Memory, and a chat memory in its own chat engine."""

from __future__ import annotations

import asyncio

from omoide import Memory
from tests.adapters.needed import need

need("llama_index.core", "llamaindex")

from llama_index.core.chat_engine import SimpleChatEngine  # noqa: E402
from llama_index.core.llms import ChatMessage, MockLLM  # noqa: E402
from llama_index.core.memory import Memory as TheirMemory  # noqa: E402

from omoide.interfaces.adapters.llamaindex import ChatMemory, LlamaIndexRetriever, MemoryBlock  # noqa: E402


def test_a_retriever_gives_nodes_best_first(memory: Memory) -> None:
    node = memory.remember("The app runs on Vercel")
    memory.remember("Ada grows tomatoes")
    (found,) = LlamaIndexRetriever(memory, limit=5).retrieve("where does the app run?")
    assert (found.node.get_content(), found.node.node_id) == ("The app runs on Vercel", str(node.id))
    assert found.score is not None
    assert found.node.metadata["kind"] == "fact"
    assert asyncio.run(LlamaIndexRetriever(memory, kinds=["episode"]).aretrieve("Vercel")) == []


def test_a_block_observes_old_messages_and_adds_context(memory: Memory) -> None:
    block = MemoryBlock(memory=memory, session="s1")
    asyncio.run(block.aput([ChatMessage("Never suggest Docker"), ChatMessage("Fine", role="assistant")]))
    assert [(node.role, node.text) for node in memory.list(["episode"], session="s1", order="added").items] == [
        ("user", "Never suggest Docker"),
        ("agent", "Fine"),
    ]
    told = asyncio.run(block.aget([ChatMessage("shall we use Docker?")]))
    assert told.startswith("<omoide-memory")
    assert "Never suggest Docker" in told


def test_a_block_works_in_their_memory(memory: Memory) -> None:
    memory.remember("The app runs on Vercel")

    async def story() -> str:
        theirs = TheirMemory.from_defaults(session_id="s1", memory_blocks=[MemoryBlock(memory=memory)])
        await theirs.aput(ChatMessage("where does the app run?"))
        told = "\n".join(str(each.content) for each in await theirs.aget())
        await theirs.sql_store._async_engine.dispose()  # it has no other way to be closed
        return told

    assert "The app runs on Vercel" in asyncio.run(story())


def test_a_chat_engine_keeps_its_conversation_in_a_session(memory: Memory) -> None:
    engine = SimpleChatEngine.from_defaults(llm=MockLLM(), memory=ChatMemory(memory=memory, session="s1"))
    engine.chat("Never suggest Docker")
    engine.chat("shall we use Docker?")
    assert [node.role for node in memory.list(["episode"], session="s1", order="added").items] == [
        "user",
        "agent",
        "user",
        "agent",
    ]
    again = ChatMemory(memory=memory, session="s1")
    assert again.get_all() == engine.chat_history
    assert again.get("about docker")[0].role == "system"


def test_a_reset_chat_memory_restarts_and_forgets_nothing(memory: Memory) -> None:
    chat = ChatMemory.from_defaults(memory=memory, session="s1")
    chat.put(ChatMessage("Never suggest Docker"))
    chat.reset()
    assert chat.get_all() == []
    assert memory.recall("docker").texts == ["Never suggest Docker"]


def test_setting_a_continuation_stores_only_the_new_messages(memory: Memory) -> None:
    chat = ChatMemory(memory=memory, session="s1")
    chat.put(ChatMessage("one"))
    chat.set([ChatMessage("one"), ChatMessage("two")])
    assert [node.text for node in memory.list(["episode"], session="s1", order="added").items] == ["one", "two"]
    chat.set([ChatMessage("three")])
    assert [each.content for each in chat.get_all()] == ["three"]
