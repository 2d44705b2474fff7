"""The judge: the probability that a clause is worth keeping, and what kind of statement it is.

It is a linear model, trained by models/judge/train.py on conversations in models/judge/data. The weights for words and
cues are part of this package. Those for vectors come with the embedder that they were trained for; they are used for
texts that it supports.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from omoide.language.text import index_text
from omoide.learn.proposal import StatementKind
from omoide.learn.statements.features import ClauseFeatures, Modality, Person
from omoide.providers.protocols import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KINDS: tuple[StatementKind, ...] = get_args(StatementKind)
BUCKETS = 1 << 12  # of hashed words
REPLY_CHARACTERS = 120  # of the agent's turn before; its beginning says what it was about

_MODALITIES: tuple[str, ...] = get_args(Modality)
_PERSONS: tuple[str, ...] = get_args(Person)
_FLAGS = (
    "name kin number date future past lasting negated change hedge laugh preference opinion plan event procedure "
    "standing possessive unresolved fragment in_question in_request bullet"
).split()
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?|\d+|[?!:]")
_SHORT, _LONG = 3, 12  # words
_COMBINED = 0.7  # weight of a combination of cues beside that of a word


@dataclass(frozen=True, slots=True)
class Verdict:
    """The calibrated probability that a clause is worth keeping, and its most probable kind."""

    keep: float
    kind: StatementKind
    kind_probability: float


@dataclass(frozen=True, slots=True)
class JudgeWeights:
    """One column per head: keep, then the kinds. `scale` and `offset` make a score of keep a probability."""

    cues: NDArray[np.float32]  # one row per column of `cue_matrix`, and the bias
    words: NDArray[np.float32]  # one row per bucket
    vectors: NDArray[np.float32] | None  # rows for the vectors of the clause and the reply
    scale: float
    offset: float

    @classmethod
    def load(cls, path: Path) -> JudgeWeights:
        import numpy as np

        with np.load(path, allow_pickle=False) as held:
            vectors = held["vectors"].astype(np.float32) if "vectors" in held else None
            scale, offset = map(float, held["calibration"])
            return cls(held["cues"].astype(np.float32), held["words"].astype(np.float32), vectors, scale, offset)


class Judge:
    """Scores clauses in batches. Without an embedder, or with one it was not trained for, it goes by words and cues."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        path = _vector_weights(embedder.name) if embedder else None
        self._embedder = embedder if path else None
        self._vector_path = path

    def score(self, clauses: Sequence[ClauseFeatures]) -> list[float]:
        """Returns the probability of each clause to be worth keeping."""
        return [each.keep for each in self.verdicts(clauses)]

    def verdicts(self, clauses: Sequence[ClauseFeatures]) -> list[Verdict]:
        if not clauses:
            return []
        import numpy as np

        scores = _scores(clauses, _loaded(_WORD_WEIGHTS))
        read = [place for place, each in enumerate(clauses) if self._supports(each.text)]
        if read and self._vector_path and self._embedder:
            chosen = [clauses[place] for place in read]
            scores[read] = _scores(chosen, _loaded(self._vector_path), vectors_of(chosen, self._embedder))
        kinds = np.exp(scores[:, 1:] - scores[:, 1:].max(axis=1, keepdims=True))
        kinds /= kinds.sum(axis=1, keepdims=True)
        keep = 1 / (1 + np.exp(-scores[:, 0]))
        return [
            Verdict(float(keep[row]), KINDS[best], float(kinds[row, best]))
            for row, best in enumerate(kinds.argmax(axis=1))
        ]

    def _supports(self, text: str) -> bool:
        supports = getattr(self._embedder, "supports", None)
        return self._embedder is not None and (supports is None or supports(text))


def cue_matrix(clauses: Sequence[ClauseFeatures]) -> NDArray[np.float32]:
    """What the reader knows about each clause, as numbers; the last column is 1."""
    import numpy as np

    return np.array([_cues(each) for each in clauses], dtype=np.float32)


def _cues(clause: ClauseFeatures) -> list[float]:
    words = len(clause.text.split())
    return [
        *(float(clause.modality == each) for each in _MODALITIES),
        *(float(clause.person == each) for each in _PERSONS),
        *(float(each in clause.flags) for each in _FLAGS),
        float(clause.slot is not None),
        min(words, 30) / 10,
        float(words < _SHORT),
        float(words > _LONG),
        clause.position,
        min(clause.turn_words, 100) / 50,
        float(not clause.before),
        float(clause.reply.rstrip().endswith("?")),
        1.0,
    ]


def word_buckets(clause: ClauseFeatures) -> dict[int, float]:
    """The words of a clause, pairs of them, and pairs of cues, as buckets with weights of length 1."""
    found: dict[int, float] = {}
    for term, weight in _terms(clause):
        found[zlib.crc32(term.encode("utf-8", "replace")) % BUCKETS] = weight
    length = sum(weight * weight for weight in found.values()) ** 0.5 or 1.0
    return {bucket: weight / length for bucket, weight in found.items()}


def _terms(clause: ClauseFeatures) -> Iterator[tuple[str, float]]:
    words = _words(clause.restated)
    yield from ((word, 1.0) for word in words)
    yield from ((f"{first} {second}", 1.0) for first, second in zip(["^", *words], [*words, "$"], strict=True))
    yield from ((f"first {word}", 1.0) for word in _words(clause.text)[:1])
    yield from ((f"before {word}", _COMBINED) for word in _words(clause.before)[-2:])
    yield f"{clause.modality} {clause.person}", _COMBINED
    yield f"slot {clause.slot}", 1.0
    for flag in clause.flags:
        yield f"{clause.person} {flag}", _COMBINED
        yield from ((f"{flag} {other}", _COMBINED) for other in clause.flags if flag < other)


def _words(text: str) -> list[str]:
    return ["0" if word.isdigit() else word for word in _TOKEN.findall((index_text(text) or text).lower())]


def vectors_of(clauses: Sequence[ClauseFeatures], embedder: Embedder) -> NDArray[np.float32]:
    """The vectors of each clause and of the agent's turn before, side by side; zeros where there is none."""
    import numpy as np

    rows = [(each.text, each.reply[:REPLY_CHARACTERS]) for each in clauses]
    texts = list(dict.fromkeys(text for row in rows for text in row if text.strip()))
    held = np.vstack([embedder.embed(texts), np.zeros((1, embedder.dimensions), np.float32)])
    place = {text: number for number, text in enumerate(texts)}
    return np.hstack([held[[place.get(row[part], -1) for row in rows]] for part in range(2)])


def _scores(
    clauses: Sequence[ClauseFeatures], weights: JudgeWeights, vectors: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    scores = cue_matrix(clauses) @ weights.cues
    for row, clause in enumerate(clauses):
        buckets = word_buckets(clause)
        scores[row] += list(buckets.values()) @ weights.words[list(buckets)]
    if vectors is not None and weights.vectors is not None:
        scores += vectors @ weights.vectors
    scores[:, 0] = scores[:, 0] * weights.scale + weights.offset
    return scores


_WORD_WEIGHTS = Path(__file__).with_name("judge.npz")


@cache
def _loaded(path: Path) -> JudgeWeights:
    return JudgeWeights.load(path)


@cache
def _vector_weights(embedder: str) -> Path | None:
    """The weights for the vectors of an embedder, by its name; None if it has none."""
    if find_spec("omoide_minilm") is None:
        return None
    import omoide_minilm

    path: Path | None = getattr(omoide_minilm, "JUDGE", None)
    return path if path and path.is_file() and embedder.startswith(omoide_minilm.NAME) else None
