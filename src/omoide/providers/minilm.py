"""The default offline embedder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def available() -> bool:
    return False


class MiniLM:
    name = "none"
    dimensions = 1

    def embed(self, texts: Sequence[str]) -> Any:
        raise ImportError
