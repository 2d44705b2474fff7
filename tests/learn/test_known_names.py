"""Which known entity a name means."""

from __future__ import annotations

import pytest

from omoide.learn.learning_context import KnownNames

NAMES = {"anna": 1, "acme": 2, "anthropic": 3, "gpt 4 turbo": 4, "sao paulo": 5, "alexander": 6, "springfield": 7}
KNOWN = KnownNames([*((key, id, key) for key, id in NAMES.items()), ("springfield", 8, "Springfield")])


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Anna", 1),
        ("The Acme Corp.", 2),
        ("ACME", 2),
        ("Antropic", 3),
        ("São Paulo", 5),
    ],
)
def test_a_name_in_another_spelling_means_the_same(name: str, meant: int) -> None:
    assert KNOWN.find(name) == meant


@pytest.mark.parametrize("name", ["Ann", "Hanna", "Anne", "Acne", "GPT 5 Turbo", "Alexandra", "Anthropology", "Otto"])
def test_a_name_that_is_merely_alike_is_somebody_else(name: str) -> None:
    assert KNOWN.find(name) is None


def test_a_name_that_two_go_by_is_left_undecided() -> None:
    assert KNOWN.find("Springfield") is None
