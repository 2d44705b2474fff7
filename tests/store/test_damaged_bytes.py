"""A flipped bit in any stored bytes is reported, costs one memory at most, and is rebuilt where it is derived."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from omoide import Memory
from omoide.errors import Damaged
from omoide.providers.hashing import HashingEmbedder
from tests.conftest import Open, unsound
from tests.open_file import connect, open_file

ARCHIVED = 12


@pytest.fixture
def archived(opened: Open) -> Memory:
    """A talk in one archive block, whose turns have vectors."""
    memory = opened(embedder=HashingEmbedder())
    for number in range(ARCHIVED):
        node = memory.observe(f"Turn {number} is about the crane at pier {number * 37}.", session="s")
        memory.admin.archive(node.id)
    memory.flush()
    return memory


def flip(path: str, table: str, place: float) -> None:
    """Flips one bit of the first row's bytes."""
    db = connect(path, 1.0)
    id, data = next(iter(db.execute(f"SELECT rowid, data FROM {table} ORDER BY rowid LIMIT 1")))
    flipped = bytearray(data)
    flipped[int(place * (len(data) - 1))] ^= 0x10
    db.execute(f"UPDATE {table} SET data = ? WHERE rowid = ?", (bytes(flipped), id))
    db.close()


def readable(memory: Memory) -> list[int]:
    found = [memory.get(id).text for id in range(1, ARCHIVED + 1)]
    return [number for number, text in enumerate(found) if text.startswith(f"Turn {number} is")]


@pytest.mark.parametrize("place", [0.0, 0.5, 1.0])
@pytest.mark.plain
def test_a_flipped_bit_in_an_archive_block_costs_what_it_hit(archived: Memory, path: str, place: float) -> None:
    flip(path, "archive_block", place)
    left = readable(archived)
    assert ("words" in [line.partition(":")[0] for line in unsound(archived)]) == (len(left) < ARCHIVED)
    assert len(left) == {0.0: 0, 0.5: 1, 1.0: ARCHIVED}[place]
    archived.recall("crane at the pier")
    archived.admin.export(str(Path(path).with_name("copy.jsonl")))
    for id in set(range(1, ARCHIVED + 1)) - {each + 1 for each in left}:
        with pytest.raises(Damaged, match=f"memory {id} is damaged"):
            archived.admin.unarchive(id)


def test_a_scrub_that_finds_damage_has_failed(archived: Memory, path: str) -> None:
    flip(path, "archive_block", 0.1)
    assert "run `omoide admin doctor`" in archived.maintain(["scrub"]).failed["scrub"]


def test_a_memory_whose_archived_text_is_damaged_can_be_forgotten(archived: Memory, path: str) -> None:
    flip(path, "archive_block", 0.0)
    archived.forget(3)
    db = open_file(path, apsw.SQLITE_OPEN_READONLY)
    assert db.execute("SELECT count(*) FROM nodes_fts WHERE nodes_fts MATCH '\"74\"'").get == 0
    db.close()


@pytest.mark.parametrize("place", [0.0, 0.3, 1.0])
def test_a_flipped_bit_in_a_vector_is_found_and_the_vector_made_again(
    archived: Memory, path: str, place: float
) -> None:
    before = connect(path, 1.0).execute("SELECT data FROM vector WHERE node_id = 12").get
    flip(path, "vector", place)
    assert [line.partition(":")[0] for line in unsound(archived)] == ["vectors"]
    [job] = archived.maintain(["scrub"]).jobs
    assert (job.outcome, job.counts["rebuilt"]) == ("done", 1)
    archived.flush()
    assert unsound(archived) == []
    assert connect(path, 1.0).execute("SELECT data FROM vector WHERE node_id = 12").get == before


TEXTS = ("Anna lives in Oslo near the pier", "Otto drinks tea at the pier", "Mira sails from the pier")


FLIPS = {  # where in the row of the second turn, and which bit
    "text": (b"drinks", 0x80),
    "details": (b'{"mood', 0x20),
    "attributes": (b'{"type', 0x20),
    "tags": (b'["harbour', 0x20),
    "text index": (b"otto", 0x80),
    "name of an attribute": (b'type":"action', 0x01),
}
KIND = (b"episode", 0x20)


def damaged(path: str, column: str) -> Memory:
    """A memory of four texts, of which the second has one bit flipped."""
    with Memory(path, embedder=None) as memory:
        for text in TEXTS:
            memory.observe(text, session="s", type="action", details={"mood": "calm"}, tags=["harbour"])
        memory.remember("The pier is old")
    data = bytearray(Path(path).read_bytes())
    what, bit = FLIPS.get(column, KIND)
    data[data.index(what, data.index(TEXTS[1].encode()))] ^= bit
    Path(path).write_bytes(data)
    return Memory(path, embedder=None)


@pytest.mark.plain
@pytest.mark.parametrize("column", FLIPS)
@pytest.mark.parametrize("first", ["doctor", "recall", "learn", "export", "forget", "maintain"])
def test_a_flipped_bit_in_a_row_costs_that_memory(tmp_path: Path, column: str, first: str) -> None:
    with damaged(str(tmp_path / "memory.db"), column) as memory:
        memory.end("s")
        verbs: dict[str, Callable[[], object]] = {
            "doctor": memory.admin.doctor,
            "recall": lambda: memory.recall("pier"),
            "learn": memory.learn,
            "export": lambda: memory.admin.export(tmp_path / "copy.jsonl", overwrite=True),
            "forget": lambda: memory.forget(1),
            "maintain": memory.maintain,
        }
        verbs.pop(first)()
        found = {each.check: each.detail for each in memory.admin.doctor() if not each.ok}
        assert " " in column or f"memory 2: its {column} could not be read" in found["maintenance"]
        assert column != "text" or "first node 2" in found["words"]
        for verb in verbs.values():
            verb()
        assert [memory.get(id).text for id in (3, 4)] == [TEXTS[2], "The pier is old"]
        assert memory.recall("pier").hits
        assert memory.observe("The pier is green").id > 4


@pytest.mark.plain
def test_a_flipped_bit_in_the_kind_of_a_memory_is_called_damage(tmp_path: Path) -> None:
    with damaged(str(tmp_path / "memory.db"), "kind") as memory:
        with pytest.raises(Damaged, match="CHECK constraint failed"):
            memory.list()
        assert not next(each for each in memory.admin.doctor() if each.check == "file structure").ok


@pytest.mark.plain
def test_an_export_that_meets_what_cannot_be_read_says_so_and_works_the_next_time(tmp_path: Path) -> None:
    with damaged(str(tmp_path / "memory.db"), "text") as memory:
        with pytest.raises(Damaged, match="it was repaired, try again"):
            memory.admin.export(tmp_path / "copy.jsonl")
        assert memory.admin.export(tmp_path / "copy.jsonl").counts["node"] == 4
