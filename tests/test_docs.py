"""The documentation is true: its code runs and prints what it says, its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from omoide import config
from omoide.interfaces.tools import page as tools

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
_BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```)?", re.S | re.M)
EXAMPLES = [
    pytest.param(block["code"], block["output"], id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, block in enumerate(_BLOCK.finditer(page.read_text("utf-8")), start=1)
]


@pytest.mark.minilm
@pytest.mark.parametrize(("code", "output"), EXAMPLES)
def test_an_example_runs_and_prints_what_the_page_says(code: str, output: str | None, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    if output is not None:
        assert done.stdout == output


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} → {target}"


def test_the_page_of_tools_is_made_from_the_code() -> None:
    page = ROOT / "docs" / "tools.md"
    assert page.read_text("utf-8") == tools.as_markdown(), "python -m omoide.interfaces.tools.page > docs/tools.md"


def test_the_page_of_settings_is_made_from_the_code() -> None:
    page = ROOT / "docs" / "settings.md"
    assert page.read_text("utf-8") == config.as_markdown(), "python -m omoide.config > docs/settings.md"
