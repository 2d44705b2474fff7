"""Microsoft Agent Framework: the history of a session, and a provider of what matters to a message."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from omoide.domain import Node
from omoide.errors import needs_extra
from omoide.interfaces.adapters.conversation import (
    ConversationItem,
    StoredConversation,
    context_for,
    or_log,
)
from omoide.memory import Memory

with needs_extra("providers for Agent Framework need agent-framework-core", "agent-framework"):
    from agent_framework import (
        AgentSession,
        ContextProvider,
        HistoryProvider,
        Message,
        SessionContext,
        SupportsAgentRun,
    )

_ROLES = {"user": "user", "assistant": "agent"}


class MemoryHistoryProvider(HistoryProvider):
    """`Agent(client, context_providers=[MemoryHistoryProvider(memory)])`: sessions are stored whole, and remembered.

    `options` are those of the framework's `HistoryProvider`, such as `store_outputs`.
    """

    def __init__(self, memory: Memory, source_id: str = "omoide-history", **options: Any) -> None:
        super().__init__(source_id, **options)
        self._memory = memory

    async def get_messages(
        self, session_id: str | None, *, state: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Message]:
        """The messages of a session in order."""
        found = await asyncio.to_thread(self._conversation(session_id).items)
        return [_message(each) for each in found]

    async def save_messages(
        self,
        session_id: str | None,
        messages: Sequence[Message],
        *,
        state: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Adds messages in one transaction."""
        await asyncio.to_thread(self._conversation(session_id).add, [_item(each) for each in messages])

    async def clear(self, session_id: str | None) -> None:
        """Starts a session again. What was said stays remembered; `memory.forget` erases it."""
        await asyncio.to_thread(self._conversation(session_id).clear)

    def _conversation(self, session: str | None) -> StoredConversation:
        return StoredConversation(self._memory, session or "default", "agent-framework")


class MemoryContextProvider(ContextProvider):
    """Adds the context of the user's message to the instructions. With `observe` both turns are stored after the run;
    leave it off beside `MemoryHistoryProvider`, which stores them already."""

    def __init__(
        self, memory: Memory, source_id: str = "omoide", *, budget: int | None = None, observe: bool = False
    ) -> None:
        super().__init__(source_id)
        self._memory = memory
        self._budget = budget
        self._observe = observe

    async def before_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        said = next((each.text for each in reversed(context.input_messages) if each.role == "user"), "")
        if found := await asyncio.to_thread(context_for, self._memory, said, self._budget):
            context.extend_instructions(self.source_id, found)

    async def after_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        if not self._observe or context.response is None:
            return
        conversation = StoredConversation(self._memory, context.session_id or "default", "agent-framework")
        items = [_item(each) for each in (*context.input_messages, *context.response.messages)]
        await asyncio.to_thread(or_log, "these turns", lambda: conversation.add(items), None)


def _item(message: Message) -> ConversationItem:
    """A message is a turn, its calls actions of the agent, their results turns of tools."""
    item = message.to_dict()
    calls = [each for each in message.contents if each.type == "function_call"]
    results = [each for each in message.contents if each.type == "function_result"]
    if message.text.strip():
        return ConversationItem(item, _ROLES.get(message.role, "system"), message.text)
    if calls:
        return ConversationItem(item, "agent", "\n".join(f"{each.name}({each.arguments})" for each in calls), "action")
    if results:
        return ConversationItem(item, "tool:function", "\n".join(str(each.result or "") for each in results))
    return ConversationItem(item, "system", "")


def _message(found: dict[str, Any] | Node) -> Message:
    if isinstance(found, Node):
        return Message("user" if found.role == "user" else "assistant", [found.text])
    return Message.from_dict(found)
