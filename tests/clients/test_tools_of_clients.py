"""Tools in the real programs: added by the documented command alone, called by the scripted model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from omoide import Memory
from tests.clients.programs import BIN, CLIENTS, Home
from tests.clients.scripted_model import Call, ScriptedModel, serving

pytestmark = [pytest.mark.clients, pytest.mark.skipif(not BIN.exists(), reason="`make test-clients` installs them")]
FOLDERS = {"claude-code": ".claude", "codex": ".codex", "gemini-cli": ".gemini", "opencode": ".config/opencode"}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    (tmp_path / "shop").mkdir()
    with serving(ScriptedModel()) as model:
        yield Home(tmp_path, model)


@pytest.mark.parametrize("client", CLIENTS)
def test_the_model_calls_the_tools_that_init_added(home: Home, client: str) -> None:
    (home.folder / FOLDERS[client]).mkdir(parents=True)
    home.run("omoide", "init", "--yes")
    with Memory(home.memory, embedder=None) as memory:
        memory.remember("Otto lives in Berlin")
    home.model.calls = (
        Call("Bash", {"command": "sleep 5", "description": "waits"}),  # Claude Code asks before its servers are there
        Call("ToolSearch", {"query": "select:mcp__omoide__search_memory"}),  # how it loads a tool, where it has many
        Call("search_memory", {"query": "where does Otto live?"}),
    )
    CLIENTS[client](home, "Where do I live?")
    assert any("Otto lives in Berlin" in body for body in home.model.bodies())


def test_claude_mcp_add_and_init_agree(home: Home) -> None:
    home.run("claude", "mcp", "add", "--scope", "user", "omoide", "--", "omoide", "mcp")
    settings = json.loads((home.folder / ".claude.json").read_text("utf-8"))["mcpServers"]
    home.run("omoide", "init", "--yes")
    assert json.loads((home.folder / ".claude.json").read_text("utf-8"))["mcpServers"] == settings
    assert "Connected" in home.run("claude", "mcp", "list").stdout
