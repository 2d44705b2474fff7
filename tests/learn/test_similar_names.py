"""Two people with similar names keep their facts apart."""

from __future__ import annotations

import pytest

from omoide import Memory
from tests.conftest import Open

ANN, ANNE = "My friend Ann lives in Kiel.", "My aunt Anne lives in Metz"
ANNA, SCHMIDT = "My sister Anna lives in Bonn", "My colleague Anna Schmidt lives in Ulm"

HOMES = {"Ann": "Kiel", "Anne": "Metz", "Anna": "Bonn", "Anna Schmidt": "Ulm"}


def talk(memory: Memory, *sessions: str) -> None:
    for number, text in enumerate(sessions):
        memory.observe(text, session=str(number), at=f"2026-0{number + 3}-02T09:00:00+00:00")
        memory.end(str(number))
        memory.learn()


@pytest.mark.parametrize("turns", [(ANN, ANNE), (ANNE, ANN), (ANNA, SCHMIDT), (SCHMIDT, ANNA), (f"{ANNA}. {SCHMIDT}",)])
def test_what_is_known_of_one_is_not_told_of_the_other(opened: Open, turns: tuple[str, ...]) -> None:
    memory = opened()
    talk(memory, *turns)
    names = ("Ann", "Anne") if ANN in turns else ("Anna", "Anna Schmidt")
    for name in names:
        facts = [each.text for each in memory.graph.timeline(name) if each.kind == "fact"]
        homes = {home for home in ("Kiel", "Metz", "Bonn", "Ulm") if any(home in text for text in facts)}
        assert homes == {HOMES[name]}
        assert memory.graph.entity(name).mention_count == 1


def test_who_is_named_beside_a_longer_name_is_named(opened: Open) -> None:
    memory = opened()
    talk(memory, ANNA, "Anna met Anna Schmidt. My colleague Anna Schmidt lives in Ulm.")
    assert memory.graph.entity("Anna").mention_count == 2
    assert memory.graph.entity("Anna Schmidt").mention_count == 1


def test_forgetting_one_leaves_the_other(opened: Open) -> None:
    memory = opened()
    talk(memory, ANNA, SCHMIDT)
    memory.forget(entity="Anna")
    left = [each.text for each in memory.graph.timeline("Anna Schmidt") if each.kind == "fact"]
    assert any("Ulm" in text for text in left)
    assert not any("Bonn" in text for text in left)
