"""Claude Agent SDK: a store for its sessions. Transcripts come back whole; what was said in them is remembered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from typing import Any
from urllib.parse import quote, unquote

from omoide.errors import NotFound, needs_extra
from omoide.interfaces.adapters.conversation import ConversationItem, StoredConversation
from omoide.memory import Memory
from omoide.transfer.formats.claude_code import entry_records
from omoide.transfer.import_records import ImportedTurn

with needs_extra("a session store for Claude agents needs claude-agent-sdk", "claude-agent-sdk"):
    from claude_agent_sdk import SessionKey, fold_session_summary
    from claude_agent_sdk.types import (
        SessionListSubkeysKey,
        SessionStoreEntry,
        SessionStoreListEntry,
        SessionSummaryEntry,
    )

_GROUP_BYTES = 200_000  # of entries without words that are stored with the next words
_ALL = 1_000_000  # sessions


class ClaudeSessionStore:
    """`ClaudeAgentOptions(session_store=ClaudeSessionStore(memory))`.

    What users and agents say becomes turns; entries without words are stored with the turn beside them. A deleted
    session is no longer loaded and stays remembered; with `erase` it is erased for good.
    """

    def __init__(self, memory: Memory, *, erase: bool = False) -> None:
        self._memory = memory
        self._erase = erase

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Adds entries of a transcript in one transaction; the same batch again is stored once."""
        await asyncio.to_thread(self._conversation(_name(key)).add, list(_items(entries, key.get("subpath"))))

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """All entries in order, or None for a session that is not stored."""
        return await asyncio.to_thread(self._entries, _name(key)) or None

    async def list_sessions(self, project_key: str) -> list[SessionStoreListEntry]:
        """The sessions of a project, with the time of their last write."""
        return await asyncio.to_thread(lambda: [listed for listed, _ in self._listed(project_key)])

    async def list_session_summaries(self, project_key: str) -> list[SessionSummaryEntry]:
        """What the SDK shows of each session; worked out from its entries."""
        return await asyncio.to_thread(lambda: list(self._summaries(project_key)))

    async def delete(self, key: SessionKey) -> None:
        """Deletes a transcript; that of a session with those of its subagents."""
        await asyncio.to_thread(self._delete, key)

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        """The transcripts of the subagents of a session."""
        return await asyncio.to_thread(self._subpaths, _name(key))

    def _conversation(self, name: str) -> StoredConversation:
        return StoredConversation(self._memory, name, "claude-agent-sdk")

    def _entries(self, name: str) -> list[Any]:
        groups = (each["entries"] for each in self._conversation(name).items() if isinstance(each, dict))
        entries = [entry for group in groups for entry in group]
        unique: dict[Any, Any] = {}
        for number, entry in enumerate(entries):
            unique.setdefault(entry.get("uuid") or number, entry)  # of an entry that was sent twice, the first
        return list(unique.values())

    def _names(self, prefix: str) -> list[str]:
        found = (each.name for each in self._memory.sessions(limit=_ALL))
        return [name.removeprefix(prefix) for name in found if name.startswith(prefix)]

    def _listed(self, project: str) -> Iterator[tuple[SessionStoreListEntry, str]]:
        prefix = quote(project, safe="") + "/"
        for rest in self._names(prefix):
            if "/" not in rest and (latest := self._conversation(prefix + rest).latest()) is not None:
                written = int(latest.recorded_at.timestamp() * 1000)
                yield {"session_id": unquote(rest), "mtime": written}, prefix + rest

    def _summaries(self, project: str) -> Iterator[SessionSummaryEntry]:
        for listed, name in self._listed(project):
            key: SessionKey = {"project_key": project, "session_id": listed["session_id"]}
            yield {**fold_session_summary(None, key, self._entries(name)), "mtime": listed["mtime"]}

    def _subpaths(self, name: str) -> list[str]:
        found = self._names(f"{name}/")
        return sorted(each for each in found if self._conversation(f"{name}/{each}").latest() is not None)

    def _delete(self, key: SessionKey) -> None:
        name = _name(key)
        names = [name] if key.get("subpath") else [name, *(f"{name}/{each}" for each in self._subpaths(name))]
        for each in names:
            if self._erase:
                with suppress(NotFound):  # never stored
                    self._memory.forget(session=each)
            else:
                self._conversation(each).clear()


def _name(key: Mapping[str, Any]) -> str:
    """The session of a transcript."""
    parts = [quote(key["project_key"], safe=""), quote(key["session_id"], safe="")]
    return "/".join([*parts, key["subpath"]] if key.get("subpath") else parts)


def _items(entries: Iterable[Any], subpath: str | None) -> Iterator[ConversationItem]:
    """Entries with words are turns; those without are stored with the next ones, the last with those before."""
    turn: ImportedTurn | None = None
    group: list[Any] = []
    size = 0
    for entry in entries:
        said, length = _turn(entry), len(json.dumps(entry))
        if group and ((turn and said) or size + length > _GROUP_BYTES):
            yield _item(group, turn, subpath)
            group, turn, size = [], None, 0
        group.append(entry)
        turn, size = turn or said, size + length
    if group:
        yield _item(group, turn, subpath)


def _item(entries: list[Any], turn: ImportedTurn | None, subpath: str | None) -> ConversationItem:
    item = {"type": "transcript", "entries": entries}
    known = any(entry.get("uuid") for entry in entries)
    key = blake2b(json.dumps(entries).encode(), digest_size=16).hexdigest() if known else None
    if turn is None:
        return ConversationItem(item, "system", "", "system", key=key)
    role = "agent" if subpath and turn.role == "user" else turn.role  # what a subagent is asked, the agent says
    return ConversationItem(item, role, turn.text, turn.type, turn.at, key)


def _turn(entry: Mapping[str, Any]) -> ImportedTurn | None:
    """What an entry says or does, if it has words."""
    calls: dict[str, ImportedTurn] = {}
    said = list(entry_records({**entry, "isSidechain": False}, "", calls))
    return next((each for each in [*said, *calls.values()] if isinstance(each, ImportedTurn)), None)
