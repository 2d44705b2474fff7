"""Late interaction: the best candidates are compared with the question token by token."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from omoide import Memory
from omoide.providers.protocols import Embedder
from omoide.recall.candidates import Candidates
from omoide.recall.pipeline import answer
from omoide.recall.question import RecallQuestion
from omoide.recall.recipes import RECIPES, LateInteractionSettings
from omoide.recall.scoring import WeightedTokens, add_late_scores, late_similarity, weigh_question_tokens
from omoide.recall.search import SearchSources
from omoide.store import NodeFilter
from omoide.store.search.embedding import AXES, ProjectedTokenStates, pack
from tests.conftest import NOW, Open
from tests.reading import Plain, Reading

Vectors = NDArray[np.float32]

ONE, OTHER, THIRD = np.where(np.random.default_rng(1).standard_normal((3, AXES)) > 0, 1.0, -1.0).astype(np.float32)


def words(*states: Vectors) -> WeightedTokens:
    """A question's words, all alike: one that is met exactly counts 1."""
    return WeightedTokens(np.stack(states) / np.float32(AXES), np.full(len(states), 1 / len(states), np.float32))


def text(*states: Vectors) -> bytes:
    return pack(ProjectedTokenStates(("word",) * len(states), np.array(states, np.float32).reshape(-1, AXES)))


# ── the arithmetic ────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_word_of_the_question_finds_its_closest_and_the_mean_counts() -> None:
    found = late_similarity(words(ONE, OTHER), {7: text(ONE, THIRD), 8: text(THIRD, OTHER, ONE), 9: text(THIRD)})
    near = max(ONE @ OTHER, THIRD @ OTHER) / AXES
    assert found[8] == pytest.approx(1.0)
    assert found[7] == pytest.approx((1.0 + near) / 2)
    assert found[9] == pytest.approx((THIRD @ ONE + THIRD @ OTHER) / 2 / AXES)


def test_a_text_without_a_word_meets_the_question_least() -> None:
    found = late_similarity(words(ONE), {1: text(ONE), 2: text(THIRD), 3: b""})
    assert found[3] == found[2] < found[1]


@pytest.mark.parametrize("texts", [{}, {1: b""}])
def test_without_tokens_there_is_no_similarity(texts: dict[int, bytes]) -> None:
    nothing = WeightedTokens(np.zeros((0, AXES), np.float32), np.zeros(0, np.float32))
    assert late_similarity(words(ONE), texts) == {}
    assert late_similarity(nothing, {1: text(ONE)}) == {}


def test_only_search_terms_are_compared_weighted_by_rarity() -> None:
    read = ProjectedTokenStates(("Where", "is", "Otto", "'", "s", "Car", "?"), np.eye(7, dtype=np.float32))
    found = weigh_question_tokens(read, {"Otto": 1.0, "car": 3.0})
    assert found.states.argmax(axis=1).tolist() == [2, 5]
    assert found.weights.tolist() == [0.25, 0.75]


def test_without_search_terms_all_words_count_equally() -> None:
    read = ProjectedTokenStates(("Where", "is", "it", "?"), np.eye(4, dtype=np.float32))
    found = weigh_question_tokens(read, {"автомобиль": 2.0})
    assert found.states.argmax(axis=1).tolist() == [0, 1, 2]
    assert found.weights.tolist() == pytest.approx([1 / 3] * 3)
    assert len(weigh_question_tokens(ProjectedTokenStates(("?",), np.ones((1, 7), np.float32)), {}).states) == 0


def test_a_rare_word_that_is_met_counts_more_than_a_common_one() -> None:
    question = replace(words(ONE, OTHER), weights=np.array([0.8, 0.2], np.float32))
    found = late_similarity(question, {1: text(ONE), 2: text(OTHER)})
    assert found[1] > found[2]


def test_the_most_alike_gains_the_whole_weight_and_the_least_nothing() -> None:
    before = Candidates.of({1: 1.0, 2: 0.9, 3: 0.8})
    after = add_late_scores(before, before.best(3), {1: 0.2, 2: 0.6, 3: 0.4}, LateInteractionSettings(weight=0.8))
    assert after.scores == pytest.approx([1.0, 1.7, 0.8 + 0.8 * 0.25])  # half as similar counts a quarter


def test_a_node_without_vectors_gets_the_average_share() -> None:
    before = Candidates.of({1: 1.0, 2: 0.9, 3: 0.8, 4: 1.0})
    after = add_late_scores(before, before.best(4), {1: 0.2, 2: 0.6, 3: 0.4}, LateInteractionSettings(weight=0.8))
    assert after.scores[3] == pytest.approx(1.0 + 0.8 * (0 + 1 + 0.25) / 3)
    assert after.reasons([4])[4] == []


def test_a_node_that_is_not_compared_keeps_its_score() -> None:
    before = Candidates.of({1: 1.0, 2: 0.9, 3: 0.1})
    after = add_late_scores(before, before.best(2), {1: 0.2, 2: 0.6}, LateInteractionSettings())
    assert after.scores[2] == 0.1


def test_a_short_text_gains_less() -> None:
    before = Candidates.of({1: 1.0, 2: 0.9})
    worth = np.array([1.0, 0.5])
    after = add_late_scores(before, before.best(2), {1: 0.2, 2: 0.6}, LateInteractionSettings(weight=0.8), worth)
    assert after.scores == pytest.approx([1.0, 0.9 + 0.4])


def test_nothing_compared_changes_nothing() -> None:
    before = Candidates.of({1: 1.0, 2: 0.9})
    assert add_late_scores(before, before.best(2), {}, LateInteractionSettings()) is before


