"""Measures the lookup of bound lessons before a tool use: CPU time with 10,000 bindings, warm and cold.

python bench/trigger_lookup.py
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from metrics import cpu, quantile
from omoide import Memory
from omoide.domain import Draft
from omoide.domain.trigger import normalize_trigger
from omoide.store.engine.connection import Connection
from omoide.store.records import nodes
from omoide.store.tasks import lessons

LESSONS = 10_000
LOOKUPS = 2_000
LONG = 500  # lookups of a long error
TOOLS = ("Bash", "Edit", "Write", "Read", "Grep")
VERBS = ("git", "npm", "docker", "make", "pytest", "kubectl", "terraform", "cargo")
WORDS = [f"{a}{b}" for a in ("route", "cache", "order", "user", "queue", "index", "token", "page") for b in range(60)]
Trigger = Callable[[random.Random], dict[str, str]]
ENDINGS = ("ts", "py", "sql", "go", "rs", "md")


def trigger(random: random.Random) -> dict[str, str]:
    """One quarter each: files, commands, errors, and a tool with a file. Few are bound to a tool only."""
    word, other = random.choice(WORDS), random.choice(WORDS)
    match random.randrange(4):
        case 0:
            return {
                "path": random.choice([f"src/{word}/**", f"**/{word}/*.{random.choice(ENDINGS)}", f"src/{word}.py"])
            }
        case 1:
            return {"command": f"{random.choice(VERBS)} {word} {random.choice(('--force', other))}"}
        case 2:
            return {"error": f"{word.title()}Error: cannot read the {other} of {random.choice(WORDS)}"}
        case _:
            return {"tool": random.choice(TOOLS), "path": f"src/{word}/{other}.{random.choice(ENDINGS)}"}


def event(random: random.Random) -> dict[str, str]:
    word, other = random.choice(WORDS), random.choice(WORDS)
    match random.randrange(3):
        case 0:
            return {"tool": "Edit", "path": f"/home/otto/projects/shop/src/{word}/{other}.{random.choice(ENDINGS)}"}
        case 1:
            line = (
                f"cd /home/otto/projects/shop && {random.choice(VERBS)} {word} --force --verbose origin main | tail -20"
            )
            return {"tool": "Bash", "command": line}
        case _:
            trace = f'File "/home/otto/{word}.py", line {random.randrange(999)}, in {other}\n' * 5
            return {"tool": "Bash", "error": f"{trace}{word.title()}Error: cannot read the {other} of {word}"}


def globbed(random: random.Random) -> dict[str, str]:
    """Returns thousands of lessons, each for all tools of one server."""
    return {"tool": f"mcp__{random.choice(WORDS)}__*"}


def called(random: random.Random) -> dict[str, str]:
    return {"tool": f"mcp__{random.choice(WORDS)}__create_issue"}


def printed(random: random.Random) -> dict[str, str]:
    """Returns the output of a test run with three hundred lines."""
    lines = (
        f"tests/test_{n}.py::test_{random.choice(WORDS)} {random.choice(WORDS)} FAILED {random.choice(WORDS)} line {n}"
        for n in range(300)
    )
    return {"tool": "Bash", "error": "\n".join(lines)}


def filled(path: Path, trigger: Trigger, seed: int = 7) -> None:
    chance = random.Random(seed)
    with Memory(path, embedder=None) as memory:
        store = memory._store

        def work(db: Connection) -> None:
            drafts = [
                Draft(kind="antipattern", text=f"Lesson {n}: mind it", event_at=n, origin="agent", source_type="agent")
                for n in range(LESSONS)
            ]
            for node in nodes.insert(db, drafts):
                given = {"tool": None, "path": None, "command": None, "error": None} | trigger(chance)
                lessons.bind(db, node.id, normalize_trigger(**given))

        store._file.write(work)


def cold(path: Path) -> float:
    """Returns the CPU seconds of the hook as an agent runs it."""
    said = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": "src/route1/page1.ts"}}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "omoide", "hook", "--db", str(path)]
    subprocess.run(command, input=json.dumps(said), text=True, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measured(path: Path, event: Trigger, lookups: int) -> tuple[list[float], int]:
    """Returns the CPU seconds of each lookup, and how many found something."""
    chance = random.Random(11)
    found = 0
    took = []
    with Memory(path, embedder=None) as memory:
        for _ in range(50):
            memory.tasks.lessons(**event(chance))  # type: ignore[arg-type]
        for asked in [event(chance) for _ in range(lookups)]:
            answer: list[object] = []
            took.append(cpu(lambda: answer.extend(memory.tasks.lessons(**asked))))  # type: ignore[arg-type] # noqa: B023
            found += bool(answer)
    return took, found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, tools = Path(folder) / "lessons.db", Path(folder) / "tools.db"
        filled(path, trigger)
        filled(tools, globbed)
        took, found = measured(path, event, LOOKUPS)
        long, _ = measured(path, printed, LONG)
        many, _ = measured(tools, called, LOOKUPS)
        start = quantile([cold(path) for _ in range(5)], 0.5)
    print(
        f"triggers: {LESSONS:,} bound lessons, {_told(took)}, "
        f"{found / LOOKUPS:.0%} of {LOOKUPS:,} told something; the hook as a process {start * 1e3:.0f} ms CPU"
    )
    print(f"  all bound to globs of tools: {_told(many)}")
    print(f"  an error of 300 lines: {_told(long)}")


def _told(took: list[float]) -> str:
    mean = sum(took) / len(took)
    return f"{mean * 1e3:.3f} ms CPU per lookup (p99 {quantile(took, 0.99) * 1e3:.3f})"


if __name__ == "__main__":
    main()
