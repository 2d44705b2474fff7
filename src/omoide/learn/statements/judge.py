"""The judge: the probability that a clause is worth keeping.

It is a linear model over cues and words, trained by models/judge/train.py on conversations in models/judge/data.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from omoide.language.text import index_text, stem, word_rank
from omoide.learn.statements.modality import ClauseFeatures, Modality, Person
from omoide.learn.statements.restate import USER_MARK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUCKETS = 1 << 16  # of hashed words
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
_MARKED = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?|\d+|[?!:,.;]")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?|\d+|[?!:]")
_SHORT, _LONG = 3, 12  # words
_ANSWER_WORDS = 8
_COMBINED = 0.7  # weight of a combination of cues beside that of a word
_BEFORE_WORDS, _REPLY_WORDS = 6, 8
_ORDINARY = 5_000  # to this place by frequency, a capital at the beginning makes no name


@dataclass(frozen=True, slots=True)
class JudgeWeights:
    """`scale` and `offset` make a score a probability."""

    cues: NDArray[np.float32]  # one per column of `cue_matrix`, and the bias
    words: NDArray[np.float32]  # one per bucket
    scale: float
    offset: float

    @classmethod
    def load(cls, path: Path) -> JudgeWeights:
        import numpy as np

        with np.load(path, allow_pickle=False) as held:
            scale, offset = map(float, held["calibration"])
            return cls(held["cues"].astype(np.float32), held["words"].astype(np.float32), scale, offset)


class Judge:
    """Scores clauses in batches."""

    def score(self, clauses: Sequence[ClauseFeatures]) -> list[float]:
        """Returns the probability of each clause to be worth keeping."""
        if not clauses:
            return []
        weights = _weights()
        scores = cue_matrix(clauses) @ weights.cues
        for row, clause in enumerate(clauses):
            buckets = word_buckets(clause)
            scores[row] += weights.words[list(buckets)] @ list(buckets.values())
        return [1 / (1 + math.exp(-float(score) * weights.scale - weights.offset)) for score in scores]


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
    shapes = ["^", *_shapes(clause.restated), "$"]
    yield from ((f"shape {shape}", 0.7) for shape in shapes[1:-1])
    yield from ((f"shape {first} {second}", 0.7) for first, second in pairwise(shapes))
    yield from ((f"around {first} {second}", 0.5) for first, second in zip(shapes, shapes[2:], strict=False))
    yield from ((f"shape before {shape}", 0.4) for shape in _shapes(clause.before)[-_BEFORE_WORDS:])
    yield from ((f"shape reply {shape}", 0.4) for shape in _shapes(clause.reply[-_ANSWER_CHARACTERS:])[-_REPLY_WORDS:])
    yield f"{clause.modality} {clause.person}", _COMBINED
    yield f"slot {clause.slot}", 1.0
    flags = [flag for flag in _OWN_FLAGS if flag in clause.flags]
    for place, flag in enumerate(flags):
        yield f"{clause.person} {flag}", _COMBINED
        yield from ((f"{flag} {other}", _COMBINED) for other in flags[place + 1 :])


def _words(text: str) -> list[str]:
    return ["0" if word.isdigit() else word for word in _TOKEN.findall((index_text(text) or text).lower())]


def _shapes(text: str) -> list[str]:
    """The words of a text as stems, so that forms of a word are one; what is a name or a number, but not which."""
    return [_shape(word, first=place == 0) for place, word in enumerate(_MARKED.findall(index_text(text) or text))]


@lru_cache(maxsize=8_192)
def _shape(word: str, *, first: bool) -> str:
    if word.isdigit():
        return "0" * min(3, (len(word) + 1) // 2)
    lowered = word.lower()
    if word == USER_MARK or not word[0].isupper() or (first and (word_rank(lowered) or _ORDINARY) < _ORDINARY):
        return stem(lowered)
    return "NAME"


@cache
def _weights() -> JudgeWeights:
    return JudgeWeights.load(Path(__file__).with_name("judge.npz"))
