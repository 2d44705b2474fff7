"""Says whether the page can be tested in a browser here: `python -m tests.page.found`."""

from __future__ import annotations

from importlib.util import find_spec
from shutil import which


def missing() -> str:
    """Why the page cannot be tested here; empty if it can be."""
    if find_spec("playwright") is None:
        return "the page is not tested in a browser: playwright is missing (`make test-page` installs it)"
    if not (which("chromium") or which("chromium-browser")):
        return "the page is not tested in a browser: there is no Chromium (`make test-page` installs it)"
    return ""


if __name__ == "__main__":
    print(missing() or "the page is tested in a browser")
