"""Erased words found in the bytes are reported with their table."""

from __future__ import annotations

from contextlib import closing

import pytest

from omoide import Memory
from omoide.store.ageing import archive_blocks
from omoide.store.engine.connection import Connection
from omoide.store.erasure.byte_scan import scan_files
from tests.open_file import open_file
from tests.store.erasure.planted_marker import THEN


@pytest.fixture
def db(memory: Memory, path: str) -> Connection:
    archived = memory.observe("The wombat digs, and then it digs some more, for an hour or two.", session="zoo")
    memory.admin.archive(archived.id)
    memory.observe("The kangaroo hops.", session="Kookaburra")
    memory.graph.entity("Otto", description="fond of aardvarks")
    memory.close()
    return open_file(path)


def places(db: Connection, *needles: str | bytes) -> tuple[str, ...]:
    return scan_files(db, db.filename, needles).tables


def test_found_words_are_reported_with_their_table(db: Connection) -> None:
    assert places(db, "hops.") == ("nodes (node)",)
    assert places(db, "fond of AARDVARKS") == ("entities (entity)",)
    assert places(db, "kookaburra") == ("sessions (session)",)
    assert places(db, "wombat") == ("full text (nodes_fts_data)",)
    assert set(places(db, "hops.", "kookaburra")) == {"nodes (node)", "sessions (session)"}
    assert places(db, "platypus") == ()


def test_byte_samples_are_compared_exactly(db: Connection) -> None:
    data = bytes(db.execute("SELECT data FROM archive_block").get)
    (first, *_) = archive_blocks.byte_samples(db, [1])
    assert first in data
    assert places(db, first) == ("archive (archive_block)",)
    assert places(db, first.swapcase()) == ()


def test_bytes_on_a_free_page_belong_to_no_table(db: Connection) -> None:
    db.execute("PRAGMA secure_delete = OFF")
    db.execute("CREATE TABLE scratch (text)")
    db.execute("INSERT INTO scratch VALUES (?)", ("a numbat " * 2_000,))
    db.execute("DROP TABLE scratch")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert "free pages" in places(db, "numbat")


def test_an_in_memory_database_reports_tables_too() -> None:
    db = Connection(":memory:")
    db.execute("CREATE TABLE mine (text)")
    db.execute("INSERT INTO mine VALUES ('a numbat')")
    assert scan_files(db, ":memory:", ["numbat"]).tables == ("the table mine",)


def test_a_word_inside_a_kept_word_is_not_reported(memory: Memory) -> None:
    """The index holds words without their accents, which no text has."""
    memory.observe("We swam in the Zürichsee.", session="a")
    archived = memory.observe("We ate Genèveois things.", session="b")
    memory.admin.archive(archived.id)
    for gone in ("Zürich was hot.", "Genève was cold."):
        assert memory.forget(memory.observe(gone, session="c").id).clean


def test_a_file_is_rebuilt_only_where_a_copy_is_left(memory: Memory, path: str) -> None:
    kept = [memory.observe(f"{number} numbats dig in the garden", at=THEN.format(number)) for number in range(9)]
    said = memory.observe(f"The axolotl sleeps. {'It really does. ' * 2_000}", at=THEN.format(9))
    assert memory.forget(said.id).clean
    with closing(open_file(path)) as db:
        assert db.pragma("freelist_count") > 0  # a rebuilt file has no free pages
        db.execute("CREATE TABLE left_over (words TEXT)")
        db.execute("INSERT INTO left_over VALUES ('dunnart')")
        db.pragma("secure_delete", False)
        db.execute("DROP TABLE left_over")
    said = memory.observe("A dunnart sleeps.", at=THEN.format(10))
    assert memory.forget(said.id).clean
    assert memory.get(kept[0].id).text.startswith("0 numbats")
    with closing(open_file(path)) as db:
        assert db.pragma("freelist_count") == 0
