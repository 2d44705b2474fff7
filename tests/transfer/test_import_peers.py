"""Imports of files that the real programs wrote, and what changed in them since the last import."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from omoide import Memory
from tests.conftest import unsound
from tests.transfer import peer_samples


def taken(memory: Memory, folder: Path, content: Any, name: str = "memories.json") -> dict[str, dict[str, int]]:
    (folder / name).write_text(json.dumps(content))
    counts = memory.admin.import_from(folder / name).counts
    assert unsound(memory) == []
    return counts


def live(memory: Memory) -> list[str]:
    return sorted(node.text for node in memory.list())


def test_a_memory_that_mem0_updated_is_updated(memory: Memory, tmp_path: Path) -> None:
    assert taken(memory, tmp_path, peer_samples.MEM0_BEFORE) == {"fact": {"added": 4}}
    assert taken(memory, tmp_path, peer_samples.MEM0_AFTER) == {"fact": {"same": 2, "updated": 1}}
    assert "Otto lives in Lisbon." in live(memory)
    assert "Otto lives in Berlin." not in live(memory)
    (home,) = [node for node in memory.list() if "Lisbon" in node.text]
    assert [each.node.text for each in memory.history(home.id)] == [
        "Otto lives in Berlin.",
        "Otto lives in Lisbon.",
    ]
    assert taken(memory, tmp_path, peer_samples.MEM0_AFTER) == {"fact": {"same": 3}}
    assert taken(memory, tmp_path, peer_samples.MEM0_BEFORE) == {"fact": {"same": 4}}, "an old export changes nothing"
    assert "Otto lives in Lisbon." in live(memory)


def test_a_dry_run_foresees_updates(memory: Memory, tmp_path: Path) -> None:
    taken(memory, tmp_path, peer_samples.MEM0_BEFORE)
    (tmp_path / "after.json").write_text(json.dumps(peer_samples.MEM0_AFTER))
    assert memory.admin.import_from(tmp_path / "after.json", dry_run=True).counts == {"fact": {"same": 2, "updated": 1}}
    assert "Otto lives in Berlin." in live(memory)


def test_an_archived_memory_is_updated_too(memory: Memory, tmp_path: Path) -> None:
    taken(memory, tmp_path, peer_samples.MEM0_BEFORE)
    (home,) = [node for node in memory.list() if "Berlin" in node.text]
    memory.admin.archive(home.id)
    assert taken(memory, tmp_path, peer_samples.MEM0_AFTER) == {"fact": {"same": 2, "updated": 1}}
    assert "Otto lives in Lisbon." in live(memory)


def test_what_the_user_corrected_here_stays_and_the_new_wording_waits(memory: Memory, tmp_path: Path) -> None:
    taken(memory, tmp_path, peer_samples.MEM0_BEFORE)
    (home,) = [node for node in memory.list() if "Berlin" in node.text]
    memory.correct(home.id, "Otto lives in Porto.")
    assert taken(memory, tmp_path, peer_samples.MEM0_BEFORE) == {"fact": {"same": 4}}
    assert taken(memory, tmp_path, peer_samples.MEM0_AFTER) == {"fact": {"same": 2, "proposed": 1}}
    assert "Otto lives in Porto." in live(memory)
    assert taken(memory, tmp_path, peer_samples.MEM0_AFTER) == {"fact": {"same": 3}}


def test_what_was_forgotten_here_is_not_updated(memory: Memory, tmp_path: Path) -> None:
    taken(memory, tmp_path, peer_samples.MEM0_BEFORE)
    (home,) = [node for node in memory.list() if "Berlin" in node.text]
    memory.forget(home.id)
    assert taken(memory, tmp_path, peer_samples.MEM0_BEFORE)["fact"] == {"same": 3, "forgotten": 1}


def test_a_history_of_mem0_keeps_each_wording_and_leaves_out_what_was_deleted(memory: Memory, tmp_path: Path) -> None:
    assert taken(memory, tmp_path, peer_samples.MEM0_HISTORY) == {"fact": {"added": 1, "updated": 1}}
    assert live(memory) == ["Otto lives in Lisbon."]
    assert taken(memory, tmp_path, peer_samples.MEM0_HISTORY) == {"fact": {"same": 2}}
    assert taken(memory, tmp_path, peer_samples.MEM0_AFTER) == {"fact": {"same": 1, "added": 2}}


def test_the_history_file_of_mem0_is_read(memory: Memory, tmp_path: Path) -> None:
    db = apsw.Connection(str(tmp_path / "history.db"))
    db.execute(
        "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,"
        " created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);"
        "CREATE TABLE messages (id TEXT PRIMARY KEY, session_scope TEXT, role TEXT, content TEXT, name TEXT,"
        " created_at DATETIME);"
        "INSERT INTO messages VALUES ('m1', 'user_id=otto', 'user', 'I keep bees.', NULL, '2026-11-19T02:06:03')"
    )
    columns = list(peer_samples.MEM0_HISTORY[0])
    db.executemany(
        f"INSERT INTO history ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
        [tuple(each.values()) for each in peer_samples.MEM0_HISTORY],
    )
    db.close()
    report = memory.admin.import_from(tmp_path / "history.db")
    assert (report.format, report.skipped) == ("mem0", {"deleted there": 2})
    assert report.counts == {"turn": {"added": 1}, "fact": {"added": 1, "updated": 1}}


def test_what_add_of_mem0_returned_is_an_update(memory: Memory, tmp_path: Path) -> None:
    taken(memory, tmp_path, peer_samples.MEM0_BEFORE)
    id = next(each["id"] for each in peer_samples.MEM0_BEFORE["results"] if "Berlin" in each["memory"])
    event = {"id": id, "memory": "Otto lives in Faro.", "event": "UPDATE", "previous_memory": "Otto lives in Berlin."}
    assert taken(memory, tmp_path, {"results": [event]}) == {"fact": {"updated": 1}}
    assert "Otto lives in Faro." in live(memory)


def test_graphiti_becomes_entities_facts_with_their_validity_and_turns(memory: Memory, tmp_path: Path) -> None:
    counts = taken(memory, tmp_path, peer_samples.GRAPHITI)
    assert counts == {
        "entity": {"added": 3},
        "fact": {"added": 2},
        "relation": {"added": 1},
        "turn": {"added": 2},
        "note": {"added": 3},
    }
    otto = memory.graph.entity("Otto")
    assert (otto.type, otto.description) == ("person", "Otto moved to Lisbon in March 2025.")
    assert otto.attributes["age"] == 41
    assert ("lives_in", "Lisbon") in [(each.type, each.target) for each in memory.graph.relations("Otto")]
    facts = {node.text: node for node in memory.graph.timeline("Otto") if node.kind == "fact"}
    assert facts["Otto lives in Lisbon."].valid_until is None
    assert facts["Otto lives in Lisbon."].valid_from == datetime(2025, 3, 1, 9, tzinfo=UTC)
    assert facts["Otto lives in Berlin."].valid_until == datetime(2025, 3, 1, 9, tzinfo=UTC)
    said = [(node.speaker, node.role, node.text) for node in memory.list(kinds=["episode"])]
    assert sorted(said, key=str) == [
        ("Otto", "user", "I moved from Berlin to Lisbon."),
        (None, "agent", "When was that?"),
    ]


@pytest.mark.parametrize("kind", ["nodes", "edges", "episodes"])
def test_each_list_of_a_graph_is_detected(memory: Memory, tmp_path: Path, kind: str) -> None:
    (tmp_path / "some.json").write_text(json.dumps(peer_samples.GRAPHITI[kind]))
    assert memory.admin.import_from(tmp_path / "some.json").format == "graphiti"


def test_an_edge_of_zep_names_its_ends(memory: Memory, tmp_path: Path) -> None:
    edge = copy.deepcopy(peer_samples.GRAPHITI["edges"][0]) | {"source_node_name": "Otto", "target_node_name": "Lisbon"}
    assert taken(memory, tmp_path, {"edges": [edge]}) == {"fact": {"added": 1}, "relation": {"added": 1}}


def test_what_basic_memory_wrote_keeps_every_line_and_resolves_its_links(memory: Memory, tmp_path: Path) -> None:
    for name, text in peer_samples.BASIC_MEMORY.items():
        (tmp_path / "notes" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "notes" / name).write_text(text, "utf-8")
    report = memory.admin.import_from(tmp_path / "notes")
    assert unsound(memory) == []
    assert (report.format, report.unplaced) == ("markdown", {})
    assert report.skipped == {"link to a missing page": 1}  # Morning
    told = {node.text: node for node in memory.list(limit=50)}
    assert told["Pour Over: Use a gooseneck kettle"].details == {"context": "from Ada"}
    assert "Pour Over: requires Soft Water (below 100 ppm)" in told
    water, pour = (
        told["Soft Water: Rain water, below 60 ppm. See [[Pour Over]]."],
        told["Pour Over: Slow water, clear taste."],
    )
    linked = {(each.source_id, each.target_id) for each in memory.graph.links(water.id)}
    assert {(water.id, pour.id), (pour.id, water.id)} <= linked
    assert ("knows", "Otto") in {(each.type, each.target) for each in memory.graph.relations("Ada")}
    assert (memory.graph.entity("Ada").type, told["Ada"].details["front_matter"]["role"]) == ("person", "barista")


def test_an_agent_file_of_letta_is_imported(memory: Memory) -> None:
    """Made with the classes of letta 0.11.7 (`AgentFileSchema`), without its server; empty fields left out."""
    report = memory.admin.import_from(Path(__file__).with_name("letta_agent_file.af"))
    assert report.skipped == {"text added by the program": 2, "model reasoning": 1, "empty tool result": 1}
    assert live(memory) == [
        "Hive one is blue.",
        "How many hives?",
        "I am Sam.",
        "I keep bees.",
        "The human is called Chad.",
        "Then you need a new box.",
        "Two. Hive two swarmed in May.",
    ]
    assert unsound(memory) == []
