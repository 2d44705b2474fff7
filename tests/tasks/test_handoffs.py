"""Ledgers and handoffs, with many agents at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide import Memory
from omoide.errors import InvalidInput, NotFound
from tests.conftest import start


def test_a_ledger_has_the_fields_of_the_loki_format_and_keeps_its_history(memory: Memory) -> None:
    memory.tasks.checkpoint(
        "eng-001-backend",
        task="task-041",
        state={"files_modified": ["src/routes/todos.ts"], "uncommitted_changes": True, "last_git_commit": "abc123"},
        context={"tech_stack": ["express"], "patterns_learned": ["sem-001"], "current_goal": "CRUD for todos"},
    )
    held = memory.tasks.checkpoint("eng-001-backend", task="task-042", completed=1)
    assert (held.current_task, held.tasks_completed) == ("task-042", 1)
    assert held.state["last_git_commit"] == "abc123"
    assert memory.tasks.ledger("eng-001-backend") == held
    assert [each.current_task for each in memory.tasks.checkpoints("eng-001-backend")] == ["task-042", "task-041"]
    assert memory.tasks.checkpoint("eng-001-backend", task="").current_task is None


def test_search_finds_the_latest_state_of_a_ledger(memory: Memory) -> None:
    memory.tasks.checkpoint("eng-001", context={"current_goal": "Migrate the invoices"})
    memory.tasks.checkpoint("eng-001", context={"current_goal": "Repair the login page"})
    assert [hit.id for hit in memory.recall("who repairs the login page?")] == [memory.tasks.ledger("eng-001").node_id]
    assert not memory.recall("invoices migrate").hits


def test_an_unknown_agent_has_no_ledger(memory: Memory) -> None:
    with pytest.raises(NotFound, match="checkpoint"):
        memory.tasks.ledger("nobody")
    with pytest.raises(InvalidInput):
        memory.tasks.checkpoint("x", completed=-1)


def hand_over(memory: Memory, **more: str) -> int:
    return memory.tasks.handoff(
        what_was_done="Implemented POST /api/todos endpoint",
        artifacts=["src/routes/todos.ts"],
        git_state="commit abc123",
        needs_testing=["unit tests for validation", "contract tests"],
        relevant_patterns=["sem-001"],
        from_="eng-001-backend",
        **more,
    ).id


def test_a_handoff_is_listed_for_its_addressee_and_found_by_search(memory: Memory) -> None:
    id = hand_over(memory, to="qa-*")
    assert [node.id for node in memory.tasks.handoffs("qa-001-testing")] == [id]
    assert memory.tasks.handoffs("eng-002") == []
    assert [hit.id for hit in memory.recall("todos contract tests")] == [id]
    assert memory.get(id).attributes["needs_testing"] == ("unit tests for validation", "contract tests")


def test_accepting_twice_is_no_error_and_another_agent_learns_who_has_it(memory: Memory) -> None:
    id = hand_over(memory)
    first = memory.tasks.accept_handoff(id, "qa-001")
    assert memory.tasks.accept_handoff(id, "qa-001") == first
    with pytest.raises(InvalidInput, match="accepted by qa-001"):
        memory.tasks.accept_handoff(id, "qa-002")
    assert memory.tasks.handoffs() == []
    assert [node.id for node in memory.tasks.handoffs("qa-001", open=False)] == [id]


def test_only_the_addressee_may_accept_a_handoff(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="addressed to qa-001"):
        memory.tasks.accept_handoff(hand_over(memory, to="qa-001"), "eng-001")
    with pytest.raises(InvalidInput, match="not a handoff"):
        memory.tasks.accept_handoff(memory.remember("a fact").id, "eng-001")


AGENT = """
import sys
from omoide import Memory
from omoide.errors import InvalidInput
path, agent, handoff, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
with Memory(path, embedder=None) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(rounds):
        memory.tasks.checkpoint("shared", completed=1)
        memory.tasks.checkpoint(agent, task=f"task-{number}", completed=1)
        memory.tasks.handoff(what_was_done=f"{agent} did {number}", from_=agent, to="somebody-else")
        memory.tasks.record(f"{agent} does {number}", "success", agent=agent)
    try:
        memory.tasks.accept_handoff(handoff, agent)
        print("won")
    except InvalidInput as error:
        print(str(error))
"""


def test_agents_in_processes_of_their_own_lose_nothing_and_exactly_one_accepts(memory: Memory, path: str) -> None:
    offered = hand_over(memory)
    rounds = 8
    agents = {f"agent-{number}": start(AGENT, path, f"agent-{number}", offered, rounds) for number in range(4)}
    for process in agents.values():
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    said = {}
    for process in agents.values():
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for name, process in agents.items():
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        said[name] = out.strip()
    (winner,) = [name for name, words in said.items() if words == "won"]
    assert all(f"accepted by {winner}" in words for name, words in said.items() if name != winner)
    assert memory.tasks.ledger("shared").tasks_completed == len(agents) * rounds
    assert len(memory.tasks.checkpoints("shared", 1000)) == len(agents) * rounds
    for name in agents:
        assert memory.tasks.ledger(name).tasks_completed == rounds
    assert len(memory.tasks.handoffs(limit=1000)) == len(agents) * rounds
    assert len(memory.tasks.list(1000)) == len(agents) * rounds


def test_the_continuity_page_shows_ledgers_and_open_handoffs(memory: Memory) -> None:
    taken, waiting = hand_over(memory), hand_over(memory, to="qa-002")
    memory.tasks.accept_handoff(taken, "qa-001")
    memory.tasks.checkpoint("eng-001", task="task-042", context={"current_goal": "Repair the login page"})
    page = memory.narrative.export_continuity()
    assert "## Ledgers" in page
    assert "Ledger of eng-001: at task-042, Repair the login page" in page
    handoffs = page.split("Handoffs")[1]
    assert f"[handoff-{waiting}]" in handoffs or f"{waiting}" in handoffs
    assert "to qa-002" in handoffs


def test_ledgers_handoffs_and_bindings_survive_export_and_import(memory: Memory, tmp_path: Path) -> None:
    memory.tasks.bind(memory.remember("Ask first").id, command="git push")
    memory.tasks.bind(1, path="*.sql", tool="Edit")
    memory.tasks.checkpoint("eng-001", task="task-1")
    memory.tasks.checkpoint("eng-001", task="", completed=1)
    memory.admin.export(tmp_path / "all.jsonl")
    with Memory(tmp_path / "other.db", embedder=None) as other:
        other.admin.import_(tmp_path / "all.jsonl")
        assert other.tasks.lessons(command="git push origin")[0].node.text == "Ask first"
        assert [each.trigger for each in other.tasks.bindings()] == [each.trigger for each in memory.tasks.bindings()]
        assert other.tasks.checkpoints("eng-001") == memory.tasks.checkpoints("eng-001")
        assert other.tasks.ledger("eng-001").node_id == memory.tasks.ledger("eng-001").node_id
