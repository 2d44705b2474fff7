"""LlamaIndex: a retriever, a block for its Memory, and a chat memory of our own."""

from __future__ import annotations

import asyncio
from typing import Any

from omoide.domain import Node
from omoide.errors import needs_extra
from omoide.interfaces.adapters.conversation import ConversationItem, StoredConversation, context_for
from omoide.memory import Memory

with needs_extra("a memory for LlamaIndex needs llama-index-core", "llamaindex"):
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.base.llms.types import ChatMessage, MessageRole
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.memory import BaseMemory, BaseMemoryBlock
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

_ROLES = {MessageRole.USER: "user", MessageRole.ASSISTANT: "agent", MessageRole.CHATBOT: "agent"}


class LlamaIndexRetriever(BaseRetriever):
    """`LlamaIndexRetriever(memory, limit=5).retrieve("how do we deploy?")`; `options` are parameters of recall."""

    def __init__(self, memory: Memory, limit: int = 10, **options: Any) -> None:
        super().__init__()
        self._memory = memory
        self._limit = limit
        self._options = options

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._memory.recall(query_bundle.query_str, limit=self._limit, **self._options)
        return [NodeWithScore(node=_text_node(hit.node, hit.why), score=hit.score) for hit in found]


class MemoryBlock(BaseMemoryBlock[str]):
    """For `Memory(memory_blocks=[…])`: observes what leaves the short-term memory and adds the context of a message."""

    name: str = "omoide"
    memory: Any = Field(exclude=True, repr=False)  # a Memory; Any, because pydantic would validate it
    session: str | None = None
    budget: int | None = None

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = next((each.content for each in reversed(messages or ()) if each.role == MessageRole.USER), None)
        return await asyncio.to_thread(context_for, self.memory, asked or "", self.budget)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        turns = [
            {
                "text": each.content,
                "role": _role(each),
                "session": self.session or each.additional_kwargs.get("session_id"),
            }
            for each in messages
            if (each.content or "").strip()
        ]
        await asyncio.to_thread(self.memory.observe_many, turns)


class ChatMemory(BaseMemory):
    """For `chat_engine(memory=…)`: the conversation of a session, preceded by the context of the input."""

    memory: Any = Field(exclude=True, repr=False)
    session: str
    budget: int | None = None

    @classmethod
    def from_defaults(cls, **given: Any) -> ChatMemory:
        return cls(**given)

    def get(self, input: str | None = None, **_: Any) -> list[ChatMessage]:
        messages = self.get_all()
        found = context_for(self.memory, input or "", self.budget)
        return [ChatMessage(role=MessageRole.SYSTEM, content=found), *messages] if found else messages

    def get_all(self) -> list[ChatMessage]:
        return [_message(each) for each in self._conversation.items()]

    def put(self, message: ChatMessage) -> None:
        self._conversation.add([_item_of(message)])

    def set(self, messages: list[ChatMessage]) -> None:
        """Replaces the conversation; what was said before stays remembered. A continuation is not stored twice."""
        old = [each.model_dump(mode="json") for each in self.get_all()]
        new = [each.model_dump(mode="json") for each in messages]
        if new[: len(old)] != old:
            self.reset()
            old = []
        self._conversation.add(_item_of(each) for each in messages[len(old) :])

    def reset(self) -> None:
        """Starts the conversation again. What was said stays remembered; `memory.forget` erases it."""
        self._conversation.clear()

    @property
    def _conversation(self) -> StoredConversation:
        return StoredConversation(self.memory, self.session, "llamaindex")


def _text_node(node: Node, why: str) -> TextNode:
    return TextNode(
        id_=str(node.id),
        text=node.full_text,
        metadata={"kind": node.kind, "event_at": node.event_at.isoformat(), "session": node.session, "why": why},
        excluded_llm_metadata_keys=["why"],
        excluded_embed_metadata_keys=["why"],
    )


def _role(message: ChatMessage) -> str:
    if message.role in (MessageRole.TOOL, MessageRole.FUNCTION):
        name = str(message.additional_kwargs.get("name") or "function")
        return f"tool:{''.join(name.split())[:90]}"
    return _ROLES.get(message.role, "system")


def _item_of(message: ChatMessage) -> ConversationItem:
    return ConversationItem(message.model_dump(mode="json"), _role(message), message.content or "")


def _message(found: dict[str, Any] | Node) -> ChatMessage:
    if isinstance(found, Node):
        role = MessageRole.USER if found.role == "user" else MessageRole.ASSISTANT
        return ChatMessage(role=role, content=found.text)
    return ChatMessage.model_validate(found)
