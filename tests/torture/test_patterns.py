"""No regular expression of the package takes time that grows with the cube of a text, or faster."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.torture.patterns import is_slow, texts

CUBIC = re.compile(r"\s*\[?\s*(?:id)?\s*\d")


def searched(*given: str) -> None:
    """In a process of its own, whose signals and processor time are nobody else's."""
    command = [sys.executable, "-m", "tests.torture.patterns", *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_cubic_pattern_is_found() -> None:
    assert any(is_slow(CUBIC, text, 0.2) for text in texts(CUBIC, 1_000, 1))


def test_no_pattern_is_cubic_in_a_thousand_characters() -> None:
    searched("--characters=1000", "--seconds=0.5", "--pieces=4")


@pytest.mark.torture
def test_no_pattern_is_cubic_in_two_thousand_characters() -> None:
    searched("--characters=2000", "--seconds=2")
