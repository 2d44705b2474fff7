"""Hooks in the real programs: installed by the documented command alone, tried with two sessions of a user."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from omoide import Memory
from tests.clients.programs import BIN, CLIENTS, Home, busy_loops
from tests.clients.scripted_model import Call, ScriptedModel, serving

pytestmark = [pytest.mark.clients, pytest.mark.skipif(not BIN.exists(), reason="`make test-clients` installs them")]
RUNS = int(os.environ.get("CLIENT_RUNS", "1"))
BUSY = int(os.environ.get("CLIENT_BUSY", "0"))  # processes that keep the machine busy meanwhile


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    (tmp_path / "shop").mkdir()
    with serving(ScriptedModel()) as model:
        yield Home(tmp_path, model)


@pytest.fixture(autouse=True)
def _busy() -> Iterator[None]:
    loops = busy_loops(BUSY)
    yield
    for each in loops:
        each.kill()
        each.wait()


def user_words(home: Home) -> list[str]:
    with Memory(home.memory, embedder=None) as memory:
        found = [each.text for each in memory.list(kinds=("episode",), order="oldest") if each.role == "user"]
    return [each.strip('"') for each in found]  # `opencode run` puts them in quotation marks


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("run", range(RUNS))
def test_a_second_session_knows_what_was_said_in_the_first(home: Home, client: str, run: int) -> None:
    home.run("omoide", "hooks", "install", client)
    CLIENTS[client](home, "My dog is called Kira.")
    count = len(home.model.bodies())
    CLIENTS[client](home, "What is my dog called?")
    assert any("Kira" in body for body in home.model.bodies()[count:])
    assert user_words(home) == ["My dog is called Kira.", "What is my dog called?"]


@pytest.mark.parametrize("client", CLIENTS)
def test_both_sides_and_the_tools_are_recorded_once(home: Home, client: str) -> None:
    tool = {"codex": "exec_command", "gemini-cli": "run_shell_command", "claude-code": "Bash", "opencode": "bash"}
    name = "cmd" if client == "codex" else "command"
    home.model.calls = (Call(tool[client], {name: "echo hello", "description": "says hello"}),)
    home.model.words = "It said hello."
    home.run("omoide", "hooks", "install", client)
    CLIENTS[client](home, "Please say hello.")
    with Memory(home.memory, embedder=None) as memory:
        found = memory.list(kinds=("episode",), order="oldest").items
    assert sorted((each.role or "").partition(":")[0] for each in found) == ["agent", "tool", "user"]
    assert {each.session.partition(":")[0] for each in found if each.session} == {client}
    assert "hello" in next(each for each in found if (each.role or "").startswith("tool")).text


@pytest.mark.parametrize("client", CLIENTS)
def test_removed_hooks_leave_the_client_as_it_was(home: Home, client: str) -> None:
    home.run("omoide", "hooks", "install", client)
    home.run("omoide", "hooks", "remove", client)
    CLIENTS[client](home, "My dog is called Kira.")
    assert not home.memory.exists()


@pytest.mark.parametrize(("client", "folder"), [("claude-code", ".claude/projects"), ("codex", ".codex/sessions")])
def test_what_a_client_wrote_itself_is_imported(home: Home, client: str, folder: str) -> None:
    home.model.words = "A fine name."
    CLIENTS[client](home, "My dog is called Kira.")
    with Memory(home.folder / "imported.db", embedder=None) as memory:
        taken = memory.admin.import_from(home.folder / folder)
        said = {(each.role, each.text) for each in memory.list(kinds=("episode",))}
    assert (taken.format, taken.unplaced) == (client, {})
    assert {("user", "My dog is called Kira."), ("agent", "A fine name.")} <= said
