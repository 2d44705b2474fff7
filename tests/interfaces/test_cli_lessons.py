"""Links, lessons, ledgers, handoffs, skills, folders and figures from a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.interfaces.terminal import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def test_notes_are_linked_followed_and_taken_apart(terminal: Terminal) -> None:
    terminal.run("remember", "Deploy on Fridays", "--kind", "note")
    terminal.run("remember", "Never deploy on Fridays", "--kind", "note")
    (proposed,) = terminal.json("suggest", "2")["suggestions"]
    assert proposed["relation"] == "contradicts"
    assert terminal.run("suggest", "2", "--accept", "1").out == "[id:2] contradicts [id:1]\n"
    assert terminal.run("links", "1").out == "contradicts  [id:2] Never deploy on Fridays\n"
    assert len(terminal.json("contradictions")["contradictions"]) == 1
    assert terminal.json("resolve", "2", "1")["id"] == 2
    assert terminal.run("unlink", "2", "1", "supersedes").out == "no longer: [id:2] supersedes [id:1]\n"
    assert terminal.run("unlink", "2", "1", "supersedes").code == 3


def test_a_lesson_is_bound_told_and_unbound(terminal: Terminal) -> None:
    terminal.run("remember", "Ask before you force-push")
    assert (
        terminal.run("bind", "1", "--command", "git push --force").out == "[id:1] told for command git push --force\n"
    )
    assert terminal.run("lessons", "--command", "git push --force origin").out == (
        "[id:1] Ask before you force-push  (the command `git push --force`)\n"
    )
    assert terminal.run("lessons").out == "[id:1] told for command git push --force (binding 1)\n"
    assert terminal.json("unbind", "1")["removed"] == 1
    assert terminal.run("bind", "1").code == 2


def test_ledgers_and_handoffs(terminal: Terminal) -> None:
    terminal.run("ledger", "eng-001", "--task", "task-042", "--context", '{"current_goal": "todos"}')
    done = terminal.json("ledger", "eng-001", "--completed", "1", "--history", "5")
    assert (done["ledgers"][0]["tasks_completed"], len(done["history"])) == (1, 2)
    sent = terminal.json("handoff", "send", "The endpoint", "--from", "eng-001", "--to", "qa-*")
    assert terminal.run("handoff", "list", "qa-001").out == f"[id:{sent['id']}] eng-001 → qa-*  The endpoint\n"
    assert terminal.run("handoff", "accept", str(sent["id"]), "qa-001").code == 0
    refused = terminal.run("handoff", "accept", str(sent["id"]), "qa-002")
    assert refused.code == 2
    assert "accepted by qa-001" in refused.err


def test_skills_and_folders_go_in_and_out(terminal: Terminal) -> None:
    page = "# Skill: Baking\n\n## Steps\n1. Knead\n"
    (terminal.folder / "baking.md").write_text(page)
    assert terminal.run("skill", "import", "baking.md").out == "[id:1] new  Baking\n"
    assert terminal.run("skill", "match", "baking bread").out == "[id:1] skill  Baking  0 worked, 0 failed\n"
    assert terminal.run("skill", "export", "--id", "1").out == page
    terminal.run("skill", "export", "--all", "out")
    assert (terminal.folder / "out" / "baking.md").read_text() == page
    assert terminal.run("loki", "export", ".loki/memory").code == 0
    assert (terminal.folder / ".loki/memory/skills/baking.md").read_text() == page
    assert terminal.json("loki", "import", ".loki/memory")["became"] == {"skill": {"unchanged": 1}}


def test_what_tasks_took_is_a_table_and_a_chart(terminal: Terminal) -> None:
    id = str(terminal.json("task", "start", "Add the orders endpoint", "--type", "feature")["id"])
    terminal.run("task", "action", id, "run_test", "--result", "fail")
    terminal.run("task", "action", id, "run_test", "--result", "pass")
    terminal.run("task", "error", id, "TypeError", "x is undefined")
    terminal.run("task", "done", id)
    (found,) = terminal.json("efficiency")["types"]
    assert (found["type"], found["tasks"], found["success_rate"]) == ("feature", 1, 1.0)
    assert (found["errors"], found["retries"], found["by_day"][-1]) == (1.0, 1.0, 1)
    shown = terminal.run("efficiency").out
    assert "feature" in shown
    assert "100%" in shown
    assert "█" in shown
    assert json.loads(terminal.run("efficiency", "--json").out)["days"] == 7
