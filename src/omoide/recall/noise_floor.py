"""Hits → the same with their probabilities, or none of them when chance alone would have found as much."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omoide.domain import Node
from omoide.errors import OmoideError
from omoide.language.text import has_unspaced_script
from omoide.providers.protocols import Embedder
from omoide.store import embed_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.recall.question import Query
    from omoide.recall.results import Hit
    from omoide.recall.search.arm import ArmResult, SearchSources
    from omoide.store.search.vector_index import VectorIndex


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is left of the hits, how likely the best is about what was asked, and the verdict in words."""

    hits: tuple[Hit, ...]
    probability: float | None
    verdict: str
    dropped: str = ""


def judge_hits(query: Query, hits: Sequence[Hit], found: Sequence[ArmResult], sources: SearchSources) -> Judgement:
    """Where no vector tells, every hit is kept: a shared word is some reason, and its absence finds nothing anyway."""
    least = query.question.recipe.least_probable
    if least is None or query.asks_only_for_a_time:
        return Judgement(tuple(hits), None, "not judged")
    vectors = next((arm for arm in found if arm.arm == "vector"), None)
    measured = "no vectors to judge by" if vectors is None else _measured_noise(sources)
    by = DEFAULT_NOISE if isinstance(measured, str) else measured
    alike = {each.id: each.score for each in vectors.candidates} if vectors else {}
    # What the vector arm left out is at most as alike as its last; where it left out nothing, there is no vector yet.
    beyond = None if vectors is None or vectors.complete else min(alike.values(), default=None)
    evidence = [HitEvidence(alike.get(hit.id, beyond), share_of_terms_in_node(query.terms, hit.node)) for hit in hits]
    told = tuple(
        replace(hit, probability=relevance_probability(each, by)) for hit, each in zip(hits, evidence, strict=True)
    )
    best = max((hit.probability or 0.0 for hit in told), default=0.0)
    if vectors is None or isinstance(measured, str):
        return Judgement(told, best, str(measured))
    most_alike = max(
        (each.score for each in vectors.candidates), default=0.0
    )  # it may have been ranked below the limit
    best = max(best, relevance_probability(HitEvidence(most_alike, 0.0), by))
    verdict = f"best {best:.2f}, chance alone finds {measured.chance:.2f} alike"
    if best >= least or not _may_abstain(query):
        return Judgement(told, best, verdict)
    return Judgement((), best, f"nothing here is more relevant than chance ({verdict})", "no more relevant than chance")


def _may_abstain(query: Query) -> bool:
    """Chance was measured in the whole store of today, with questions in scripts that part their words.

    The default model hardly reads the others: all texts in them are alike to it.
    """
    whole = not query.keep.selective and query.keep.as_of is None
    return whole and names_a_topic(query.terms) and not has_unspaced_script(query.question.text)


def _measured_noise(sources: SearchSources) -> NoiseCalibration | str:
    """What chance reaches here, or why that could not be measured."""
    assert sources.embedder is not None
    try:
        model = sources.model_id()
        return sources.chances.of(sources.store.planes(model), model, sources.embedder)
    except OmoideError as error:  # the hits stand without a judgement
        return f"chance could not be measured, {error}"


# How likely a hit is about what was asked: its evidence, held against what chance alone reaches in this store.
#
# The scores that rank hits are stretched anew for each question, so the best of nothing scores as high as the best of
# plenty. What is judged here is absolute: the cosine itself, and the share of the question's words that stand in the hit.


# Fitted by logistic regression on seven public sets, answerable questions against questions of other sets, each set
# with equal weight (docs/decisions/0010-relevance-floor.md).
_SLOPE, _NOISE_SLOPE, _OFFSET = 16.0, 18.8, 4.28
_WORDS_AS_COSINE = 0.4  # what all words of the question in one hit are worth, as cosine
_ENDING = 2  # letters that may differ at a word's end, as the index forgives them
# Words of a question that say that something is asked, and not what.
_TOPICLESS_WORDS = frozenset(
    """
    a am an and any anything are about can could did do does else ever everything for from have hello hey hi how i in is
    it know known me my of on or our please recall remember said say something talk talked tell that the there thing
    things this to told us was we were what when where which who why will with would you your
    """.split()
)


@dataclass(frozen=True, slots=True)
class NoiseCalibration:
    """What chance reaches, by one model in one store, measured with questions that have nothing to do with it."""

    unrelated: float  # cosine of two questions on different things
    chance: float  # cosine of such a question and the node most like it, on average: it grows with the store


DEFAULT_NOISE = NoiseCalibration(
    unrelated=0.0, chance=0.25
)  # where nothing could be measured: a store of some hundred turns


@dataclass(frozen=True, slots=True)
class HitEvidence:
    """What speaks for a hit, whatever the other hits are."""

    alike: float | None  # cosine; None where there is no vector
    shared: float  # of the question's words, 0…1


