"""Numbers that no file can hold are wrong input."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.errors import InvalidInput


def test_a_count_beyond_64_bits_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="64 bits"):
        memory.tasks.checkpoint("builder", completed=10**30)
    assert memory.tasks.checkpoint("builder", completed=2).tasks_completed == 2
