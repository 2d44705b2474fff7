"""Time until each view of the page shows its content, at 1,000, 10,000 and 100,000 memories, in a headless Chromium,
and the CPU time of the browser's main thread and of the server for each, which depend little on what else the machine
does.

    python bench/page.py --sizes 1000,10000,100000

The time runs from the beginning of the navigation of a new tab, so it includes loading the script. Needs playwright and
a Chromium (`make test-page` installs both); `--server-only` needs neither.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import which
from time import process_time
from typing import Any

from omoide import Memory
from omoide.observe.drafts import RememberedStatement

CONTENT = {
    "memories": ".memory",
    "memories?text=garden": ".memory",
    "ask?q=Who likes the garden?": ".meter",
    "inbox": ".inbox > li",
    "timeline": ".timeline .vis-item",
    "graph": ".graph canvas",
    "agenda": ".entry, .empty",
    "sessions": ".tile",
    "sessions?session=s7": ".talk li",
    "work": ".memory, .empty",
    "maintenance": ".card, .empty",
    "maintenance?tab=size": ".figure",
    "administration": ".card",
}
SWITCHES = (
    "--headless --no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader"
).split()
PEOPLE = [
    f"{first} {last}" for first in "Ana Otto Mia Leo Ida Max Eva Tim".split() for last in "Bell Cruz Diaz".split()
]
THINGS = "garden kitchen boat bicycle piano report server release budget library museum orchard".split()
VERBS = "likes avoids repaired painted sold needs plans remembers".split()
_LEARNED = 10  # one memory of ten was learned, the others were said


def fill(path: Path, size: int) -> None:
    """Writes a file of `size` memories over three years, a tenth of them learned, about 24 people."""
    chance, start = random.Random(7), datetime.now(UTC) - timedelta(days=1095)
    with Memory(path, embedder=None) as memory:
        for name in PEOPLE[: max(2, min(len(PEOPLE), size // 40))]:
            memory.graph.entity(name, type="person")
        turns = [
            {
                "text": f"{chance.choice(PEOPLE)} {chance.choice(VERBS)} the {chance.choice(THINGS)}, part {number}.",
                "session": f"s{number // 40}",
                "role": "user" if number % 2 else "agent",
                "at": start + timedelta(seconds=number * 94_000_000 // max(1, size)),
            }
            for number in range(size - size // _LEARNED)
        ]
        for first in range(0, len(turns), 1000):
            memory.observe_many(turns[first : first + 1000])
        for number in range(size // _LEARNED):
            text = f"{chance.choice(PEOPLE)} {chance.choice(VERBS)} the {chance.choice(THINGS)} number {number}"
            at = start + timedelta(seconds=number * _LEARNED * 94_000_000 // size)
            core = memory._core
            core.store.nodes.remember(core.draft(RememberedStatement(text=text, at=at)), ())


def served(path: Path, rounds: int) -> dict[str, float]:
    """Median milliseconds of CPU for each answer of the server."""
    from starlette.testclient import TestClient

    from omoide.interfaces.http.application import application
    from omoide.interfaces.http.spaces import Spaces

    now = datetime.now(UTC)
    since, until = (now - timedelta(days=120)).isoformat(), (now + timedelta(days=45)).isoformat()
    learned = "kinds=fact&kinds=preference&kinds=opinion&kinds=procedure&kinds=note"
    calls: dict[str, tuple[str, str, dict[str, Any]]] = {
        "memories": ("GET", "page/memories", {"params": learned}),
        "memories by words": ("GET", "page/memories", {"params": f"{learned}&text=garden"}),
        "people and topics": ("GET", "page/subjects", {}),
        "ask": ("POST", "page/ask", {"json": {"query": "Who likes the garden?", "budget": 800}}),
        "inbox": ("GET", "page/inbox", {"params": {"days": 7}}),
        "timeline": ("GET", "page/timeline", {"params": {"since": since, "until": until}}),
        "graph": ("GET", "page/graph", {}),
        "agenda": ("GET", "agenda", {"params": {"since": since, "until": until}}),
        "sessions": ("GET", "page/sessions", {}),
        "one session": ("GET", "page/session", {"params": {"name": "s7"}}),
        "tasks": ("GET", "tasks", {}),
        "maintenance": ("GET", "page/maintenance", {}),
    }
    found = {}
    spaces = Spaces({"token": str(path)}, embedder=None)
    with TestClient(
        application(spaces), base_url="http://127.0.0.1", headers={"Authorization": "Bearer token"}
    ) as http:
        for name, (method, route, sent) in calls.items():
            times = []
            for _ in range(rounds + 1):
                began = process_time()
                http.request(method, f"/v1/{route}", **sent).raise_for_status()
                times.append(1000 * (process_time() - began))
            found[name] = statistics.median(times[1:])
    return found


def measure(path: Path, rounds: int) -> tuple[dict[str, float], dict[str, float]]:
    """Median milliseconds of each view: on the clock, and of CPU of the browser's main thread."""
    from playwright.sync_api import sync_playwright

    serving = subprocess.Popen(
        [sys.executable, "-m", "omoide", "--db", str(path), "--no-embedder", "view", "--no-browser"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert serving.stderr is not None
    base, token = serving.stderr.readline().split()[0].split("/#token=")
    try:
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=which("chromium"), args=SWITCHES)
            found: dict[str, list[float]] = {view: [] for view in CONTENT}
            worked: dict[str, list[float]] = {view: [] for view in CONTENT}
            for number in range(rounds + 1):  # the first round warms up
                for view, content in CONTENT.items():
                    context = browser.new_context()
                    context.add_init_script(f"sessionStorage.setItem('omoide-token', {json.dumps(token)})")
                    page = context.new_page()
                    driven = context.new_cdp_session(page)
                    driven.send("Performance.enable", {"timeDomain": "threadTicks"})
                    page.goto(f"{base}/#/{view}", wait_until="commit")
                    page.wait_for_selector(content, timeout=120_000)
                    if number:
                        found[view].append(float(page.evaluate("performance.now()")))
                        told = driven.send("Performance.getMetrics")["metrics"]
                        worked[view] += [1000 * each["value"] for each in told if each["name"] == "TaskDuration"]
                    context.close()
            browser.close()
    finally:
        serving.terminate()
        serving.wait()
    return medians(found), medians(worked)


def medians(times: dict[str, list[float]]) -> dict[str, float]:
    return {name: statistics.median(each) for name, each in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--server-only", action="store_true")
    given = parser.parse_args()
    shown: dict[str, dict[str, float]] = {}
    worked: dict[str, dict[str, float]] = {}
    answered: dict[str, dict[str, float]] = {}
    for size in given.sizes.split(","):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "memory.db"
            fill(path, int(size))
            answered[size] = served(path, given.rounds)
            if not given.server_only:
                shown[size], worked[size] = measure(path, given.rounds)
            print(size, "done", flush=True)
    table("until the view shows its content", shown)
    table("CPU of the browser's main thread", worked)
    table("CPU of the server", answered)


def table(title: str, columns: dict[str, dict[str, float]]) -> None:
    """Prints a Markdown table."""
    if not columns:
        return
    print(f"\n| {title} | {' | '.join(f'{int(size):,}' for size in columns)} |")
    print(f"|---|{'---:|' * len(columns)}")
    for view in next(iter(columns.values())):
        print(f"| {view} | {' | '.join(f'{column[view]:,.0f} ms' for column in columns.values())} |")


if __name__ == "__main__":
    main()
