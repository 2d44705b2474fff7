"""What a person said stays believed; its age shows in dates and words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from omoide import Memory
from omoide.clock import to_datetime
from omoide.domain import Node
from omoide.domain.decay import currency_note, predicate_currency, slot_of
from omoide.domain.slots import SLOTS
from omoide.learn.model import extraction_prompt
from tests.conftest import START, Ticking

TODAY = to_datetime(START)


def fact(memory: Memory, text: str, predicate: str, object: str, **given: Any) -> Node:
    return memory.remember(text, subject=text.split()[0], predicate=predicate, object=object, **given)


@pytest.mark.parametrize(
    ("text", "predicate", "object", "days"),
    [
        ("Ilse is allergic to penicillin", "allergic_to", "penicillin", 200),
        ("Ilse is allergic to penicillin", "allergy", "penicillin", 200),
        ("Ilse has blood type O negative", "blood_type", "O negative", 365),
        ("Ilse is married to Jan", "spouse_of", "Jan", 4_000),
        ("Ilse is the sister of Maja", "sister_of", "Maja", 4_000),
    ],
)
def test_a_stated_fact_is_believed_as_much_after_years(
    memory: Memory, clock: Ticking, text: str, predicate: str, object: str, days: int
) -> None:
    told = fact(memory, text, predicate, object)
    clock.advance(days=days)
    assert told.effective_confidence(TODAY + timedelta(days=days)) == 1.0
    shown = memory.context(f"{object} {text}").markdown
    assert text in shown
    assert "confidence" not in shown
    assert "may have changed" not in shown


def test_a_procedure_with_five_successes_keeps_its_confidence(memory: Memory, clock: Ticking) -> None:
    procedure = memory.remember("Deploy the shop", kind="procedure", name="deploy", steps=["test", "push"])
    for _ in range(5):
        procedure = memory.tasks.outcome(procedure.id, "success")
    clock.advance(days=365)
    assert procedure.effective_confidence(TODAY + timedelta(days=365)) == procedure.confidence > 0.5


@pytest.mark.parametrize("origin", ["import", "document", "tool:notes"])
def test_an_imported_note_does_not_fade(memory: Memory, clock: Ticking, origin: str) -> None:
    note = memory.remember("The boiler was serviced by Mauro", kind="note", origin=origin)
    clock.advance(days=400)
    memory.maintain(["low_confidence"])
    clock.advance(days=1)
    memory.maintain(["low_confidence"])  # the clock guard waits one night after a jump
    assert memory.get(note.id).state == "live"


def test_an_inferred_memory_fades_until_it_is_confirmed(memory: Memory) -> None:
    guess = memory.remember("Otto owns a boat", confidence=0.8, source_type="inferred")
    later = TODAY + timedelta(days=200)
    assert guess.effective_confidence(later) < 0.01
    assert memory.review.confirm(guess.id).effective_confidence(later) == 1.0


def test_the_note_of_a_slow_fact_says_when_it_was_said(memory: Memory) -> None:
    home = fact(memory, "Otto lives in Rome", "lives_in", "Rome", at="2024-03-05T10:00:00Z")
    assert currency_note(home, to_datetime(START)) == "said in March 2024, may have changed"
    assert currency_note(home, home.event_at + timedelta(days=100)) == ""


def test_the_note_of_a_fast_fact_has_the_day(memory: Memory) -> None:
    price = fact(memory, "The CX22 costs 4.51 euros", "price", "4.51 euros", at="2026-03-05T10:00:00Z")
    assert currency_note(price, to_datetime(START)) == "said on 5 March 2026, may have changed"


def test_confirming_makes_a_fact_current_again(memory: Memory) -> None:
    home = fact(memory, "Otto lives in Rome", "lives_in", "Rome", at="2024-03-05T10:00:00Z")
    assert currency_note(memory.review.confirm(home.id), to_datetime(START) + timedelta(days=30)) == ""


def test_inferred_memories_say_so_and_never_show_a_number(memory: Memory, clock: Ticking) -> None:
    guess = memory.remember("Otto owns a boat", confidence=0.8, source_type="inferred")
    assert currency_note(guess, TODAY) == "inferred"
    assert currency_note(guess, TODAY + timedelta(days=30)).startswith("uncertain")
    clock.advance(days=300)
    assert not re.search(r"0\.\d|e-\d", memory.context("who owns a boat?").markdown)


def test_what_is_due_is_listed_for_asking_again(memory: Memory, clock: Ticking) -> None:
    home = fact(memory, "Otto lives in Rome", "lives_in", "Rome")
    fact(memory, "Otto is allergic to nuts", "allergy", "nuts")
    assert memory.review.uncertain() == []
    clock.advance(days=500)
    assert [node.id for node in memory.review.uncertain()] == [home.id]
    memory.review.confirm(home.id)
    assert memory.review.uncertain() == []


def written_predicates() -> Iterator[str]:
    """Every predicate that learning can write."""
    yield from SLOTS
    yield from (slot.relation for slot in SLOTS.values() if slot.relation)
    yield from getattr(extraction_prompt, "_PREDICATE_ALIASES", {}).values()
    for listed in re.findall(
        r"the plainest that fits: ([\w\s,]+)", Path(extraction_prompt.__file__).read_text("utf-8")
    ):
        yield from (name for name in re.split(r"[\s,]+", listed) if "_" in name)


def test_every_predicate_that_learning_writes_has_its_class() -> None:
    assert [each for each in sorted(set(written_predicates())) if slot_of(each) is None] == []


def test_kinship_and_health_are_permanent_by_construction() -> None:
    kin = [slot.name for slot in SLOTS.values() if slot.name in {"spouse", "child", "parent", "sibling", "relative"}]
    relatives = ["sister_of", "grandmother_of", "half_brother_of", "godmother_of", "spouse_of", "married_to"]
    health = ["allergy", "allergic_to", "intolerant_to", "blood_type", "condition", "has_condition"]
    assert {predicate_currency(each) for each in (*kin, *relatives, *health)} == {"permanent"}
    assert predicate_currency("friend_of") == predicate_currency("wife_works_at") == "slow"
