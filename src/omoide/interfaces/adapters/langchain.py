"""LangChain: a retriever that asks recall, and a chat history that is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from omoide.domain import Node
from omoide.errors import MissingExtra
from omoide.interfaces.adapters.thread import Said, Thread
from omoide.interfaces.adapters.words import words
from omoide.memory import Memory

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
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
except ImportError as error:
    raise MissingExtra(
        'a retriever for LangChain needs langchain-core; `pip install "omoide[langchain]"` brings it'
    ) from error

_ROLES = {"human": "user", "ai": "agent", "system": "system"}


class MemoryRetriever(BaseRetriever):
    """`MemoryRetriever(memory=memory, limit=5).invoke("how do we deploy?")`; `options` are those of recall."""

    memory: Any = Field(exclude=True, repr=False)  # a Memory; Any, since pydantic would look inside
    limit: int = 10
    options: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = self.memory.recall(query, limit=self.limit, **self.options)
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


class MemoryHistory(BaseChatMessageHistory):
    """A conversation for `RunnableWithMessageHistory`; every message is a turn of one of our sessions."""

    def __init__(self, memory: Memory, session: str) -> None:
        self._thread = Thread(memory, session, "langchain")

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # theirs is an attribute that ours computes
        return [_message(each) for each in self._thread.items()]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        self._thread.add(_said(each) for each in messages)

    def clear(self) -> None:
        """Begins anew: nothing is given back any more, everything stays remembered. `memory.forget` erases."""
        self._thread.clear()


def _message(found: dict[str, Any] | Node) -> BaseMessage:
    if isinstance(found, Node):
        return HumanMessage(found.text) if found.role == "user" else AIMessage(found.text)
    return messages_from_dict([found])[0]


def _said(message: BaseMessage) -> Said:
    role = _ROLES.get(message.type, "system")
    if message.type in ("tool", "function"):
        role = f"tool:{''.join((message.name or 'function').split())[:90]}"
    text = words(message.content)
    calls = [f"{each['name']}({each['args']})" for each in getattr(message, "tool_calls", ())]
    type = "action" if calls and not text.strip() else None
    return Said(message_to_dict(message), role, text if text.strip() else "\n".join(calls), type)
