"""Hooks of coding agents, with the events that the agent sends."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Mapping
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
    said = {"type": "assistant", "uuid": "u1", "sessionId": "s1", "timestamp": "2026-05-01T12:00:00Z"}
    blocks: list[dict[str, Any]] = [
        {"type": "text", "text": "The tests pass now."},
        {"type": "tool_use", "name": "Bash", "input": {}},
    ]
    blocks[1]["id"] = "toolu_1"
    transcript.write_text(json.dumps({**said, "message": {"content": blocks}}) + "\n" + '{"type": "assi')
    used = tool("PostToolUse", "Bash", {}, tool_use_id="toolu_1", tool_response="a.txt")
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


def test_the_log_says_what_came_instead_of_an_event(tmp_path: Path) -> None:
    send(tmp_path, "not JSON " * 100)
    log = (tmp_path / "a.hooks.log").read_text("utf-8")
    assert "an event is a JSON object, got 'not JSON" in log
    assert len(log) < 200


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
    run._Hook(sys.argv[1], None, "claude-code").restart_timer(0.1)
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
    send(tmp_path, "", "hooks", "remove", "claude-code")
    assert json.loads(settings.read_text()) == others


# What each agent sends, as its own program sent it (Cursor, VS Code and OpenCode: as they document it).
_BASE = {"session_id": "s1", "cwd": "/home/otto/shop", "transcript_path": ""}
PROMPTS: dict[str, dict[str, Any]] = {
    "claude-code": {**_BASE, "hook_event_name": "UserPromptSubmit", "prompt_id": "p1"},
    "codex": {**_BASE, "hook_event_name": "UserPromptSubmit", "turn_id": "p1"},
    "gemini-cli": {**_BASE, "hook_event_name": "BeforeAgent"},
    "cursor": {
        "hook_event_name": "beforeSubmitPrompt",
        "conversation_id": "s1",
        "workspace_roots": ["/home/otto/shop"],
    },
    "vscode": {"hookEventName": "UserPromptSubmit", "sessionId": "s1", "cwd": "/home/otto/shop"},
    "opencode": {**_BASE, "hook_event_name": "prompt", "turn_id": "p1"},
}
STARTS = {"gemini-cli": "SessionStart", "cursor": "sessionStart", "opencode": "start"}


def installed(home: Path, agent: str) -> list[str]:
    """The command that an agent was told to run, taken from its own settings."""
    assert send(home, "", "hooks", "install", agent).code == 0
    name = {"cursor": ".cursor/hooks.json", "vscode": ".copilot/hooks/omoide.json", "codex": ".codex/hooks.json"}
    name |= {"claude-code": ".claude/settings.json", "gemini-cli": ".gemini/settings.json"}
    if agent == "opencode":
        source = (home / ".config/opencode/plugins/omoide.js").read_text("utf-8")
        line = next(each for each in source.splitlines() if each.startswith("const COMMAND = "))
        return list(json.loads(line.removeprefix("const COMMAND = ")))
    found = json.loads((home / name[agent]).read_text("utf-8"))["hooks"]
    entry = next(iter(found.values()))[0]
    return shlex.split(entry.get("hooks", [entry])[0]["command"])


def as_client(home: Path, command: list[str], event: Mapping[str, Any]) -> subprocess.CompletedProcess[str]:
    """Runs a hook as the agent does: nothing in the environment but a home and a path."""
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        command, input=json.dumps(event), env=environment, cwd=home, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("agent", PROMPTS)
def test_the_installed_command_works_with_an_empty_environment(tmp_path: Path, agent: str) -> None:
    (tmp_path / "space").mkdir()
    command = installed(tmp_path, agent)  # with the file of $OMOIDE_DB, which the agent may not have
    said = "We deploy the shop with vercel --prod, never with Docker."
    first = as_client(tmp_path, command, PROMPTS[agent] | {"prompt": said})
    assert (first.returncode, first.stdout, first.stderr) == (0, "", "")
    other = {name: "s2" for name in ("session_id", "sessionId", "conversation_id") if name in PROMPTS[agent]}
    name = "hookEventName" if agent == "vscode" else "hook_event_name"
    start = PROMPTS[agent] | other | {name: STARTS.get(agent, "SessionStart"), "source": "startup"}
    answer = json.loads(as_client(tmp_path, command, start).stdout)
    words = answer.get("additional_context") or answer["hookSpecificOutput"]["additionalContext"]
    assert "vercel --prod" in words
    with Memory(tmp_path / "space" / "default.db", embedder=None) as memory:
        assert memory.get(1).text == said
        assert memory.get(1).session == f"{agent}:s1"


def test_the_copy_of_the_settings_is_that_of_before_omoide(tmp_path: Path) -> None:
    settings = tmp_path / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model": "o"}\n')
    installed(tmp_path, "claude-code")
    assert send(tmp_path, "", "hooks", "remove", "claude-code").code == 0
    assert settings.with_name("settings.json.before-omoide").read_text() == '{"model": "o"}\n'


@pytest.mark.parametrize("agent", PROMPTS)
def test_hooks_of_each_agent_are_removed_again(tmp_path: Path, agent: str) -> None:
    installed(tmp_path, agent)
    installed(tmp_path, agent)
    assert send(tmp_path, "", "hooks", "remove", agent).code == 0
    left = [each for each in tmp_path.rglob("*") if each.is_file() and "before-omoide" not in each.name]
    assert not any("omoide" in each.read_text("utf-8") for each in left if each.suffix in (".json", ".js"))


def test_the_user_s_words_are_stored_before_anything_is_looked_up(tmp_path: Path) -> None:
    code = """
    import io, sys
    from omoide.interfaces.hooks import run
    from omoide.memory import read
    read.search = None  # looking up fails
    sys.stdin = io.TextIOWrapper(io.BytesIO(sys.argv[2].encode()))
    run.main(["--db", sys.argv[1], "--limit", "300"])
    """
    assert run(code, tmp_path / "a.db", json.dumps(prompt("My dog is called Kira."))) == ""
    assert "TypeError" in (tmp_path / "a.hooks.log").read_text("utf-8")
    with Memory(tmp_path / "a.db", embedder=None) as memory:
        assert memory.get(1).text == "My dog is called Kira."


def transcript_of(folder: Path, *entries: tuple[str, str]) -> Path:
    """A transcript as Claude Code writes it: (prompt id, words of the user)."""
    lines = [
        {"type": "user", "uuid": f"u-{id}", "promptId": id, "sessionId": "s1", "timestamp": "2026-05-01T12:00:00Z",
         "message": {"role": "user", "content": words}}
        for id, words in entries
    ]  # fmt: skip
    path = folder / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    return path


def test_words_that_a_hook_lost_are_taken_from_the_transcript(tmp_path: Path) -> None:
    transcript = transcript_of(tmp_path, ("p1", "My dog is called Kira."), ("p2", "She is a poodle."))
    send(tmp_path, {**prompt("She is a poodle."), "prompt_id": "p2", "transcript_path": str(transcript)})
    stop = {"hook_event_name": "Stop", "session_id": "s1", "transcript_path": str(transcript)}
    for _ in range(2):
        send(tmp_path, stop)
    with Memory(tmp_path / "a.db", embedder=None) as memory:
        assert sorted(each.text for each in memory.list()) == ["My dog is called Kira.", "She is a poodle."]
        memory.admin.import_from(transcript, format="claude-code")
        assert memory.stats().nodes == 2


def test_a_later_session_takes_what_an_earlier_one_could_not_store(tmp_path: Path) -> None:
    Memory(tmp_path / "a.db", embedder=None).close()
    transcript = transcript_of(tmp_path, ("p1", "My dog is called Kira."))
    other = apsw.Connection(str(tmp_path / "a.db"))
    other.execute("BEGIN IMMEDIATE")
    send(tmp_path, {**prompt("My dog is called Kira."), "prompt_id": "p1", "transcript_path": str(transcript)})
    other.execute("ROLLBACK")
    send(tmp_path, {"hook_event_name": "SessionStart", "session_id": "s2", "source": "startup"})
    with Memory(tmp_path / "a.db", embedder=None) as memory:
        assert [each.text for each in memory.list(session="claude-code:s1")] == ["My dog is called Kira."]
    assert not (tmp_path / "a.hooks.pending").exists()


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("mcp__omoide__search_memory", {"query": "dog"}),
        ("mcp__plugin_omoide_omoide__get_context", {"message": "dog"}),
        ("mcp_omoide_search_memory", {"query": "dog"}),
        ("omoide_search_memory", {"query": "dog"}),
        ("MCP:search_memory", {"query": "dog"}),
        ("ToolSearch", {"query": "select:mcp__omoide__search_memory"}),
        ("Bash", {"command": "cd shop && omoide recall dog | head -3"}),
        ("Bash", {"command": "/opt/x/bin/python3 -m omoide recall dog"}),
    ],
)
def test_our_own_tools_are_not_stored(tmp_path: Path, name: str, given: dict[str, str]) -> None:
    assert send(tmp_path, tool("PostToolUse", name, given, tool_response="[id:1] Kira")).out == ""
    with Memory(tmp_path / "a.db", embedder=None) as memory:
        assert memory.stats().nodes == 0


def test_a_session_is_given_nothing_twice(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db", embedder=None) as memory:
        memory.remember("The shop is deployed with vercel --prod", importance=9)
    started = send(tmp_path, {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": "/home/otto/shop"})
    assert "vercel" in told(started)
    assert send(tmp_path, prompt("How is the shop deployed?")).out == ""
    assert send(tmp_path, prompt("How is the shop deployed?")).out == ""
    assert "vercel" in told(send(tmp_path, {**prompt("How is the shop deployed?"), "session_id": "s2"}))


def test_unreadable_settings_are_not_changed(tmp_path: Path) -> None:
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{not json")
    done = send(tmp_path, "", "hooks", "install", "claude-code")
    assert done.code == 2
    assert settings.read_text() == "{not json"
