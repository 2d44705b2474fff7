"""An embedder without a model: hashed words, word pairs and letter triples, for tests and small installations."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

WORD_PATTERN = re.compile(r"\w+")
# Weights of shared features. A pair adds a little to its two words. Triples are many and only bring inflections,
# compounds and typos closer.
WORD_WEIGHT, PAIR_WEIGHT, TRIPLE_WEIGHT = 1.0, 0.5, 0.3
# Odd numbers, so that the multiplication is reversible modulo 2³². Stored vectors depend on them: never change them.
TRIPLE_MULTIPLIERS = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D], dtype=np.uint32)


class HashingEmbedder:
    """Embeds by spelling, not meaning: texts that share words or parts of words are similar.

    Deterministic on every machine, thousands of texts a second, nothing to load.
    """

    def __init__(self, dimensions: int = 256) -> None:
        if dimensions < 1:
            raise ValueError(f"dimensions must be at least 1, not {dimensions}")
        self._dimensions = dimensions

    @property
    def name(self) -> str:
        return f"hashing-1-{self._dimensions}"  # raise the 1 when the vector of any text changes

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns one unit vector per text, in order."""
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
            vector += weight * self._project(hashes)
        if not vector.any():  # no words, or features that cancel out: use a fixed vector
            vector[0] = 1.0
        return vector / np.linalg.norm(vector)

    def _project(self, hashes: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Adds each feature to one dimension, with a sign, so that hash collisions cancel out on average."""
        kinds, counts = np.unique(hashes, return_counts=True)
        signs = np.where(kinds >> 31, -1.0, 1.0)
        weights = signs * np.sqrt(counts)  # a word used ten times is not ten times as important
        sums = np.bincount(kinds % self._dimensions, weights=weights, minlength=self._dimensions)
        return np.asarray(sums, dtype=np.float64)


def _word_hashes(words: Sequence[str]) -> NDArray[np.uint32]:
    return np.array([zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words], dtype=np.uint32)


def _triple_hashes(text: str) -> NDArray[np.uint32]:
    """Hashes all letter triples, word borders included."""
    letters = np.frombuffer(f" {text} ".encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32)
    mixed = (
        letters[:-2] * TRIPLE_MULTIPLIERS[0]
        + letters[1:-1] * TRIPLE_MULTIPLIERS[1]
        + letters[2:] * TRIPLE_MULTIPLIERS[2]
    )
    # Multiplication carries differences to higher bits only; fold them down before taking a remainder.
    return np.asarray(mixed ^ (mixed >> 15), dtype=np.uint32)
