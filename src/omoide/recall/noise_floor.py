"""The noise floor: how probably a hit is relevant, and when to return nothing.

Ranking scores are normalised for each question, so the best of irrelevant hits scores as high as the best of relevant
ones. The noise floor uses absolute evidence instead: the cosine, and the share of the question's terms in the hit. It
is compared with what unrelated questions find in the same store, which is noise.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain import Node
from omoide.errors import OmoideError
from omoide.language.text import has_unspaced_script
from omoide.providers.protocols import Embedder
from omoide.recall.question import QuestionEmbedding, contained_terms, stemmed, value_of
from omoide.recall.question_cues import embed_once
from omoide.store import unpack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.recall.candidates import ArmResult, SearchSources
    from omoide.recall.question import Query
    from omoide.recall.results import Hit
    from omoide.store.search.vector_index import VectorIndex


# Logistic regression on seven public sets with equal weight: answerable questions against questions of other sets
# (docs/explanation/decisions/0010-noise-floor.md).
_SLOPE, _NOISE_SLOPE, _OFFSET = 16.0, 18.8, 4.28
_TERMS_AS_COSINE = 0.4  # what a hit that contains all terms of the question gains, as cosine
_REMEASURE_AT = 1.25  # growth of the store: the best of more vectors is more similar by chance
# Words that ask, without naming a topic.
_TOPICLESS_WORDS = frozenset(
    """
    a am an and any anything are about can could did do does else ever everything for from have hello hey hi how i in is
    it know known me my of on or our please recall remember said say something talk talked tell that the there thing
    things this to told us was we were what when where which who why will with would you your
    """.split()
)


@dataclass(frozen=True, slots=True)
class NoiseCalibration:
    """What unrelated questions reach with one model in one store."""

    unrelated: float  # mean cosine of two unrelated questions
    noise: float  # mean cosine of an unrelated question and the node most similar to it; grows with the store


DEFAULT_NOISE = NoiseCalibration(unrelated=0.0, noise=0.25)  # if it could not be measured: a few hundred turns


@dataclass(frozen=True, slots=True)
class HitEvidence:
    """The absolute evidence that a hit is relevant."""

    cosine: float | None  # None if there is no vector
    shared_terms: float  # share of the question's terms in the hit, 0…1


@dataclass(frozen=True, slots=True)
class Judgement:
    """The hits that are returned, the probability that the best is relevant, and the verdict in words."""

    hits: tuple[Hit, ...]
    probability: float | None
    verdict: str
    drop_reason: str = ""


def judge_hits(query: Query, hits: Sequence[Hit], found: Sequence[ArmResult], sources: SearchSources) -> Judgement:
    """Give every hit its probability; drop all hits if even the best is no better than noise.

    Without vectors every hit is kept: a shared term is some evidence, and without one nothing is found anyway.
    """
    least = query.recipe.min_probability
    if least is None or query.asks_only_for_time:
        return Judgement(tuple(hits), None, "not judged")
    vectors = next((arm for arm in found if arm.arm == "vector"), None)
    measured = "no vectors to judge by" if vectors is None else _measured_noise(sources)
    calibration = DEFAULT_NOISE if isinstance(measured, str) else measured
    judged = tuple(
        hit.judged(relevance_probability(each, calibration))
        for hit, each in zip(hits, _evidence(query, hits, vectors), strict=True)
    )
    best = max((hit.probability or 0.0 for hit in judged), default=0.0)
    if vectors is None or isinstance(measured, str):
        return Judgement(judged, best, str(measured))
    top_cosine = float(vectors.scores.max(initial=0.0))  # its node may rank below the limit
    best = max(best, relevance_probability(HitEvidence(top_cosine, 0.0), calibration))
    verdict = f"best {best:.2f}, the noise floor is a cosine of {measured.noise:.2f}"
    if best >= least or not _may_return_nothing(query):
        return Judgement(judged, best, verdict)
    return Judgement((), best, f"no hit is more relevant than chance ({verdict})", "no more relevant than chance")


def _evidence(query: Query, hits: Sequence[Hit], vectors: ArmResult | None) -> list[HitEvidence]:
    """A hit that the vector arm did not return is at most as similar as its last candidate; if the arm was not cut
    off, the hit has no vector."""
    cosines = dict(vectors.found) if vectors else {}
    beyond = None if vectors is None or vectors.complete else min(cosines.values(), default=None)
    return [HitEvidence(cosines.get(hit.id, beyond), share_of_terms_in_node(query.terms, hit.node)) for hit in hits]


def _may_return_nothing(query: Query) -> bool:
    """Noise was measured in the whole current store, with questions in scripts that separate words by spaces. The
    default model hardly reads other scripts."""
    whole = not query.filter.selective and query.filter.as_of is None
    looked_up = not query.is_request and names_a_topic(query.terms)  # what a request needs may share nothing with it
    return whole and looked_up and not has_unspaced_script(query.question.text)


def _measured_noise(sources: SearchSources) -> NoiseCalibration | str:
    """The calibration of this store, or why it could not be measured."""
    assert sources.embedder is not None
    try:
        model = sources.model_id()
        return sources.noise_floor.calibration(sources.vectors(), model, sources.embedder)
    except OmoideError as error:
        return f"the noise floor could not be measured, {error}"


def relevance_probability(evidence: HitEvidence, calibration: NoiseCalibration) -> float:
    """The probability that a hit is relevant. Without a vector its similarity is taken to be that of noise."""
    noise = _normalised(calibration.noise, calibration)
    cosine = noise if evidence.cosine is None else _normalised(evidence.cosine, calibration)
    gain = _SLOPE * (cosine + _TERMS_AS_COSINE * evidence.shared_terms)
    return 1 / (1 + math.exp(_OFFSET + _NOISE_SLOPE * noise - gain))


def _normalised(cosine: float, calibration: NoiseCalibration) -> float:
    """From 0 for unrelated texts to 1 for equal ones: models differ in the cosine of unrelated texts."""
    return (cosine - calibration.unrelated) / max(1 - calibration.unrelated, 0.01)


def share_of_terms_in_node(terms: Sequence[str], node: Node) -> float:
    """The share of terms in the text, speaker and tags of a node, and in the topic of a preference."""
    topic = str(node.attributes.get("name") or "").replace("_", " ") if node.kind == "preference" else ""
    return share_of_terms(terms, " ".join((node.text, node.speaker or "", *node.tags, topic)))


def share_of_terms(terms: Sequence[str], text: str) -> float:
    return len(contained_terms(terms, text)) / len(terms) if terms else 0.0


def names_a_topic(terms: Sequence[str]) -> bool:
    """Whether the question names something that could be missing. "What do you know about me?" does not."""
    return any(term.casefold() not in _TOPICLESS_WORDS for term in terms)


class NoiseFloor:
    """Measures the calibration when it is first needed, and again when the store changed in size by a quarter or has
    another model. A measurement embeds 36 short texts, once in a process, and runs 36 searches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # two threads must not measure at the same time
        self._model = 0
        self._size = 0
        self._measured: NoiseCalibration | None = None

    def calibration(self, index: VectorIndex, model: int, embedder: Embedder) -> NoiseCalibration:
        """Raises `EmbedderFailed` if the embedder fails."""
        with self._lock:
            if self._model != model:
                self._model, self._measured = model, None
            size = len(index)
            if self._measured is None or not self._size / _REMEASURE_AT < size < self._size * _REMEASURE_AT:
                questions = embed_once(embedder, UNRELATED_QUESTIONS)
                self._size, self._measured = size, _measure_noise(index, questions)
            return self._measured


