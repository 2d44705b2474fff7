"""The noise floor: hits that are no better than chance are not returned."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from omoide import Memory
from omoide.domain import Node
from omoide.providers.hashing import HashingEmbedder
from omoide.recall.noise_floor import (
    DEFAULT_NOISE,
    UNRELATED_QUESTIONS,
    HitEvidence,
    NoiseCalibration,
    NoiseFloor,
    names_a_topic,
    relevance_probability,
    share_of_terms_in_node,
)
from omoide.store.search.vector_index import VectorIndex
from tests.conftest import Open

FOREIGN = "What is the boiling point of tungsten?"


@pytest.fixture
def otto(opened: Open) -> Memory:
    memory = opened(embedder=HashingEmbedder())
    memory.remember("Otto lives in Berlin")
    memory.remember("Otto works at CompanyX")
    memory.remember("Otto likes jazz")
    memory.flush()
    return memory


def test_a_few_facts_are_no_answer_to_a_question_on_something_else(otto: Memory) -> None:
    answer = otto.recall(FOREIGN)
    assert answer.hits == ()
    assert answer.probability is not None
    assert answer.probability < 0.03
    assert "no hit is more relevant than chance" in str(answer.trace)


def test_a_small_memory_answers_what_it_knows(otto: Memory) -> None:
    answer = otto.recall("Where does Otto live?")
    assert answer.texts[0] == "Otto lives in Berlin"
    assert answer.hits[0].probability == answer.probability
    assert answer.hits[0].probability is not None
    assert answer.hits[0].probability > 0.9


def test_the_hits_that_were_withheld_are_named_with_the_reason(otto: Memory) -> None:
    assert set(otto.recall(FOREIGN).trace.dropped.values()) == {"no more relevant than chance"}


def test_a_pack_for_an_unrelated_question_has_only_standing_preferences(otto: Memory) -> None:
    otto.remember("Answer in German", kind="preference", category="communication", name="answers")
    otto.flush()
    assert [otto.get(id).kind for id in otto.context(FOREIGN).ids] == ["preference"]


def test_without_vectors_hits_are_never_withheld(opened: Open) -> None:
    memory = opened(embedder=None)
    memory.remember("Otto lives in Berlin")
    answer = memory.recall("Has the boiling point of tungsten been measured in Berlin?")
    assert answer.texts == ["Otto lives in Berlin"]
    assert "no vectors to judge by" in str(answer.trace)


def test_a_fact_without_a_vector_yet_is_judged_by_its_words(otto: Memory) -> None:
    asleep = Silent()
    otto.close()
    memory = Memory(otto.path, embedder=asleep)
    new = memory.remember("Anna moved to Lisbon in March")
    found = memory.recall("When did Anna move to Lisbon?")
    memory.close()
    assert next(hit.id for hit in found) == new.id


def test_a_narrow_filter_is_answered_with_what_there_is(otto: Memory) -> None:
    """Chance was measured over everything, and says nothing of the best of a few."""
    assert otto.recall(FOREIGN, kinds=["fact"]).hits


def test_a_question_without_a_topic_is_always_answered(otto: Memory) -> None:
    assert otto.recall("What do you know about me?").hits
    assert not names_a_topic(("Who", "am", "I"))
    assert names_a_topic(("tungsten",))


def test_only_recipes_that_say_so_are_judged(otto: Memory) -> None:
    answer = otto.recall(FOREIGN, recipe="reciprocal")
    assert answer.probability is None
    assert all(hit.probability is None for hit in answer)


def test_a_question_for_a_time_is_not_judged_by_its_words(otto: Memory) -> None:
    otto.observe("We walked along the lake", at="2026-05-02T10:00:00+00:00")
    otto.flush()
    assert otto.recall("What happened yesterday?", at="2026-05-03T10:00:00+00:00").texts == ["We walked along the lake"]


def test_an_embedder_that_fails_on_foreign_questions_leaves_the_hits_unjudged(opened: Open) -> None:
    memory = opened(embedder=OneByOne())
    memory.remember("Otto lives in Berlin")
    memory.flush()
    answer = memory.recall("Where does Otto live?")
    assert answer.texts == ["Otto lives in Berlin"]
    assert "RuntimeError: one text at a time" in str(answer.trace)


def test_noise_is_measured_again_only_when_the_store_has_grown() -> None:
    embedder, chances, planes = Counting(), NoiseFloor(), VectorIndex(256)
    planes.add(range(1, 101), embedder.embed([f"turn {number}" for number in range(100)]).astype("f2"))
    embedder.asked.clear()
    first = chances.calibration(planes, 1, embedder)
    planes.add(range(101, 111), embedder.embed([*UNRELATED_QUESTIONS[:10]]).astype("f2"))
    assert chances.calibration(planes, 1, embedder) is first
    planes.add(range(111, 141), embedder.embed([*UNRELATED_QUESTIONS[:30]]).astype("f2"))
    assert chances.calibration(planes, 1, embedder).noise > first.noise
    assert embedder.asked.count(len(UNRELATED_QUESTIONS)) == 1


def test_noise_is_measured_again_for_another_model() -> None:
    chances, one, other = NoiseFloor(), HashingEmbedder(256), HashingEmbedder(64)
    few, small = VectorIndex(256), VectorIndex(64)
    few.add([1], one.embed(["Otto lives in Berlin"]).astype("f2"))
    small.add([1], other.embed(["Otto lives in Berlin"]).astype("f2"))
    assert chances.calibration(few, 1, one) != chances.calibration(small, 2, other)


def test_more_evidence_is_more_probable() -> None:
    def judged(alike: float | None, words: float) -> float:
        return relevance_probability(HitEvidence(alike, words), DEFAULT_NOISE)

    assert judged(0.2, 0.0) < judged(0.4, 0.0) < judged(0.4, 0.5) < judged(0.8, 1.0) <= 1
    assert judged(None, 0.5) == judged(DEFAULT_NOISE.noise, 0.5)
    assert 0 <= judged(-1.0, 0.0) < 0.001


def test_with_more_noise_the_same_evidence_is_less_probable() -> None:
    evidence = HitEvidence(0.45, 0.3)
    narrow, broad = NoiseCalibration(0.0, 0.15), NoiseCalibration(0.0, 0.4)
    assert relevance_probability(evidence, broad) < relevance_probability(evidence, narrow)


def test_cosines_are_normalised_for_models_with_a_high_baseline() -> None:
    plain = relevance_probability(HitEvidence(0.5, 0.0), NoiseCalibration(0.0, 0.2))
    crowded = relevance_probability(HitEvidence(0.875, 0.0), NoiseCalibration(0.75, 0.8))
    assert crowded == pytest.approx(plain)


def test_the_topic_of_a_preference_counts_as_its_words(opened: Open) -> None:
    memory = opened(embedder=HashingEmbedder())
    memory.remember("User prefers yarn", kind="preference", name="package_manager")
    memory.flush()
    [known] = memory.recall("yarn", kinds=["preference"])
    assert "package" not in known.text
    assert share_of_terms_in_node(("package", "manager", "prefer"), known.node) == 1.0


def test_terms_match_without_their_endings(node: Node) -> None:
    assert share_of_terms_in_node(("live", "Otto", "Lisbon"), node) == pytest.approx(2 / 3)
    assert share_of_terms_in_node((), node) == 0


@pytest.fixture
def node(memory: Memory) -> Node:
    return memory.remember("Otto is living in Berlin")


class Counting(HashingEmbedder):
    """Remembers how many texts each call was given."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def embed(self, texts: Sequence[str]):  # type: ignore[no-untyped-def]
        self.asked.append(len(texts))
        return super().embed(texts)


class OneByOne(HashingEmbedder):
    """Refuses a batch."""

    def embed(self, texts: Sequence[str]):  # type: ignore[no-untyped-def]
        if len(texts) > 1:
            raise RuntimeError("one text at a time")
        return super().embed(texts)


class Silent(HashingEmbedder):
    """Embeds questions, and never gets round to what was said."""

    def embed(self, texts: Sequence[str]):  # type: ignore[no-untyped-def]
        if any("March" in text for text in texts):
            raise RuntimeError("not now")
        return super().embed(texts)
