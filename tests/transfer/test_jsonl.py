"""JSON lines export and import: identical into an empty file, merged into another, whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from omoide import Memory
from omoide.errors import CannotWrite, InvalidInput, NotFound
from omoide.history import Version
from omoide.providers.hashing import HashingEmbedder
from omoide.store.exchange.exported_tables import EXPORTED_TABLES, NOT_EXPORTED
from omoide.transfer.jsonl import MAX_LINE_BYTES, encode_line, new_digest
from tests.conftest import unsound
from tests.learn.conftest import fuse
from tests.learn.whole import Fuse, PowerCut, dump, fill, opened

__all__ = ["fuse"]
LATER = 100_000
OWN = {
    "audit",
    "maintenance_run",
    "job_run",
    "lease",
    "cache_invalidation",
    "sqlite_sequence",
    "counter",
    "migration",
    "embedding_queue",
    "known_copy",
    "cursor",
}
OWN |= {"archive_block", "archived"}  # packed in another order; the words are in the export, which is the same


def content(path: str) -> dict[str, list[Any]]:
    return {table: rows for table, rows in dump(path).items() if table not in OWN}


def lived_in(path: str, **given: Any) -> Memory:
    """Writes a memory of every kind, with history."""
    memory = opened(path, **given)
    fill(memory)
    memory.learn()
    fact = memory.remember("tea is green", tags=["drink"], details={"cups": [1, 2.5, None]})
    memory.review.update(fact.id, "tea is black")
    memory.correct(fact.id, "tea is white")
    memory.review.reinforce(1)
    memory.review.reinforce(1)
    memory.review.demote(2)
    memory.review.confirm(fact.id)
    memory.graph.entity("Ottone", type="person", aliases=["O."])
    memory.graph.merge("Ottone", "Otto")
    memory.graph.split("Otto", "O.")
    memory.graph.relate("Otto", "likes", "tea", properties={"how": "much"})
    memory.observe("お茶が好きです", speaker="Ötto", sensitive=True, key="once", session="s4")
    memory.recall("tea")
    memory.flush()
    return memory


@pytest.fixture
def story(tmp_path: Path) -> tuple[str, Path]:
    """A used memory and its export."""
    path = str(tmp_path / "whole.db")
    with lived_in(path) as memory:
        memory.admin.export(tmp_path / "whole.jsonl")
    return path, tmp_path / "whole.jsonl"


def imported(path: Path, to: Path, **given: Any) -> str:
    with opened(str(to), **given) as memory:
        memory.admin.import_(path)
        assert unsound(memory) == []
    return str(to)


def exported(path: str, to: Path) -> bytes:
    with opened(path) as memory:
        memory.admin.export(to, overwrite=True)
    return to.read_bytes()


# ── the same ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_table_is_exported_or_listed_as_left_out(story: tuple[str, Path]) -> None:
    db = apsw.Connection(story[0], apsw.SQLITE_OPEN_READONLY)
    there = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    db.close()
    ours = {name for name in there if not name.startswith(("sqlite_", "nodes_fts", "archive_fts", "word"))}
    assert ours == {table.name for table in EXPORTED_TABLES} | NOT_EXPORTED.keys()


def test_an_import_into_an_empty_file_is_identical(story: tuple[str, Path], tmp_path: Path) -> None:
    path, file = story
    other = imported(file, tmp_path / "other.db", first_id=LATER)
    assert content(other) == content(path)
    assert exported(other, tmp_path / "other.jsonl") == file.read_bytes()
    with opened(path, first_id=2 * LATER) as one, opened(other, first_id=2 * LATER) as two:
        assert one.history("Otto") == two.history("Otto")
        assert [hit.id for hit in one.recall("tea").hits] == [hit.id for hit in two.recall("tea").hits]
        assert two.observe("and on").id == one.observe("and on").id


def test_ids_are_not_reused_after_import(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    with opened(path) as memory:
        memory.observe_many([{"text": f"turn {number}"} for number in range(5)])
        memory.forget([2, 4, 5])
        memory.admin.export(tmp_path / "a.jsonl")
    other = imported(tmp_path / "a.jsonl", tmp_path / "b.db")
    with opened(other, first_id=LATER) as memory:
        assert memory.observe("new").id == 6
        assert (memory.admin.id_states().erased, memory.admin.id_states().lost) == (3, 0)
        assert memory.admin.receipts()[0].ids == (2, 4, 5)


def test_vectors_and_token_states_are_exported_on_request(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    with lived_in(path, embedder=HashingEmbedder()) as memory:
        memory.flush()
        memory.admin.export(tmp_path / "a.jsonl", embeddings=True)
        memory.admin.export(tmp_path / "light.jsonl")
        vectors = memory.stats().vectors
        assert vectors
    other = imported(tmp_path / "a.jsonl", tmp_path / "b.db")
    assert content(other) == content(path)
    with opened(other, embedder=HashingEmbedder()) as memory:
        assert memory.admin.pending_embeddings() == 0
        memory.admin.export(tmp_path / "b.jsonl", embeddings=True)
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()
    light = imported(tmp_path / "light.jsonl", tmp_path / "c.db")
    with opened(light, embedder=HashingEmbedder()) as memory:
        assert memory.flush()
        assert memory.stats().vectors == vectors


def test_vectors_of_another_model_are_not_imported(tmp_path: Path) -> None:
    with lived_in(str(tmp_path / "a.db"), embedder=HashingEmbedder()) as memory:
        memory.flush()
        memory.admin.export(tmp_path / "a.jsonl", embeddings=True)
    with opened(str(tmp_path / "b.db"), embedder=HashingEmbedder(32), first_id=LATER) as memory:
        memory.observe("here first")
        memory.flush()
        report = memory.admin.import_(tmp_path / "a.jsonl")
        assert report.counts["vector"].keys() == {"skipped"}
        assert memory.flush()
        assert unsound(memory) == []


# ── joined ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_importing_twice_changes_nothing(story: tuple[str, Path], tmp_path: Path) -> None:
    other = imported(story[1], tmp_path / "other.db")
    before = content(other)
    with opened(other) as memory:
        report = memory.admin.import_(story[1])
    assert content(other) == before
    assert report.total("added") == report.total("updated") == 0
    assert report.total("same") == sum(len(rows) for table, rows in before.items() if table in report.counts)


def joined(story: tuple[str, Path], to: Path) -> str:
    """A used memory, into which the other is imported."""
    with opened(str(to), first_id=LATER) as memory:
        memory.observe("Otto says hello", session="s1", at="2025-01-01T00:00:00Z")
        memory.graph.entity("Otto", type="person", description="a friend")
        memory.observe("お茶が好きです", key="once")
        memory.remember("Ada likes chess")
    imported(story[1], to, first_id=2 * LATER)
    return str(to)


def known(memory: Memory, name: str) -> list[str]:
    return [each.node.text for each in memory.history(name) if isinstance(each, Version)]


def test_an_import_into_a_used_file_keeps_both(story: tuple[str, Path], tmp_path: Path) -> None:
    path, file = story
    other = joined(story, tmp_path / "other.db")
    with opened(path) as one, opened(other) as two:
        there = {node["text"] for node in texts(path)}
        assert {node["text"] for node in texts(other)} == there | {"Otto says hello", "Ada likes chess"}
        assert two.session("s1").episode_count == one.session("s1").episode_count + 1
        assert known(two, "tea") == known(one, "tea")
        explained = two.explain(next(id for id in range(1, 99) if two.get(id).text == "tea is white"))
        assert [two.get(id).text for id in explained.supersedes] == ["tea is black"]
    before = content(other)
    with opened(other, first_id=3 * LATER) as memory:
        memory.admin.import_(file)
    assert content(other) == before


def texts(path: str) -> list[dict[str, Any]]:
    db = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
    found = [{"id": id, "text": text} for id, text in db.execute("SELECT id, text FROM node")]
    db.close()
    return found


def test_an_event_with_the_same_key_is_imported_once(story: tuple[str, Path], tmp_path: Path) -> None:
    other = joined(story, tmp_path / "other.db")
    assert len([each for each in texts(other) if each["text"] == "お茶が好きです"]) == 1


def test_taken_ids_are_changed_and_reported(story: tuple[str, Path], tmp_path: Path) -> None:
    with opened(str(tmp_path / "other.db"), first_id=LATER) as memory:
        memory.observe("mine")
        report = memory.admin.import_(story[1])
    assert report.moved[0] == ("node", 1, 2)
    assert {node["id"]: node["text"] for node in texts(str(tmp_path / "other.db"))}[1] == "mine"


def test_later_changes_are_imported_and_local_changes_stay(story: tuple[str, Path], tmp_path: Path) -> None:
    path, file = story
    other = imported(file, tmp_path / "other.db", first_id=LATER)
    late = {"clock": lambda: 2_000_000_000_000_000}
    with opened(path, first_id=2 * LATER, **late) as memory:
        fact = memory.remember("tea is hot")
        white = next(hit.id for hit in memory.recall("tea is white").hits if hit.text == "tea is white")
        memory.correct(white, "tea is blue")
        memory.admin.export(tmp_path / "later.jsonl")
    with opened(other, first_id=3 * LATER, **late) as memory:
        memory.review.confirm(3)
        report = memory.admin.import_(tmp_path / "later.jsonl")
        assert (report.counts["node"]["added"], report.counts["node"]["updated"]) == (2, 1)
        assert memory.get(fact.id).text == "tea is hot"
        assert memory.get(white).state == "superseded"
        assert memory.get(3).confirmed_at is not None


def test_of_two_preferences_with_one_name_the_later_is_live(tmp_path: Path) -> None:
    for name, value, day in (("old", "npm", 1), ("new", "pnpm", 2)):
        with opened(str(tmp_path / f"{name}.db"), first_id=day * LATER, clock=lambda day=day: day * 10**15) as memory:
            memory.remember(f"use {value}", kind="preference", category="tools", name="package_manager", value=value)
            memory.admin.export(tmp_path / f"{name}.jsonl")
    for here, there in (("old", "new"), ("new", "old")):
        other = str(shutil.copy(tmp_path / f"{here}.db", tmp_path / f"{here}-{there}.db"))
        with opened(other) as memory:
            memory.admin.import_(tmp_path / f"{there}.jsonl")
            memory.admin.import_(tmp_path / f"{there}.jsonl")
            states = {memory.get(id).text: memory.get(id).state for id in (1, 2)}
            assert states == {"use npm": "superseded", "use pnpm": "live"}
            assert unsound(memory) == []


# ── interrupted ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_import_interrupted_at_any_write_can_be_repeated(
    story: tuple[str, Path], tmp_path: Path, fuse: Fuse
) -> None:
    from omoide.transfer import jsonl

    path, file = story
    start = str(tmp_path / "start.db")
    opened(start).close()
    expected = content(path)
    cut, step = 1, 17
    while True:
        torn = str(shutil.copy(start, tmp_path / "torn.db"))
        memory = opened(torn, first_id=LATER)
        fuse.burnt, fuse.at = 0, cut
        try:
            whole = bool(jsonl.import_jsonl(memory._store, file, batch=20))
        except PowerCut:
            whole = False
        finally:
            fuse.at = None
            memory.close()
        with opened(torn, first_id=2 * LATER) as memory:
            memory.admin.import_(file)
        assert content(torn) == expected, f"cut at write {cut}"
        if whole:
            break
        cut += step
    assert cut > 10 * step


def test_an_import_interrupted_between_batches_continues(story: tuple[str, Path], tmp_path: Path) -> None:
    path, file = story

    def stop(done: int, of: int) -> None:
        if done > of * 0.7:
            raise KeyboardInterrupt

    with opened(str(tmp_path / "other.db"), first_id=LATER) as memory, pytest.raises(KeyboardInterrupt):
        memory.admin.import_(file, progress=stop)
    assert content(imported(file, tmp_path / "other.db")) == content(path)


# ── files that are not as they were written ───────────────────────────────────────────────────────────────────────


def signed(rows: list[bytes]) -> bytes:
    """Returns the lines with a matching end line."""
    digest = new_digest()
    for row in rows:
        digest.update(row)
    return b"".join(rows) + encode_line({"end": {"lines": len(rows), "digest": digest.hexdigest()}})


Garble = Callable[[list[bytes]], bytes]
BROKEN: dict[str, tuple[Garble, str]] = {
    "an empty file": (lambda rows: b"", "line 1: the file is empty"),
    "another file": (lambda rows: b'{"text":"hello"}\n', "line 1: this is not an export"),
    "no JSON": (lambda rows: b"hello\n", "line 1 is not JSON"),
    "a newer format": (lambda rows: rows[0].replace(b'"format":1', b'"format":2'), "newer Omoide"),
    "cut at a line": (lambda rows: b"".join(rows[:9]), "line 9: .*truncated"),
    "cut in a line": (lambda rows: b"".join(rows[:9]) + rows[9][:-9], "line 10 has no line end"),
    "a line missing": (lambda rows: b"".join([*rows[:5], *rows[6:]]), "lines were written"),
    "a word changed": (lambda rows: b"".join(rows).replace(b"Docker", b"docker"), "digest does not match"),
    "garbage inside": (lambda rows: b"".join([*rows[:5], b"\xff\xfe\n", *rows[6:]]), "line 6 is not JSON"),
    "a list": (lambda rows: b"".join([*rows[:5], b"[]\n", *rows[6:]]), "line 6 is not an object"),
    "not a number": (lambda rows: b"".join([*rows[:5], b'{"node":{"id":NaN}}\n', *rows[6:]]), "line 6 is not JSON"),
    "two files": (lambda rows: b"".join(rows) * 2, "comes after the end line"),
    "an id beyond all": (lambda rows: signed([rows[0].replace(b'"node":', b'"node":1' + b"0" * 17)]), "not counts"),
    "deep": (lambda rows: rows[0] + b'{"node":' * 99_999 + b"\n", "line 2 is not JSON"),
}
WRONG: dict[str, tuple[bytes, str]] = {
    "an unknown table": (b'{"planet":{"id":1}}\n', "unknown table 'planet'"),
    "an unknown field": (b'{"ledger":{"agent_id":"a","last_checkpoint":1,"mood":"good"}}\n', "has no field 'mood'"),
    "a field missing": (b'{"ledger":{"last_checkpoint":1}}\n', "without 'agent_id'"),
    "a wrong type": (b'{"ledger":{"agent_id":"a","last_checkpoint":"noon"}}\n', "last_checkpoint: expected integer"),
    "what the file refuses": (b'{"ledger":{"agent_id":"a"}}\n', "refuse it"),
    "a link to nowhere": (
        b'{"edge":{"id":1,"source_id":9999,"target_id":9998,"type":"causal","valid_from":0,"created_at":0}}\n',
        "refuse it",
    ),
    "a number that is too large": (
        b'{"ledger":{"agent_id":"a","last_checkpoint":99999999999999999999}}\n',
        "cannot read",
    ),
    "half a character": (b'{"ledger":{"agent_id":"\\ud800","last_checkpoint":1}}\n', "cannot read"),
    "a blob that is none": (
        b'{"node":{"id":9999,"ulid":"0","kind":"note","text":"a","content_hash":"!"}}\n',
        "not base 64",
    ),
    "attributes that its kind has not": (
        b'{"node":{"id":9999,"ulid":"0","kind":"note","text":"a","attributes":{"wings":2},"event_at":0,'
        b'"recorded_at":0,"updated_at":0,"importance":5,"confidence":1,"decay_rate":0,"origin":"user",'
        b'"source_type":"stated","state_at":0}}\n',
        "has no attribute 'wings'",
    ),
}


@pytest.mark.parametrize(("garble", "told"), BROKEN.values(), ids=BROKEN.keys())
def test_a_damaged_export_is_refused_before_anything_is_written(
    story: tuple[str, Path], tmp_path: Path, garble: Garble, told: str
) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(garble(story[1].read_bytes().splitlines(keepends=True)))
    with opened(str(tmp_path / "other.db")) as memory:
        with pytest.raises(InvalidInput, match=told):
            memory.admin.import_(broken)
        assert memory.stats().nodes == memory.stats().sessions == 0


def test_an_entity_with_the_largest_id_gets_another_and_leaves_ids_for_others(memory: Memory, tmp_path: Path) -> None:
    memory.graph.entity("Otto", type="person")
    memory.admin.export(tmp_path / "a.jsonl")
    rows = (tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)[:-1]
    largest = str(2**63 - 1).encode()
    rows = [each.replace(b'{"entity":{"id":1', b'{"entity":{"id":' + largest) for each in rows]
    rows = [each for each in rows if not each.startswith(b'{"entity_')]
    (tmp_path / "b.jsonl").write_bytes(signed(rows))
    with Memory(tmp_path / "b.db", embedder=None) as other:
        other.admin.import_(tmp_path / "b.jsonl")
        assert other.graph.entity("Anna", type="person").id < 10
        assert other.graph.entity("Otto").type == "person"  # found by its name, though no line gave it one
        assert unsound(other) == []


@pytest.mark.parametrize(("line", "told"), WRONG.values(), ids=WRONG.keys())
def test_an_invalid_line_is_named_and_its_batch_is_not_imported(
    story: tuple[str, Path], tmp_path: Path, line: bytes, told: str
) -> None:
    rows = story[1].read_bytes().splitlines(keepends=True)[:-1]
    file = tmp_path / "wrong.jsonl"
    file.write_bytes(signed([*rows, line]))
    with opened(str(tmp_path / "other.db")) as memory:
        with pytest.raises(InvalidInput, match=f"line {len(rows) + 1}: .*{told}.*nothing was imported"):
            memory.admin.import_(file)
        assert memory.stats().nodes == 0
        assert memory.admin.import_(story[1]).counts["node"]["added"]


def test_a_line_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with open(tmp_path / "large.jsonl", "wb") as file:
        file.write(b'{"omoide":"export","format":1}\n{"node":{"text":"')
        file.truncate(MAX_LINE_BYTES + 100)  # sparse: it takes no disk
    with (
        opened(str(tmp_path / "a.db")) as memory,
        pytest.raises(InvalidInput, match="line 2 is longer than 64,000,000 bytes"),
    ):
        memory.admin.import_(tmp_path / "large.jsonl")


def test_missing_and_existing_files_are_errors(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="there is no file"):
        memory.admin.import_(tmp_path / "none.jsonl")
    with pytest.raises(InvalidInput):
        memory.admin.import_(tmp_path)
    memory.admin.export(tmp_path / "a.jsonl")
    with pytest.raises(InvalidInput, match="exists"):
        memory.admin.export(tmp_path / "a.jsonl")
    with pytest.raises(CannotWrite, match="does not exist"):
        memory.admin.export(tmp_path / "nowhere" / "a.jsonl")
    assert memory.admin.export(tmp_path / "a.jsonl", overwrite=True).bytes
    assert stat.S_IMODE(os.stat(tmp_path / "a.jsonl").st_mode) == 0o600
    assert not list(tmp_path.glob("*.part"))


def test_an_export_is_a_consistent_snapshot(memory: Memory, tmp_path: Path) -> None:
    memory.observe_many([{"text": f"turn {number}"} for number in range(1_200)])
    report = memory.admin.export(tmp_path / "a.jsonl", progress=lambda done, of: memory.observe("meanwhile"))
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_bytes().splitlines()]
    assert report.counts["node"] == sum(1 for row in rows if "node" in row) == 1_200
    assert memory.stats().nodes > 1_200
