"""The judge: the probability that a clause is worth keeping.

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
from omoide.learn.statements.modality import ClauseFeatures, Modality, Person
from omoide.providers.protocols import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUCKETS = 1 << 13  # of hashed words
OPEN = (0.2, 0.9)  # between these probabilities words alone do not decide
_ANSWER_CHARACTERS = 120

_MODALITIES: tuple[str, ...] = get_args(Modality)
_PERSONS: tuple[str, ...] = get_args(Person)
_OWN_FLAGS = (
    "name kin number date future past lasting change hedge laugh preference opinion plan event procedure "
    "standing possessive unresolved fragment in_question in_request bullet addressed"
).split()
_AROUND = (
    "told_on unreal_before unreal_after staged_beside staged_lately joke_beside joked_lately laugh_beside task_beside "
    "question_beside instructed_beside opens closes exclaims trails quotes introduced bracketed bare_end"
).split()
_FLAGS = (*_OWN_FLAGS, *_AROUND)
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?|\d+|[?!:]")
_SHORT, _LONG = 3, 12  # words
_ANSWER_WORDS = 8
_COMBINED = 0.7  # weight of a combination of cues beside that of a word


@dataclass(frozen=True, slots=True)
class JudgeWeights:
    """`scale` and `offset` make a score a probability."""

    cues: NDArray[np.float32]  # one per column of `cue_matrix`, and the bias
    words: NDArray[np.float32]  # one per bucket
    vectors: NDArray[np.float32] | None  # for the vector of the clause
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
        """Returns the probability of each clause to be worth keeping. Vectors are made where words leave it open."""
        if not clauses:
            return []
        cues, buckets = cue_matrix(clauses), [word_buckets(each) for each in clauses]
        found = _probabilities(cues, buckets, _loaded(_WORD_WEIGHTS))
        open_ = [place for place, each in enumerate(clauses) if self._is_open(float(found[place]), each.text)]
        if open_ and self._vector_path and self._embedder:
            vectors = vectors_of([clauses[place] for place in open_], self._embedder)
            chosen = [buckets[place] for place in open_]
            found[open_] = _probabilities(cues[open_], chosen, _loaded(self._vector_path), vectors)
        return [float(each) for each in found]

    def _is_open(self, probability: float, text: str) -> bool:
        if self._embedder is None or not OPEN[0] < probability < OPEN[1]:
            return False
        supports = getattr(self._embedder, "supports", None)
        return supports is None or bool(supports(text))


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
        float(not clause.answer),
        _echo(clause),
        1.0,
    ]


def _echo(clause: ClauseFeatures) -> float:
    """The share of the longer words of a clause that the agent's answer takes up."""
    words = {word for word in _words(clause.text) if len(word) > _SHORT}
    return len(words & set(_words(clause.answer))) / len(words) if words else 0.0


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
    yield from ((f"follows {word}", _COMBINED) for word in _words(clause.follows)[:3])
    yield from ((f"answer {word}", _COMBINED) for word in _words(clause.answer[:_ANSWER_CHARACTERS])[:_ANSWER_WORDS])
    yield f"{clause.modality} {clause.person}", _COMBINED
    yield f"slot {clause.slot}", 1.0
    flags = [flag for flag in _OWN_FLAGS if flag in clause.flags]
    for place, flag in enumerate(flags):
        yield f"{clause.person} {flag}", _COMBINED
        yield from ((f"{flag} {other}", _COMBINED) for other in flags[place + 1 :])


def _words(text: str) -> list[str]:
    return ["0" if word.isdigit() else word for word in _TOKEN.findall((index_text(text) or text).lower())]


def vectors_of(clauses: Sequence[ClauseFeatures], embedder: Embedder) -> NDArray[np.float32]:
    """The vector of each clause; equal ones are embedded once."""
    texts = list(dict.fromkeys(each.text for each in clauses))
    place = {text: number for number, text in enumerate(texts)}
    return embedder.embed(texts)[[place[each.text] for each in clauses]]


def _probabilities(
    cues: NDArray[np.float32],
    words: Sequence[dict[int, float]],
    weights: JudgeWeights,
    vectors: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]:
    import numpy as np

    scores: NDArray[np.float32] = cues @ weights.cues
    for row, buckets in enumerate(words):
        scores[row] += weights.words[list(buckets)] @ list(buckets.values())
    if vectors is not None and weights.vectors is not None:
        scores += vectors @ weights.vectors
    return np.asarray(1 / (1 + np.exp(-scores * weights.scale - weights.offset)), np.float32)


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
