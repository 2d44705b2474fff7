"""What goes to the model before a reply: memories and conversation as messages, and the memories alone as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from omoide.layers import Node
from omoide.recall.fit import Line, Section
from omoide.recall.hit import Recall
from omoide.recall.inject import CLOSE, OPEN, defused, markdown

EACH = 4  # tokens that a chat format spends on a message beside its words; OpenAI documents 3 and one for the role
STANDING = ("Preferences", "About the user")
EARLIER = "Earlier in this conversation"
GOALS = "Goals"
Message = dict[str, str]
_BOLD = re.compile(r"\*\*(.+?)\*\*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """`messages` never cost more than `budget`; the memories alone are in them too, and cost less."""

    messages: tuple[Message, ...]
    sections: tuple[Section, ...]  # what changes least first
    tokens: int
    budget: int
    added: tuple[int, ...]  # memories that were not in the window before
    triggers: tuple[str, ...]
    notes: tuple[str, ...]
    recall: Recall | None

    @property
    def ids(self) -> list[int]:
        return [line.id for section in self.sections for line in section.lines if line.id is not None]

    @property
    def markdown(self) -> str:
        """All memories, fenced as data."""
        return markdown(self.sections)

    @property
    def text(self) -> str:
        """The same without Markdown."""
        return plain(self.sections)

    @property
    def news(self) -> str:
        """Only what was not in the window before: for a loop that appends to a history of its own."""
        fresh = set(self.added)
        return markdown(_only(self.sections, fresh))


def plain(sections: Sequence[Section]) -> str:
    if not sections:
        return ""
    parts = [
        f"{section.title}:\n" + "\n".join(_BOLD.sub(r"\1", line.text) for line in section.lines) for section in sections
    ]
    return "\n".join((OPEN, *parts, CLOSE))


def _only(sections: Sequence[Section], ids: set[int]) -> list[Section]:
    kept = [Section(each.title, tuple(line for line in each.lines if line.id in ids)) for each in sections]
    return [section for section in kept if section.lines]


def messages(system: str, sections: Sequence[Section], talk: Sequence[Message]) -> list[Message]:
    """The system prompt with what stands always, the conversation, and the rest beside the latest message.

    In this order a prompt begins as the one before it did, up to the latest turn, and prompt caches hold: memories
    that change with every message stand at the end.
    """
    lasting = [each for each in sections if each.title in (*STANDING, EARLIER)]
    passing = [each for each in sections if each.title not in (*STANDING, EARLIER)]
    head = "\n\n".join(filter(None, (system, markdown(lasting))))
    found = [{"role": "system", "content": head}] if head else []
    if not talk:
        return found + ([{"role": "user", "content": markdown(passing)}] if passing else [])
    *before, latest = talk
    content = "\n\n".join(filter(None, (markdown(passing), latest["content"])))
    return [*found, *before, {**latest, "content": content}]


def cost(found: Sequence[Message], count: Callable[[str], int]) -> int:
    return sum(count(each["content"]) + EACH for each in found)


def spoken(node: Node, text: str) -> Message:
    """A turn as chat formats have it. What tools and others said is told under their name, as data."""
    if node.role == "agent":
        return {"role": "assistant", "content": text}
    if node.role == "user":
        named = node.speaker and not text.startswith(f"{node.speaker}:")
        return {"role": "user", "content": f"{node.speaker}: {text}" if named else text}
    return {"role": "user", "content": f"[{node.role}] {defused(text)}"}


def earlier(node: Node, text: str) -> Line:
    """What is told whole and has neither age nor confidence: the turns that left the window, summed up; a goal."""
    return Line(node, f"- {defused(' '.join(text.split()))} [id:{node.id}]", 0)
