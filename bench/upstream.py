"""Runs the test suites that frameworks publish in their source packages, once with their own class and once with ours.

    python bench/upstream.py langgraph-memory openai-agents     # in an environment that has the framework

Sources come from the package index, in the version that is installed, into `.upstream/`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import urllib.request
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from html import unescape
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urljoin

HERE = Path(__file__).parent
SOURCES = HERE.parent / ".upstream"
INDEX = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests of a package that are about the class for which ours stands in. `without` names those about the
    inside of their class: its tables, its SQL, its threads."""

    package: str
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()
    ours_alone: bool = False  # a suite that any class is put under, and none of theirs is the measure


SUITES = {
    "langgraph-memory": Suite("langgraph-checkpoint", ("tests/test_store.py",)),
    "langgraph-sqlite": Suite(
        "langgraph-checkpoint-sqlite",
        ("tests/test_store.py", "tests/test_async_store.py"),
        without=("nonnull_migrations", "sql_injection_vulnerability", "no_running_loop", "vector_store_initialization"),
    ),
    "openai-agents": Suite(
        "openai-agents",
        (
            *(f"tests/memory/test_{name}.py" for name in ("session", "session_limit", "compaction_model_visibility")),
            *("tests/memory/test_openai_responses_compaction_session.py", "tests/test_max_turns.py"),
            *("tests/test_native_tool_failure_history.py", "tests/test_programmatic_tool_calling.py"),
            *("tests/test_run_impl_resume_paths.py", "tests/test_soft_cancel.py"),
            *("tests/test_tool_batch_failure_history.py", "tests/test_tool_failure_boundaries.py"),
        ),
        without=(
            *("connection", "corrupt", "file_lock", "write_lock", "rolls_back", "post_commit"),
            *("await_mutation", "closed_rejects_empty", "does_not_reload_unbounded", "settled_pop", "settled_clear"),
            "cancelled_compaction_commits",
        ),
    ),
    "langchain-retriever": Suite("langchain-tests", (str(HERE / "upstream_langchain.py"),), ours_alone=True),
    "crewai": Suite(
        "crewai",
        ("tests/memory/test_unified_memory.py", "tests/memory/test_memory_root_scope.py"),
        without=("exceeding_scan_cap",),  # writes 52,000 records
    ),
}


@dataclass(frozen=True, slots=True)
class Result:
    passed: int
    all: int
    failed: tuple[str, ...]


def fetch(package: str) -> Path:
    """The folder with the source of the installed version."""
    name = f"{package.replace('-', '_')}-{version(package)}"
    if not (SOURCES / name).exists():
        SOURCES.mkdir(exist_ok=True)
        page = urllib.request.urlopen(f"{INDEX}/{package}/", timeout=60).read().decode()
        (address,) = re.findall(rf'href="([^"]+)"[^>]*>{re.escape(name)}\.tar\.gz<', page)
        file, _ = urllib.request.urlretrieve(urljoin(f"{INDEX}/{package}/", unescape(address).partition("#")[0]))
        with tarfile.open(file) as archive:
            archive.extractall(SOURCES, filter="data")
    return SOURCES / name


def run(suite: Suite, folder: Path, swap: str) -> Result:
    """Runs the tests; `swap` names the class that ours replaces, or is empty."""
    report = folder / f"report-{swap or 'theirs'}.xml"
    left_out = ["-k", " and ".join(f"not {each}" for each in suite.without)] if suite.without else []
    options = ["-q", "-c", "pyproject.toml", "-o", "asyncio_mode=auto", "-p", "upstream_swaps", f"--junitxml={report}"]
    command = [sys.executable, "-m", "pytest", *options, *left_out, *suite.tests]
    environment = os.environ | {"PYTHONPATH": str(HERE), "UPSTREAM_SWAP": swap, "CREWAI_DISABLE_TELEMETRY": "true"}
    subprocess.run(command, cwd=folder, env=environment, capture_output=True)
    cases = list(ElementTree.parse(report).iter("testcase"))
    counted = [each for each in cases if each.find("skipped") is None]
    failed = [each for each in counted if each.find("failure") is not None or each.find("error") is not None]
    names = tuple(f"{each.get('classname', '')}::{each.get('name', '')}" for each in failed)
    return Result(len(counted) - len(failed), len(counted), names)


def main() -> None:
    for name in sys.argv[1:] or SUITES:
        suite = SUITES[name]
        folder = fetch(suite.package)
        ours = run(suite, folder, name)
        theirs = None if suite.ours_alone else run(suite, folder, "")
        reference = f", theirs {theirs.passed} of {theirs.all}" if theirs else ""
        print(f"{name} {version(suite.package)}: ours {ours.passed} of {ours.all}{reference}", flush=True)
        for failed in ours.failed:
            print(f"  {failed}{' (theirs too)' if theirs and failed in theirs.failed else ''}")


if __name__ == "__main__":
    main()
