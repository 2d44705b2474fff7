"""The MCP inspector's command line, which knows nothing of us, against our server (`make test-inspector`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.inspector

INSPECTOR = ["npx", "--yes", "@modelcontextprotocol/inspector", "--cli"]


def inspected(db: Path, *words: str, tools: str = "core") -> Any:
    server = [sys.executable, "-m", "omoide", "mcp", "--db", str(db), "--no-embedder", "--tools", tools]
    done = subprocess.run(
        [*INSPECTOR, *server, *words], capture_output=True, text=True, check=False, env=dict(os.environ), timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_lists_tools_resources_and_prompts(tmp_path: Path) -> None:
    db = tmp_path / "otto.db"
    assert len(inspected(db, "--method", "tools/list")["tools"]) == 4
    assert len(inspected(db, "--method", "resources/templates/list")["resourceTemplates"]) == 4
    assert len(inspected(db, "--method", "prompts/list")["prompts"]) == 2


def test_it_calls_a_tool_and_reads_what_it_left(tmp_path: Path) -> None:
    db = tmp_path / "otto.db"
    call = ("--method", "tools/call", "--tool-name")
    inspected(db, *call, "remember_fact", "--tool-arg", "fact=Otto lives in Berlin")
    found = inspected(db, *call, "search_memory", "--tool-arg", "query=where does Otto live?")
    assert "[id:1] Otto lives in Berlin" in found["structuredContent"]["text"]
    read = inspected(db, "--method", "resources/read", "--uri", "omoide://node/1")
    assert "Otto lives in Berlin" in read["contents"][0]["text"]


def test_it_reads_the_graph_of_the_reference_tools(tmp_path: Path) -> None:
    entities = json.dumps([{"name": "Ada", "entityType": "poet", "observations": ["Sings"]}])
    call = ("--method", "tools/call", "--tool-name")
    made = inspected(
        tmp_path / "a.db", *call, "create_entities", "--tool-arg", f"entities={entities}", tools="reference"
    )
    assert made["structuredContent"] == {"entities": json.loads(entities)}
