"""Where things stand: what a narrative belongs between, and what an agent that comes back needs to know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from omoide.domain import Node, Session
from omoide.language.tokens import estimate
from omoide.recall.context_pack import FENCE_CLOSE, FENCE_OPEN, escape_fence


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrativePassage:
    """A narrative in its chain, with the ids of what belongs to it."""

    narrative: Node
    previous: Node | None
    next: Node | None
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that nobody answered, or a plan that nobody reported done: words of a turn or a note."""

    id: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """The last session, where it stood, what is open, what it was for, and what became known since.

    `narratives` and `news` have the latest first. `latest` is what was said after the last narrative, in a sentence.
    """

    at: datetime
    session: Session | None = None
    latest: str | None = None
    narratives: tuple[Node, ...] = ()
    open: tuple[OpenQuestion, ...] = ()
    goals: tuple[Node, ...] = ()
    news: tuple[Node, ...] = ()
    budget: int = 500

    def __bool__(self) -> bool:
        return self.session is not None or bool(self.narratives)

    @property
    def markdown(self) -> str:
        """For a prompt: fenced as data, or nothing when there is nothing to say."""
        told = _rendered(self._sections(), self.budget - estimate(f"{FENCE_OPEN}\n\n{FENCE_CLOSE}") - 1, "### ")
        return f"{FENCE_OPEN}\n{told}\n{FENCE_CLOSE}" if told else ""

    @property
    def text(self) -> str:
        return _rendered(self._sections(), self.budget, "")

    @property
    def tokens(self) -> int:
        return estimate(self.markdown)

    def _sections(self) -> list[tuple[str, list[str]]]:
        """In the order in which they are needed: what does not fit is left out from the end of the last."""
        told = [f"- {one_line(self.latest)}"] if self.latest else []
        told += [_node_line(node, f"{iso_day(node.event_at)}: ") for node in self.narratives]
        return [
            (self._head(), told),
            ("Goals", [_node_line(node) for node in self.goals]),
            ("Still open", [f"- {one_line(each.text)} [id:{each.id}]" for each in self.open]),
            ("New since", [_node_line(node) for node in self.news]),
        ]

    def _head(self) -> str:
        if self.session is None:
            return "Where you were"
        return f"Where you were: {one_line(self.session.name)}, {iso_day(self.session.last_at)}"


def one_line(text: str) -> str:
    """On one line, and without what could open or close a fence of ours."""
    return escape_fence(" ".join(text.split()))


def iso_day(at: datetime) -> str:
    """A date, not an age: the same words tomorrow."""
    return at.date().isoformat()


def _node_line(node: Node, front: str = "") -> str:
    return f"- {front}{one_line(node.full_text)} [id:{node.id}]"


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
