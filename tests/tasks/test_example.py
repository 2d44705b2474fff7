"""The example program runs and prints its story."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "lessons.py"


def test_the_second_task_avoids_the_mistake_of_the_first() -> None:
    done = subprocess.run([sys.executable, str(EXAMPLE)], capture_output=True, text=True, encoding="utf-8", check=True)
    first, second, third = done.stdout.split("\nDay ")[1:]
    assert "nothing like it was done before" in first
    assert "2 tries" in first
    for later in (second, third):
        assert "memory, before: avoid “Missing return type annotation”" in later
        assert "1 try" in later
        assert "error" not in later.split("\n\n")[0]
    assert "Tries: 2, 1, 1." in done.stdout
