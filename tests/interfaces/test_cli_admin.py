"""Maintenance, the daemon, backups and exports at the command line."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from omoide import Memory
from tests.conftest import start
from tests.interfaces.terminal import Terminal


@pytest.fixture
def told(terminal: Terminal) -> Terminal:
    """A memory with one conversation that is over."""
    with Memory(terminal.path, embedder=None) as memory:
        memory.observe("My name is Otto. I live in Berlin.", session="s1")
        memory.end("s1")
    return terminal


# ── maintain ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_maintain_reports_what_changed_and_why(told: Terminal) -> None:
    ran = told.run("admin", "maintain")
    assert ran.code == 0, ran.err
    assert "learned [id:2] fact  User's name is Otto — My name is Otto" in ran.out
    assert "checked nodes  1 to 4" in ran.out
    assert "maintained at" in told.run("stats").out


def test_a_dry_run_reports_what_would_be_done(told: Terminal) -> None:
    ran = told.run("admin", "maintain", "--dry-run", "--job", "learn")
    assert ran.out.splitlines()[0] == "dry run, nothing was changed: 1 learned from"
    assert "learned from session  s1 — it ended and was not learned from yet" in ran.out
    assert told.json("stats")["nodes"] == 1
    assert told.json("stats")["maintained_at"] is None


def test_maintain_prints_the_same_as_json(told: Terminal) -> None:
    found = told.json("admin", "maintain", "--job", "learn")
    assert [each["job"] for each in found["jobs"]] == ["learn"]
    assert found["jobs"][0]["counts"]["learned"] == found["counts"]["learned"]
    assert {"verb", "kind", "text", "id", "why"} == found["jobs"][0]["steps"][0].keys()


def test_jobs_are_listed_and_a_misspelt_one_is_an_error(told: Terminal) -> None:
    assert "into the backup folder" in told.run("admin", "jobs").out
    ran = told.run("admin", "maintain", "--job", "lern")
    assert ran.code == 2
    assert "did you mean learn?" in ran.err


def test_a_failed_job_is_reported_with_exit_code_1(told: Terminal) -> None:
    (told.folder / "taken").write_text("a file, not a folder")
    ran = told.run("admin", "maintain", OMOIDE_BACKUP_FOLDER=str(told.folder / "taken"))
    assert ran.code == 1
    assert "failed: the backup folder" in ran.out
    assert "User's name is Otto" in ran.out
    assert told.json("stats")["maintenance"] == "failed"


# ── daemon ────────────────────────────────────────────────────────────────────────────────────────────────────────


def said(terminal: Terminal, *words: str, **more: str) -> list[str]:
    ran = terminal.run("daemon", "--once", *words, **more)
    assert ran.code == 0, ran.err
    return [line[21:] for line in ran.out.splitlines()]


def test_the_daemon_does_what_is_due_and_says_when_it_runs_next(told: Terminal) -> None:
    first = said(told)
    assert first[0] == "maintaining"
    assert any(line.startswith("learn: done, ") for line in first)
    assert [line for line in first if line.startswith("prune: ")] == ["prune: done"]
    assert first[-1].startswith("next maintenance at ")
    assert [line[:20] for line in said(told)] == ["next maintenance at "]
    assert told.json("stats")["nodes"] == 4  # what was said, two facts of it, and what is told of the session


def test_the_daemon_waits_for_a_file_that_is_not_there(terminal: Terminal) -> None:
    (line,) = said(terminal)
    assert "there is no memory" in line
    assert line.endswith("waiting for it")
    assert not terminal.path.exists()


def test_the_daemon_prints_json(told: Terminal) -> None:
    said = told.json("daemon", "--once")["said"]
    assert said[0]["says"] == "maintaining"


def test_an_invalid_schedule_is_an_error(told: Terminal) -> None:
    ran = told.run("daemon", OMOIDE_MAINTAIN_SCHEDULE="at night")
    assert ran.code == 2
    assert "maintain_schedule" in ran.err


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_the_daemon_stops_when_it_is_asked_to(told: Terminal, asked: signal.Signals) -> None:
    with told.start("--no-embedder", "daemon") as running:
        assert running.stdout is not None
        while b"next maintenance" not in running.stdout.readline():
            pass
        running.send_signal(asked)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (0, b"")
    assert out.decode().rstrip().endswith("stopped")


HOLDING = """
import sys
from omoide import Memory
with Memory(sys.argv[1], embedder=None) as memory:
    memory._store.maintenance.take_lease("another daemon")
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_a_second_daemon_says_that_there_is_one_and_waits(told: Terminal) -> None:
    holder = start(HOLDING, told.path)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    lines = said(told)
    holder.communicate("\n")
    assert lines[0] == "maintaining"
    assert "another daemon has been maintaining this file since" in lines[1]
    assert lines[1].endswith("waiting")


LOCKED = """
import sys
import apsw
db = apsw.Connection(sys.argv[1])
db.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
"""


def test_the_daemon_survives_a_locked_file(told: Terminal) -> None:
    holder = start(LOCKED, told.path)
    assert holder.stdout is not None
    holder.stdout.readline()
    lines = said(told, OMOIDE_BUSY_TIMEOUT="0.1")
    holder.communicate("\n")
    assert lines[-1].endswith("waiting")
    assert any(line.startswith("learn: done") for line in said(told))


# ── copies ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_backup_and_its_restoration(told: Terminal) -> None:
    assert "1 node · " in told.run("admin", "backup", "copy.db").out
    assert told.run("admin", "backup", "copy.db").code == 2
    told.run("observe", "and on")
    refused = told.run("admin", "restore", "copy.db")
    assert refused.code == 2
    assert "--force" in refused.err
    done = told.json("admin", "restore", "copy.db", "--force")
    assert told.json("stats")["nodes"] == 1
    assert told.json("stats", "--db", done["aside"])["nodes"] == 2
    assert told.json("admin", "restore", "copy.db", "--to", "new.db")["aside"] is None


def test_an_export_and_its_import(told: Terminal, tmp_path: Path) -> None:
    told.run("learn")
    assert "node 3" in told.run("admin", "export", "all.jsonl").out
    ran = told.run("admin", "import", "all.jsonl", "--db", "new.db")
    assert ran.code == 0, ran.err
    assert [line.split() for line in ran.out.splitlines() if line.startswith("node ")] == [["node", "3"]]
    assert told.json("admin", "import", "all.jsonl", "--db", "new.db")["counts"]["node"] == {"same": 3}
    told.run("admin", "export", "again.jsonl", "--db", "new.db")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "all.jsonl").read_bytes()


def test_a_truncated_export_is_reported_with_its_line(told: Terminal, tmp_path: Path) -> None:
    told.run("admin", "export", "all.jsonl")
    cut = (tmp_path / "all.jsonl").read_bytes()[:-60]
    (tmp_path / "cut.jsonl").write_bytes(cut)
    ran = told.run("admin", "import", "cut.jsonl", "--db", "new.db")
    assert ran.code == 2
    assert "the file is truncated" in ran.err
