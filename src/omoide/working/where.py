"""Where things stand: what a narrative belongs between, and what an agent that comes back needs to know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from omoide.layers import Node, Session
from omoide.recall.inject import CLOSE, OPEN, defused
from omoide.tokens import estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A narrative in its chain, with the ids of what belongs to it."""

    narrative: Node
    previous: Node | None
    next: Node | None
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """A question that nobody answered, or a plan that nobody reported done: words of a turn or a note."""

    id: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The last session, where it stood, what is open, what it was for, and what became known since.

    `narratives` and `news` have the latest first. `latest` is what was said after the last narrative, in a sentence.
    """

    at: datetime
    session: Session | None = None
    latest: str | None = None
    narratives: tuple[Node, ...] = ()
    open: tuple[Open, ...] = ()
    goals: tuple[Node, ...] = ()
    news: tuple[Node, ...] = ()
    budget: int = 500

    def __bool__(self) -> bool:
        return self.session is not None or bool(self.narratives)

    @property
    def markdown(self) -> str:
        """For a prompt: fenced as data, or nothing when there is nothing to say."""
        told = _rendered(self._sections(), self.budget - estimate(f"{OPEN}\n\n{CLOSE}") - 1, "### ")
        return f"{OPEN}\n{told}\n{CLOSE}" if told else ""

    @property
    def text(self) -> str:
        return _rendered(self._sections(), self.budget, "")

    @property
    def tokens(self) -> int:
        return estimate(self.markdown)

    def _sections(self) -> list[tuple[str, list[str]]]:
        """In the order in which they are needed: what does not fit is left out from the end of the last."""
        told = [f"- {flat(self.latest)}"] if self.latest else []
        told += [_line(node, f"{day(node.event_at)}: ") for node in self.narratives]
        return [
            (self._head(), told),
            ("Goals", [_line(node) for node in self.goals]),
            ("Still open", [f"- {flat(each.text)} [id:{each.id}]" for each in self.open]),
            ("New since", [_line(node) for node in self.news]),
        ]

    def _head(self) -> str:
        if self.session is None:
            return "Where you were"
        return f"Where you were: {flat(self.session.name)}, {day(self.session.last_at)}"


def flat(text: str) -> str:
    """On one line, and without what could open or close a fence of ours."""
    return defused(" ".join(text.split()))


def day(at: datetime) -> str:
    """A date, not an age: the same words tomorrow."""
    return at.date().isoformat()


def _line(node: Node, front: str = "") -> str:
    return f"- {front}{flat(node.told)} [id:{node.id}]"


def _rendered(sections: Sequence[tuple[str, Sequence[str]]], budget: int, mark: str) -> str:
    """Whole lines within the budget, a heading only where a line of it stands."""
    lines: list[str] = []
    for title, found in sections:
        head = [f"{mark}{title}"]
        for line in found:
            if estimate("\n".join([*lines, *head, line])) > budget:
                return "\n".join(lines)
            lines += [*head, line]
            head = []
    return "\n".join(lines)
