"""Readers that leave early, and streams that are closed: neither is an error."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.interfaces.terminal import OMOIDE, Terminal


@pytest.mark.parametrize("words", ["--help", "recall --help", "tools"])
def test_a_reader_that_leaves_early_is_no_error(terminal: Terminal, words: str) -> None:
    script = f"set -o pipefail; {' '.join(OMOIDE)} {words} | true"
    ran = subprocess.run(
        ["bash", "-c", script], env=terminal.environment(), capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_closed_streams_give_no_traceback(terminal: Terminal) -> None:
    script = f"{' '.join(OMOIDE)} observe hello --no-embedder <&- >&- 2>&-"
    assert subprocess.run(["bash", "-c", script], env=terminal.environment(), check=False).returncode == 0
    assert terminal.json("stats")["nodes"] == 1


def test_an_export_to_standard_output_is_an_export(terminal: Terminal) -> None:
    terminal.run("observe", "hello")
    printed = terminal.spawn("admin", "export", "-")
    terminal.run("admin", "export", "a.jsonl")
    kept = (terminal.folder / "a.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(each) for each in printed.out.splitlines()][1:-1] == [json.loads(each) for each in kept][1:-1]
    assert "hello" in printed.out
