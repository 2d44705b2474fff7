"""An embedder for tests that gives the states of words: each has a direction, words of one meaning have the same."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from omoide.providers.protocols import TokenStates

SAME = {"physician": "doctor", "automobile": "car"}


class Plain:
    """A vector a text, from its words; no states."""

    name = "reading"
    dimensions = 24

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        found = np.zeros((len(texts), self.dimensions))
        for row, text in zip(found, texts, strict=True):
            for word in words(text):
                row += direction(word, self.dimensions)
        return np.asarray(found / np.maximum(1e-9, np.linalg.norm(found, axis=1, keepdims=True)), np.float32)


class Reading(Plain):
    """The same vectors, with the states of the words."""

    def embed_tokens(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], list[TokenStates]]:
        return self.embed(texts), [
            TokenStates(
                words(text), np.array([direction(word, 48) for word in words(text)], np.float32).reshape(-1, 48)
            )
            for text in texts
        ]


def words(text: str) -> tuple[str, ...]:
    """Split at spaces, a mark at the end of a word apart."""
    return tuple(
        part for word in text.split() for part in (word.rstrip("?!.…"), word[len(word.rstrip("?!.…")) :]) if part
    )


def direction(word: str, width: int) -> NDArray[np.float64]:
    meant = SAME.get(word.lower(), word.lower())
    return np.random.default_rng(crc32(meant.encode())).standard_normal(width)
