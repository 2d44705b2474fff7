"""Importing omoide has no side effects and loads nothing early."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import run

HEAVY = ("numpy", "onnxruntime", "tokenizers", "typer", "rich", "pydantic", "platformdirs", "asyncio")


@pytest.mark.parametrize("statement", ["import omoide", "from omoide import Memory"])
def test_importing_has_no_side_effects(tmp_path: Path, statement: str) -> None:
    said = run(
        f"""
        import os, sys, threading
        os.chdir(sys.argv[1])
        os.environ["HOME"] = os.environ["XDG_DATA_HOME"] = sys.argv[1]
        {statement}
        print([name for name in {HEAVY} if name in sys.modules], threading.active_count())
        """,
        tmp_path,
    )
    assert said == "[] 1"
    assert list(tmp_path.iterdir()) == []


def test_writing_imports_nothing_heavy_and_a_keyword_recall_only_numpy(tmp_path: Path) -> None:
    said = run(
        f"""
        import sys, threading
        from omoide import Memory
        memory = Memory(sys.argv[1], embedder=None)
        memory.observe("I like green tea")
        memory.admin.doctor()
        print([name for name in {HEAVY} if name in sys.modules], threading.active_count())
        memory.recall("tea")
        memory.context("tea")
        print([name for name in {HEAVY} if name in sys.modules], threading.active_count())
        """,
        tmp_path / "memory.db",
    )
    assert said.splitlines() == ["[] 1", "['numpy'] 1"]


def test_a_program_that_ends_without_closing_ends_cleanly(tmp_path: Path) -> None:
    code = """
        import sys
        from omoide import Memory
        memory = Memory(sys.argv[1], embedder=None)
        memory.observe("hello")
        memory.recall("hello")
    """
    assert run(code, tmp_path / "memory.db") == ""
    assert sorted(file.name for file in tmp_path.iterdir()) == ["memory.db", "memory.db-gate"]
