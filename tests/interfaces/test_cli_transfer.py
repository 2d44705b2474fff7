"""Importing from other systems and exporting at the command line."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

from tests.interfaces.terminal import Terminal
from tests.transfer import samples


def _lay(terminal: Terminal, name: str, text: str) -> None:
    (terminal.folder / name).write_text(text, "utf-8")


def test_an_import_reports_what_it_did(terminal: Terminal) -> None:
    _lay(terminal, "conversations.json", json.dumps(samples.CHATGPT))
    ran = terminal.run("admin", "import-from", "conversations.json", "--db", "t.db")
    assert ran.code == 0
    assert "chatgpt: conversations.json" in ran.out
    assert "left out 1: in an abandoned branch" in ran.out
    again = terminal.json("admin", "import-from", "conversations.json", "--db", "t.db")
    assert again["counts"] == {"turn": {"same": 3}, "action": {"same": 1}}
    assert again["format"] == "chatgpt"


def test_a_dry_run_writes_nothing(terminal: Terminal) -> None:
    _lay(terminal, "m.json", json.dumps(samples.MEM0))
    told = terminal.json("admin", "import-from", "m.json", "--dry-run", "--db", "t.db")
    assert told["counts"]["fact"] == {"added": 1}
    assert not (terminal.folder / "t.db").exists()
    assert terminal.json("admin", "import-from", "m.json", "--db", "t.db")["counts"]["fact"] == {"added": 1}


def test_an_unreadable_import_is_an_input_error(terminal: Terminal) -> None:
    _lay(terminal, "m.bin", "hello")
    ran = terminal.run("admin", "import-from", "m.bin", "--db", "t.db")
    assert (ran.code, "m.bin" in ran.err) == (2, True)
    assert terminal.run("admin", "import-from", "nowhere", "--db", "t.db").code == 3
    assert terminal.run("admin", "import-from", "m.bin", "mem1", "--db", "t.db").code == 2


def test_markdown_and_sqlite_exports_are_written(terminal: Terminal) -> None:
    terminal.run("remember", "Otto lives in Berlin", "--db", "t.db")
    assert terminal.json("admin", "export-markdown", "pages", "--db", "t.db")["days"] == 0
    assert terminal.json("admin", "export-sqlite", "plain.db", "--db", "t.db")["counts"]["facts"] == 1
    with closing(sqlite3.connect(terminal.folder / "plain.db")) as db:
        assert db.execute("SELECT object FROM facts").fetchall() == [("Berlin",)]
    assert terminal.run("admin", "export-markdown", "y", "--audience", "everybody", "--db", "t.db").code == 2
