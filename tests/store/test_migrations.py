"""A file is migrated completely and once, with a copy beside it, or stays unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from omoide.errors import Damaged, NewerFile
from omoide.store.engine.gate import Gate
from omoide.store.engine.migrate import Migration, file_version, shipped_migrations, upgrade
from tests.conftest import Open, start, ticking
from tests.open_file import connect, connect_new

NEXT = shipped_migrations()[-1].number + 1
BACKUP = f".before-{NEXT:04d}"
MOOD = Migration(NEXT, "mood", "ALTER TABLE node ADD COLUMN mood TEXT; UPDATE node SET mood = 'calm';")
FAILS = Migration(NEXT, "fails", "ALTER TABLE node ADD COLUMN mood TEXT; INSERT INTO nowhere VALUES (1);")
# Drops and makes again what other tables link to, as a change of a constraint must.
REBUILD = Migration(
    NEXT,
    "rebuild",
    """
    PRAGMA legacy_alter_table = ON;
    CREATE TABLE fresh (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER, current INTEGER,
                        created_at INTEGER, gives_tokens INTEGER);
    INSERT INTO fresh SELECT id, name, dimensions, current, created_at, gives_tokens FROM embedding_model;
    DROP TABLE embedding_model;
    ALTER TABLE fresh RENAME TO embedding_model;
    PRAGMA legacy_alter_table = OFF;
    """,
)
STRANDS = Migration(NEXT, "strands", "DELETE FROM embedding_model;")


@pytest.fixture
def old(path: str, opened: Open) -> str:
    """A file of the shipped format with one turn and one vector in it, closed."""
    opened().observe("tea")
    opened().close()
    db = connect(path, 1.0)
    db.execute("INSERT INTO embedding_model (id, name, dimensions, current, created_at) VALUES (1, 'model', 1, 1, 0)")
    db.execute("INSERT INTO vector (node_id, model_id, data) VALUES (1, 1, x'0000')")
    db.close()
    return path


def migrate(path: str, migrations: Sequence[Migration]) -> apsw.Connection:
    db = connect(path, 5.0)
    upgrade(db, path, Gate(f"{path}-gate", 5.0), ticking(), migrations)
    return db


def state(path: str) -> tuple[int, list[str], list[tuple[object, ...]]]:
    """What a migration may change: the version, the schema, the rows it reads."""
    db = connect(path, 1.0)
    schema = [str(row[0]) for row in db.execute("SELECT sql FROM sqlite_schema ORDER BY name")]
    rows = [*db.execute("SELECT id, text FROM node"), *db.execute("SELECT * FROM vector")]
    found = int(db.pragma("user_version"))
    db.close()
    return found, schema, rows


def test_a_missing_migration_is_applied_and_recorded_with_its_checksum(old: str) -> None:
    db = migrate(old, (*shipped_migrations(), MOOD))
    assert db.execute("SELECT mood FROM node").get == "calm"
    assert db.pragma("user_version") == NEXT
    assert list(db.execute("SELECT number, name, checksum FROM migration"))[-1] == (NEXT, "mood", MOOD.checksum)


def test_a_copy_of_the_file_before_the_migration_is_kept(old: str) -> None:
    before = state(old)
    migrate(old, (*shipped_migrations(), MOOD))
    assert state(f"{old}{BACKUP}") == before


def test_an_earlier_copy_is_never_overwritten(old: str) -> None:
    Path(f"{old}{BACKUP}").write_text("somebody's")
    before = state(old)
    migrate(old, (*shipped_migrations(), MOOD))
    assert Path(f"{old}{BACKUP}").read_text() == "somebody's"
    assert state(f"{old}{BACKUP}-2") == before


@pytest.mark.parametrize(("step", "error"), [(FAILS, apsw.SQLError), (STRANDS, Damaged)])
def test_a_migration_that_fails_leaves_the_file_unchanged(old: str, step: Migration, error: type[Exception]) -> None:
    before = state(old)
    with pytest.raises(error):
        migrate(old, (*shipped_migrations(), step))
    assert state(old) == before
    assert not list(Path(old).parent.glob("*.before-*"))


def test_a_migration_that_fails_keeps_the_earlier_ones_and_their_copy(old: str) -> None:
    with pytest.raises(apsw.SQLError):
        migrate(old, (*shipped_migrations(), MOOD, replace(FAILS, number=NEXT + 1)))
    assert state(old)[0] == NEXT
    assert state(f"{old}{BACKUP}")[0] == NEXT - 1


def test_rebuilding_a_table_does_not_cascade_to_referencing_tables(old: str) -> None:
    before = state(old)
    db = migrate(old, (*shipped_migrations(), REBUILD))
    assert state(old)[2] == before[2]
    assert db.pragma("foreign_keys") == 1


def test_a_file_with_other_migrations_is_not_changed(old: str) -> None:
    first, *others = shipped_migrations()
    before = state(old)
    with pytest.raises(Damaged, match="migration 1 of this file is not the one"):
        migrate(old, (replace(first, sql=first.sql + " "), *others, MOOD))
    assert state(old) == before


def test_a_file_of_a_newer_version_is_not_changed(old: str) -> None:
    migrate(old, (*shipped_migrations(), MOOD)).close()
    before = Path(old).read_bytes()
    with pytest.raises(NewerFile, match=f"has format {NEXT}, this Omoide reads up to {NEXT - 1}"):
        migrate(old, shipped_migrations())
    assert Path(old).read_bytes() == before


def test_processes_that_open_a_file_at_once_migrate_it_once(old: str) -> None:
    code = """
        import sys
        from omoide.clock import system_clock
        from tests.open_file import connect
        from omoide.store.engine.gate import Gate
        from omoide.store.engine.migrate import Migration, shipped_migrations, upgrade
        number = shipped_migrations()[-1].number + 1
        step = Migration(number, "count", "UPDATE counter SET value = value + 1 WHERE name = 'entities';")
        print("ready", flush=True)
        sys.stdin.readline()
        db = connect(sys.argv[1], 10.0)
        upgrade(db, sys.argv[1], Gate(sys.argv[1] + "-gate", 10.0), system_clock, (*shipped_migrations(), step))
    """
    openers = [start(code, old) for _ in range(4)]
    for opener in openers:
        assert opener.stdout is not None
        opener.stdout.readline()
    assert [opener.communicate("go\n")[1] for opener in openers] == [""] * 4
    assert connect(old, 1.0).execute("SELECT value FROM counter WHERE name = 'entities'").get == 1
    assert [file.name for file in Path(old).parent.glob("*.before-*")] == [f"memory.db{BACKUP}"]


def test_a_file_that_another_process_creates_meanwhile_is_not_taken_for_a_foreign_one(path: str) -> None:
    creator = connect_new(path, 1.0)
    db = connect(path, 1.0)

    def create_meanwhile(_cursor: object, sql: str, _values: object) -> bool:
        if "sqlite_schema" in sql:  # the mark was read, the tables are counted next
            upgrade(creator, path, Gate(f"{path}-gate", 5.0), ticking())
        return True

    db.exec_trace = create_meanwhile
    assert file_version(db, path) == 0
    db.exec_trace = None
    assert file_version(db, path) == shipped_migrations()[-1].number
