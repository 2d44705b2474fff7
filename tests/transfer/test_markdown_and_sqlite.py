"""Markdown pages and plain SQLite tables: deterministic, and no other file is touched."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from omoide import Memory
from omoide.errors import InvalidInput
from omoide.settings import Settings
from tests.conftest import Open


@pytest.fixture
def told(opened: Open) -> Memory:
    memory = opened(settings=Settings(time_zone="UTC"))
    memory.graph.entity("Otto", type="person", description="A rower from Hamburg")
    memory.graph.entity("Kaiser GmbH", type="organization")
    memory.graph.relate("Otto", "works_at", "Kaiser GmbH")
    memory.remember("Otto learned to row in Berlin", tags=["home town"])
    old = memory.remember("Otto was once seen in a Fiat")
    memory.correct(old.id, "Otto drives <b>nothing</b>")
    memory.remember("Otto sings in a choir", audience="shared")
    memory.remember("Otto is ill", audience="shared", sensitive=True)
    memory.observe("Otto moved\nlast week", role="user", speaker="Anna", session="s1", at="2026-05-01T10:00:00Z")
    return memory


def pages(folder: Path) -> dict[str, bytes]:
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in sorted(folder.rglob("*.md"))}


def test_every_entity_and_every_day_has_a_page(told: Memory, tmp_path: Path) -> None:
    written = told.admin.export_markdown(tmp_path / "pages")
    found = pages(tmp_path / "pages")
    assert sorted(found) == ["days/2026-05-01.md", "entities/kaiser-gmbh.md", "entities/otto.md", "index.md"]
    assert (written.entities, written.days, written.changed) == (2, 1, 4)
    otto = found["entities/otto.md"].decode()
    assert "- [fact] Otto learned to row in Berlin #home-town (2026-05-03, user)" in otto
    assert "- ~~Otto was once seen in a Fiat~~" in otto
    assert "- works_at [[Kaiser GmbH]]" in otto
    assert "[2026-05-01](../days/2026-05-01.md) 10:00 · Anna (user): Otto moved last week" in otto
    assert "\\<b>nothing" in otto
    day = found["days/2026-05-01.md"].decode()
    assert "## s1\n\n**10:00 Anna (user)**\n\n> Otto moved\n> last week\n" in day


def test_writing_again_gives_the_same_bytes(told: Memory, tmp_path: Path) -> None:
    told.admin.export_markdown(tmp_path / "one")
    told.admin.export_markdown(tmp_path / "two")
    assert pages(tmp_path / "one") == pages(tmp_path / "two")
    assert told.admin.export_markdown(tmp_path / "one").changed == 0


def test_forgotten_memories_leave_the_pages_and_other_files_stay(told: Memory, tmp_path: Path) -> None:
    told.admin.export_markdown(tmp_path / "pages")
    (tmp_path / "pages" / "mine.md").write_text("my own")
    told.forget(entity="Otto")
    told.admin.export_markdown(tmp_path / "pages")
    left = pages(tmp_path / "pages")
    assert left["mine.md"] == b"my own"
    assert not any(b"Berlin" in each for each in left.values())


def test_a_file_not_written_by_omoide_is_never_replaced(told: Memory, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.md").write_text("my own")
    with pytest.raises(InvalidInput, match="was not written by Omoide"):
        told.admin.export_markdown(tmp_path / "pages")
    assert pages(tmp_path / "pages") == {"index.md": b"my own"}


def test_links_out_of_the_folder_are_not_followed(told: Memory, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "entities").symlink_to(tmp_path / "outside")
    with pytest.raises(InvalidInput, match="not a real folder"):
        told.admin.export_markdown(tmp_path / "pages")
    told.admin.export_markdown(tmp_path / "more")
    (tmp_path / "more" / "index.md").unlink()
    (tmp_path / "more" / "index.md").symlink_to(tmp_path / "outside" / "x.md")
    with pytest.raises(InvalidInput, match="was not written by Omoide"):
        told.admin.export_markdown(tmp_path / "more")
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_changed_page_list_removes_no_other_file(told: Memory, tmp_path: Path) -> None:
    told.admin.export_markdown(tmp_path / "pages")
    (tmp_path / "victim.md").write_text("dear")
    place = tmp_path / "pages" / ".omoide-pages.json"
    place.write_text(place.read_text().replace('"index.md"', '"index.md", "../victim.md", "entities/../../victim.md"'))
    told.admin.export_markdown(tmp_path / "pages")
    assert (tmp_path / "victim.md").read_text() == "dear"


def test_shared_pages_contain_nothing_private_or_sensitive(told: Memory, tmp_path: Path) -> None:
    told.admin.export_markdown(tmp_path / "pages", audience="shared")
    all = b"".join(pages(tmp_path / "pages").values()).decode()
    assert "Otto sings in a choir" in all
    for secret in ("Berlin", "Fiat", "ill", "moved", "Hamburg", "works_at", "Kaiser"):
        assert secret not in all


def test_exported_pages_import_as_notes_entities_and_relations(told: Memory, opened: Open, tmp_path: Path) -> None:
    told.admin.export_markdown(tmp_path / "pages")
    with Memory(tmp_path / "other.db", embedder=None) as other:
        taken = other.admin.import_from(tmp_path / "pages")
        assert taken.format == "markdown"
        assert other.graph.entity("Otto").type == "person"
        (relation,) = other.graph.relations("Otto")
        assert (relation.source, relation.type, relation.target) == ("Otto", "works_at", "Kaiser GmbH")
        texts = {node.text for node in other.graph.timeline("Otto") if node.kind == "fact"}
        assert texts == {
            "Otto learned to row in Berlin",
            "Otto drives <b>nothing</b>",
            "Otto sings in a choir",
            "Otto is ill",
        }


def test_exported_tables_are_plain_sqlite(told: Memory, tmp_path: Path) -> None:
    made = told.admin.export_sqlite(tmp_path / "plain.db")
    with closing(sqlite3.connect(tmp_path / "plain.db")) as db:
        facts = {row[0] for row in db.execute("SELECT object FROM facts WHERE superseded_by IS NULL")}
        episodes = db.execute("SELECT timestamp, session_id, actor, summary FROM episodes").fetchall()
        kinds = {row[0] for row in db.execute("SELECT type FROM sqlite_master")}
    assert {"Otto learned to row in Berlin", "Otto is ill"} <= facts
    assert episodes == [("2026-05-01T10:00:00.000Z", "s1", "user", "Otto moved\nlast week")]
    assert kinds == {"table"}
    assert made.counts["facts"] == 6  # with the sentence of the relation
    with pytest.raises(InvalidInput, match="exists"):
        told.admin.export_sqlite(tmp_path / "plain.db")
    told.admin.export_sqlite(tmp_path / "plain.db", overwrite=True)


def test_exported_tables_include_archived_text(told: Memory, tmp_path: Path) -> None:
    fact = told.remember("Otto once kept a parrot")
    told.admin.archive(fact.id)
    told.admin.export_sqlite(tmp_path / "plain.db")
    with closing(sqlite3.connect(tmp_path / "plain.db")) as db:
        assert db.execute("SELECT content FROM memories_archive").fetchall() == [("Otto once kept a parrot",)]
