"""Ceilings for the size and shape of the source, so that they cannot grow unnoticed (see bench/structure.py)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from structure import COMMAND, TOOL, SourceCounts, count_source, write

BENCH = Path(__file__).parent.parent / "bench"
CEILINGS = {"observe": 37, "recall": 47, "learn": 59, "forget": 33, COMMAND: 49, TOOL: 63}  # files of one call


@pytest.fixture(scope="module")
def counts() -> SourceCounts:
    return count_source()


@pytest.fixture(scope="module")
def files_of_calls() -> dict[str, int]:
    """Counted in a process of its own: what other tests have loaded changes the way that a call takes."""
    code = "import json, structure; print(json.dumps({n: len(t.files) for n, t in structure.trace_calls().items()}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=BENCH, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_the_source_stays_small(counts: SourceCounts) -> None:
    assert counts.files <= 344
    assert counts.lines <= 78_418


def test_no_file_is_too_long(counts: SourceCounts) -> None:
    assert counts.long_files == []


def test_no_file_stem_is_used_twice_in_a_folder(counts: SourceCounts) -> None:
    assert counts.repeated_stems == []


def test_no_public_class_name_is_used_twice(counts: SourceCounts) -> None:
    assert counts.repeated_classes == []


def test_no_class_has_more_than_three_bases(counts: SourceCounts) -> None:
    assert counts.many_bases == []


@pytest.mark.parametrize("call", CEILINGS)
def test_a_call_runs_through_few_files(call: str, files_of_calls: dict[str, int]) -> None:
    assert files_of_calls[call] <= CEILINGS[call]


def test_the_table_replaces_the_one_on_the_page(tmp_path: Path) -> None:
    page = tmp_path / "architecture.md"
    page.write_text("# Architecture\n\nBefore.\n")
    write(page, "| a |\n")
    write(page, "| b |\n")
    assert page.read_text() == (
        "# Architecture\n\nBefore.\n\n<!-- structure:begin -->\n| b |\n<!-- structure:end -->\n"
    )


def test_repeated_names_are_counted(tmp_path: Path) -> None:
    for folder, text in (("a", "class Same:\n    pass\n"), ("a/b", "class Same(A, B, C, D):\n    pass\n")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "twice.py").write_text(text)
    counts = count_source(tmp_path)
    assert (counts.files, counts.lines, counts.repeated_stems) == (2, 4, ["a/twice"])
    assert (counts.repeated_classes, counts.many_bases) == (["Same"], ["Same"])
