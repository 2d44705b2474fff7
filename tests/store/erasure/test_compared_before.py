"""The words of erased memories are compared with all other texts before the transaction that erases."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from omoide import Memory, Settings
from tests.conftest import Open, inserted
from tests.store.erasure.planted_marker import marker_locations
from tests.torture.interposed import InterposedGate

LONG = " ".join(f"word{number}qz said so {number}." for number in range(3_000))
RARE = "zanzibarqux"


class CountingGate(InterposedGate):
    """Counts how many comparisons begin while others wait, and how many elsewhere."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory, 0, lambda: None)
        self.inside = 0
        self.outside = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        with super().held():
            before = self.outside
            yield
            self.inside += self.outside - before

    def called(self, frame: FrameType, event: str, argument: object) -> None:
        self.outside += event == "call" and frame.f_code.co_qualname.startswith(
            ("WordComparison.compare", "_TextWords")
        )


@pytest.mark.parametrize("preview", [True, False])
def test_no_word_is_compared_while_others_wait_to_write(memory: Memory, preview: bool) -> None:
    told = memory.observe(LONG, session="long")
    note = inserted(memory, f"{LONG} Yes.", sources=[told.id])
    memory.correct(note.id, f"{LONG} No.")
    memory.tasks.checkpoint("helper", context={"said": LONG})
    gate = CountingGate(memory)
    sys.setprofile(gate.called)
    try:
        memory.forget(told.id, preview=preview)
    finally:
        sys.setprofile(None)
    assert gate.outside > 10
    assert gate.inside == 0


@pytest.mark.parametrize("preview", [True, False])
def test_others_write_while_words_are_compared(opened: Open, preview: bool) -> None:
    memory, other = opened(), opened(settings=Settings(busy_timeout=0.1))
    told = memory.observe(LONG, session="long")
    written: list[int] = []

    def called(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_qualname == "WordComparison.compare" and not written:
            written.append(0)
            written.append(other.observe("The train is late.", session="other").id)

    sys.setprofile(called)
    try:
        memory.forget(told.id, preview=preview)
    finally:
        sys.setprofile(None)
    assert other.get(written[1]).text == "The train is late."


def test_what_was_written_after_the_comparison_is_erased_too(opened: Open, path: str) -> None:
    memory, other = opened(), opened()
    told = memory.observe(f"Anna moved to {RARE}.", session="talk")
    gate = InterposedGate(memory, 1, lambda: other.tasks.checkpoint("helper", context={"plan": f"visit {RARE}"}))
    assert memory.forget(told.id).clean
    assert gate.happened
    assert memory.tasks.ledger("helper").context == {}
    assert marker_locations(path, RARE) == []


def test_a_word_that_another_process_erases_meanwhile_is_erased_everywhere(opened: Open, path: str) -> None:
    memory, other = opened(), opened()
    first = memory.observe(f"Anna moved to {RARE}.", session="talk")
    second = memory.observe(f"Tim moved to {RARE}.", session="talk")
    memory.tasks.checkpoint("helper", context={"plan": f"visit {RARE}"})
    gate = InterposedGate(memory, 1, lambda: other.forget(second.id))
    assert memory.forget(first.id).clean
    assert gate.happened
    assert memory.tasks.ledger("helper").context == {}
    assert marker_locations(path, RARE) == []
