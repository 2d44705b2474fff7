"""The documentation is true: its code runs and prints what it says, its links lead somewhere."""

from __future__ import annotations

import contextlib
import gc
import inspect
import io
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from omoide import settings
from omoide.recall.pipeline import STAGES
from tests.conftest import without_mark
from tests.providers.server import ScriptedAnswer, serving

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
# `<!-- needs: langgraph -->` before a block: it runs where that package is installed.
_BLOCK = re.compile(
    r"(?:^<!-- needs: (?P<needs>[\w.]+) -->\n)?^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```)?",
    re.S | re.M,
)
BLOCKS = [
    (f"{page.relative_to(ROOT)}-{number}", block)
    for page in PAGES
    for number, block in enumerate(_BLOCK.finditer(page.read_text("utf-8")), start=1)
]
EXAMPLES = [
    pytest.param(block["code"], block["output"], id=id)
    for id, block in BLOCKS
    if not block["needs"] and not id.startswith("docs/tutorial")
]
WITH_FRAMEWORKS = [
    pytest.param(block["needs"], block["code"], block["output"], id=id) for id, block in BLOCKS if block["needs"]
]


@pytest.mark.minilm
@pytest.mark.parametrize(("code", "output"), EXAMPLES)
def test_example_runs_and_prints_what_the_page_says(
    code: str, output: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _run_here(code, output)


@pytest.mark.minilm
def test_blocks_of_the_tutorial_run_one_after_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = [block for id, block in BLOCKS if id.startswith("docs/tutorial")]
    assert len(blocks) >= 7
    for block in blocks:
        _run_here(block["code"], block["output"])


@pytest.mark.minilm
@pytest.mark.filterwarnings("ignore")  # what frameworks warn of is not ours
@pytest.mark.parametrize(("needs", "code", "output"), WITH_FRAMEWORKS)
def test_framework_example_runs_against_a_local_server(
    needs: str, code: str, output: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not _installed(needs):
        pytest.skip(f"{needs} is not installed; `make test-adapters` installs it")
    monkeypatch.chdir(tmp_path)
    with serving() as server:
        server.say(ScriptedAnswer("Understood."))
        for name, url in (("OPENAI", server.openai), ("ANTHROPIC", server.anthropic)):
            monkeypatch.setenv(f"{name}_BASE_URL", url)
            monkeypatch.setenv(f"{name}_API_KEY", "none")
        monkeypatch.setenv("OPENAI_AGENTS_DISABLE_TRACING", "1")
        _run_here(code, output)
        gc.collect()  # what an example leaves open is closed here and not in another test


def _installed(package: str) -> bool:
    parent = package.rpartition(".")[0]
    return (not parent or _installed(parent)) and find_spec(package) is not None


def _run_here(code: str, output: str | None) -> None:
    """Runs an example in this process, which has loaded the embedder already."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "<example>", "exec"), {"__name__": "__main__"})
    if output is not None:
        assert without_mark(printed.getvalue()) == without_mark(output)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} → {target}"


def test_the_page_of_settings_is_made_from_the_code() -> None:
    page = ROOT / "docs" / "reference" / "settings.md"
    assert page.read_text("utf-8") == settings.settings_page(), "python -m omoide.settings > docs/reference/settings.md"


def test_the_architecture_page_lists_the_stages_of_recall_in_order() -> None:
    page = ROOT / "docs" / "explanation" / "architecture.md"
    table = re.search(r"<!-- stages:begin -->\n(.*)<!-- stages:end -->", page.read_text("utf-8"), re.S)
    assert table is not None
    rows = [f"| `{name}` | {(inspect.getdoc(stage) or '').splitlines()[0]} |" for name, stage in STAGES]
    assert table[1].splitlines() == ["| stage | does |", "|---|---|", *rows]


def test_every_path_on_the_architecture_page_exists() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text("utf-8")
    for path in re.findall(r"`((?!src/|tests/|bench/|docs/)[a-z_]+/[a-z_/]*(?:\.py)?)`", page):
        assert (ROOT / "src" / "omoide" / path).exists(), path


RETIRED = (
    "purse|needle|twins?|shelf|shelves|shelve[sd]?|gist|essence|groan|unborn|steady|upkeep|wish(?:es)?|doors?|rooms|"
    "condens(?:e|ed|ing)|distilled|voices|bookmark"
)


# Decisions and the changelog tell of earlier names.
CURRENT = [page for page in PAGES if "decisions" not in page.parts and page.name != "CHANGELOG.md"]


@pytest.mark.parametrize("page", CURRENT, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_use_the_terms_of_the_glossary(page: Path) -> None:
    """Words that the glossary replaced do not come back."""
    text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", page.read_text("utf-8"), flags=re.S)
    found = sorted(set(re.findall(rf"\b(?:{RETIRED})\b", text, re.I)))
    assert not found, f"{page.name} uses {found}: see docs/reference/glossary.md"


def test_the_glossary_has_at_most_forty_terms() -> None:
    page = (ROOT / "docs" / "reference" / "glossary.md").read_text("utf-8")
    assert 30 <= len(re.findall(r"^\| \*\*", page, re.M)) <= 40
