"""The tool set `tasks`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from omoide import Memory
from omoide.errors import InvalidInput, NotFound
from omoide.interfaces.documents import json_default
from omoide.interfaces.tools import SETS, chosen


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "otto.db", embedder=None) as memory:
        yield memory


def call(memory: Memory, name: str, **arguments: Any) -> Any:
    (tool,) = chosen(name)
    answer = tool(memory, arguments)
    json.dumps(answer.data, default=json_default)  # any door can send it
    return answer


def test_a_mistake_of_one_task_appears_before_the_next(memory: Memory) -> None:
    first = call(memory, "before_task", goal="Add the orders endpoint", files=["src/orders.ts"])
    met = {"type": "TypeScript", "message": "Missing return type annotation", "resolution": "Added :void"}
    call(memory, "report_outcome", task=first.data["task"], outcome="success", errors=[met], commit="abc123")
    memory.tasks.learn()
    second = call(memory, "before_task", goal="Add the users endpoint")
    assert "Added :void" in second.text
    assert "Added :void" in call(memory, "get_lessons", error="x.ts: Missing return type annotation").text


def test_a_ledger_is_written_and_read(memory: Memory) -> None:
    assert call(memory, "ledger_read").text == "there is no ledger yet"
    call(memory, "ledger_write", agent="eng-001", task="task-042", completed=1, context={"current_goal": "todos"})
    assert call(memory, "ledger_read", agent="eng-001").text == "eng-001: task-042, 1 done"


def test_errors_name_tools_and_not_python_methods(memory: Memory) -> None:
    with pytest.raises(NotFound, match="there is no ledger of 'x'; ledger_write creates one"):
        call(memory, "ledger_read", agent="x")
    with pytest.raises(NotFound, match="there is no task 7; before_task starts one"):
        call(memory, "report_outcome", task=7, outcome="success")


def test_a_handoff_is_sent_listed_and_accepted_once(memory: Memory) -> None:
    id = call(memory, "handoff_send", what_was_done="The endpoint", from_agent="eng-001", to_agent="qa-*").data["id"]
    assert [row["id"] for row in call(memory, "handoff_list", agent="qa-001").data["handoffs"]] == [id]
    assert call(memory, "handoff_accept", id=id, agent="qa-001").data["accepted_by"] == "qa-001"
    with pytest.raises(InvalidInput, match="accepted by qa-001"):
        call(memory, "handoff_accept", id=id, agent="qa-002")


def test_task_tools_are_a_set() -> None:
    assert {each.name for each in chosen("tasks")} == set(SETS["tasks"])
    assert len(SETS["tasks"]) == 8
