"""`omoide tasks`: each command opens the file again."""

from __future__ import annotations

from tests.interfaces.terminal import Terminal


def test_a_task_is_recorded_command_by_command(terminal: Terminal) -> None:
    id = str(terminal.json("tasks", "start", "Add the orders endpoint", "--type", "feature", "--file", "a.ts")["id"])
    terminal.json("tasks", "action", id, "run_test", "--result", "fail", "--error", "missing return type")
    terminal.json("tasks", "error", id, "TypeScript", "Missing return type")
    terminal.json("tasks", "resolve", id, "Added :void")
    assert terminal.json("tasks", "get", id)["outcome"] == "pending"
    ended = terminal.json("tasks", "finish", id, "--commit", "abc123", "--artifact", "a.ts")
    assert (ended["outcome"], ended["git_commit"], ended["artifacts_produced"]) == ("success", "abc123", ["a.ts"])
    assert [each["action"] for each in ended["action_log"]] == ["run_test"]
    assert ended["errors_encountered"][0]["resolution"] == "Added :void"
    assert [each["id"] for each in terminal.json("tasks", "list")["tasks"]] == [int(id)]
    assert "Added :void" in terminal.run("tasks", "get", id).out


def test_a_lesson_of_one_task_reaches_and_is_credited_in_the_next(terminal: Terminal) -> None:
    terminal.json("tasks", "start", "Add the orders endpoint")
    terminal.json("tasks", "error", "1", "TypeScript", "Missing return type", "--resolution", "Added :void")
    terminal.json("tasks", "finish", "1")
    assert "1 learned" in terminal.run("tasks", "learn").out
    terminal.json("tasks", "start", "Add the users endpoint")
    told = terminal.json("tasks", "before", "Add the users endpoint", "--task", "3")
    assert [hit["kind"] for hit in told["mistakes"]] == ["antipattern"]
    printed = terminal.run("tasks", "before", "Add the users endpoint").out
    assert printed.splitlines()[1:-1] == told["markdown"].splitlines()[1:-1]  # the fence has another mark
    terminal.json("tasks", "finish", "3", "--outcome", "failure", "--why", "no time")
    found = terminal.json("tasks", "credit")["credit"]
    assert {each["node"]["id"]: each["failed"] > 0 for each in found} == {1: True, 2: True}
    assert "unclear" in terminal.run("tasks", "credit").out


def test_invalid_task_commands_are_errors(terminal: Terminal) -> None:
    terminal.json("tasks", "start", "Goal")
    assert terminal.run("tasks", "finish", "1", "--outcome", "great").code == 2
    assert terminal.run("tasks", "action", "9", "x").code == 3
    assert terminal.run("tasks", "resolve", "1", "x").code == 3
    assert terminal.run("tasks", "start", " ").code == 2
