"""The benchmarks run at a tiny size with what is always installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import ablation
import benchmarks_chart
import benchmarks_page
import lives_baselines
import metrics
from omoide.recall.recipes import RECIPES
from peer_process import PeerNotRun, PeerProcess
from peers import NAMES, about, turn_text
from synthetic_turns import asked_of, turns
from synthetic_vectors import Space

BENCH = Path(benchmarks_page.__file__).parent


def _run(script: str, *arguments: object) -> None:
    done = subprocess.run(
        [sys.executable, BENCH / script, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_recall_is_the_share_of_relevant_items_among_the_first() -> None:
    assert metrics.recall_at(2, ["a", "b", "c"], ["a", "c"]) == 0.5
    assert metrics.recall_at(3, ["a", "b", "c"], ["a", "c"]) == 1.0


def test_ndcg_is_one_for_a_perfect_order_and_falls_with_rank() -> None:
    assert metrics.ndcg_at(10, ["a", "c", "b"], ["a", "c"]) == 1.0
    assert 0 < metrics.ndcg_at(10, ["b", "c", "a"], ["a", "c"]) < metrics.ndcg_at(10, ["a", "b", "c"], ["a", "c"])


def test_a_baseline_is_scored_by_the_lines_that_fill_its_budget() -> None:
    lines = ["- [2026-03-02] user: The standup is at 9:30", "- [2026-03-26] user: Now the standup is at 10:00"]
    question = {"q": "When is the standup?", "good": "10:00", "bad": "9:30"}
    row = lives_baselines.asked(question, lives_baselines.bm25(lines), lines, 100)
    assert (row["good"], row["bad"]) == (2, 1)
    found = lives_baselines.summary([row])
    assert (found["pack"], found["first"], found["top3"]) == (1.0, 0.0, 1.0)


def test_a_longer_run_begins_with_the_turns_and_vectors_of_a_shorter_one(tmp_path: Path) -> None:
    space = Space.seeded()
    short, long = (np.array(space.turns(count, tmp_path / f"{count}.npy")) for count in (40, 60))
    assert np.array_equal(short, long[:40])
    assert list(turns(40)) == list(turns(60))[:40]


def test_a_question_holds_words_of_the_turn_that_answers_it() -> None:
    (asked,) = asked_of(["Kilo mare sato pepe."])
    assert len(set(asked.rstrip("?").split()) & {"kilo", "mare", "sato", "pepe"}) >= 2


def test_a_name_is_part_of_the_text_and_a_role_is_not() -> None:
    assert turn_text({"text": "Hello", "speaker": "Anna"}) == "Anna: Hello"
    assert turn_text({"text": "Hello", "speaker": "assistant"}) == "Hello"


@pytest.mark.parametrize("name", NAMES)
def test_a_peer_can_be_described_without_its_library(name: str) -> None:
    peer = about(name)
    assert peer.TITLE
    assert peer.FINDS_BY
    assert peer.LARGEST >= 10_000


def test_omoide_and_the_baseline_are_compared_and_missing_peers_reported(tmp_path: Path) -> None:
    file, shown, svg = tmp_path / "results.json", tmp_path / "page.md", tmp_path / "page.svg"
    chosen = ["omoide", "anchor", "chroma"]
    _run("compare.py", "--sizes", 100, "--systems", *chosen, "--peers", tmp_path, "--results", file)
    runs = {run["system"]: run for run in json.loads(file.read_text())["runs"]}
    assert runs["omoide"]["recall"] > 0.9
    assert runs["anchor"]["recall"] > 0.9
    assert runs["chroma"]["not_run"] == "not installed"
    shown.write_text("Before.\n<!-- bench:start -->\nold\n<!-- bench:end -->\nAfter.\n")
    _run("benchmarks_page.py", "--results", file, "--page", shown, "--picture", svg)
    text = shown.read_text("utf-8")
    assert text.startswith("Before.\n<!-- bench:start -->\n**100 turns**")
    assert "not run: not installed" in text
    assert text.endswith("<!-- bench:end -->\nAfter.\n")
    assert ElementTree.fromstring(svg.read_text("utf-8")).tag.endswith("svg")


def test_concurrent_writers_all_succeed(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    _run("concurrent_writers.py", "--writers", 3, "--each", 4, "--results", file)
    written = json.loads(file.read_text())["writers"]
    assert (written["errors"], written["kept"]) == (0, 12)


def test_the_chart_labels_every_measured_system() -> None:
    runs = [
        {"system": name, "size": size, "p50_ms": float(size) / 1000, "recall": 0.9}
        for name in NAMES
        for size in (1_000, 10_000)
    ]
    drawn = benchmarks_chart.drawn(runs)
    assert all(about(name).TITLE.replace("*", "").split(",")[0].split(" (")[0] in drawn for name in NAMES)
    assert len(drawn.encode()) < 60_000


def test_the_growth_of_a_memory_is_a_table_and_a_chart() -> None:
    rows = [{"turns": 1_000.0, "recall_ms": 3.04, "mb": 2.5}, {"turns": 1_000_000.0, "recall_ms": 31.0, "mb": 1984.0}]
    assert benchmarks_page.growth(rows)[-1] == "| 1,000,000 | 31.0 | 1,984.0 |"
    drawn = benchmarks_chart.growth(rows)
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert all(label in drawn for label in (">1k<", ">1M<", ">3.04<", ">31<", ">1,984<"))


def test_every_arm_and_every_signal_of_the_recipe_is_switched_off_once() -> None:
    found = ablation.variants(RECIPES["everyday"])
    assert {f"arms: {each.arm}" for each in RECIPES["everyday"].arms} <= set(found)
    assert found["everyday"] is RECIPES["everyday"]
    assert len({plan.name for plan in found.values()}) == len(found)
    assert all(plan != RECIPES["everyday"] for label, plan in found.items() if label != "everyday")


@pytest.mark.minilm
def test_a_recipe_is_ablated_on_conversations_with_known_evidence(tmp_path: Path) -> None:
    folder, file = tmp_path / "data" / "tiny", tmp_path / "results.json"
    folder.mkdir(parents=True)
    told = [("d1", "Otto moved to Berlin in spring."), ("d2", "The bread needs two hours."), ("d3", "Rain again.")]
    docs = [
        {"id": id, "corpus": "c", "session": "s", "seq": seq, "timestamp": f"2026-01-0{seq + 1}T10:00:00",
         "speaker": "Anna", "text": text}
        for seq, (id, text) in enumerate(told)
    ]  # fmt: skip
    queries = [
        {"id": "q1", "corpus": "c", "text": "Where did Otto move?", "asked_at": None, "category": "x",
         "relevant": ["d1"], "max_seq": 1},
        {"id": "q2", "corpus": "c", "text": "How long does the bread need?", "asked_at": None, "category": "x",
         "relevant": ["d2"]},
    ]  # fmt: skip
    for name, rows in (("docs", docs), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    _run("ablation.py", "--data", folder.parent, "--only", "neighbours", "--results", file)
    found = json.loads(file.read_text())["ablation"]
    assert set(found["tasks"]["tiny"]) == {"everyday", "neighbours"}
    assert "| nothing | 1.000 / 1.000 | 1.000 / 1.000 |" in benchmarks_page.ablation(found)


def test_a_crashed_worker_is_reported_and_the_comparison_continues(tmp_path: Path) -> None:
    with open(tmp_path / "log", "wb") as log:
        worker = PeerProcess("nobody", Path(sys.executable), log)
    with pytest.raises(PeerNotRun, match="died"):
        worker.order("ask", first=0, last=1, k=10)
    worker.end()