def _measure_noise(index: VectorIndex, questions: NDArray[np.float32]) -> NoiseCalibration:
    from omoide.store.search.embedding import matrix_product

    cosines = matrix_product(questions, questions.T)
    count = len(questions)
    unrelated = float(cosines.sum() - cosines.trace()) / (count * (count - 1))
    best = [score for question in questions for _, score in index.search(question, 1)]
    return NoiseCalibration(unrelated=unrelated, noise=sum(best) / max(len(best), 1))


# Questions that belong to no memory in particular: what they find, they find by chance.
_QUESTIONS = """
    What is the boiling point of tungsten? | How do I change the oil of a lawn mower? | Which king signed the peace
    treaty? | Can you explain how photosynthesis works? | What time does the pharmacy near the station close? | Who won
    the chess championship in 1972? | How many moons does Jupiter have? | Where did she leave the keys to the boat? |
    Please translate this paragraph into Latin. | What should I cook for six guests on Sunday? | Why does my printer
    keep jamming? | Is the museum open on public holidays? | When was the suspension bridge built? | Which vaccine do I
    need before the trip? | What did the lawyer say about the contract? | Do penguins sleep standing up? | How do I
    prune an old apple tree? | What is the difference between a violin and a viola? | How much does a ferry ticket for
    two bicycles cost? | Can you recommend a quiet place to read? | What was the name of the hotel by the lake? | How do
    I remove rust from a cast iron pan? | Which team did my cousin play for? | Did the plumber send the invoice? | Wie
    tief ist der Bodensee an seiner tiefsten Stelle? | Wann kommt der Schornsteinfeger? | ¿Cuántos jugadores hay en un
    equipo de balonmano? | ¿Quién escribió la carta al alcalde? | Quel train faut-il prendre pour aller à la mer? |
    Pourquoi les feuilles tombent-elles en automne? | Quanto custa consertar um telhado? | Come si accorda un
    pianoforte? | Сколько весит взрослый слон? | Jak długo gotuje się jajko na miękko? | Köprü hangi yılda yapıldı? | كم
    عدد الكواكب في المجموعة الشمسية؟
"""
UNRELATED_QUESTIONS = tuple(" ".join(each.split()) for each in _QUESTIONS.split("|"))


