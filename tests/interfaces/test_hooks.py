"""Hooks of coding agents, with the events that the agent sends."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import apsw
import pytest

from omoide import Memory
from tests.conftest import run, start
from tests.interfaces.terminal import Ran, run_here

PATIENT = ("--limit", "300")  # a slow machine is no fault of the hook's


def send(home: Path, event: Any, *arguments: str) -> Ran:
    words = arguments or ("hook", "--db", str(home / "a.db"), *PATIENT)
    environment = {**os.environ, "HOME": str(home), "OMOIDE_DB": str(home / "space" / "default.db")}
    return run_here(list(words), home, environment, event if isinstance(event, str) else json.dumps(event))


def prompt(words: str) -> dict[str, str]:
    return {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": "/home/otto/shop", "prompt": words}


def told(done: Ran) -> str:
    return str(json.loads(done.out)["hookSpecificOutput"]["additionalContext"])


def test_an_earlier_prompt_is_in_the_context_of_a_later_one(tmp_path: Path) -> None:
    first = send(tmp_path, prompt("We always deploy the shop with vercel --prod, never with Docker."))
    second = send(tmp_path, {**prompt("Please deploy the shop"), "session_id": "s2"})
    assert first.out == ""
    assert "vercel --prod" in told(second)


def test_tools_and_answers_are_recorded_once(tmp_path: Path) -> None:
    transcript = tmp_path / "t.jsonl"
    said = {"type": "assistant", "uuid": "u1", "timestamp": "2026-05-01T12:00:00Z"}
    blocks = [{"type": "text", "text": "The tests pass now."}, {"type": "tool_use", "name": "Bash", "input": {}}]
    transcript.write_text(json.dumps({**said, "message": {"content": blocks}}) + "\n" + '{"type": "assi')
    used = {"hook_event_name": "PostToolUse", "session_id": "s1", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    stop = {"hook_event_name": "Stop", "session_id": "s1", "transcript_path": str(transcript)}
    for event in (used, stop, stop):
        assert send(tmp_path, event).out == ""
    with Memory(tmp_path / "a.db", embedder=None) as memory:
        assert memory.get(1).role == "tool:Bash"
        assert memory.get(2).text == "The tests pass now."
        assert memory.stats().nodes == 2


def tool(event: str, name: str, given: dict[str, str], **more: Any) -> dict[str, Any]:
    at = {"hook_event_name": event, "session_id": "s1", "cwd": "/home/otto/shop"}
    return {**at, "tool_name": name, "tool_input": given, **more}


def test_a_lesson_is_shown_before_its_tool_is_used(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db", embedder=None) as memory:
        memory.tasks.bind(memory.remember("Never edit a migration, write a new one").id, path="**/migrations/*.sql")
        memory.tasks.bind(memory.remember("Ask before you force-push").id, command="git push --force")
    edit = tool("PreToolUse", "Edit", {"file_path": "/home/otto/shop/db/migrations/0001.sql"})
    push = tool("PreToolUse", "Bash", {"command": "cd x && git push --force"})
    said = json.loads(send(tmp_path, edit).out)["hookSpecificOutput"]
    assert said.keys() == {"hookEventName", "additionalContext"}
    assert "Never edit a migration" in said["additionalContext"]
    assert "db/migrations/0001.sql is one of" in said["additionalContext"]
    assert "Ask before you force-push" in told(send(tmp_path, push))
    assert send(tmp_path, tool("PreToolUse", "Read", {"file_path": "README.md"})).out == ""


@pytest.mark.parametrize(
    "failure",
    [
        {"event": "PostToolUseFailure", "error": "a.ts(3,1): error TS7010: Missing return type annotation"},
        {"event": "PostToolUse", "tool_response": {"stderr": "Missing return type annotation", "exit_code": 2}},
    ],
)
def test_a_lesson_bound_to_an_error_is_shown_when_it_occurs(tmp_path: Path, failure: dict[str, Any]) -> None:
    with Memory(tmp_path / "a.db", embedder=None) as memory:
        memory.tasks.bind(memory.remember("Add :void to the handler").id, error="Missing return type annotation")
        memory.tasks.bind(memory.remember("Tests take long").id, tool="Bash")
    event = failure.pop("event")
    words = told(send(tmp_path, tool(event, "Bash", {"command": "npm test"}, **failure)))
    assert "Add :void to the handler" in words
    assert "Tests take long" not in words
    with Memory(tmp_path / "a.db", embedder=None) as memory:
        assert memory.get(3).attributes["outcome"] == "failure"


@pytest.mark.parametrize("rubbish", ["", "no json", "[]", '{"hook_event_name": "Unknown"}', '{"hook_event_name": 7}'])
def test_invalid_events_never_stop_the_agent(tmp_path: Path, rubbish: str) -> None:
    done = send(tmp_path, rubbish)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_an_unusable_file_is_logged_and_the_agent_goes_on(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("this is no database, whatever its name says" * 100)
    done = send(tmp_path, prompt("hello"))
    assert (done.code, done.out, done.err) == (0, "", "")
    assert "NotAMemory" in (tmp_path / "a.hooks.log").read_text("utf-8")


def test_a_failure_is_logged_when_the_folder_is_missing(tmp_path: Path) -> None:
    done = send(tmp_path, prompt("hello"), "hook", "--db=" + str(tmp_path / "gone" / "a.db"), *PATIENT)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert "CannotWrite" in (tmp_path / "space" / "default.hooks.log").read_text("utf-8")


def test_a_prompt_that_is_not_a_text_is_logged(tmp_path: Path) -> None:
    assert send(tmp_path, {"hook_event_name": "UserPromptSubmit", "prompt": ["x"]}).out == ""
    assert "InvalidInput: prompt" in (tmp_path / "a.hooks.log").read_text("utf-8")
    with Memory(tmp_path / "a.db", embedder=None) as memory:
        assert memory.stats().nodes == 0


def test_a_busy_file_is_logged(tmp_path: Path) -> None:
    Memory(tmp_path / "a.db", embedder=None).close()
    other = apsw.Connection(str(tmp_path / "a.db"))
    other.execute("BEGIN IMMEDIATE")
    done = send(tmp_path, prompt("hello there shop"))
    assert (done.code, done.out, done.err) == (0, "", "")
    assert "Busy: " in (tmp_path / "a.hooks.log").read_text("utf-8")
    other.execute("ROLLBACK")


def test_the_time_limit_works_inside_sqlite(tmp_path: Path) -> None:
    Memory(tmp_path / "a.db", embedder=None).close()
    other = apsw.Connection(str(tmp_path / "a.db"))
    other.execute("BEGIN EXCLUSIVE")
    code = """
    import apsw, sys
    from omoide.interfaces.hooks import run
    watch = run._time_limit(0.1, sys.argv[1])
    db = apsw.Connection(sys.argv[1])
    db.set_busy_timeout(3_600_000)
    db.execute("BEGIN IMMEDIATE")
    """
    assert run(code, tmp_path / "a.db") == ""
    assert "TimeoutError: the limit of 0.1 s was exceeded" in (tmp_path / "a.hooks.log").read_text("utf-8")
    other.execute("ROLLBACK")


def test_a_missing_event_does_not_block(tmp_path: Path) -> None:
    code = "import sys; from omoide.interfaces.hooks.run import main; main(['--db', sys.argv[1], '--limit=0.1'])"
    waiting = start(code, tmp_path / "a.db")
    assert waiting.wait() == 0
    waiting.communicate()
    assert "TimeoutError" in (tmp_path / "a.hooks.log").read_text("utf-8")


def test_hooks_are_previewed_installed_and_removed(tmp_path: Path) -> None:
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    others = {"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}
    settings.write_text(json.dumps(others))
    dry = send(tmp_path, "", "hooks", "install", "claude-code", "--dry-run")
    assert "nothing was changed" in dry.out
    assert json.loads(settings.read_text()) == others
    for _ in range(2):
        assert send(tmp_path, "", "hooks", "install", "claude-code", "--db", str(tmp_path / "a.db")).code == 0
    found = json.loads(settings.read_text())
    assert [len(found["hooks"][event]) for event in ("Stop", "UserPromptSubmit")] == [2, 1]
    command = found["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"]
    assert subprocess.run(command, shell=True, input=json.dumps(prompt("hi")), text=True, check=False).returncode == 0
    send(tmp_path, "", "hooks", "remove", "claude-code")
    assert json.loads(settings.read_text()) == others


def test_unreadable_settings_are_not_changed(tmp_path: Path) -> None:
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{not json")
    done = send(tmp_path, "", "hooks", "install", "claude-code")
    assert done.code == 2
    assert settings.read_text() == "{not json"
