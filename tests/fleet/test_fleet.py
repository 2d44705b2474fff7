"""A space of a fleet: its rows are in PostgreSQL before a write returns, and any server can go on with it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from local_postgres import PostgresServer
from omoide import Memory
from omoide.clock import system_clock
from omoide.errors import Busy, CannotWrite, InvalidInput, NotFound
from omoide.fleet import Fleet, HeldElsewhere
from omoide.settings import Settings
from omoide.store.fleet.catch_up import remove_file
from omoide.store.fleet.database import file_tables
from tests.interfaces.terminal import Terminal

Servers = Callable[[str], Fleet]
HOUR = 3_600_000_000  # microseconds


def sql(dsn: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(dsn, autocommit=True) as db:
        found = db.execute(query)
        return found.fetchall() if found.description else []


def expire(dsn: str) -> None:
    """As if the time of every lease had passed."""
    sql(dsn, "UPDATE omoide.space SET expires_at = clock_timestamp() - interval '1 second'")


def filled(fleet: Fleet, space: str = "otto") -> None:
    fleet.spaces.create(space)
    with fleet.using(space) as memory:
        memory.observe("Hi, I'm Otto. I live in Berlin.", role="user", session="a", at="2026-03-02T12:00:00+00:00")
        memory.observe("My sister is called Ilse.\ue000", role="user", session="a", at="2026-03-02T12:01:00+00:00")
        memory.end("a")
        memory.learn()
        memory.remember("The boat is moored in Kiel", tags=["boat"])


def texts(memory: Memory) -> list[str]:
    return sorted(each.text for each in memory.list(limit=1000))


def test_a_write_is_in_postgresql_when_it_returns(server: Servers, dsn: str) -> None:
    filled(server("one"))
    found = sql(dsn, "SELECT text FROM omoide.memories_overview WHERE space = 'otto' AND text LIKE '%Kiel'")
    assert found == [("The boat is moored in Kiel",)]


def test_every_row_is_the_same_on_both_sides(server: Servers) -> None:
    filled(server("one"))
    assert server("one").verify("otto") == []


def test_another_server_goes_on_where_the_first_stopped(server: Servers) -> None:
    filled(server("one"))
    with server("one").using("otto") as memory:
        before = texts(memory)
    server("one").release("otto")
    with server("two").using("otto") as memory:
        assert texts(memory) == before
        assert memory.recall("where is the boat?").hits[0].text == "The boat is moored in Kiel"


def test_only_what_changed_is_copied_to_a_file_that_is_behind(server: Servers) -> None:
    filled(server("one"))
    server("one").release("otto")
    with server("two").using("otto") as memory:
        memory.remember("The mast is new")
        memory.forget(query="moored Kiel")
    server("two").release("otto")
    with server("one").using("otto") as memory:  # an erasure came between, so the copy is built anew
        assert "The mast is new" in texts(memory)
    server("one").release("otto")
    with server("two").using("otto") as memory:
        memory.correct(memory.recall("mast").hits[0].id, "The mast is old")
    server("two").release("otto")
    rebuilt = server("one").counts.rebuilt
    with server("one").using("otto") as memory:
        assert memory.recall("mast").hits[0].text == "The mast is old"
    assert server("one").counts.rebuilt == rebuilt
    assert server("one").verify("otto") == []


def test_a_server_that_lost_its_disk_builds_the_same_file(server: Servers) -> None:
    fleet = server("one")
    filled(fleet)
    with fleet.using("otto") as memory:
        before = [each.text for each in memory.recall("Where does Otto live?").hits]
    fleet.release("otto")
    for file in fleet.folder.glob("*.db"):
        remove_file(str(file))
    with fleet.using("otto") as memory:
        assert [each.text for each in memory.recall("Where does Otto live?").hits] == before
    assert fleet.verify("otto") == []


def test_a_space_has_one_holder(server: Servers) -> None:
    filled(server("one"))
    with pytest.raises(HeldElsewhere, match="held by"), server("two").using("otto"):
        pass


def test_a_paused_server_that_wakes_up_too_late_is_refused(server: Servers, dsn: str) -> None:
    filled(server("one"))
    with server("one").using("otto") as paused:
        expire(dsn)
        with server("two").using("otto") as memory:
            memory.remember("written by the second server")
        with pytest.raises(Busy, match="taken over"):
            paused.remember("too late")
    server("two").release("otto")
    with server("one").using("otto") as memory:  # it opens the space again and has what the other wrote
        assert "written by the second server" in texts(memory)
        assert "too late" not in texts(memory)


def test_clocks_of_servers_that_differ_by_an_hour_do_no_harm(dsn: str, tmp_path: Path) -> None:
    clocks = {name: lambda by=by: system_clock() + by for name, by in (("ahead", HOUR), ("behind", -HOUR))}
    with (
        Fleet(dsn, tmp_path / "one", background=False, embedder=None, clock=clocks["ahead"]) as one,
        Fleet(dsn, tmp_path / "two", background=False, embedder=None, clock=clocks["behind"]) as two,
    ):
        one.spaces.create("otto")
        with one.using("otto") as memory:
            old = memory.remember("Otto lives in Rome")
        two.tick()
        with pytest.raises(HeldElsewhere), two.using("otto"):
            pass
        expire(dsn)
        with two.using("otto") as memory:
            memory.correct(old.id, "Otto lives in Oslo")
            assert [each.text for each in memory.list()] == ["Otto lives in Oslo"]
            assert memory.recall("where does Otto live?").hits[0].text == "Otto lives in Oslo"
        with one.using("otto") as memory, pytest.raises(Busy):
            memory.remember("too late")
        assert two.verify("otto") == []


def test_the_next_renewal_closes_what_was_lost(server: Servers, dsn: str) -> None:
    filled(server("one"))
    expire(dsn)
    with server("two").using("otto"):
        pass
    server("one").tick()
    assert server("one").held() == {}


def test_erased_words_are_nowhere_in_postgresql(server: Servers, dsn: str) -> None:
    fleet = server("one")
    filled(fleet)
    with fleet.using("otto") as memory:
        secret = memory.remember("The code of the safe is Xylophon99")
        receipt = memory.forget(secret.id)
    assert any("write-ahead log" in copy.path for copy in receipt.copies)
    for table in file_tables().values():
        assert sql(dsn, f"SELECT 1 FROM {table.twin} AS t WHERE t::text LIKE '%Xylophon99%'") == [], table.name
    assert fleet.verify("otto") == []


def test_a_copy_of_a_fleet_is_not_opened_as_a_file_of_its_own(server: Servers) -> None:
    fleet = server("one")
    filled(fleet)
    fleet.release("otto")
    with pytest.raises(CannotWrite, match="fleet export"):
        Memory(fleet.spaces.file("otto"), embedder=None)


def test_a_file_comes_into_the_fleet_and_back_without_loss(server: Servers, tmp_path: Path) -> None:
    with Memory(tmp_path / "own.db", embedder=None) as own:
        own.observe("The build needs Node 22", session="tuesday")
        own.remember("Otto lives in Berlin", subject="Otto")
        before = texts(own)
    fleet = server("one")
    fleet.spaces.create("otto")
    fleet.import_file("otto", tmp_path / "own.db")
    assert fleet.verify("otto") == []
    fleet.export_file("otto", tmp_path / "back.db")
    with Memory(tmp_path / "back.db", embedder=None) as back:
        assert texts(back) == before
        assert back.recall("what does the build need?").texts[0] == "The build needs Node 22"
        assert all(each.ok for each in back.admin.doctor())


def test_a_file_is_not_imported_over_memories(server: Servers, tmp_path: Path) -> None:
    Memory(tmp_path / "own.db", embedder=None).close()
    filled(server("one"))
    with pytest.raises(CannotWrite, match="not empty"):
        server("one").import_file("otto", tmp_path / "own.db")


def test_a_draining_server_gives_back_everything(server: Servers) -> None:
    filled(server("one"))
    server("two").drain(server("one").server)
    server("one").tick()
    assert not server("one").is_ready()
    with server("two").using("otto") as memory:
        assert len(texts(memory)) >= 3


def test_rebalancing_moves_spaces_to_the_server_with_few(server: Servers) -> None:
    for name in ("a", "b", "c", "d"):
        server("one").spaces.create(name)
        with server("one").using(name):
            pass
    assert server("two").held() == {}
    assert len(server("two").rebalance()) == 2
    server("one").tick()
    assert len(server("one").held()) == 2
    for name in {"a", "b", "c", "d"} - set(server("one").held()):
        with pytest.raises(HeldElsewhere), server("one").using(name):
            pass
        with server("two").using(name):
            pass


def test_a_space_that_was_not_used_for_longest_is_closed_first(dsn: str, tmp_path: Path) -> None:
    few = Settings(fleet_open_spaces=2)
    with Fleet(dsn, tmp_path / "small", background=False, settings=few, embedder=None) as fleet:
        for name in ("a", "b", "c"):
            fleet.spaces.create(name)
            with fleet.using(name):
                pass
        assert set(fleet.held()) == {"b", "c"}


def test_maintenance_runs_once_a_day_in_one_place(server: Servers) -> None:
    filled(server("one"))
    server("one").release("otto")
    assert server("two").maintenance_next()
    assert not server("one").maintenance_next()
    assert server("two").counts.maintenance == 1


def test_postgresql_away_refuses_writes_and_loses_nothing(tmp_path: Path, postgres: PostgresServer) -> None:
    own = PostgresServer.start()
    with Fleet(own.dsn, tmp_path / "one", background=False, embedder=None) as fleet:
        filled(fleet)
        with fleet.using("otto") as memory:
            own.stop("immediate")
            with pytest.raises(Busy):
                memory.remember("while it was away", tags=["away"])
            assert memory.recall("where is the boat?").hits  # reading goes on
        own.begin()
        fleet.release("otto")
        with fleet.using("otto") as memory:
            memory.remember("when it was back")
            assert "while it was away" not in texts(memory)
        assert fleet.verify("otto") == []
    own.remove()


def test_a_deleted_space_is_gone_with_its_rows(server: Servers, dsn: str) -> None:
    filled(server("one"))
    token = server("one").spaces.issue("otto").token
    server("two").spaces.delete("otto")
    assert server("two").spaces.find(token) is None
    assert sql(dsn, "SELECT count(*) FROM omoide.node") == [(0,)]
    with server("one").using("otto") as memory, pytest.raises(Busy):
        memory.remember("nobody keeps this")
    with pytest.raises(NotFound), server("two").using("otto"):
        pass


def test_tokens_are_rotated_revoked_and_hashed(server: Servers, dsn: str) -> None:
    spaces = server("one").spaces
    spaces.create("otto")
    first = spaces.issue("otto", "read", note="the reading room", days=30)
    second = spaces.rotate(first.about.id)
    assert spaces.find(first.token) is None
    found = spaces.find(second.token)
    assert found is not None
    assert (found.token.right, found.token.expires) == ("read", first.about.expires)
    assert second.token not in str(sql(dsn, "SELECT * FROM omoide.token"))
    spaces.revoke(second.about.id)
    assert spaces.find(second.token) is None


@pytest.mark.parametrize(
    ("change", "problem", "words"),
    [
        (("omoide@", "nobody@"), InvalidInput, "refuses the connection"),
        (("postgresql://", "postgresql:/:"), InvalidInput, "no address"),
        (("/fleet", "/missing"), InvalidInput, "does not exist"),
    ],
)
def test_a_wrong_address_is_a_clear_error(
    dsn: str, tmp_path: Path, change: tuple[str, str], problem: type[Exception], words: str
) -> None:
    with pytest.raises(problem, match=words):
        Fleet(dsn.replace(*change), tmp_path / "one", background=False)


def test_the_folder_of_copies_keeps_to_its_size(dsn: str, tmp_path: Path) -> None:
    small = Settings(fleet_disk_size=0)
    with Fleet(dsn, tmp_path / "s", background=False, settings=small, embedder=None) as fleet:
        filled(fleet)
        fleet.tick()
        assert len(list(fleet.folder.glob("*.db"))) == 1  # in use
        fleet.release("otto")
        fleet.tick()
        assert list(fleet.folder.glob("*.db")) == []
    shutil.rmtree(tmp_path / "s")


def test_verify_of_a_held_space_says_what_to_do(server: Servers, dsn: str, tmp_path: Path) -> None:
    one = server("one")
    one.spaces.create("otto")
    with one.using("otto"):
        ran = Terminal(tmp_path).run("fleet", "verify", "otto", OMOIDE_FLEET=dsn)
    assert ran.code != 0
    assert "name FILE, the copy of that server, or drain it first" in ran.err
