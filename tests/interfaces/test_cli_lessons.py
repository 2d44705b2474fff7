"""Links, lessons, ledgers, handoffs, skills and figures of tasks at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interfaces.terminal import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def test_notes_are_linked_listed_and_unlinked(terminal: Terminal) -> None:
    terminal.run("remember", "Deploy on Fridays", "--kind", "note")
    terminal.run("remember", "Never deploy on Fridays", "--kind", "note")
    (proposed,) = terminal.json("graph", "suggest-links", "2")["suggestions"]
    assert proposed["relation"] == "contradicts"
    assert terminal.run("graph", "suggest-links", "2", "--accept", "1").out == "[id:2] contradicts [id:1]\n"
    assert terminal.run("graph", "neighbours", "1").out == "contradicts  [id:2] Never deploy on Fridays\n"
    assert len(terminal.json("review", "contradictions")["contradictions"]) == 1
    assert terminal.json("review", "resolve", "2", "1")["id"] == 2
    assert terminal.run("graph", "unlink", "2", "1", "supersedes").out == "no longer: [id:2] supersedes [id:1]\n"
    assert terminal.run("graph", "unlink", "2", "1", "supersedes").code == 3


def test_a_lesson_is_bound_shown_and_unbound(terminal: Terminal) -> None:
    terminal.run("remember", "Ask before you force-push")
    assert (
        terminal.run("tasks", "bind", "1", "--command", "git push --force").out
        == "[id:1] bound to command git push --force\n"
    )
    assert terminal.run("tasks", "lessons", "--command", "git push --force origin").out == (
        "[id:1] Ask before you force-push  (the command `git push --force`)\n"
    )
    assert terminal.run("tasks", "bindings").out == "[id:1] bound to command git push --force (binding 1)\n"
    assert terminal.json("tasks", "unbind", "1")["removed"] == 1
    assert terminal.run("tasks", "bind", "1").code == 2


def test_ledgers_and_handoffs(terminal: Terminal) -> None:
    terminal.run("tasks", "checkpoint", "eng-001", "--task", "task-042", "--context", '{"current_goal": "todos"}')
    assert terminal.json("tasks", "checkpoint", "eng-001", "--completed", "1")["tasks_completed"] == 1
    assert len(terminal.json("tasks", "checkpoints", "eng-001")["checkpoints"]) == 2
    assert terminal.run("tasks", "ledger", "eng-001").out.startswith("eng-001  task-042 · 1 done")
    sent = terminal.json("tasks", "handoff", "The endpoint", "--from", "eng-001", "--to", "qa-*")
    assert terminal.run("tasks", "handoffs", "qa-001").out == f"[id:{sent['id']}] eng-001 → qa-*  The endpoint\n"
    assert terminal.run("tasks", "accept-handoff", str(sent["id"]), "qa-001").code == 0
    refused = terminal.run("tasks", "accept-handoff", str(sent["id"]), "qa-002")
    assert refused.code == 2
    assert "accepted by qa-001" in refused.err


def test_skills_and_loki_folders_are_imported_and_exported(terminal: Terminal) -> None:
    page = "# Skill: Baking\n\n## Steps\n1. Knead\n"
    (terminal.folder / "baking.md").write_text(page)
    assert terminal.run("tasks", "import-skills", "baking.md").out == "[id:1] new  Baking\n"
    assert terminal.run("tasks", "skills", "baking bread").out == "[id:1] skill  Baking  0 worked, 0 failed\n"
    assert terminal.run("tasks", "skill-markdown", "1").out == page
    terminal.run("tasks", "export-skills", "out")
    assert (terminal.folder / "out" / "baking.md").read_text() == page
    assert terminal.run("admin", "export-loki", ".loki/memory").code == 0
    assert (terminal.folder / ".loki/memory/skills/baking.md").read_text() == page
    assert terminal.json("admin", "import-loki", ".loki/memory")["outcomes"] == {"skill": {"unchanged": 1}}


def test_efficiency_is_a_table_with_a_chart(terminal: Terminal) -> None:
    id = str(terminal.json("tasks", "start", "Add the orders endpoint", "--type", "feature")["id"])
    terminal.run("tasks", "action", id, "run_test", "--result", "fail")
    terminal.run("tasks", "action", id, "run_test", "--result", "pass")
    terminal.run("tasks", "error", id, "TypeError", "x is undefined")
    terminal.run("tasks", "finish", id)
    (found,) = terminal.json("tasks", "efficiency")["types"]
    assert (found["type"], found["tasks"], found["success_rate"]) == ("feature", 1, 1.0)
    assert (found["errors"], found["retries"], found["by_day"][-1]) == (1.0, 1.0, 1)
    shown = terminal.run("tasks", "efficiency").out
    assert "feature" in shown
    assert "100%" in shown
    assert "█" in shown