def test_the_closest_say_so_and_the_others_do_not() -> None:
    before = Candidates.of({1: 1.0, 2: 0.9, 3: 0.8})
    after = add_late_scores(before, before.best(3), {1: 0.1, 2: 0.6, 3: 0.5}, LateInteractionSettings())
    assert list(after.reasons([1, 2, 3]).values()) == [
        [],
        [("late_interaction", 1, "close in wording and meaning")],
        [("late_interaction", 2, "close in wording and meaning")],
    ]


# ── the stage ─────────────────────────────────────────────────────────────────────────────────────────────────────


def told(memory: Memory, *texts: str) -> Memory:
    for each in texts:
        memory.remember(each)
    memory.flush()
    return memory


def stages(memory: Memory, question: str, **given: str) -> dict[str, str]:
    return {step.stage: step.note for step in memory.recall(question, **given).trace.steps}  # type: ignore[arg-type]


TOLD = ["Otto met a musician", "Otto met a physician", "Otto met a mathematician"]


def test_a_word_of_the_same_meaning_brings_a_memory_to_the_front(opened: Open) -> None:
    memory = told(opened(embedder=Reading()), *TOLD)
    first = memory.recall("Which doctor did Otto meet?").hits[0]
    assert first.text == "Otto met a physician"
    assert "close in wording and meaning (1st)" in first.why
    assert "late_interaction" in first.arms


def test_a_new_turn_without_token_states_is_not_pushed_down(opened: Open) -> None:
    memory = told(opened(embedder=Reading()), *TOLD, "the doctor is in", "rain all day")
    memory.close()
    opened().remember("Otto saw his doctor today")  # by a process without an embedder
    later = opened(embedder=Waiting())
    found = later.recall("Otto saw which doctor?")
    assert later.admin.pending_embeddings() == 1
    assert found.texts.index("Otto saw his doctor today") < found.texts.index("Otto met a musician")


class Waiting(Reading):
    """Reads questions; texts have to wait."""

    def embed_tokens(self, texts: object) -> object:  # type: ignore[override]
        if texts != ["Otto saw which doctor?"]:
            raise ConnectionError("later")
        return super().embed_tokens(texts)


def test_the_trace_says_how_many_were_compared(opened: Open) -> None:
    memory = told(opened(embedder=Reading()), *TOLD)
    assert stages(memory, "Otto")["late_interaction"] == "3 of the best 3 compared word by word"


@pytest.mark.parametrize(
    ("embedder", "reason"),
    [(None, "skipped, no embedder was given"), (Plain(), "skipped, reading gives no token states")],
)
def test_the_trace_says_why_nothing_was_compared(opened: Open, embedder: Embedder | None, reason: str) -> None:
    memory = told(opened(embedder=embedder), *TOLD)
    assert stages(memory, "Otto")["late_interaction"] == reason


class English(Reading):
    """Says what it cannot read."""

    def supports(self, text: str) -> bool:
        if "poison" in text:
            raise RuntimeError("not this")
        return text.isascii()


def test_an_unsupported_language_is_not_compared_and_its_vector_counts_little(opened: Open) -> None:
    memory = told(opened(embedder=English()), "ключи в кухне", "ключи Отто")
    found = memory.recall("где ключи")
    assert stages(memory, "где ключи")["late_interaction"] == "skipped, reading was not made for this language"
    assert {"keyword", "vector"} <= set(found.hits[0].arms)
    sure = told(opened(embedder=Reading())).recall("где ключи")
    assert found.hits[0].score < sure.hits[0].score


def test_an_embedder_that_fails_to_give_token_states_is_skipped(opened: Open) -> None:
    memory = told(opened(embedder=English()), *TOLD)
    assert stages(memory, "poison")["vector"] == "skipped, reading: RuntimeError: not this"


def test_a_question_is_embedded_once_for_all_that_go_by_it(opened: Open) -> None:
    embedder = Reading()
    memory = told(opened(embedder=embedder), *TOLD)
    memory.recall("Which doctor did Otto meet?")
    assert embedder.asked.count("Which doctor did Otto meet?") == 1


def test_a_recipe_that_goes_by_words_alone_does_not_embed_the_question(opened: Open) -> None:
    embedder = Reading()
    memory = told(opened(embedder=embedder), *TOLD)
    seen = stages(memory, "Which doctor did Otto meet?", recipe="keyword")
    assert "embed" not in seen
    assert "Which doctor did Otto meet?" not in embedder.asked


def test_a_question_for_a_time_alone_is_not_embedded(opened: Open) -> None:
    embedder = Reading()
    memory = told(opened(embedder=embedder), *TOLD)
    memory.recall("What did we discuss yesterday?")
    assert "What did we discuss yesterday?" not in embedder.asked


def test_how_much_it_counts_is_a_part_of_the_recipe(opened: Open) -> None:
    embedder = Reading()
    memory = told(opened(embedder=embedder), *TOLD)
    sources = SearchSources(memory._store, embedder, lambda: memory._core.background.model_id, "")
    everyday = RECIPES["everyday"]
    scores = []
    for weight in (0.2, 0.4, 0.6):
        recipe = replace(everyday, late_interaction=LateInteractionSettings(weight=weight))
        question = RecallQuestion(
            text="Which doctor did Otto meet?", at=NOW, limit=10, filter=NodeFilter(), recipe=recipe
        )
        scores.append(answer(question, sources).hits[0].score)
    assert scores[1] - scores[0] == pytest.approx(scores[2] - scores[1])
    assert scores[0] < scores[1]
