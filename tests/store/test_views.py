"""The views of a file can be read by the SQLite of the standard library, which is older than ours."""

from __future__ import annotations

import sqlite3

import pytest

from omoide import Memory
from tests.conftest import Open

_OURS = "indexed_text_with_archive"  # for the full-text index alone: it calls a function of ours


@pytest.fixture
def closed(path: str, opened: Open) -> str:
    memory: Memory = opened()
    memory.observe("Hi, I'm Otto. I live in Oslo, and I hate Docker.", session="s")
    memory.remember("Deploy the shop", kind="procedure", name="deploy", steps=["npm test", "git push"])
    memory.end("s")
    memory.learn()
    memory.close()
    return path


@pytest.mark.plain
def test_every_view_can_be_read(closed: str) -> None:
    db = sqlite3.connect(closed)
    views = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")]
    held = {name: len(db.execute(f'SELECT * FROM "{name}"').fetchall()) for name in views if name != _OURS}
    db.close()
    assert held["facts"] >= 1
    assert held["preferences"] >= 1
    assert held["procedures"] == 1


@pytest.mark.plain
def test_a_fact_names_its_entity(closed: str) -> None:
    db = sqlite3.connect(closed)
    query = (
        "SELECT entities.name FROM facts JOIN entities ON entities.id = facts.entity_id WHERE predicate = 'lives_in'"
    )
    assert db.execute(query).fetchall() == [("Otto",)]
    db.close()
