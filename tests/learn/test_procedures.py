"""How-tos that are learned whole: what is done, and every step in order."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from omoide import Memory
from omoide.domain import Procedure

AT = datetime(2026, 10, 5, 10, tzinfo=UTC)
DESCALE = ("empty the tray", "pour in 50 ml of vinegar", "run it twice", "rinse with water")
REPAIR = ("stop the scheduler", "run dbt clean", "restart")
RINSE = ("empty the tray", "pour in vinegar", "run it twice", "rinse")


def procedures(memory: Memory, *said: str) -> list[Procedure]:
    for text in said:
        memory.observe(text, session="s", at=AT)
    memory.end("s")
    memory.learn()
    return [node for node in memory.list(kinds=["procedure"]) if isinstance(node, Procedure)]


@pytest.mark.parametrize(
    ("said", "goal", "steps"),
    [
        (
            "To descale the coffee machine, empty the tray, pour in 50 ml of vinegar, "
            "run it twice, and rinse with water.",
            "To descale the coffee machine: ",
            DESCALE,
        ),
        (
            "To descale the coffee machine: empty the tray, pour in 50 ml of vinegar, "
            "run it twice, and rinse with water.",
            "To descale the coffee machine: ",
            DESCALE,
        ),
        (
            "Here's how I descale the coffee machine: first empty the tray, then pour in 50 ml of vinegar, "
            "then run it twice, then rinse with water.",
            "To descale the coffee machine: ",
            DESCALE,
        ),
        (
            "Our nightly load broke again. To fix it: 1. stop the scheduler 2. run dbt clean 3. restart",
            "To fix the nightly load: ",
            REPAIR,
        ),
        (
            "Our nightly load broke again. To fix it:\n1. stop the scheduler\n2. run dbt clean\n3. restart",
            "To fix the nightly load: ",
            REPAIR,
        ),
        (
            "How to descale the machine: 1. empty the tray 2. pour in vinegar 3. run it twice 4. rinse",
            "To descale the machine: ",
            RINSE,
        ),
        (
            "How to descale the machine:\n1. empty the tray\n2. pour in vinegar\n3. run it twice\n4. rinse",
            "To descale the machine: ",
            RINSE,
        ),
    ],
)
def test_a_how_to_is_one_procedure_with_every_step(
    memory: Memory, said: str, goal: str, steps: tuple[str, ...]
) -> None:
    (found,) = procedures(memory, said)
    assert (found.text, tuple(found.steps)) == (goal + "; ".join(steps), steps)


@pytest.mark.parametrize(
    "said",
    [
        "To be honest, it's cold, rainy, and dull.",
        "To celebrate my birthday, I booked a table, invited friends, and baked a cake.",
        "To deploy the site, do I run the tests, build it, and push?",
    ],
)
def test_a_sentence_that_teaches_no_steps_is_no_procedure(memory: Memory, said: str) -> None:
    assert procedures(memory, said) == []


def test_what_follows_a_how_to_is_no_step(memory: Memory) -> None:
    (found,) = procedures(memory, "To fix the load: 1. stop the job 2. run it again. Also, I moved to Rome.")
    assert tuple(found.steps) == ("stop the job", "run it again")
    assert any("Rome" in node.text for node in memory.list(kinds=["fact"]))
