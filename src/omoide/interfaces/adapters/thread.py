"""A framework's conversation kept as a session: its items whole, and as turns that are remembered as any other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from omoide.domain import Node
from omoide.memory import Memory

_MARK = "thread"
_SHELF = "threads"


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
        return [item for _, item in self._turns()]

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
        for id, item in self._turns()[-1:]:
            self._memory.admin.archive(id)
            return item
        return None

    def clear(self) -> None:
        """Begins the conversation anew. What was said stays remembered: forgetting is the user's to ask for.

        From where on is kept in a document that rests in the archive, so that nobody recalls it.
        """
        if said := self._turns():
            mark = self._memory.documents.save(
                _SHELF, self._name, "a conversation began anew", body={"after": said[-1][0]}
            )
            self._memory.admin.archive(mark.id)

    @property
    def _name(self) -> str:
        """Without the session's own, which a session that is forgotten would leave behind."""
        return blake2b(self.session.encode(), digest_size=16).hexdigest()

    def _turns(self) -> list[tuple[int, dict[str, Any] | Node]]:
        mark = self._memory.documents.get(_SHELF, self._name)
        after = 0 if mark is None else mark.details["after"]
        turns = self._memory.list(["episode"], session=self.session, order="added")
        found = ((node.id, self._item(node)) for node in turns if node.id > after)
        return [(id, item) for id, item in found if item is not None]

    def _item(self, node: Node) -> dict[str, Any] | Node | None:
        kept = node.details
        if isinstance(kept, dict) and kept.get(_MARK) == self._form:
            return dict(kept["item"])
        return node if node.role in ("user", "agent") and node.attributes["type"] == "conversation" else None
