"""How sure we still are: one closed form, asked of the record."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.clock import DAY, to_datetime, to_micros
from omoide.domain import KINDS
from omoide.domain.decay import ConfidenceState, ForgettingCurve, currency_state, decay_by_predicate
from omoide.store.engine.connection import ASK_AGAIN_AT, EFFECTIVE_CONFIDENCE, PROTECTED
from tests.conftest import START, Ticking

MONTH = 365.25 / 12


def held(confidence: float = 1.0, accesses: int = 0) -> ConfidenceState:
    return ConfidenceState(confidence=confidence, recorded_at=START, accesses=accesses)


def after(days: float) -> int:
    return START + int(days * DAY)


def test_yodocas_curve_is_evaluated_from_the_last_use_and_never_compounds() -> None:
    assert ForgettingCurve(0.1).remaining(held(), after(30)) == pytest.approx(math.exp(-0.1 * 30**0.8))
    assert (
        ForgettingCurve(0.1).remaining(held(), after(69)) > 0.05 > ForgettingCurve(0.1).remaining(held(), after(71))
    )  # day 70, not day 9


@pytest.mark.parametrize(
    ("predicate", "months", "left"),
    [
        ("lives_in", 6, 1.0),
        ("lives_in", 8, 0.9),
        ("works_at", 26, 0.0),
        ("partner_of", 7, 0.95),
        ("married_to", 600, 1.0),
        ("likes", 10, 0.8),
        ("deployed_on", 600, 1.0),
        ("birthday", 600, 1.0),
    ],
)
def test_kiras_kinds_of_facts_age_at_their_own_pace(predicate: str, months: int, left: float) -> None:
    assert decay_by_predicate(predicate, 0.1).remaining(held(), after(months * MONTH)) == pytest.approx(left, abs=1e-6)


def test_a_fact_of_another_kind_fades_by_its_own_rate() -> None:
    assert decay_by_predicate("owns", 0.2) == ForgettingCurve(0.2)
    assert decay_by_predicate(None, 0.2) == ForgettingCurve(0.2)


def test_being_recalled_slows_decay_and_never_lifts_it_above_what_was_stated() -> None:
    curve, now = ForgettingCurve(0.1), after(30)
    assert curve.remaining(held(accesses=20), now) - curve.remaining(held(), now) == pytest.approx(0.05 * math.log(2))
    assert curve.remaining(held(0.4, accesses=10**6), now) == 0.4


def test_where_somebody_lives_is_not_surer_for_having_been_recalled() -> None:
    lives = decay_by_predicate("lives_in", 0.1)
    recalled = ConfidenceState(confidence=1.0, recorded_at=START, accessed_at=after(300), accesses=100)
    assert lives.remaining(recalled, after(300)) == lives.remaining(held(), after(300)) < 1


def test_confirming_begins_anew_and_for_good(memory: Memory, clock: Ticking) -> None:
    fact = memory.remember(
        "Otto lives in Rome",
        subject="Otto",
        predicate="lives_in",
        object="Rome",
        confidence=0.8,
        source_type="inferred",
    )
    later = to_datetime(START) + timedelta(days=400)
    assert fact.effective_confidence(later) < 0.5
    assert memory.review.confirm(fact.id).effective_confidence(later) == 1.0


def test_what_a_person_stands_behind_is_protected_and_what_a_tool_says_is_not(memory: Memory) -> None:
    assert memory.remember("Otto likes tea").protected
    assert not memory.remember("Otto likes milk", origin="tool:search").protected
    assert not memory.remember("Otto likes mate", source_type="inferred").protected
    doubtful = memory.remember("Otto likes rum", origin="document")
    assert memory.review.confirm(doubtful.id).protected


def test_packs_and_hits_show_what_is_left_today(memory: Memory, clock: Ticking) -> None:
    memory.remember("Otto owns a boat", subject="Otto", predicate="owns", confidence=0.9, source_type="inferred")
    clock.advance(days=10)
    hit = memory.recall("who owns a boat?").hits[0]
    assert hit.confidence == pytest.approx(0.9 * math.exp(-0.1 * 10**0.8), abs=1e-3)
    assert "(uncertain)" in memory.context("who owns a boat?").markdown


@settings(max_examples=50)
@given(
    kind=st.sampled_from(sorted(KINDS)),
    source=st.sampled_from(["stated", "inferred", "observed", "migration"]),
    predicate=st.sampled_from([None, "lives_in", "likes", "uses", "owns"]),
    rate=st.sampled_from([0.0, 0.05, 0.1, 1.0]),
    confidence=st.floats(0, 1),
    confirmed=st.none() | st.integers(0, 400),
    accessed=st.none() | st.integers(0, 400),
    accesses=st.integers(0, 10_000),
    days=st.integers(0, 4_000),
)
def test_sql_and_record_agree_for_any_node(
    kind: str,
    source: str,
    predicate: str | None,
    rate: float,
    confidence: float,
    confirmed: int | None,
    accessed: int | None,
    accesses: int,
    days: int,
) -> None:
    with Memory(":memory:", embedder=None, clock=lambda: START) as memory:
        store = memory._store
        node = memory.observe("a") if kind == "episode" else memory.remember("a", kind=kind)
        values = (predicate, rate, confidence, _at(confirmed), _at(accessed), accesses, node.id, source)
        told = "json_object('predicate', ?1)" if kind == "fact" and predicate else "iif(?1 IS NULL, NULL, NULL)"
        store._file.write(
            lambda db: db.execute(
                f"UPDATE node SET attributes = {told}, decay_rate = ?2, confidence = ?3, confirmed_at = ?4, "
                "last_accessed_at = ?5, access_count = ?6, source_type = ?8 WHERE id = ?7",
                values,
            )
        )
        row = store._file.read(
            lambda db: next(
                db.execute(
                    f"SELECT {EFFECTIVE_CONFIDENCE}, {PROTECTED}, {ASK_AGAIN_AT} FROM node", {"now": after(days)}
                )
            )
        )
        found = memory.get(node.id)
        assert row[0] == pytest.approx(found.effective_confidence(to_datetime(after(days))))
        assert bool(row[1]) == found.protected
        assert 0 <= row[0] <= confidence
        due = currency_state(found).ask_again_at
        assert row[2] == (None if due is None else to_micros(due))


def _at(days: int | None) -> int | None:
    return None if days is None else to_micros(to_datetime(START)) + days * DAY
