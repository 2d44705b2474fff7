"""Task traces are stored from the start of a task."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from omoide import AsyncMemory, Memory, Settings
from omoide.clock import system_clock
from omoide.errors import InvalidInput, NotFound
from tests.conftest import Open, Ticking, run, start, unsound


def test_a_trace_has_all_fields_of_the_loki_format(memory: Memory, path: str) -> None:
    with memory.task(
        "Implement POST /api/todos endpoint",
        agent="eng-001-backend",
        phase="development",
        type="feature",
        constraints=["No third-party deps", "< 200ms response"],
        files=["src/routes/todos.ts"],
        name="task-042",
    ) as task:
        task.action("read_file", target="openapi.yaml")
        task.action("run_test", result="fail", error="missing return type")
        task.tool("grep", {"pattern": "void"}, result="3 lines")
        error = task.error("TypeScript compilation", "Missing return type annotation")
        error.resolved("Added explicit :void to route handler")
        task.file("src/db/todos.ts")
        task.artifact("src/routes/todos.ts", "tests/todos.test.ts")
        task.succeed(commit="abc123")
    db = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
    columns = (
        "task_id, duration_seconds, agent, phase, goal, constraints, files_involved, action_log, outcome, "
        "errors_encountered, artifacts_produced, git_commit"
    )
    row = dict(zip(columns.split(", "), db.execute(f"SELECT {columns} FROM episodes").fetchone() or (), strict=True))
    db.close()
    log = json.loads(row["action_log"])
    assert row["task_id"] == "task-042"
    assert row["goal"] == "Implement POST /api/todos endpoint"
    assert json.loads(row["files_involved"]) == ["src/routes/todos.ts", "src/db/todos.ts"]
    assert [each["action"] for each in log] == ["read_file", "run_test", "grep"]
    assert [each["t"] for each in log] == sorted(each["t"] for each in log)
    assert log[1] | {"t": 0} == {"t": 0, "action": "run_test", "result": "fail", "error": "missing return type"}
    assert json.loads(row["errors_encountered"]) == [
        {
            "type": "TypeScript compilation",
            "message": "Missing return type annotation",
            "resolution": "Added explicit :void to route handler",
        }
    ]
    assert json.loads(row["artifacts_produced"]) == ["src/routes/todos.ts", "tests/todos.test.ts"]
    assert (row["outcome"], row["git_commit"]) == ("success", "abc123")
    assert row["duration_seconds"] > log[-1]["t"]


def test_an_open_task_is_stored_from_its_start(opened: Open) -> None:
    task = opened().task("Fix the login")
    task.action("read_file", target="auth.ts")
    task.error("TypeError", "token is undefined")
    seen = opened().tasks.resume(task.id).trace
    assert seen.attributes["outcome"] == "pending"
    assert [each["target"] for each in seen.attributes["action_log"]] == ["auth.ts"]
    assert [each["message"] for each in seen.attributes["errors_encountered"]] == ["token is undefined"]
    assert [each.id for each in opened().tasks.list(open=True)] == [task.id]


def test_a_memory_without_a_file_records_tasks_too() -> None:
    with Memory(":memory:", embedder=None) as memory:
        with memory.task("Try it") as task:
            task.error("E", "m").resolved("r")
        assert memory.tasks.learn().counts == {"learned": 1}
        assert task.outcome == "success"


def test_a_block_that_ends_normally_has_succeeded(memory: Memory) -> None:
    with memory.task("Rename a file") as task:
        task.action("move")
    assert task.outcome == "success"


def test_a_block_that_raises_has_failed_with_the_error_and_the_error_goes_on(memory: Memory) -> None:
    with pytest.raises(KeyError, match="orders"), memory.task("Count orders") as task:
        raise KeyError("orders")
    assert task.outcome == "failure"
    assert task.trace.attributes["errors_encountered"] == (
        {"type": "KeyError", "message": "'orders'", "resolution": None},
    )


@pytest.mark.parametrize("said", ["succeed", "partial", "fail"])
def test_a_block_that_records_an_outcome_and_then_raises_has_failed(memory: Memory, said: str) -> None:
    with suppress(RuntimeError), memory.task("Half of it") as task:
        getattr(task, said)()
        raise RuntimeError("the disk is full")
    assert task.outcome == "failure"
    assert task.trace.attributes["errors_encountered"][-1]["type"] == "RuntimeError"
    assert "RuntimeError: the disk is full. Outcome: failure." in memory.get(task.id).text


def test_an_error_that_is_recorded_and_then_raised_is_stored_once(memory: Memory) -> None:
    with suppress(RuntimeError), memory.task("Deploy") as task:
        task.fail("the disk is full", type="Disk")
        raise RuntimeError("the disk is full")
    assert [each["type"] for each in task.trace.attributes["errors_encountered"]] == ["Disk"]


@pytest.mark.parametrize(("code", "outcome"), [(None, "success"), (0, "success"), (1, "failure"), ("no", "failure")])
@pytest.mark.parametrize("says", [True, False])
def test_a_clean_exit_is_no_failure(memory: Memory, code: object, outcome: str, says: bool) -> None:
    with suppress(SystemExit), memory.task("Run the script") as task:
        if says:
            task.succeed()
        raise SystemExit(code)
    assert task.outcome == outcome


def test_a_task_that_has_ended_cannot_be_entered_again(memory: Memory) -> None:
    with memory.task("Deploy") as task:
        pass
    with pytest.raises(InvalidInput, match="has ended already: success; start another"), task:
        raise AssertionError("not reached")
    assert task.outcome == "success"


def test_ending_twice_is_allowed_only_with_the_same_outcome(memory: Memory) -> None:
    task = memory.task("Deploy")
    assert task.fail("the disk is full").id == task.fail("the disk is full").id
    with pytest.raises(InvalidInput, match="has ended already: failure"):
        task.succeed()
    with pytest.raises(InvalidInput, match="has ended already"):
        task.action("retry")
    assert len(task.trace.attributes["errors_encountered"]) == 1


def test_a_trace_is_found_by_its_goal_its_message_and_its_files(memory: Memory) -> None:
    with memory.task("Speed up checkout", files=["src/cart/total.ts"]) as task:
        task.error("Timeout", "sequential scan over carts").resolved("added an index")
    for question in ("checkout speed", "sequential scan", "total.ts", "an index"):
        assert task.id in [hit.id for hit in memory.recall(question)], question


def test_secrets_in_goals_actions_errors_and_resolutions_do_not_reach_the_file(memory: Memory, path: str) -> None:
    secret = "ghp_" + "a1B2" * 9
    with memory.task(f"Use {secret}", constraints=[f"key {secret}"]) as task:
        task.action("curl", target=f"https://x.test/?token={secret}", result={"password": "hunter2-hunter2"})
        task.tool("login", {"deep": [secret]})
        task.error("Denied", f"bad {secret}").resolved(f"used {secret}")
        task.artifact(secret)
    memory.close()
    held = Path(path).read_bytes()
    assert secret.encode() not in held
    assert b"hunter2" not in held


def test_an_unknown_task_is_not_found(memory: Memory) -> None:
    episode = memory.observe("hello")
    for wrong in (episode.id, 999, "nobody"):
        with pytest.raises(NotFound):
            memory.tasks.resume(wrong)


def test_a_task_is_resumed_by_its_name_and_by_the_name_it_is_given(opened: Open) -> None:
    named, plain = opened().task("One", name="mine", detached=True), opened().task("Two", detached=True)
    assert opened().tasks.resume("mine").id == named.id
    assert opened().tasks.resume(plain.name).id == plain.id


def test_the_same_key_starts_one_task(memory: Memory) -> None:
    assert memory.task("Deploy", key="run 7").id == memory.task("Deploy", key="run 7").id


def test_a_whole_trace_is_recorded_at_once_and_with_a_key_only_once(memory: Memory) -> None:
    whole: dict[str, Any] = {
        "actions": [{"t": 0, "action": "read_file"}],
        "errors": [{"type": "E", "message": "m"}],
        "seconds": 12.0,
    }
    first = memory.tasks.record("Import", "failure", key="a", at="2026-01-06T10:30:00+00:00", **whole)
    assert memory.tasks.record("Import", "failure", key="a", at="2026-01-06T10:30:00+00:00", **whole).id == first.id
    assert first.attributes["duration_seconds"] == 12.0
    assert memory.tasks.resume(first.id).outcome == "failure"


@pytest.mark.parametrize(
    "wrong", [{"outcome": "great"}, {"actions": [{"t": 1}]}, {"errors": ["oops"]}, {"files": 7}, {"seconds": -1}]
)
def test_an_invalid_trace_is_refused_and_nothing_is_stored(memory: Memory, wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        memory.tasks.record("Goal", **({"outcome": "success"} | wrong))  # type: ignore[arg-type]
    assert memory.stats().nodes == 0


KILLED = """
    import os, sys
    from omoide import Memory
    memory = Memory(sys.argv[1], embedder=None)
    task = memory.task("Migrate the orders table", agent="eng-1")
    task.action("run_migration", target="0012.sql")
    task.error("LockTimeout", "waited for a lock")
    print(task.id, flush=True)
    os._exit(9)
