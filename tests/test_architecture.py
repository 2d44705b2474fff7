"""Import rules between the folders of the package, checked in its source."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import omoide
from omoide import Memory
from omoide.domain.edge import EDGE_TYPES
from tests.open_file import open_file

PACKAGE = Path(omoide.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# Modules that every folder may import.
SHARED = {"errors", "clock", "ids", "settings", "history", "language"}
# Other folders that a folder may import.
MAY_IMPORT = {
    "domain": set(),
    "providers": set(),
    "store": {"domain"},
    "observe": {"store", "domain"},
    "recall": {"store", "domain", "providers"},
    "learn": {"recall", "store", "domain", "providers"},
    "maintain": {"learn", "recall", "store", "domain", "providers"},
    "working": {"recall", "store", "domain"},
    "transfer": {"observe", "store", "domain"},
    "fleet": {"memory", "store", "domain"},
    "interfaces": {"memory", "transfer", "domain", "fleet"},  # domain: the records that Memory returns
    "memory": {"domain", "store", "observe", "recall", "learn", "maintain", "working", "transfer", "providers"},
}


ARCHITECTURE = PACKAGE.parent.parent / "docs" / "explanation" / "architecture.md"


def test_the_architecture_page_shows_the_import_rules() -> None:
    page = ARCHITECTURE.read_text("utf-8").partition("<!-- imports:begin -->\n")[2].partition("<!-- imports:end -->")[0]
    rows = [
        f"| `{folder}` | {', '.join(f'`{name}`' for name in sorted(may)) or '–'} |"
        for folder, may in MAY_IMPORT.items()
    ]
    assert page.splitlines() == ["| folder | may import |", "|---|---|", *rows]


def _folder(module: Path) -> str:
    first = module.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def _imports(module: Path) -> Iterator[str]:
    """Yields every omoide module that a file imports, also inside functions."""
    package = ["omoide", *module.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.split(".")[0] == "omoide")
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            if start.split(".")[0] == "omoide":
                yield from (f"{start}.{name.name}" for name in node.names) if start == "omoide" else [start]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_folder_imports_only_what_it_may(module: Path) -> None:
    folder = _folder(module)
    if folder in {"__init__", "__main__"}:
        return
    allowed = MAY_IMPORT.get(folder, set()) | {folder} | SHARED
    if folder in SHARED:
        allowed = SHARED | {"domain"} if folder in {"history", "language"} else SHARED
    for name in _imports(module):
        imported = name.split(".")[1] if "." in name else "omoide"
        assert imported in allowed | {"__version__"}, f"{module.relative_to(PACKAGE)} must not import {name}"


_SQL = re.compile(
    r"\b(SELECT\s+.+\s+FROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE|PRAGMA\s)", re.S
)


def test_only_the_store_contains_sql() -> None:
    for module in MODULES:
        if _folder(module) == "store":
            continue
        source = module.read_text("utf-8")
        texts = [
            node.value
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        assert not any(_SQL.search(text) for text in texts), module
        assert not re.search(r"^\s*(import|from) (apsw|sqlite3)", source, re.M), module


def test_only_settings_read_the_environment() -> None:
    for module in MODULES:
        if module.name == "settings.py" and module.parent == PACKAGE:
            continue
        reads = r"os\.environ(?!\.setdefault)|os\.getenv|\bgetenv\("  # setting a variable for a library is allowed
        assert not re.search(reads, module.read_text("utf-8")), module


def test_no_module_uses_the_standard_sqlite_module() -> None:
    for module in MODULES:
        assert "sqlite3" not in {name.split(".")[0] for name in _top_level_imports(module)}, module


def test_observe_and_recall_load_no_language_model_and_no_network() -> None:
    code = """
import sys, tempfile, pathlib
from omoide import Memory
with Memory(pathlib.Path(tempfile.mkdtemp()) / "a.db", embedder=None) as memory:
    memory.observe("Never suggest Docker, I hate it.", session="s1")
    memory.recall("docker")
    memory.context("docker")
banned = {"openai", "anthropic", "pydantic_ai", "httpx", "httpx2", "requests", "urllib.request", "http.client"}
print(sorted(banned & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


_NOT_LOADED = ("typer", "rich", "pydantic", "numpy", "omoide.transfer.formats", "omoide.learn", "omoide.maintain")


def _loaded(code: str, names: tuple[str, ...]) -> list[str]:
    after = f"\nimport sys; print([name for name in {names!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code + after], capture_output=True, text=True, check=True)
    return list(ast.literal_eval(done.stdout.splitlines()[-1]))


def test_a_hook_loads_only_what_it_needs() -> None:
    assert _loaded("from omoide.interfaces.hooks import handle_event, run", _NOT_LOADED) == []


def test_a_command_loads_only_its_own_verb(tmp_path: Path) -> None:
    loaded = ("actions_spaces", "actions_admin", "programs", "view_knowledge", "view_admin")
    others = (*(f"omoide.interfaces.cli.{name}" for name in loaded), "omoide.interfaces.tools", "omoide.learn", "rich")
    code = f"from omoide.interfaces.cli.app import run\nrun(['--db', {str(tmp_path / 'a.db')!r}, 'observe', 'hi'])"
    assert _loaded(code, others) == []


def _top_level_imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def test_link_types_are_the_same_in_the_schema(path: str, memory: Memory) -> None:
    memory.close()
    table = open_file(path).execute("SELECT sql FROM sqlite_schema WHERE name = 'edge'").get
    (names,) = re.findall(r"CHECK \(type IN\s*\((.*?)\)\)", str(table), re.S)
    assert re.findall(r"'(\w+)'", names) == list(EDGE_TYPES)


def test_help_shows_every_flat_command() -> None:
    from omoide.interfaces.cli.app import overview
    from omoide.interfaces.verbs import VERBS

    shown = overview()
    flat = [verb.words[0] for verb in VERBS if len(verb.words) == 1 and verb.method != "observe_many"]
    assert [name for name in flat if f"  {name} " not in shown] == []
