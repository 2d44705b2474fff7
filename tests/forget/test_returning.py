"""What was forgotten does not come back with a copy that Omoide itself wrote before, in whichever format."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide import Memory
from omoide.store.entities import Profile
from tests.conftest import Ticking
from tests.forget.planted import places


@pytest.fixture
def away(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where exports lie: not beside the file, whose folder is looked through."""
    return tmp_path_factory.mktemp("away")


AT = "2026-04-01T09:00:00+00:00"
NEXT = "2026-04-02T09:00:00+00:00"


def test_an_entity_that_only_the_forgotten_named_does_not_come_back(memory: Memory, path: str, away: Path) -> None:
    memory.observe("I live in Zyxobon.", session="s1", at=AT)
    memory.observe("Tea is nice.", session="s2", at=NEXT)
    memory.learn()
    memory.export(away / "all.jsonl")
    assert memory.forget(session="s1").clean
    before = [entity.name for entity in memory.entities()]
    report = memory.import_(away / "all.jsonl")
    assert [entity.name for entity in memory.entities()] == before
    assert report.counts["entity"].get("added", 0) == 0
    assert places(path, "zyxobon") == []


def test_an_entity_that_was_told_and_forgotten_does_not_come_back(memory: Memory, path: str, away: Path) -> None:
    memory.entity("Zyxobon", type="place", aliases=["Zyxo"], description="The zyxoport is closed")
    memory.observe("Tea is nice.", session="s2", at=NEXT)
    memory.export(away / "all.jsonl")
    assert memory.forget(entity="Zyxobon").clean
    memory.import_(away / "all.jsonl")
    assert [entity.name for entity in memory.entities()] == []
    assert places(path, "zyxo") == []
    assert memory.entity("Zyxobon", type="place").description is None  # told anew, it is new


def test_an_entity_that_others_speak_of_comes_with_them(memory: Memory, away: Path) -> None:
    memory.observe("I live in Zyxobon.", session="s1", at=AT)
    memory.observe("Tea is nice.", session="s2", at=NEXT)
    memory.learn()
    memory.export(away / "first.jsonl")
    with Memory(away / "other.db", embedder=None) as other:
        other.import_(away / "first.jsonl")
        other.observe("Zyxobon has a port.")
        other.export(away / "second.jsonl")
    memory.forget(session="s1")
    memory.import_(away / "second.jsonl")
    assert [entity.name for entity in memory.entities()] == ["Zyxobon"]


def test_an_orphan_that_is_removed_leaves_no_byte_in_a_file_that_has_forgotten(
    memory: Memory, path: str, clock: Ticking
) -> None:
    receipt = memory.forget(memory.observe("A wombat sleeps.").id)
    memory._store.teach(lambda pen: pen.save_entity(Profile(name="Zyxobon")))
    clock.advance(days=200)
    assert memory.maintain(["orphans"]).jobs[0].counts == {"removed": 1}
    assert places(path, "zyxobon") == []
    assert memory.receipts() == [receipt]