"""


def test_a_task_whose_process_was_killed_has_failed_with_what_is_known(path: str, opened: Open) -> None:
    with start(KILLED, path) as killed:
        assert killed.stdout is not None
        id = int(killed.stdout.readline())
        assert killed.wait() == 9
    memory = opened()
    known = memory.tasks.resume(id).trace.attributes
    assert known["outcome"] == "failure"
    assert [each["action"] for each in known["action_log"]] == ["run_migration"]
    assert [each["type"] for each in known["errors_encountered"]] == ["LockTimeout", "crashed"]
    assert unsound(memory) == []


def test_a_task_of_a_running_process_is_left_alone(path: str, opened: Open, clock: Ticking) -> None:
    task = opened().task("Long work")
    clock.advance(days=3)
    opened()
    assert run("from omoide import Memory; import sys; Memory(sys.argv[1], embedder=None)", path) == ""
    assert task.outcome == "pending"


def test_a_detached_task_fails_after_its_lease(opened: Open, clock: Ticking) -> None:
    task = opened().task("Started by a hook", detached=True)
    clock.advance(days=0.9)
    assert opened().tasks.resume(task.id).outcome == "pending"
    clock.advance(days=0.2)
    assert opened(settings=Settings(task_lease_hours=48.0)).tasks.resume(task.id).outcome == "pending"
    assert opened().tasks.resume(task.id).outcome == "failure"


WRITER = """
    import sys
    from omoide import Memory
    path, who, tasks, shared = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    memory = Memory(path, embedder=None)
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(tasks):
        with memory.task(f"task {number} of agent {who}", agent=who) as task:
            for step in range(5):
                task.action("step", target=f"{who}-{number}-{step}")
            task.error("Oops", f"{who}-{number}").resolved("again")
        memory.tasks.resume(shared).action("note", target=f"{who}-{number}")
    memory.close()