def relevance_probability(evidence: HitEvidence, by: NoiseCalibration) -> float:
    """That this hit is about what was asked. Where no vector tells, it is taken to be as alike as chance has it."""
    chance = _normalised(by.chance, by)
    alike = chance if evidence.alike is None else _normalised(evidence.alike, by)
    return 1 / (1 + math.exp(_OFFSET + _NOISE_SLOPE * chance - _SLOPE * (alike + _WORDS_AS_COSINE * evidence.shared)))


def share_of_terms_in_node(terms: Sequence[str], node: Node) -> float:
    """The share of the question's words that a reader will see in the node, give or take an ending."""
    return share_of_terms(terms, " ".join((node.text, node.speaker or "", *node.tags, _preference_topic(node))))


def _preference_topic(node: Node) -> str:
    """What a preference is one for: "prefers yarn" is about the package manager, and does not say so."""
    return str(node.attributes.get("name") or "").replace("_", " ") if node.kind == "preference" else ""


def share_of_terms(terms: Sequence[str], text: str) -> float:
    """The same of any text."""
    seen = sum(term.casefold()[: max(3, len(term) - _ENDING)] in text.casefold() for term in terms)
    return seen / len(terms) if terms else 0.0


def names_a_topic(terms: Sequence[str]) -> bool:
    """Whether the question has a word that could be missing here. "What do you know about me?" asks for anything."""
    return any(term.casefold() not in _TOPICLESS_WORDS for term in terms)


def _normalised(cosine: float, by: NoiseCalibration) -> float:
    """Models differ in what they call unlike: from 0 for unrelated texts to 1 for the same text."""
    return (cosine - by.unrelated) / max(1 - by.unrelated, 0.01)


# What chance reaches in a store, without labels: questions foreign to it are asked, and what they find is noise.


_REMEASURE_AT = 1.25  # times as many vectors as when it was measured: the best of more is more alike by chance


class NoiseFloor:
    """Measured at first need and again when the store has grown or shrunk by a quarter, or has another model.

    A measurement is 36 short texts, embedded once for each memory that is opened, and 36 searches.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()  # two threads must not measure the same
        self._model = 0
        self._questions: NDArray[np.float32] | None = None
        self._size = 0
        self._measured: NoiseCalibration | None = None

    def of(self, planes: VectorIndex, model: int, embedder: Embedder) -> NoiseCalibration:
        """Raises EmbedderFailed when the embedder does not answer as it should."""
        with self._lock:
            if self._questions is None or self._model != model:
                asked = embed_texts(embedder, UNRELATED_QUESTIONS).vectors
                self._model, self._questions, self._measured = model, asked, None
            size = len(planes)
            if self._measured is None or not self._size / _REMEASURE_AT < size < self._size * _REMEASURE_AT:
                self._size, self._measured = size, _measure_noise(planes, self._questions)
            return self._measured


def _measure_noise(planes: VectorIndex, questions: NDArray[np.float32]) -> NoiseCalibration:
    among = questions @ questions.T
    count = len(questions)
    unrelated = float(among.sum() - among.trace()) / (count * (count - 1))
    best = [score for question in questions for _, score in planes.search(question, 1)]
    return NoiseCalibration(unrelated=unrelated, chance=sum(best) / max(len(best), 1))


# Questions that have nothing to do with any memory in particular: what they find, they find by chance.


UNRELATED_QUESTIONS = (
    "What is the boiling point of tungsten?",
    "How do I change the oil of a lawn mower?",
    "Which king signed the peace treaty?",
    "Can you explain how photosynthesis works?",
    "What time does the pharmacy near the station close?",
    "Who won the chess championship in 1972?",
    "How many moons does Jupiter have?",
    "Where did she leave the keys to the boat?",
    "Please translate this paragraph into Latin.",
    "What should I cook for six guests on Sunday?",
    "Why does my printer keep jamming?",
    "Is the museum open on public holidays?",
    "When was the suspension bridge built?",
    "Which vaccine do I need before the trip?",
    "What did the lawyer say about the contract?",
    "Do penguins sleep standing up?",
    "How do I prune an old apple tree?",
    "What is the difference between a violin and a viola?",
    "How much does a ferry ticket for two bicycles cost?",
    "Can you recommend a quiet place to read?",
    "What was the name of the hotel by the lake?",
    "How do I remove rust from a cast iron pan?",
    "Which team did my cousin play for?",
    "Did the plumber send the invoice?",
    "Wie tief ist der Bodensee an seiner tiefsten Stelle?",
    "Wann kommt der Schornsteinfeger?",
    "¿Cuántos jugadores hay en un equipo de balonmano?",
    "¿Quién escribió la carta al alcalde?",
    "Quel train faut-il prendre pour aller à la mer?",
    "Pourquoi les feuilles tombent-elles en automne?",
    "Quanto custa consertar um telhado?",
    "Come si accorda un pianoforte?",
    "Сколько весит взрослый слон?",
    "Jak długo gotuje się jajko na miękko?",
    "Köprü hangi yılda yapıldı?",
    "كم عدد الكواكب في المجموعة الشمسية؟",
)
