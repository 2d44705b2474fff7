"""Time until each view of the page shows its content, at 1,000, 10,000 and 100,000 memories, in a headless Chromium.

    python bench/page.py --sizes 1000,10000,100000

The time runs from the beginning of the navigation of a new tab, so it includes loading the script. Needs playwright and
a Chromium (`make test-page` installs both).
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


def measure(path: Path, rounds: int) -> dict[str, float]:
    """Median milliseconds of each view."""
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
            for number in range(rounds + 1):  # the first round warms up
                for view, content in CONTENT.items():
                    context = browser.new_context()
                    context.add_init_script(f"sessionStorage.setItem('omoide-token', {json.dumps(token)})")
                    page = context.new_page()
                    page.goto(f"{base}/#/{view}", wait_until="commit")
                    page.wait_for_selector(content, timeout=60_000)
                    if number:
                        found[view].append(float(page.evaluate("performance.now()")))
                    context.close()
            browser.close()
    finally:
        serving.terminate()
        serving.wait()
    return {view: statistics.median(times) for view, times in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    columns: dict[str, dict[str, float]] = {}
    for size in given.sizes.split(","):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "memory.db"
            fill(path, int(size))
            columns[size] = measure(path, given.rounds)
            print(size, {view: round(time) for view, time in columns[size].items()}, flush=True)
    print(f"| view | {' | '.join(f'{int(size):,}' for size in columns)} |")
    print(f"|---|{'---:|' * len(columns)}")
    for view in CONTENT:
        print(f"| {view} | {' | '.join(f'{column[view]:,.0f} ms' for column in columns.values())} |")


if __name__ == "__main__":
    main()
