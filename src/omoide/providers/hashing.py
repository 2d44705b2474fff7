"""An embedder without a model: hashed words, word pairs and letter triples, for tests and tiny installs."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

WORD_PATTERN = re.compile(r"\w+")
# What a shared feature counts. A pair adds a little to what its two words said; triples are many, and are
# there only to bring inflections, compounds and typos near each other.
WORD_WEIGHT, PAIR_WEIGHT, TRIPLE_WEIGHT = 1.0, 0.5, 0.3
# Odd, so that multiplying by them loses nothing modulo 2³². Others would do, but these may never change.
TRIPLE_MULTIPLIERS = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D], dtype=np.uint32)


class HashingEmbedder:
    """Vectors by spelling, not meaning: texts that share words or parts of words point the same way.

    The same on every machine, thousands of texts a second, nothing to load.
    """

    def __init__(self, dimensions: int = 256) -> None:
        if dimensions < 1:
            raise ValueError(f"dimensions must be at least 1, not {dimensions}")
        self._dimensions = dimensions

    @property
    def name(self) -> str:
        return f"hashing-1-{self._dimensions}"  # the 1 goes up when the vector of any text changes

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text, in order."""
        vectors = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._vector(text)
        return vectors

    def _vector(self, text: str) -> NDArray[np.float64]:
        words = WORD_PATTERN.findall(unicodedata.normalize("NFKC", text).casefold())
        features = [
            (_word_hashes(words), WORD_WEIGHT),
            (_word_hashes([f"{left} {right}" for left, right in pairwise(words)]), PAIR_WEIGHT),
            (_triple_hashes(" ".join(words)), TRIPLE_WEIGHT),
        ]
        vector = np.zeros(self._dimensions)
        for hashes, weight in features:
            vector += weight * self._place(hashes)
        if not vector.any():  # no words, or features that cancel out: still a vector, and always the same one
            vector[0] = 1.0
        return vector / np.linalg.norm(vector)

    def _place(self, hashes: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Adds each feature to its place, with a sign, so that chance meetings cancel out on the average."""
        kinds, counts = np.unique(hashes, return_counts=True)
        signs = np.where(kinds >> 31, -1.0, 1.0)
        weights = signs * np.sqrt(counts)  # a word said ten times is not ten times the topic
        places = np.bincount(kinds % self._dimensions, weights=weights, minlength=self._dimensions)
        return np.asarray(places, dtype=np.float64)


def _word_hashes(words: Sequence[str]) -> NDArray[np.uint32]:
    return np.array([zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words], dtype=np.uint32)


def _triple_hashes(text: str) -> NDArray[np.uint32]:
    """Every three letters in a row, word borders included."""
    letters = np.frombuffer(f" {text} ".encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32)
    mixed = (
        letters[:-2] * TRIPLE_MULTIPLIERS[0]
        + letters[1:-1] * TRIPLE_MULTIPLIERS[1]
        + letters[2:] * TRIPLE_MULTIPLIERS[2]
    )
    # Multiplication moves differences up only; fold the high half down before a remainder is taken.
    return np.asarray(mixed ^ (mixed >> 15), dtype=np.uint32)
