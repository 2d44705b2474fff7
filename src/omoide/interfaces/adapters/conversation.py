"""What the adapters share: texts of messages, the context of a message, and conversations stored as sessions."""

from __future__ import annotations

import logging
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from omoide.domain import Node
from omoide.memory import Memory

log = logging.getLogger("omoide.adapters")
T = TypeVar("T")
Otherwise = TypeVar("Otherwise")

_ITEM_FORMAT = "thread"
_COLLECTION = "threads"


def context_for(memory: Memory, message: str, budget: int | None = None) -> str:
    """The context of a message as Markdown; empty when nothing matters or when the memory fails."""
    if not message.strip():
        return ""
    return or_log("no memories for this message", lambda: memory.context(message, budget=budget).markdown, "")


def or_log(loss: str, work: Callable[[], T], otherwise: Otherwise) -> T | Otherwise:
    """Runs `work`; an error is logged with what is lost by it and never reaches the agent."""
    try:
        return work()
    except Exception:  # whatever it is: an agent without memory is better than no agent
        log.exception("the memory failed and the call goes on: %s", loss)
        return otherwise


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or parts of which some are text; other parts are skipped."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        found = content.get("text", content.get("refusal"))
        return found if isinstance(found, str) else ""
    if isinstance(found := getattr(content, "text", None), str):
        return found
    return "\n".join(filter(None, map(text_of, content))) if isinstance(content, list | tuple) else ""


def packed_vector(vector: Sequence[float]) -> str:
    """A vector of a framework's own embedder, as JSON can hold it."""
    return b64encode(np.asarray(vector, "<f4").tobytes()).decode()


def unpacked_vector(packed: str) -> NDArray[np.float32]:
    return np.frombuffer(b64decode(packed), "<f4")


def cosine(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / length if length else 0.0


def last_user_text(messages: Any) -> str:
    """The text of the user's last message; a string is one message."""
    if isinstance(messages, str):
        return messages
    for message in reversed(list(messages or ())):
        if isinstance(message, Mapping) and message.get("role") == "user":
            return text_of(message.get("content"))
    return ""


def session_turns(memory: Memory, session: str) -> list[Node]:
    """The turns of a session, live and archived, in order; none for a session that does not exist yet."""
    found = memory.list(["episode"], session=session, order="added", state="all")
    turns = (node for node in found if node.attributes["compression"] == "raw")  # a summary is no turn
    return [node for node in turns if node.state in ("live", "archived")]


@dataclass(frozen=True, slots=True)
class ConversationItem:
    """One item of a conversation: what is returned, and what is observed of it. Items of one `key` are stored once."""

    item: dict[str, Any]
    role: str
    text: str
    type: str | None = None
    at: str | None = None
    key: str | None = None


class StoredConversation:
    """A conversation of a framework, stored as a session: its items whole, and as turns.

    `format` names the framework: the items of another one are returned as plain turns.
    """

    def __init__(self, memory: Memory, session: str, format: str) -> None:
        self._memory = memory
        self._format = format
        self.session = session

    def items(self) -> list[dict[str, Any] | Node]:
        """Everything in order: items of this framework whole, other turns as nodes."""
        return [item for _, item in self._turns()]

    def add(self, items: Iterable[ConversationItem]) -> None:
        """Adds items in one transaction."""
        begun = self._begun()
        self._memory.observe_many(
            {
                "text": each.text if each.text.strip() else f"({each.item.get('type') or each.role})",
                "role": each.role,
                "type": each.type,
                "session": self.session,
                "at": each.at,
                "key": each.key and f"{self._name}:{begun}:{each.key}",
                "details": {_ITEM_FORMAT: self._format, "item": each.item},
            }
            for each in items
        )

    def pop(self) -> dict[str, Any] | Node | None:
        """Removes and returns the last item; it is withdrawn, not erased."""
        for id, item in self._turns()[-1:]:
            self._memory.admin.archive(id, withdraw=True)
            return item
        return None

    def clear(self) -> None:
        """Starts the conversation again. What was said stays remembered; `memory.forget` erases it.

        Where it starts is stored in a withdrawn document, so that it is never recalled.
        """
        if turns := self._turns():
            mark = self._memory.documents.save(
                _COLLECTION, self._name, "a conversation was restarted", body={"after": turns[-1][0]}
            )
            self._memory.admin.archive(mark.id, withdraw=True)

    @property
    def _name(self) -> str:
        """A digest, so that erasing the session leaves no trace of its name."""
        return blake2b(self.session.encode(), digest_size=16).hexdigest()

    def latest(self) -> Node | None:
        """The turn that was stored last."""
        return max(self._nodes(), key=lambda node: node.id, default=None)

    def _begun(self) -> int:
        """The id of the last turn before the conversation was started again."""
        mark = self._memory.documents.get(_COLLECTION, self._name)
        return 0 if mark is None else mark.details["after"]

    def _nodes(self) -> list[Node]:
        after = self._begun()
        return [node for node in session_turns(self._memory, self.session) if node.id > after]

    def _turns(self) -> list[tuple[int, dict[str, Any] | Node]]:
        found = ((node.id, self._item(node)) for node in self._nodes())
        return [(id, item) for id, item in found if item is not None]

    def _item(self, node: Node) -> dict[str, Any] | Node | None:
        kept = node.details
        if isinstance(kept, dict) and kept.get(_ITEM_FORMAT) == self._format:
            return dict(kept["item"])
        return node if node.role in ("user", "agent") and node.attributes["type"] == "conversation" else None
