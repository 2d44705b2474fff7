"""Names that only a sign tells apart are different entities."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.domain.entity import name_key

NAMES = ("C", "C++", "C#", "F", "F#", "NET", ".NET", "Node.js", "Google", "Google+")


def test_each_of_them_is_an_entity_of_its_own(memory: Memory) -> None:
    made = [memory.graph.entity(name, type="tool").id for name in NAMES]
    assert len(set(made)) == len(NAMES)
    assert [memory.graph.entity(name).id for name in NAMES] == made
    turn = memory.observe("We rewrite the C++ parser in C#, not in C.", session="s1")
    named = {each.name for each in memory.explain(turn.id).entities}
    assert named == {"C++", "C#", "C"}


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("c++.", "c++"),
        ("a+b", "a b"),
        ("issue #5", "issue 5"),
        ("...and", "and"),
        ("(.NET)", ".net"),
        ("Otto K.", "otto k"),
        ("São_Paulo", "sao paulo"),
        ("don't", "don t"),
    ],
)
def test_other_punctuation_tells_nothing_apart(written: str, key: str) -> None:
    assert name_key(written) == key
