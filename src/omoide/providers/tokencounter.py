"""What a token counter is: a text in, what it costs a language model out."""

from __future__ import annotations

from typing import Protocol


class TokenCounter(Protocol):
    """Counts as the model in use does, or near enough. 0 for an empty text; the same text always costs the same."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...
