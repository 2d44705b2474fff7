"""Takes pictures of every view from the demo's story: `python page/screenshots.py FOLDER`.

With `--ship` only the three of the README: `python page/screenshots.py docs/images --ship`.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import which

from playwright.sync_api import Browser, sync_playwright
from story import write

VIEWS = {
    "memories": "memories",
    "memory": "memories?text=Berlin",
    "ask": "ask?q=What can I cook tonight?",
    "compare": "ask?q=What does Ana do?&compare=1",
    "inbox": "inbox?days=30",
    "timeline": "timeline",
    "graph": "graph",
    "agenda": "agenda",
    "sessions": "sessions",
    "session": "sessions?session=wednesday",
    "work": "work?tab=mistakes",
    "maintenance": "maintenance",
    "size": "maintenance?tab=size",
    "settings": "maintenance?tab=settings",
    "administration": "administration",
}
SHIPPED = {"memories": "light", "ask": "light", "timeline": "dark"}
SIZES = {1440: 900, 768: 1024, 390: 844}
SWITCHES = (
    "--headless --no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader"
).split()


def take(browser: Browser, url: str, folder: Path, width: int, theme: str, views: dict[str, str]) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": SIZES[width]}, color_scheme=theme, locale="en-GB", timezone_id="UTC"
    )
    page = context.new_page()
    page.goto(url)
    page.evaluate("location.hash = '#/ask?q=Hello'")  # the first question loads the embedder
    page.wait_for_selector(".meter", timeout=60_000)
    for name, view in views.items():
        page.evaluate("address => { location.hash = address }", f"#/{view}")
        page.wait_for_selector("main h1")
        page.wait_for_selector("main .loading", state="detached")
        if name in ("ask", "compare"):
            page.wait_for_selector(".meter", timeout=60_000)
        page.wait_for_timeout(2_500 if name in ("graph", "timeline", "ask", "compare") else 500)
        page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
    context.close()


def main() -> None:
    ship, folder = "--ship" in sys.argv, Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as beside, sync_playwright() as driver:
        file = Path(beside) / "otto.db"
        write(file)
        command = [sys.executable, "-m", "omoide", "--db", str(file), "view", "--no-browser"]
        serving = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert serving.stderr is not None
        found = re.search(r"http://\S+", serving.stderr.readline())
        assert found is not None
        browser = driver.chromium.launch(executable_path=which("chromium"), args=SWITCHES)
        try:
            for theme in ("light", "dark"):
                for width in [1440] if ship else SIZES:
                    views = {name: VIEWS[name] for name, shown in SHIPPED.items() if shown == theme} if ship else VIEWS
                    take(browser, found[0], folder, width, theme, views)
        finally:
            browser.close()
            serving.terminate()
            serving.wait()


if __name__ == "__main__":
    main()
