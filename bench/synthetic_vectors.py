"""Synthetic vectors with a realistic shape: a common direction, topics, few strong dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 384
_BLOCK = 20_000  # turns per batch, a multiple of a session
_SESSION = 20
_COMMON, _TOPIC, _OWN = (
    0.45,
    0.5,
    0.75,
)  # as of sentence embedders: unrelated texts at cosine .2, one session at about .45
_BLUR = 2.5  # noise of a question: the vector alone finds .79 of 1,000 turns, .38 of 100,000


@dataclass(frozen=True, slots=True)
class Space:
    """The distribution of the vectors; the same for every size, from one seed."""

    turn: NDArray[np.float32]  # (384, 384), a rotation with strong and weak dimensions
    common: NDArray[np.float32]

    @classmethod
    def seeded(cls, seed: int = 4) -> Space:
        chance = np.random.default_rng(seed)
        rotation, _ = np.linalg.qr(chance.standard_normal((DIMENSIONS, DIMENSIONS)))
        strength = (1 + np.arange(DIMENSIONS)) ** -0.4
        strength /= np.linalg.norm(strength)
        common = chance.standard_normal(DIMENSIONS) @ rotation.T
        return cls((strength[:, None] * rotation).astype(np.float32), _unit(common[None])[0])

    def turns(self, count: int, file: Path) -> NDArray[np.float32]:
        """Writes one unit vector per turn to a file for several processes; a smaller size uses its beginning."""
        out = np.lib.format.open_memmap(file, "w+", np.float32, (count, DIMENSIONS))
        for block, start in enumerate(range(0, count, _BLOCK)):
            stop = min(count, start + _BLOCK)
            out[start:stop] = self._block(block)[: stop - start]
        out.flush()
        return out

    def _block(self, number: int) -> NDArray[np.float32]:
        chance = np.random.default_rng((5, number))
        topics = chance.standard_normal((_BLOCK // _SESSION, DIMENSIONS), np.float32) @ self.turn
        own = chance.standard_normal((_BLOCK, DIMENSIONS), np.float32) @ self.turn
        return _unit(_COMMON * self.common + _TOPIC * np.repeat(topics, _SESSION, axis=0) + _OWN * own)

    def questions(self, evidence: NDArray[np.float32], seed: int = 6) -> NDArray[np.float32]:
        """Returns vectors near the turn that answers, with noise."""
        noise = np.random.default_rng(seed).standard_normal(evidence.shape, np.float32) @ self.turn
        return _unit(evidence + _BLUR * noise)


def _unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)
