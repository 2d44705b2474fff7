"""The database of a fleet is full, read-only, or of another version: a clear error, and nothing is lost."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from local_postgres import PostgresServer
from omoide import Memory
from omoide.errors import Busy, CannotWrite, InvalidInput, NewerFile
from omoide.fleet import Fleet
from omoide.providers.hashing import HashingEmbedder
from omoide.store.engine.migrate import latest_version
from tests.fleet.test_fleet import Servers, filled, sql, texts


@pytest.fixture
def small_disk(postgres: PostgresServer) -> Iterator[Path]:
    """A file system of 24 MB that PostgreSQL may use."""
    folder = Path(tempfile.mkdtemp(prefix="omoide-small-"))
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)], capture_output=True)
    if os.geteuid() or mounted.returncode:
        folder.rmdir()
        pytest.skip("only root may mount a small file system")
    shutil.chown(folder, postgres.owner)
    yield folder
    for name in sql(postgres.dsn, "SELECT datname FROM pg_database WHERE datname LIKE 'small%'"):
        sql(postgres.dsn, f'DROP DATABASE "{name[0]}" WITH (FORCE)')
    sql(postgres.dsn, "DROP TABLESPACE IF EXISTS small")
    subprocess.run(["umount", str(folder)], check=True)
    folder.rmdir()


def test_a_full_database_refuses_writes_and_loses_nothing(
    small_disk: Path, postgres: PostgresServer, tmp_path: Path
) -> None:
    sql(postgres.dsn, f"CREATE TABLESPACE small LOCATION '{small_disk}'")
    sql(postgres.dsn, "CREATE DATABASE small TABLESPACE small")
    with Fleet(postgres.dsn.replace("/postgres", "/small"), tmp_path, background=False, embedder=None) as fleet:
        fleet.spaces.create("otto")
        with fleet.using("otto") as memory:
            kept, why = _fill(memory)
            assert kept > 0
            assert "No space left on device" in why
            assert "nothing was written" in why
            assert len(texts(memory)) == kept
            subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
            memory.observe("there is room again")
            assert len(texts(memory)) == kept + 1
        assert fleet.verify("otto") == []


def _fill(memory: Memory) -> tuple[int, str]:
    """Writes until it is refused; returns how often it was not, and the error."""
    chance = random.Random(7)
    for number in range(100):
        try:
            memory.observe(f"{number} {chance.randbytes(300_000).hex()}")
        except CannotWrite as error:
            return number, str(error)
    raise AssertionError("it was never full")


def test_a_read_only_database_refuses_writes_and_loses_nothing(
    server: Servers, dsn: str, postgres: PostgresServer
) -> None:
    filled(server("one"))
    name = dsn.rpartition("/")[2]
    others = (
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND pid <> pg_backend_pid()"
    )
    with server("one").using("otto") as memory:
        before = texts(memory)
        sql(dsn, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        sql(dsn, others)
        for _ in range(2):  # the first meets the broken connection
            with suppress(Busy), pytest.raises(CannotWrite, match="read-only"):
                memory.remember("not kept")
        assert memory.recall("where is the boat?").hits
    sql(postgres.dsn, f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
    sql(postgres.dsn, others)
    for _ in range(4):  # each meets one of the broken connections
        with suppress(Busy):
            server("one").tick()
    with server("one").using("otto") as memory:
        memory.remember("kept again")
        assert sorted(texts(memory)) == sorted([*before, "kept again"])
    assert server("one").verify("otto") == []


def test_a_wrong_password_is_a_clear_error_that_does_not_show_it(tmp_path: Path) -> None:
    own = PostgresServer.start()
    sql(own.dsn, "CREATE ROLE ada LOGIN SUPERUSER PASSWORD 'the right one'")
    rules = own.folder / "data" / "pg_hba.conf"
    rules.write_text(f"host all ada 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")
    own.stop()
    own.begin()
    right = own.dsn.replace("omoide@", "ada:the%20right%20one@")
    with Fleet(right, tmp_path / "one", background=False, embedder=None) as fleet:
        filled(fleet)
    with pytest.raises(InvalidInput, match="password authentication failed") as refused:
        Fleet(right.replace("right", "wrong"), tmp_path / "two", background=False)
    assert "wrong" not in str(refused.value)
    with pytest.raises(InvalidInput, match="no password supplied"):
        Fleet(own.dsn.replace("omoide@", "ada@"), tmp_path / "two", background=False)
    own.remove()


def test_a_database_of_a_newer_version_is_left_alone(server: Servers, dsn: str, tmp_path: Path) -> None:
    server("one")
    sql(dsn, "UPDATE omoide.format SET schema = 9999")
    with pytest.raises(NewerFile, match="upgrade this server"):
        Fleet(dsn, tmp_path / "old", background=False)


def test_a_space_that_a_newer_server_has_brought_to_its_format_is_left_alone(server: Servers, dsn: str) -> None:
    filled(server("one"))
    server("one").release("otto")
    sql(dsn, "UPDATE omoide.space SET schema = 9999")
    with pytest.raises(NewerFile, match="upgrade this server"), server("two").using("otto"):
        pass


def test_rows_of_an_older_version_are_brought_to_this_one_by_the_migrations(
    server: Servers, dsn: str, tmp_path: Path
) -> None:
    """The fourth migration fills the checksums of vectors."""
    with Fleet(dsn, tmp_path / "first", background=False, embedder=HashingEmbedder()) as fleet:
        filled(fleet)
        with fleet.using("otto") as memory:
            memory.flush()
            before = texts(memory)
    sql(dsn, "UPDATE omoide.vector SET checksum = NULL")
    sql(dsn, "UPDATE omoide.space SET schema = 3")
    export = tmp_path / "export.db"
    server("two").export_file("otto", export)
    with server("two").using("otto") as memory:
        assert texts(memory) == before
        assert memory.recall("where is the boat?").hits[0].text == "The boat is moored in Kiel"
    assert sql(dsn, "SELECT schema FROM omoide.space") == [(latest_version(),)]
    assert sql(dsn, "SELECT count(*) > 0, count(*) FILTER (WHERE checksum IS NULL) FROM omoide.vector") == [(True, 0)]
    assert server("two").verify("otto") == []
    assert not list(tmp_path.rglob("*.before-*"))
    with Memory(export, embedder=None) as memory:
        assert texts(memory) == before
        assert all(each.ok for each in memory.admin.doctor())
