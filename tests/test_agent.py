"""The example agent: what it prints offline, and that it really asks a model where one is configured."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import without_mark
from tests.providers.server import ScriptedAnswer, serving

AGENT = Path(__file__).parent.parent / "examples" / "agent.py"


def run(path: Path, **environment: str) -> str:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("OMOIDE_", "OPENAI_"))}
    done = subprocess.run(
        [sys.executable, str(AGENT), str(path)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**plain, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_offline_it_prints_the_same_every_time_and_finds_its_way_back(tmp_path: Path) -> None:
    told = without_mark(run(tmp_path / "one.db"))
    assert told == without_mark(run(tmp_path / "two.db"))
    monday, tuesday = told.split("== tuesday ==")
    assert "where was I?" not in monday
    assert "[message, topic · " in monday
    assert tuesday.startswith(
        "\nwhere was I?\n"
        "  | Where you were: monday, 2026-02-09\n"
        "  | - 2026-02-09: Agent: Cherry tomatoes do with five hours of sun. [id:8]\n"
        "  | - 2026-02-09: User: We decided to move the billing database to Postgres. "
        "Never deploy the billing database on a Friday, please. [id:5]\n"
        "  | Still open\n"
        "  | - I will prepare the billing migration. [id:2]\n"
    )
    pack = tuesday.split("user: Can you deploy it on Friday?")[1]
    assert "- Never deploy the billing database on a Friday" in pack


def test_with_an_endpoint_configured_a_model_is_asked_with_the_pack(tmp_path: Path) -> None:
    with serving() as server:
        server.say(ScriptedAnswer("Yes, I know."))
        told = run(
            tmp_path / "asked.db",
            OMOIDE_LLM_PROVIDER="openai",
            OMOIDE_LLM_MODEL="m",
            OMOIDE_LLM_BASE_URL=server.openai,
            OMOIDE_LLM_API_KEY="k",
            OMOIDE_LLM_RETRIES="0",
        )
    asked = [body["messages"] for body in server.asked if "You are Kira" in str(body["messages"][0])]
    assert told.count("\nagent: Yes, I know.") == len(asked) == 5
    assert "Where you were: monday" in asked[3][0]["content"]
    assert "Where you were" not in asked[4][0]["content"]
    assert "move the billing database to Postgres" in str(asked[3][-1]["content"])
    assert server.headers[0]["authorization"] == "Bearer k"