"""


def test_agents_in_many_processes_write_traces_and_one_shared_trace_and_lose_nothing(path: str, opened: Open) -> None:
    shared = opened(clock=system_clock).task("Everybody's", detached=True)  # the clock of all who write
    agents = [start(WRITER, path, who, 8, shared.id) for who in range(6)]
    for each in agents:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in agents:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    for each in agents:
        _, said = each.communicate()
        assert each.returncode == 0, said
    memory = opened(clock=system_clock)
    traces = [each for each in memory.tasks.list(1000) if each.id != shared.id]
    assert len(traces) == 48
    assert all(len(each.attributes["action_log"]) == 5 for each in traces)
    assert {each.attributes["outcome"] for each in traces} == {"success"}
    notes = {each["target"] for each in shared.trace.attributes["action_log"]}
    assert notes == {f"{who}-{number}" for who in range(6) for number in range(8)}
    assert unsound(memory) == []


def test_tasks_work_on_an_event_loop(tmp_path: Path) -> None:
    async def story() -> tuple[str, int]:
        async with AsyncMemory(tmp_path / "a.db", embedder=None) as memory:
            async with await memory.task("Fix the build", agent="a") as task:
                await task.before()
                await task.action("run_build", result="fail")
                error = await task.error("ERESOLVE", "peer dependency")
                await task.resolve("raised both", error.id)
            trace = task.trace
            with pytest.raises(ValueError, match="no"):
                async with await memory.task("Another") as failing:
                    raise ValueError("no")
            assert failing.trace.attributes["outcome"] == "failure"
            return trace.attributes["outcome"], len(trace.attributes["errors_encountered"])

    assert asyncio.run(story()) == ("success", 1)


def test_a_trace_does_not_expire_and_starts_at_the_start_of_its_task(memory: Memory, clock: Ticking) -> None:
    with memory.task("Wait") as task:
        clock.advance(days=1)
    trace = task.trace
    assert trace.expires_at is None
    assert timedelta(seconds=trace.attributes["duration_seconds"]) > timedelta(days=1)
