"""Google ADK: a memory service, which its tools `load_memory` and `preload_memory` ask."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from omoide.domain import Node
from omoide.errors import NotFound, needs_extra
from omoide.memory import Memory

with needs_extra("a memory for Google ADK needs google-adk", "google-adk"):
    from google.adk.events.event import Event
    from google.adk.memory import BaseMemoryService
    from google.adk.memory.base_memory_service import SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.sessions.session import Session
    from google.genai import types

_AUTHORS = {"user": "user"}


class MemoryService(BaseMemoryService):
    """`Runner(…, memory_service=MemoryService(memory))`.

    One memory holds the words of all apps and users, and each user is told only their own. A function of app and user
    gives each a memory of their own: then everything in it is searched, what was learned too.
    """

    def __init__(self, memory: Memory | Callable[[str, str], Memory], *, limit: int = 10) -> None:
        self._memory = memory
        self._limit = limit

    async def add_session_to_memory(self, session: Session) -> None:
        """Observes the turns of a session; those that are known already are stored once."""
        await asyncio.to_thread(self._observe, session.app_name, session.user_id, session.events, session.id)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Observes some turns of a session."""
        await asyncio.to_thread(self._observe, app_name, user_id, events, session_id)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Remembers statements. What an agent states never outranks the user."""
        await asyncio.to_thread(self._remember, app_name, user_id, memories)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Recalls what matters to a query, best first."""
        found = await asyncio.to_thread(self._recall, app_name, user_id, query)
        return SearchMemoryResponse(memories=found)

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Withdraws a memory; it is not stored again when its session is."""
        if memory_id:
            await asyncio.to_thread(self._withdraw, app_name, user_id, memory_id)

    def _of(self, app: str, user: str) -> tuple[Memory, list[str]]:
        """The memory to use, and the tags that keep users apart in it."""
        if isinstance(self._memory, Memory):
            return self._memory, [f"{app}/{user}"]
        return self._memory(app, user), []

    def _observe(self, app: str, user: str, events: Sequence[Event], session: str | None) -> None:
        memory, tags = self._of(app, user)
        name = f"{app}/{user}/{session}" if session else None
        memory.observe_many(
            turn | {"session": name, "tags": tags, "key": f"adk:{app}/{user}/{turn['key']}"} for turn in _turns(events)
        )

    def _remember(self, app: str, user: str, memories: Sequence[MemoryEntry]) -> None:
        memory, tags = self._of(app, user)
        for each in memories:
            if text := _text(each.content):
                origin = _AUTHORS.get(each.author or "", "agent")
                memory.remember(text, tags=tags, origin=origin, at=each.timestamp)

    def _recall(self, app: str, user: str, query: str) -> list[MemoryEntry]:
        memory, tags = self._of(app, user)
        found = memory.recall(query, tags=tags, limit=self._limit) if query.strip() else ()
        return [_entry(hit.node, hit.text, hit.why) for hit in found]

    def _withdraw(self, app: str, user: str, id: str) -> None:
        memory, tags = self._of(app, user)
        node = memory.get(int(id))
        if not set(tags) <= set(node.tags):
            raise NotFound(f"memory {id} is none of {app}/{user}")
        memory.admin.archive(node.id, withdraw=True)


def _turns(events: Sequence[Event]) -> Iterator[dict[str, Any]]:
    for event in events:
        if (text := _text(event.content)) and not event.partial:
            yield {
                "text": text,
                "role": _AUTHORS.get(event.author, "agent"),
                "at": datetime.fromtimestamp(event.timestamp, UTC),
                "key": event.id,
            }


def _text(content: types.Content | None) -> str:
    """The words of a content, without thoughts and calls."""
    parts = (content and content.parts) or []
    return "\n".join(each.text for each in parts if each.text and not each.thought).strip()


def _entry(node: Node, text: str, why: str) -> MemoryEntry:
    author = "user" if node.role == "user" else "agent" if node.role else None
    return MemoryEntry(
        id=str(node.id),
        content=types.Content(role=author, parts=[types.Part(text=text)]),
        author=author,
        timestamp=node.event_at.isoformat(),
        custom_metadata={"kind": node.kind, "why": why},
    )
