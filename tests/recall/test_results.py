"""Results print short: one line for each hit, and at most a screen."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.recall.pipeline import STAGES


@pytest.fixture
def ferries(memory: Memory) -> Memory:
    memory.observe_many([{"text": f"The ferry number {n}\nleaves at " + "nine, " * 40} for n in range(30)])
    return memory


def test_a_recall_prints_one_line_for_each_hit(memory: Memory) -> None:
    memory.remember("The ferry leaves at nine")
    found = memory.recall("ferry")
    assert str(found) == f"1 hit for 'ferry'\n[id:1] fact {found.hits[0].score:.2f} The ferry leaves at nine"
    assert str(memory.recall("train")) == "no hits for 'train'"


def test_a_long_recall_fits_a_screen(ferries: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = str(ferries.recall("ferry", limit=30)).splitlines()
    assert len(lines) == 20
    assert all(len(line) <= 80 for line in lines)
    assert lines[-1] == "… and 12 more"


def test_the_repr_of_a_result_is_short(ferries: Memory) -> None:
    found = ferries.recall("ferry", limit=30)
    assert repr(found) == "Recall('ferry', 30 hits)"
    assert repr(found.hits[0]).startswith(f"Hit({found.hits[0].id}, episode, ")
    assert len(repr(found.hits[0])) < 100
    assert repr(found.trace).startswith(f"RecallTrace({len(found.trace.steps)} stages, ")
    pack = ferries.context("ferry", budget=200)
    assert repr(pack) == f"Pack({len(pack.ids)} memories, {pack.tokens} of 200 tokens)"
    assert str(pack) == pack.markdown


def test_the_trace_names_the_stages_in_the_order_of_the_pipeline(memory: Memory) -> None:
    memory.remember("The ferry leaves at nine")
    names = [name for name, _ in STAGES]
    traced = [step.stage for step in memory.recall("ferry").trace.steps if step.stage in names]
    assert traced == [name for name in names if name not in ("search", "rerank")]


def test_the_repr_of_a_live_session_and_its_state_is_short(memory: Memory) -> None:
    live = memory.live("s1", window=8_000)
    prompt = live.before("When does the ferry leave?")
    assert repr(live) == "LiveSession('s1', 1 turns in a window of 8,000 tokens)"
    assert repr(live.board) == "Board('s1', 1 turns, 0 goals, version 1)"
    assert repr(prompt) == f"Prompt(1 messages, 0 memories, {prompt.tokens} of {prompt.budget} tokens)"
    assert str(prompt) == prompt.markdown == ""
