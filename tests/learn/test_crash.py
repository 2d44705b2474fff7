"""Learning that is interrupted anywhere and run again gives the same result."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import start, unsound
from tests.learn.whole import Fuse, PowerCut, dump, fill, opened

LATER = 100_000  # ids of the second try: some of the first may be in the file


def prepared(folder: Path) -> str:
    path = str(folder / "whole.db")
    with opened(path) as memory:
        fill(memory)
    return path


def undisturbed(path: str, to: Path) -> dict[str, list[Any]]:
    learned = str(shutil.copy(path, to))
    with opened(learned, first_id=LATER) as memory:
        memory.learn()
        assert unsound(memory) == []
    return dump(learned)


def test_the_prepared_store_has_every_kind_of_row(tmp_path: Path) -> None:
    held = undisturbed(prepared(tmp_path), tmp_path / "learned.db")
    values = {table: {value for row in held[table] for value in row} for table in ("node", "edge")}
    assert {"fact", "opinion", "preference", "procedure", "episode", "superseded"} <= values["node"]
    assert {"derived_from", "supersedes", "causal", "temporal"} <= values["edge"]
    assert held["entity"]
    assert held["relation"]
    assert not held["journal"]


@pytest.mark.parametrize("every", [11, pytest.param(1, marks=pytest.mark.long)])
def test_an_interruption_at_any_write_and_a_second_run_give_the_undisturbed_result(
    tmp_path: Path, fuse: Fuse, every: int
) -> None:
    path = prepared(tmp_path)
    fuse.burnt = 0
    expected = undisturbed(path, tmp_path / "learned.db")
    writes = fuse.burnt
    assert writes > 100
    for cut in {*range(1, writes + 1, every), writes}:
        torn = str(shutil.copy(path, tmp_path / "torn.db"))
        memory = opened(torn, first_id=LATER)
        fuse.burnt, fuse.at = 0, cut
        try:
            memory.learn()
        except PowerCut:
            pass
        finally:
            fuse.at = None
            memory.close()
        with opened(torn, first_id=2 * LATER) as memory:
            memory.learn()
        assert dump(torn) == expected, f"cut at write {cut} of {writes}"


KILLED = """
import os, sys
import apsw
from tests.learn.whole import opened
path, cut = sys.argv[1], int(sys.argv[2])
memory = opened(path, first_id=100_000)
seen = 0
def trace(cursor, sql, bindings):
    global seen
    if sql.lstrip().startswith(("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE", "RELEASE", "COMMIT")):
        seen += 1
        if seen == cut:
            os._exit(9)
    return True
apsw.connection_hooks.append(lambda db: setattr(db, "exec_trace", trace))
memory.learn()
os._exit(0)
"""


@pytest.mark.parametrize("cut", [5, 77, *(pytest.param(cut, marks=pytest.mark.long) for cut in (3, 12, 40))])
def test_a_process_killed_while_it_learns_loses_nothing_and_doubles_nothing(tmp_path: Path, cut: int) -> None:
    path = prepared(tmp_path)
    expected = undisturbed(path, tmp_path / "learned.db")
    with start(KILLED, path, cut) as killed:
        assert killed.wait() == 9
    with opened(path, first_id=2 * LATER) as memory:
        memory.learn()
        assert unsound(memory) == []
    assert dump(path) == expected


BESIDE = """
import sys
from tests.learn.whole import opened
with opened(sys.argv[1], first_id=int(sys.argv[2])) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    memory.learn()
"""


def test_two_processes_that_learn_the_same_file_at_once_learn_everything_once(tmp_path: Path) -> None:
    path = prepared(tmp_path)
    expected = undisturbed(path, tmp_path / "learned.db")
    both = [start(BESIDE, path, first) for first in (LATER, 2 * LATER)]
    for each in both:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in both:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    for each in both:
        _, said = each.communicate()
        assert each.returncode == 0, said
    assert dump(path) == expected
