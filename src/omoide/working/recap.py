"""The recap: what an agent needs to know when it comes back, and the place of a narrative in its chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from omoide.domain import Node, Session
from omoide.domain.fence import Fence
from omoide.domain.quotation import labelled, one_line
from omoide.language.tokens import estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrativePassage:
    """A narrative with its neighbours in the chain, and the ids of the nodes it was written from."""

    narrative: Node
    previous: Node | None
    next: Node | None
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question without an answer, or a plan without a report: text of a turn or a note."""

    id: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Recap:
    """The last session: where it stood, its goals, what is still open, and what became known since.

    `narratives` and `news` have the latest first. `latest` is a sentence on what was said after the last narrative.
    """

    at: datetime
    session: Session | None = None
    latest: str | None = None
    narratives: tuple[Node, ...] = ()
    open: tuple[OpenQuestion, ...] = ()
    goals: tuple[Node, ...] = ()
    news: tuple[Node, ...] = ()
    budget: int = 500
    fence: Fence = field(default_factory=Fence.new)

    def __bool__(self) -> bool:
        return self.session is not None or bool(self.narratives)

    def __repr__(self) -> str:
        name = self.session.name if self.session else None
        return f"Recap({name!r}, {len(self.narratives)} narratives, {len(self.open)} open, {len(self.news)} new)"

    def __str__(self) -> str:
        return self.text

    @property
    def markdown(self) -> str:
        """Markdown for a prompt, fenced as data; empty if there is nothing to say."""
        text = _rendered(self._sections(), self.budget - estimate(self.fence.empty) - 1, "### ")
        return self.fence.around(text) if text else ""

    @property
    def text(self) -> str:
        return _rendered(self._sections(), self.budget, "")

    @property
    def tokens(self) -> int:
        return estimate(self.markdown)

    def _sections(self) -> list[tuple[str, list[str]]]:
        """Most important first: what does not fit is left out at the end."""
        lines = [f"- {one_line(self.latest)}"] if self.latest else []
        lines += [_node_line(node, f"{iso_day(node.event_at)}: ") for node in self.narratives]
        return [
            (self._head(), lines),
            ("Goals", [_node_line(node) for node in self.goals]),
            ("Still open", [f"- {one_line(each.text)} [id:{each.id}]" for each in self.open]),
            ("New since", [_node_line(node) for node in self.news]),
        ]

    def _head(self) -> str:
        if self.session is None:
            return "Where you were"
        return f"Where you were: {one_line(self.session.name)}, {iso_day(self.session.last_at)}"


def iso_day(at: datetime) -> str:
    """The date. Unlike an age it stays the same tomorrow."""
    return at.date().isoformat()


def _node_line(node: Node, front: str = "") -> str:
    return f"- {front}{labelled(node, node.full_text)} [id:{node.id}]"


def _rendered(sections: Sequence[tuple[str, Sequence[str]]], budget: int, mark: str) -> str:
    """Whole lines within the budget; a heading only if one of its lines fits."""
    lines: list[str] = []
    for title, found in sections:
        head = [f"{mark}{title}"]
        for line in found:
            if estimate("\n".join([*lines, *head, line])) > budget:
                return "\n".join(lines)
            lines += [*head, line]
            head = []
    return "\n".join(lines)
