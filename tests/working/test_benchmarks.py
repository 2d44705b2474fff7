"""The benchmarks of live sessions run at a tiny size."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import packing
import topic_shift

BENCH = Path(packing.__file__).parent


def _run(script: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, BENCH / script, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    assert topic_shift.f1([True, True, False], [True, False, True]) == (0.5, 0.5, 0.5)


def test_the_cost_of_a_prompt_is_reported_beside_that_of_recall(tmp_path: Path) -> None:
    _run("live_session_cost.py", "--sizes", 100, "--results", tmp_path / "results.json")
    (row,) = json.loads((tmp_path / "results.json").read_text())["working"]
    assert row["size"] == 100
    assert min(row["recall_ms"], row["before_ms"], row["after_ms"], row["prompt_tokens"]) > 0


@pytest.mark.minilm
def test_packs_are_compared_on_conversations_with_known_evidence(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    docs = [
        {"id": f"d{seq}", "corpus": "c", "session": "s", "seq": seq, "timestamp": f"2026-01-0{seq + 1}T10:00:00",
         "speaker": "Anna", "text": text}
        for seq, text in enumerate(["Otto moved to Berlin in spring.", "The bread needs two hours.", "Rain again."])
    ]  # fmt: skip
    query = {"id": "q", "corpus": "c", "text": "Where did Otto move?", "asked_at": None, "category": "x",
             "relevant": ["d0"]}  # fmt: skip
    (folder / "docs.jsonl").write_text("\n".join(map(json.dumps, docs)), "utf-8")
    (folder / "queries.jsonl").write_text(json.dumps(query), "utf-8")
    out = _run("packing.py", "--data", tmp_path, "--budgets", 100)
    assert "| tiny (1) | 100 | value | 1.000 | 1.000 |" in out
