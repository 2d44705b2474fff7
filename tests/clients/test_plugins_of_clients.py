"""The plugins of Claude Code and Codex: hooks, tools and commands in one, installed by the client's own command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.programs import BIN, CLIENTS, Home
from tests.clients.scripted_model import Call, ScriptedModel, serving
from tests.clients.test_hooks_of_clients import user_words

pytestmark = [pytest.mark.clients, pytest.mark.skipif(not BIN.exists(), reason="`make test-clients` installs them")]
CHECKOUT = str(Path(__file__).parents[2])
INSTALL = {"claude-code": ("claude", "plugin", "install"), "codex": ("codex", "plugin", "add")}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    (tmp_path / "shop").mkdir()
    with serving(ScriptedModel()) as model:
        yield Home(tmp_path, model)


@pytest.mark.parametrize("client", INSTALL)
def test_a_plugin_records_recalls_and_offers_its_tools(home: Home, client: str) -> None:
    program, *install = INSTALL[client]
    home.run(program, "plugin", "marketplace", "add", CHECKOUT)
    home.run(program, *install, "omoide@omoide")
    CLIENTS[client](home, "My dog is called Kira.")
    home.model.calls = (
        Call("Bash", {"command": "sleep 5", "description": "waits"}),  # Claude Code asks before its servers are there
        Call("search_memory", {"query": "dog"}),
    )
    count = len(home.model.bodies())
    CLIENTS[client](home, "What is my dog called?")
    assert "Kira" in home.model.bodies()[count]
    told = r"\[id:\d+\] (user: My|User's) dog is called Kira"  # the turn, or what was learned of it by now
    assert re.search(told, home.model.bodies()[-1])
    assert user_words(home) == ["My dog is called Kira.", "What is my dog called?"]