# How probably the hits answer a question: which of its words they cover, compared token by token.
#
# A question about somebody known that nobody talked about ("What is Bára's husband called?") finds turns about Bára.
# They are relevant by any similarity of whole texts, but none of them covers "husband".


_BEST = 8  # hits that are read
_COVERED = 0.45  # similarity of a word and its closest token from which the word is covered
# Logistic regression on two lives and two public sets: questions against the same questions without their evidence.
_CLOSEST, _UNCOVERED, _TERMS, _EVIDENCE_OFFSET = 3.1, 2.0, 0.45, -2.35


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """What the best hits cover of a question; each from 0 to 1."""

    closest: float  # the mean similarity of its words to the closest tokens of one hit, by rarity
    uncovered: float  # the share of its words, by rarity, that no hit covers
    terms: float  # the greatest share of its terms in one hit
    missing: frozenset[str] = frozenset()  # its words that no hit covers

    @property
    def probability(self) -> float:
        """That the hits answer the question."""
        gain = _CLOSEST * self.closest - _UNCOVERED * self.uncovered + _TERMS * self.terms
        return 1 / (1 + math.exp(-gain - _EVIDENCE_OFFSET))


def answer_evidence(query: Query, hits: Sequence[Hit], sources: SearchSources) -> AnswerEvidence | None:
    """The evidence in the best hits; None without token states for the question's language."""
    import numpy as np

    embedding = query.embedding
    if not isinstance(embedding, QuestionEmbedding) or embedding.tokens is None or embedding.unsupported_language:
        return None
    asked = value_of(query)
    form = frozenset[str]() if asked is None else asked.form  # "called" is not what the answer speaks of
    known = {word.casefold(): each for word, each in sources.rarities(query.terms).items() if stemmed(word) not in form}
    words = [word.casefold() for word in embedding.tokens.words]
    weights = np.array([known[word] for word in dict.fromkeys(words) if word in known], np.float32)
    best = hits[:_BEST]
    packed = sources.store.embeddings.read_token_states(sources.model_id(), [hit.id for hit in best])
    texts = [data for data in packed.values() if data]
    if not texts or not weights.sum():
        return None
    covered = _coverage(embedding.tokens.states, words, known, texts)
    weights /= weights.sum()
    missing = covered.max(axis=0) < _COVERED
    terms = max(share_of_terms_in_node(query.terms, hit.node) for hit in best)
    names = [word for word in dict.fromkeys(words) if word in known]
    uncovered = frozenset(name for name, is_missing in zip(names, missing, strict=True) if is_missing)
    return AnswerEvidence(float((covered @ weights).max()), float(weights[missing].sum()), terms, uncovered)


def _coverage(
    states: NDArray[np.float32], words: Sequence[str], known: Mapping[str, float], texts: Sequence[bytes]
) -> NDArray[np.float32]:
    """For each text and each known word, the similarity of the word to the closest token, 1 for the same token."""
    import numpy as np

    from omoide.store.search.embedding import matrix_product

    stored, starts = unpack(texts)
    similar = np.maximum.reduceat(matrix_product(stored, states.T), starts, axis=0) / np.maximum(
        np.abs(states).sum(axis=1), 1e-6
    )
    names = [word for word in dict.fromkeys(words) if word in known]
    parts = [[place for place, word in enumerate(words) if word == name] for name in names]
    return np.stack([similar[:, places].mean(axis=1) for places in parts], axis=1)
