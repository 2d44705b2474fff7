"""The plugin packages hold what the installer would write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omoide import __version__
from omoide.interfaces.hooks.agents import agent_named, command, installing

PLUGINS = Path(__file__).parents[2] / "plugins"


@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_the_hooks_of_a_plugin_are_those_of_the_installer(tmp_path: Path, name: str) -> None:
    agent = agent_named(name)
    written = json.loads(installing(agent, tmp_path / "hooks.json", None).after)
    own = command(agent, None)
    packed = json.loads((PLUGINS / name / "hooks/hooks.json").read_text("utf-8"))
    assert packed == json.loads(json.dumps(written).replace(json.dumps(own)[1:-1], f"omoide hook --agent {name}"))


@pytest.mark.parametrize("path", ["claude-code/.claude-plugin/plugin.json", "codex/.codex-plugin/plugin.json"])
def test_a_plugin_has_our_version(path: str) -> None:
    assert json.loads((PLUGINS / path).read_text("utf-8"))["version"] == __version__
