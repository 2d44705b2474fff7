"""What a reranker is: a question and some texts in, one number each out, higher where the text answers it better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Reads question and text together, which is slower and surer than comparing two vectors."""

    @property
    def name(self) -> str: ...

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One number a text, in order. Only their order matters."""
        ...
