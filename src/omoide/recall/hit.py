"""What recall hands back: hits with their reasons, best first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from omoide.layers import Node
from omoide.recall.question import Query
from omoide.recall.trace import Trace


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory that matters here, and why."""

    node: Node
    score: float
    why: str
    arms: tuple[str, ...]
    confidence: float = 1.0  # what is left of it at the time of asking
    probability: float | None = None  # that it is about what was asked, by its own words; None where it was not judged

    @property
    def id(self) -> int:
        return self.node.id

    @property
    def kind(self) -> str:
        return self.node.kind

    @property
    def text(self) -> str:
        return self.node.text

    @property
    def archived(self) -> bool:
        """Whether it is out of use and was found since the archive was asked for."""
        return self.node.state in ("archived", "expired")


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to a question. An empty one is an answer too."""

    query: Query  # the question as it was understood
    hits: tuple[Hit, ...]
    trace: Trace
    probability: float | None = None  # that the best found is about what was asked; low, and there are no hits

    @property
    def question(self) -> str:
        return self.query.question.text

    @property
    def texts(self) -> list[str]:
        return [hit.text for hit in self.hits]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)
