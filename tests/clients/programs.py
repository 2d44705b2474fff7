"""The real programs of coding agents, each in a home of its own, asking the scripted model and nobody else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.clients.scripted_model import ScriptedModel

BIN = Path(__file__).parents[2] / ".clients" / "node_modules" / ".bin"


@dataclass(frozen=True)
class Home:
    """The folders of one user. What is installed in one is seen by no other."""

    folder: Path
    model: ScriptedModel

    @property
    def project(self) -> Path:
        return self.folder / "shop"

    @property
    def memory(self) -> Path:
        return self.folder / ".local/share/omoide/memory.db"

    def environment(self, **more: str) -> dict[str, str]:
        path = f"{BIN}:{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
        return {"HOME": str(self.folder), "PATH": path, "TERM": "dumb", **more}

    def run(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            words,
            cwd=self.project,
            env=self.environment(**more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, f"{words}: {done.stdout}\n{done.stderr}"
        return done

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def _claude(home: Home, words: str) -> None:
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    tools = "mcp__omoide,Bash,ToolSearch,mcp__plugin_omoide_omoide"
    at = {"ANTHROPIC_BASE_URL": home.model.url, "ANTHROPIC_API_KEY": "none"}
    home.run("claude", "-p", words, "--allowedTools", tools, **at, **quiet)


def _codex(home: Home, words: str) -> None:
    """Trusting the hooks needs a person at the terminal, so they run untrusted here, by the flag that Codex has."""
    options = ("--skip-git-repo-check", "--dangerously-bypass-hook-trust")
    own = {
        "model": '"gpt-5"',
        "model_provider": '"scripted"',
        "model_providers.scripted": f'{{name="s",base_url="{home.model.url}/v1",wire_api="responses",env_key="KEY"}}',
    }
    settings = [word for name, value in own.items() for word in ("-c", f"{name}={value}")]
    home.run("codex", "exec", *options, *settings, words, KEY="none")


def _gemini(home: Home, words: str) -> None:
    settings = home.folder / ".gemini/settings.json"
    given = json.loads(settings.read_text("utf-8")) if settings.exists() else {}
    own = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False}}
    home.write(".gemini/settings.json", json.dumps(given | own))
    at = {"GOOGLE_GEMINI_BASE_URL": home.model.url, "GEMINI_API_KEY": "none", "GEMINI_TELEMETRY_ENABLED": "false"}
    home.run("gemini", "-m", "gemini-2.5-flash", "--skip-trust", "--yolo", "-p", words, **at)


def _opencode(home: Home, words: str) -> None:
    options = {"baseURL": f"{home.model.url}/v1", "apiKey": "none"}
    model = {"m": {"name": "m", "tool_call": True}}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "s", "options": options, "models": model}
    own = {"autoupdate": False, "model": "s/m", "small_model": "s/m", "provider": {"s": provider}}
    offline = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
    home.run("opencode", "run", words, OPENCODE_CONFIG_CONTENT=json.dumps(own), **offline)


CLIENTS: dict[str, Callable[[Home, str], None]] = {
    "claude-code": _claude,
    "codex": _codex,
    "gemini-cli": _gemini,
    "opencode": _opencode,
}


def busy_loops(count: int) -> list[subprocess.Popen[bytes]]:
    """Processes that keep the machine busy until they are killed."""
    code = "while True: pass"
    return [subprocess.Popen([sys.executable, "-c", code], env=dict(os.environ)) for _ in range(count)]
