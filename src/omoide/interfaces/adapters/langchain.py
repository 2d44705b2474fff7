"""LangChain: a retriever over recall, and a chat history that is remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from omoide.domain import Node
from omoide.errors import needs_extra
from omoide.interfaces.adapters.conversation import ConversationItem, StoredConversation, text_of
from omoide.memory import Memory

with needs_extra("a retriever for LangChain needs langchain-core", "langchain"):
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.documents import Document
    from langchain_core.messages import (
        AIMessage,
        BaseMessage,
        HumanMessage,
        message_to_dict,
        messages_from_dict,
    )
    from langchain_core.retrievers import BaseRetriever
    from pydantic import Field

_ROLES = {"human": "user", "ai": "agent", "system": "system"}


class LangChainRetriever(BaseRetriever):
    """`LangChainRetriever(memory=memory, limit=5).invoke("how do we deploy?")`; `options` are parameters of recall."""

    memory: Any = Field(exclude=True, repr=False)  # a Memory; Any, because pydantic would validate it
    limit: int = 10
    options: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **options: Any
    ) -> list[Document]:
        """`options` of this call come before those of the retriever: `retriever.invoke(query, limit=1)`."""
        found = self.memory.recall(query, **{"limit": self.limit, **self.options, **options})
        return [
            Document(
                id=str(hit.id),
                page_content=hit.node.full_text,
                metadata={
                    "id": hit.id,
                    "kind": hit.kind,
                    "score": hit.score,
                    "why": hit.why,
                    "event_at": hit.node.event_at.isoformat(),
                    "session": hit.node.session,
                    "speaker": hit.node.speaker or hit.node.role,
                    "tags": list(hit.node.tags),
                },
            )
            for hit in found
        ]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **options: Any
    ) -> list[Document]:
        work = partial(self._get_relevant_documents, query, run_manager=run_manager.get_sync(), **options)
        return await asyncio.to_thread(work)


class MemoryHistory(BaseChatMessageHistory):
    """A conversation for `RunnableWithMessageHistory`; every message is a turn of a session."""

    def __init__(self, memory: Memory, session: str) -> None:
        self._conversation = StoredConversation(memory, session, "langchain")

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # an attribute there, computed here
        return [_message(each) for each in self._conversation.items()]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        self._conversation.add(_item_of(each) for each in messages)

    def clear(self) -> None:
        """Starts the conversation again. What was said stays remembered; `memory.forget` erases it."""
        self._conversation.clear()


def _message(found: dict[str, Any] | Node) -> BaseMessage:
    if isinstance(found, Node):
        return HumanMessage(found.text) if found.role == "user" else AIMessage(found.text)
    return messages_from_dict([found])[0]


def _item_of(message: BaseMessage) -> ConversationItem:
    role = _ROLES.get(message.type, "system")
    if message.type in ("tool", "function"):
        role = f"tool:{''.join((message.name or 'function').split())[:90]}"
    text = text_of(message.content)
    calls = [f"{each['name']}({each['args']})" for each in getattr(message, "tool_calls", ())]
    type = "action" if calls and not text.strip() else None
    return ConversationItem(message_to_dict(message), role, text if text.strip() else "\n".join(calls), type)
