"""Help, completion, narrow terminals, `init`, the demo, the graph and documents at the command line."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import tomllib
from typing import Any

import pytest

from tests.interfaces.terminal import OMOIDE, Terminal, read_until


@pytest.mark.parametrize("verb", [("stats",), ("tasks", "list"), ()], ids=" ".join)
def test_a_flag_is_shown_without_a_type(terminal: Terminal, verb: tuple[str, ...]) -> None:
    ran = terminal.run(*verb, "--help")
    assert "--json" in ran.out
    assert "bool" not in ran.out.casefold()


@pytest.mark.parametrize("name", ["", "all"])
def test_the_tools_page_is_wrapped_also_in_a_pipe(terminal: Terminal, name: str) -> None:
    ran = terminal.run("tools", *filter(None, [name]))
    assert "search_memory" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100


def test_the_shell_completes_verbs(terminal: Terminal) -> None:
    script = terminal.spawn("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    asked = {"_OMOIDE_COMPLETE": "complete_bash", "COMP_WORDS": "omoide rec", "COMP_CWORD": "1"}
    completed = terminal.start(more=asked).communicate(timeout=60)[0].decode().split()
    assert "complete" in script.out
    assert completed == ["recall"]


def shown(terminal: Terminal, *words: str, width: int, **more: str) -> str:
    """What a person sees on a terminal of that width."""
    pid, end = pty.fork()
    if pid == 0:
        environment = terminal.environment(COLUMNS=str(width), TERM="xterm-256color", **more)
        os.chdir(terminal.folder)
        os.execve(OMOIDE[0], [*OMOIDE, "--no-embedder", *words], environment)
    seen = read_until(end)
    os.close(end)
    os.waitpid(pid, 0)
    return seen


def test_tables_fit_a_narrow_terminal_and_colours_can_be_turned_off(terminal: Terminal) -> None:
    turn = {"text": "How do we deploy the app? " * 5, "session": "a session with a rather long name"}
    terminal.run("observe", "--jsonl", "-", stdin=json.dumps(turn))
    terminal.run("end", turn["session"], "--summary", "a summary that is far longer than the terminal is wide " * 2)
    for verb in (["sessions"], ["recall", "deploy app"], ["stats"]):
        seen = shown(terminal, *verb, width=50, NO_COLOR="1")
        plain = re.sub(r"\x1b\[[0-9;]*m", "", seen)
        assert max(len(line) for line in plain.splitlines()) <= 50, verb
        assert "\x1b[3" not in seen


def test_init_previews_writes_once_and_removes(terminal: Terminal) -> None:
    (terminal.folder / ".cursor").mkdir()
    (terminal.folder / ".codex").mkdir()
    codex, cursor = terminal.folder / ".codex/config.toml", terminal.folder / ".cursor/mcp.json"
    codex.write_text('model = "o"\n\n[mcp_servers.other]\ncommand = "x"\n')
    before = codex.read_text()
    assert all(each["changed"] is False for each in terminal.json("init", "--dry-run")["clients"])
    assert terminal.run("init").code == 2  # nobody to ask
    assert codex.read_text() == before
    first, again = terminal.json("init", "--yes"), terminal.json("init", "--yes")
    assert [each["changed"] for each in first["clients"]] == [True, True]
    assert [each["changed"] for each in again["clients"]] == [False, False]
    written = tomllib.loads(codex.read_text())["mcp_servers"]
    assert written["other"] == {"command": "x"}
    assert written["omoide"]["args"] == ["-m", "omoide", "mcp"]
    assert json.loads(cursor.read_text())["mcpServers"]["omoide"]["command"] == OMOIDE[0]
    assert (terminal.folder / ".codex/config.toml.before-omoide").read_text() == before
    terminal.json("init", "--remove", "--yes")
    assert codex.read_text() == before
    assert json.loads(cursor.read_text()) == {"mcpServers": {}}


def test_init_keeps_what_claude_mcp_add_made(terminal: Terminal) -> None:
    entry = {"type": "stdio", "command": "omoide", "args": ["mcp"], "env": {}}
    other = {**entry, "args": ["mcp", "--db", "shop.db"]}
    settings = terminal.folder / ".claude.json"
    settings.write_text(json.dumps({"mcpServers": {"omoide": entry}}))
    (row,) = terminal.json("init", "--yes")["clients"]
    assert (row["changed"], row["diff"]) == (False, [])
    projects = {"/shop": {"mcpServers": {"omoide": entry, "x": {}}}, "/own": {"mcpServers": {"omoide": other}}}
    settings.write_text(json.dumps({"projects": projects}))
    assert [each["changed"] for _ in range(2) for each in terminal.json("init", "--yes")["clients"]] == [True, False]
    written = json.loads(settings.read_text())
    assert written["mcpServers"]["omoide"]["args"] == ["-m", "omoide", "mcp"]
    assert written["projects"]["/shop"]["mcpServers"] == {"x": {}}
    assert written["projects"]["/own"]["mcpServers"] == {"omoide": other}


def test_init_writes_each_client_s_own_form(terminal: Terminal) -> None:
    for folder in (".codex", ".gemini", ".config/opencode"):
        (terminal.folder / folder).mkdir(parents=True)
    terminal.json("init", "--yes")
    codex = tomllib.loads((terminal.folder / ".codex/config.toml").read_text())["mcp_servers"]["omoide"]
    assert codex["required"] is True
    gemini = json.loads((terminal.folder / ".gemini/settings.json").read_text())["mcpServers"]["omoide"]
    assert gemini["args"] == ["-m", "omoide", "mcp"]
    opencode = json.loads((terminal.folder / ".config/opencode/opencode.json").read_text())["mcp"]["omoide"]
    assert opencode == {"type": "local", "enabled": True, "command": [*OMOIDE, "mcp"]}


def test_init_skips_unreadable_settings(terminal: Terminal) -> None:
    for folder in (".cursor", ".codeium/windsurf"):
        (terminal.folder / folder).mkdir(parents=True)
    broken = terminal.folder / ".cursor/mcp.json"
    broken.write_text("{ // with a comment\n}")
    rows = {each["client"]: each for each in terminal.json("init", "--yes", "--tools", "core,graph")["clients"]}
    assert "was not changed" in rows["Cursor"]["error"]
    assert rows["Windsurf"]["changed"]
    assert broken.read_text() == "{ // with a comment\n}"
    assert terminal.run("init", "--client", "emacs").code == 2
    assert terminal.run("init", "--tools", "koshy").code == 2


def test_the_demo_runs_and_never_overwrites_a_memory(terminal: Terminal) -> None:
    for _ in range(2):
        told = terminal.run("demo", "story.db")
        assert told.code == 0, told.err
        assert "Where does Otto live?  → Otto moved to Berlin yesterday (2026-02-10)" in told.out
        assert "and on Monday?       → Otto lives in São Paulo" in told.out
        assert "To release Kira: run pnpm test" in told.out
        assert "replaced on 2026-02-10: " in told.out
        assert "Nothing was learned from “If I lived in Lisbon …”" in told.out
        assert "no byte of it is left" in told.out
        times = re.findall(r"Tue (\d\d:\d\d)", told.out)
        assert times == sorted(times)
        program = next(line for line in told.out.splitlines() if line.endswith(" stats")).split()[0]
        assert shutil.which(program)
    terminal.run("observe", "something of mine")
    refused = terminal.run("demo", str(terminal.path))
    assert refused.code == 2
    assert terminal.json("stats")["nodes"] == 1


@pytest.mark.parametrize(
    "words",
    [
        ["graph", "entities"],
        ["graph", "read"],
        ["graph", "read", "Otto"],
        ["graph", "add", '{"entities": [{"name": "Ada", "type": "poet", "observations": ["Sings"]}]}'],
        ["graph", "add", "--entity", '{"name": "Ada", "observations": ["Sings"]}'],
        ["graph", "relations", "Otto"],
        ["graph", "unrelate", "Otto", "works_at", "Acme"],
        ["graph", "remove", "Otto"],
        ["tools"],
        ["init", "--dry-run"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_the_graph_as_json(terminal: Terminal, words: list[str]) -> None:
    given: Any = {"entities": [{"name": "Otto", "observations": ["old"]}], "relations": [["Otto", "works_at", "Acme"]]}
    assert terminal.run("graph", "add", "-", stdin=json.dumps(given)).code == 0
    assert terminal.json(*words) is not None


def test_a_document_is_kept_under_its_name_and_read_by_it(terminal: Terminal) -> None:
    terminal.run("documents", "save", "recipes", "rye", "Rye bread: sourdough")
    terminal.run("documents", "save", "recipes", "rye", "Rye bread: sourdough, 12 hours")
    assert terminal.run("documents", "list", "recipes").out == "rye: [id:1] note  Rye bread: sourdough, 12 hours\n"
    assert terminal.run("documents", "get", "recipes", "rye").out == "Rye bread: sourdough, 12 hours\n"
    assert terminal.run("documents", "get", "recipes", "oats").code == 3
    assert terminal.run("documents", "list", "letters").err == "the collection is empty\n"


def test_the_turns_of_a_session_are_listed_in_order(terminal: Terminal) -> None:
    terminal.run("observe", "Hello", "--session", "s1", "--at", "2026-05-04T09:00:00")
    terminal.run("observe", "Good morning", "--role", "agent", "--session", "s1", "--at", "2026-05-04T09:01:00")
    listed = ("list", "--session", "s1", "--kind", "episode", "--order", "oldest")
    assert terminal.run(*listed).out.splitlines() == [
        "2026-05-04 09:00  [id:1] episode  user: Hello",
        "2026-05-04 09:01  [id:2] episode  agent: Good morning",
    ]
    first = terminal.json(*listed, "--limit", "1")
    (second,) = terminal.json(*listed, "--cursor", first["next_cursor"])["memories"]
    assert second["text"] == "Good morning"


@pytest.mark.parametrize("words", [("hooks", "uninstall"), ("correct", "abc", "text")])
def test_a_wrong_word_is_answered_in_plain_words(terminal: Terminal, words: tuple[str, ...]) -> None:
    refused = terminal.run(*words).err
    assert "Value error" not in refused
    assert "unable to parse" not in refused


def test_an_export_onto_a_file_names_the_option(terminal: Terminal) -> None:
    terminal.run("observe", "something")
    page = str(terminal.folder / "export.jsonl")
    terminal.run("admin", "export", page)
    assert "--overwrite" in terminal.run("admin", "export", page).err
    assert terminal.run("admin", "export", page, "--overwrite").code == 0
