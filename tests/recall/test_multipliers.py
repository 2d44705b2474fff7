"""The multipliers of a score: bounded by default, as documented for `kira` and `koshi`."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory
from omoide.domain import Node
from omoide.recall.scoring import (
    BoundedMultipliers,
    HebbianMultipliers,
    KiraBoosts,
    NoMultipliers,
    RankingView,
    apply_factors,
)
from tests.conftest import NOW

with Memory(":memory:", embedder=None) as _memory:
    PLAIN: Node = _memory.remember("tea", at=NOW)


def node(**values: object) -> Node:
    return replace(PLAIN, recorded_at=NOW, event_at=NOW, **values)  # type: ignore[arg-type]


nodes = st.builds(
    lambda importance, confidence, score, days: replace(
        node(importance=importance, confidence=confidence, score=score), event_at=NOW - timedelta(days=days)
    ),
    st.integers(1, 10),
    st.floats(0, 1),
    st.integers(-10_000, 10_000),
    st.floats(-3_000, 300_000),
)


@given(nodes, st.floats(-1_000, 10_000))
def test_every_bounded_multiplier_stays_within_its_share(it: Node, later: float) -> None:
    by = BoundedMultipliers()
    view = RankingView(now=NOW + timedelta(days=later), speaker=it.speaker, about_user=True)
    for factor in by(it, view):
        share = getattr(by, factor.name)
        assert 1 - share - 1e-9 <= factor.value <= 1 + share + 1e-9


@given(nodes, nodes)
def test_age_and_importance_never_outweigh_clear_relevance(better: Node, other: Node) -> None:
    by = BoundedMultipliers(confidence=0, reinforcement=0)
    view = RankingView(now=NOW)
    assert apply_factors(1.08, by(better, view)) > apply_factors(1.0, by(other, view))


@pytest.mark.parametrize(
    ("importance", "hours", "confidence", "expected"),
    [
        (5, 0, 1.0, 2.0),
        (5, 84, 1.0, 1.5),
        (5, 168, 1.0, 1.0),
        (5, 999, 1.0, 1.0),
        (10, 168, 0.5, 0.6),
        (1, 168, 1.0, 0.84),
    ],
)
def test_kiras_boosts(importance: int, hours: int, confidence: float, expected: float) -> None:
    it = node(importance=importance, confidence=confidence)
    moves = KiraBoosts()(it, RankingView(now=NOW + timedelta(hours=hours)))
    assert apply_factors(1.0, moves) == pytest.approx(expected)


@pytest.mark.parametrize(("score", "days", "expected"), [(0, 0, 1.0), (3, 0, 1.8221), (-1, 0, 0.8187), (0, 100, 0.5)])
def test_koshis_factors(score: int, days: int, expected: float) -> None:
    moves = HebbianMultipliers()(node(score=score), RankingView(now=NOW + timedelta(days=days)))
    assert apply_factors(1.0, moves) == pytest.approx(expected, abs=1e-4)


def test_koshis_decay_restarts_when_a_memory_was_useful() -> None:
    it = replace(node(), last_hit_at=NOW + timedelta(days=100))
    assert apply_factors(1.0, HebbianMultipliers()(it, RankingView(now=NOW + timedelta(days=100)))) == 1.0


def test_koshis_growth_does_not_overflow() -> None:
    assert math.isfinite(apply_factors(1.0, HebbianMultipliers()(node(score=10**9), RankingView(now=NOW))))


def test_no_multipliers_leave_the_score_unchanged() -> None:
    assert NoMultipliers()(PLAIN, RankingView(now=NOW)) == ()
