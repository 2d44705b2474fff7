"""Understanding a question, fusing scores and spreading them, each by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from omoide.recall.candidates import ArmCandidate, ArmResult, Candidates
from omoide.recall.question import RecallQuestion, understand
from omoide.recall.recipes import RECIPES, NeighbourSettings, RecipeArm
from omoide.recall.scoring import (
    AboveLeast,
    MinMaxScore,
    Neighbours,
    RawScore,
    ReciprocalRank,
    fuse,
    share_with_neighbours,
)
from omoide.store import NodeFilter
from tests.conftest import NOW

HALF = NeighbourSettings(shares=(0.5, 0.35))


def asked(text: str) -> RecallQuestion:
    return RecallQuestion(text=text, at=NOW, limit=10, filter=NodeFilter(), recipe=RECIPES["everyday"])


def found(arm: str, *scores: tuple[int, float]) -> ArmResult:
    return ArmResult.ranked(arm, [ArmCandidate(id, score, arm) for id, score in scores])


def beside(*pairs: tuple[int, int, int, int]) -> Neighbours:
    """(giver, receiver, distance, length of the receiver)."""
    return Neighbours(*np.array(pairs).T)


def test_a_question_has_terms_phrases_entities_and_a_time() -> None:
    query = understand(asked('What did Anna say about "edge functions" yesterday?'), {"anna": (7,)})
    assert query.terms == ("Anna", "say", "edge", "functions", "yesterday")
    assert query.phrases == ("edge functions",)
    assert query.entities == (7,)
    assert query.when is not None
    assert not query.when.pure


def test_a_question_of_stop_words_keeps_them_as_terms() -> None:
    assert understand(asked("who are you"), {}).terms == ("who", "are", "you")


def test_two_forms_of_one_word_count_once() -> None:
    assert understand(asked("deploys or deployed or deploy"), {}).terms == ("deploys", "deployed")


def test_names_of_up_to_three_words_are_found() -> None:
    names = {"new york city": (1,), "york": (2,), "otto": (3,)}
    assert set(understand(asked("Did OTTO move to New York City?"), names).entities) == {1, 3}  # York is elsewhere
    assert set(understand(asked("From York to New York City?"), names).entities) == {1, 2}


def test_reciprocal_ranks_are_summed_by_weight() -> None:
    fused = fuse(
        [
            (RecipeArm(arm="keyword", normalise=ReciprocalRank(60)), found("keyword", (1, 9.0), (2, 5.0))),
            (RecipeArm(arm="vector", weight=0.5, normalise=ReciprocalRank(60)), found("vector", (2, 0.9))),
        ]
    )
    assert fused.scores == pytest.approx([1 / 61, 1 / 62 + 0.5 / 61])
    assert [(arm, rank) for arm, rank, _ in fused.reasons([2])[2]] == [("keyword", 2), ("vector", 1)]


def test_min_max_scores_are_summed() -> None:
    cut_off = replace(found("keyword", (1, 9.0), (2, 5.0), (3, 1.0)), complete=False)
    fused = fuse(
        [(RecipeArm(arm="keyword"), cut_off), (RecipeArm(arm="vector", weight=0.6), found("vector", (2, 0.9)))]
    )
    assert fused.scores[:2] == pytest.approx([1.0, 0.5 + 0.6])
    assert 0 < fused.scores[2] < 0.01


def test_a_node_that_one_arm_finds_twice_counts_twice() -> None:
    fused = fuse([(RecipeArm(arm="causal", normalise=RawScore()), found("causal", (1, 0.5), (1, 0.2)))])
    assert dict(fused.in_order()) == {1: pytest.approx(0.7)}


def test_a_complete_result_scales_from_zero() -> None:
    assert MinMaxScore()(found("keyword", (1, 9.0), (2, 3.0))) == pytest.approx([1.0, 1 / 3])


def test_what_exceeds_the_least_counts() -> None:
    assert AboveLeast(0.2)(found("constraint", (1, 0.5), (2, 0.1))) == pytest.approx([0.3, 0.0])


def test_raw_scores_count_unchanged() -> None:
    fused = fuse([(RecipeArm(arm="graph", weight=0.02, normalise=RawScore()), found("graph", (1, 0.9), (2, 0.6)))])
    assert fused.scores == pytest.approx([0.018, 0.012])


def test_a_neighbour_gets_the_largest_share_and_not_the_sum() -> None:
    near = beside((1, 2, 1, 100), (3, 2, 1, 100), (1, 3, 2, 100))
    spread = share_with_neighbours(Candidates.of({1: 1.0, 3: 0.8}), near, HALF)
    assert dict(spread.in_order()) == pytest.approx({1: 1.0, 2: 0.5, 3: 0.8 + 0.35})
    assert spread.reasons([2])[2] == [("neighbour", 0, "said beside [id:1]")]


def test_a_long_turn_takes_less_from_its_neighbours() -> None:
    spread = share_with_neighbours(Candidates.of({1: 1.0}), beside((1, 2, 1, 600)), HALF)
    assert dict(spread.in_order())[2] == pytest.approx(0.25)


def test_a_node_without_neighbours_counts_as_its_own() -> None:
    spread = share_with_neighbours(Candidates.of({1: 0.9, 2: 0.8}), beside((2, 3, 1, 100)), HALF)
    assert dict(spread.in_order()) == pytest.approx({1: 0.9 * 1.5, 2: 0.8, 3: 0.4})


def test_only_the_best_scores_spread() -> None:
    fused = Candidates.of({id: 1.0 / id for id in range(1, 10)})
    assert fused.ids[fused.best(3)].tolist() == [1, 2, 3]


def test_spreading_leaves_the_candidates_before_it_unchanged() -> None:
    before = Candidates.of({1: 1.0, 2: 0.4})
    share_with_neighbours(before, beside((1, 2, 1, 100)), NeighbourSettings())
    assert before.scores.tolist() == [1.0, 0.4]
    assert before.reasons([2])[2] == []
