"""What a new claim does to stored facts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from omoide import Memory
from omoide.domain import Fact
from omoide.learn.conflict import (
    AddFact,
    AddPastFact,
    ConfirmFact,
    EndFacts,
    MarkContradiction,
    NoChange,
    ReplaceFacts,
    decide_conflict,
)
from omoide.learn.proposal import Claim, Quote

MAY = datetime(2026, 5, 3, tzinfo=UTC)
JUNE = MAY + timedelta(days=31)


def claim(predicate: str, object: str, **given: Any) -> Claim:
    said = f"Otto {predicate} {object}"
    plain = Claim(subject="Otto", predicate=predicate, object=object, text=said, quote=Quote(1, said), confidence=1.0)
    return replace(plain, **given)


def fact(memory: Memory, predicate: str, object: str, at: datetime = MAY, **given: Any) -> Fact:
    node = memory.remember(
        f"Otto {predicate} {object}", subject="Otto", predicate=predicate, object=object, at=at, **given
    )
    assert isinstance(node, Fact)
    return node


def test_a_claim_about_something_new_is_added(memory: Memory) -> None:
    assert decide_conflict(claim("lives_in", "Berlin"), [], JUNE) == AddFact()


def test_the_same_said_again_confirms_whatever_its_spelling(memory: Memory) -> None:
    held = fact(memory, "lives_in", "São Paulo")
    assert decide_conflict(claim("lives_in", "sao paulo"), [held], JUNE) == ConfirmFact(held)


def test_a_new_home_replaces_the_old_one(memory: Memory) -> None:
    held = fact(memory, "lives_in", "São Paulo")
    assert decide_conflict(claim("lives_in", "Berlin"), [held], JUNE) == ReplaceFacts((held,))


def test_one_can_use_two_tools_at_once(memory: Memory) -> None:
    held = fact(memory, "uses", "Neovim")
    assert decide_conflict(claim("uses", "Zed"), [held], JUNE) == AddFact()


def test_liking_and_disliking_the_same_thing_exclude_each_other(memory: Memory) -> None:
    likes, other = fact(memory, "likes", "Docker"), fact(memory, "likes", "tea")
    assert decide_conflict(claim("dislikes", "Docker"), [likes, other], JUNE) == ReplaceFacts((likes,))


def test_a_guess_does_not_end_what_was_stated(memory: Memory) -> None:
    held = fact(memory, "lives_in", "São Paulo")
    assert decide_conflict(claim("lives_in", "Berlin", source_type="inferred"), [held], JUNE) == MarkContradiction(held)


def test_a_correction_ends_what_was_stated_even_about_the_past(memory: Memory) -> None:
    held = fact(memory, "lives_in", "São Paulo", JUNE)
    assert decide_conflict(claim("lives_in", "Rio", source_type="corrected"), [held], MAY) == ReplaceFacts((held,))


def test_what_was_stated_ends_what_was_guessed(memory: Memory) -> None:
    held = replace(fact(memory, "lives_in", "São Paulo"), source_type="inferred")
    assert decide_conflict(claim("lives_in", "Berlin"), [held], JUNE) == ReplaceFacts((held,))


def test_a_claim_about_an_earlier_time_is_kept_as_past(memory: Memory) -> None:
    held = fact(memory, "lives_in", "Berlin", JUNE)
    assert decide_conflict(claim("lives_in", "São Paulo"), [held], MAY) == AddPastFact(held)


def test_a_move_within_the_month_in_which_the_old_home_was_spoken_of_is_a_move(memory: Memory) -> None:
    held = fact(memory, "lives_in", "São Paulo", MAY + timedelta(days=10))
    assert decide_conflict(claim("lives_in", "Berlin", valid_from=MAY), [held], MAY, JUNE) == ReplaceFacts((held,))


def test_what_was_over_before_it_was_said_does_not_replace_what_holds(memory: Memory) -> None:
    held = fact(memory, "lives_in", "Berlin", MAY)
    past = claim("lives_in", "Rome", valid_until=MAY - timedelta(days=900))
    assert decide_conflict(past, [held], JUNE, JUNE) == AddPastFact(held)


def test_a_much_weaker_claim_contradicts_instead_of_ending(memory: Memory) -> None:
    held = fact(memory, "lives_in", "Berlin")
    assert decide_conflict(claim("lives_in", "Rome", confidence=0.4), [held], JUNE) == MarkContradiction(held)


def test_no_longer_ends_the_fact_and_is_none_itself(memory: Memory) -> None:
    held = fact(memory, "works_at", "Acme")
    assert decide_conflict(claim("works_at", "Acme", negated=True), [held], JUNE) == EndFacts((held,))
    assert isinstance(decide_conflict(claim("works_at", "Initech", negated=True), [held], JUNE), NoChange)
