"""Erased memories do not come back with an import of an older export, in any format."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide import Memory
from omoide.store.entities.entities import EntityProfile
from tests.conftest import Ticking
from tests.store.erasure.planted_marker import marker_locations


@pytest.fixture
def away(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where exports lie: not beside the file, whose folder is looked through."""
    return tmp_path_factory.mktemp("away")


AT = "2026-04-01T09:00:00+00:00"
NEXT = "2026-04-02T09:00:00+00:00"


def test_an_entity_only_in_erased_nodes_does_not_come_back(memory: Memory, path: str, away: Path) -> None:
    memory.observe("I live in Zyxobon.", session="s1", at=AT)
    memory.observe("Tea is nice.", session="s2", at=NEXT)
    memory.learn()
    memory.admin.export(away / "all.jsonl", unencrypted=True)
    assert memory.forget(session="s1").clean
    before = [entity.name for entity in memory.graph.entities()]
    report = memory.admin.import_(away / "all.jsonl")
    assert [entity.name for entity in memory.graph.entities()] == before
    assert report.counts["entity"].get("added", 0) == 0
    assert marker_locations(path, "zyxobon") == []


def test_an_erased_described_entity_does_not_come_back(memory: Memory, path: str, away: Path) -> None:
    memory.graph.entity("Zyxobon", type="place", aliases=["Zyxo"], description="The zyxoport is closed")
    memory.observe("Tea is nice.", session="s2", at=NEXT)
    memory.admin.export(away / "all.jsonl", unencrypted=True)
    assert memory.forget(entity="Zyxobon").clean
    memory.admin.import_(away / "all.jsonl")
    assert [entity.name for entity in memory.graph.entities()] == []
    assert marker_locations(path, "zyxo") == []
    assert memory.graph.entity("Zyxobon", type="place").description is None  # told anew, it is new


def test_an_entity_mentioned_by_kept_nodes_comes_with_them(memory: Memory, away: Path) -> None:
    memory.observe("I live in Zyxobon.", session="s1", at=AT)
    memory.observe("Tea is nice.", session="s2", at=NEXT)
    memory.learn()
    memory.admin.export(away / "first.jsonl", unencrypted=True)
    with Memory(away / "other.db", embedder=None) as other:
        other.admin.import_(away / "first.jsonl")
        other.observe("Zyxobon has a port.")
        other.admin.export(away / "second.jsonl", unencrypted=True)
    memory.forget(session="s1")
    memory.admin.import_(away / "second.jsonl")
    assert [entity.name for entity in memory.graph.entities()] == ["Zyxobon"]


def test_removing_an_orphan_leaves_no_bytes_after_an_erasure(memory: Memory, path: str, clock: Ticking) -> None:
    receipt = memory.forget(memory.observe("A wombat sleeps.").id)
    memory._store.learning.transact(lambda transaction: transaction.save_entity(EntityProfile(name="Zyxobon")))
    clock.advance(days=200)
    assert memory.maintain(["orphans"]).jobs[0].counts == {"removed": 1}
    assert marker_locations(path, "zyxobon") == []
    assert memory.admin.receipts() == [receipt]


def test_erased_memories_do_not_come_back_with_a_loki_folder(memory: Memory, path: str, away: Path) -> None:
    note = memory.remember("The zyxomat hums at night", kind="note", title="Hum")
    way = memory.remember(
        "To mend the zyxomat, call Otto", kind="procedure", name="mend the zyxomat", steps=["open it", "call Otto"]
    )
    task = memory.tasks.record("oil the zyxomat", "success")
    memory.remember("Tea is nice")
    memory.admin.export_loki(away / "loki", unencrypted=True)
    memory.forget([note.id, way.id, task.id])
    report = memory.admin.import_loki(away / "loki")
    assert {what: dict(outcome) for what, outcome in report.outcomes.items() if what != "file"} == {
        "fact": {"forgotten": 1, "unchanged": 1},
        "skill": {"forgotten": 1},
        "trace": {"forgotten": 1},
    }
    assert memory.recall("zyxomat").texts == []
    assert marker_locations(path, "zyxomat") == []


def test_erased_memories_do_not_come_back_when_a_loki_folder_is_exported_in_place(
    memory: Memory, path: str, away: Path
) -> None:
    facts = away / "loki/semantic/facts.json"
    facts.parent.mkdir(parents=True)
    facts.write_text('[{"id": "f1", "fact": "The zyxomat hums at night"}, {"id": "f2", "fact": "Tea is nice"}]')
    report = memory.admin.import_loki(away / "loki")
    task = memory.tasks.record("oil the zyxomat", "success")
    memory.admin.export_loki(away / "loki", unencrypted=True)
    memory.admin.import_loki(away / "loki")
    memory.forget([report.ids["f1"], task.id])
    assert memory.admin.export_loki(away / "loki", unencrypted=True).backups == []
    assert "zyxomat" not in facts.read_text()
    assert "Tea is nice" in facts.read_text()
    assert marker_locations(path, "zyxomat") == []


@pytest.mark.parametrize("kind", ["skill", "procedure"])
def test_an_erased_skill_does_not_come_back_from_its_file(memory: Memory, path: str, away: Path, kind: str) -> None:
    way = memory.remember("Mend the zyxomat: open it", kind=kind, name="mend the zyxomat", steps=["open it", "wait"])
    memory.tasks.export_skills(away / "skills", unencrypted=True)
    receipt = memory.forget(way.id)
    assert [(Path(copy.path).name, copy.holds) for copy in receipt.copies] == [("skills", True)]
    assert [each.status for each in memory.tasks.import_skills(away / "skills")] == ["forgotten"]
    assert marker_locations(path, "zyxomat") == []
    again = memory.remember("Mend the zyxomat: open it", kind=kind, name="mend the zyxomat", steps=["open it", "wait"])
    assert again.state == "live"  # told anew, it is new


def test_erased_facts_do_not_come_back_with_a_markdown_page(memory: Memory, path: str, away: Path) -> None:
    memory.observe("I live in Zyxobon.", session="s1", at=AT)
    memory.learn()
    memory.graph.entity("Otto", type="person", description="He knows the zyxomat")
    memory.graph.entity("Otto", type="person", summary="A friend of old")
    memory.remember("Otto owns a zyxomat", at=AT)
    memory.remember("Otto likes tea", kind="opinion", at=AT)
    memory.graph.relate("Otto", "lives_in", "Zyxobon", source_node=1)
    memory.admin.export_markdown(away / "pages", unencrypted=True)
    memory.forget(session="s1")
    memory.forget(query="zyxomat")
    taken = memory.admin.import_from(away / "pages")
    assert taken.total("forgotten") > 0
    assert marker_locations(path, "zyxo") == []
    assert [entity.name for entity in memory.graph.entities()] == ["Otto"]
    assert memory.graph.relations("Otto") == []


def test_a_markdown_page_imports_without_repeated_text(memory: Memory, away: Path) -> None:
    memory.graph.entity("Otto", type="person", aliases=["Ott"], description="A rower")
    memory.remember("Otto owns a boat", at=AT)
    memory.observe("Otto was here", at=AT)
    memory.admin.export_markdown(away / "pages", unencrypted=True)
    with Memory(away / "other.db", embedder=None) as other:
        other.admin.import_from(away / "pages")
        otto = other.graph.entity("Otto")
        assert (otto.type, otto.aliases, otto.description) == ("person", ("Ott",), "A rower")
        assert [node.text for node in other.graph.timeline("Otto")] == ["Otto owns a boat"]
