"""A framework's conversation kept as a session: its items whole, and as turns that are remembered as any other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from omoide.layers import Node
from omoide.memory import Memory

_MARK = "thread"


@dataclass(frozen=True, slots=True)
class Said:
    """One item of a conversation: what is given back, and what is remembered of it."""

    item: dict[str, Any]
    role: str
    text: str
    type: str | None = None


class Thread:
    """`form` names whose items they are: another framework's are told as plain turns."""

    def __init__(self, memory: Memory, session: str, form: str) -> None:
        self._memory = memory
        self._form = form
        self.session = session

    def items(self) -> list[dict[str, Any] | Node]:
        """In order: our own items whole, turns that came another way as they are remembered."""
        found: list[dict[str, Any] | Node] = []
        for node in self._memory.turns(self.session):
            if _marked(node).get("cleared"):
                found.clear()
            elif (item := self._item(node)) is not None:
                found.append(item)
        return found

    def add(self, said: Iterable[Said]) -> None:
        """All of them or none, in one transaction."""
        self._memory.observe_many(
            {
                "text": each.text if each.text.strip() else f"({each.item.get('type') or each.role})",
                "role": each.role,
                "type": each.type,
                "session": self.session,
                "details": {_MARK: self._form, "item": each.item},
            }
            for each in said
        )

    def pop(self) -> dict[str, Any] | Node | None:
        """Takes the last item back: it leaves use, as what should not have been said, and is kept in the archive."""
        for node in reversed(self._memory.turns(self.session)):
            if _marked(node).get("cleared"):
                return None
            if (item := self._item(node)) is not None:
                self._memory.archive(node.id)
                return item
        return None

    def clear(self) -> None:
        """Begins the conversation anew. What was said stays remembered: forgetting is the user's to ask for."""
        if self.items():
            self._memory.observe(
                "the conversation begins anew",
                role="system",
                session=self.session,
                details={_MARK: self._form, "cleared": True},
            )

    def _item(self, node: Node) -> dict[str, Any] | Node | None:
        marked = _marked(node)
        if marked.get(_MARK) == self._form:
            return dict(marked["item"])
        return node if node.role in ("user", "agent") and node.attributes["type"] == "conversation" else None


def _marked(node: Node) -> dict[str, Any]:
    return node.details if isinstance(node.details, dict) and _MARK in node.details else {}
