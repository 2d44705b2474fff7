"""The doctor compares derived data with the rows and rebuilds it; texts are never changed."""

from __future__ import annotations

from collections.abc import Callable

import apsw
import pytest

from omoide import Memory
from omoide.errors import Busy
from omoide.settings import Settings
from tests.conftest import Open, contents, inserted, start, unsound
from tests.open_file import connect

Damage = Callable[[apsw.Connection], object]


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.observe_many(
        [{"text": f"turn {number} about green tea", "session": "s", "tags": ["drink"]} for number in range(20)]
    )
    memory.observe("お茶が好きです", speaker="Ötto")
    memory.remember("Otto drinks tea", sources=[1])
    memory.observe("Never suggest Docker, I hate it.")
    return memory


def damage(path: str, *statements: str) -> None:
    """Does to the file what no verb of ours would."""
    db = connect(path, 1.0)
    db.pragma("foreign_keys", False)
    for statement in statements:
        db.execute(statement)
    db.close()


MODEL = "INSERT INTO embedding_model (id, name, dimensions, current, created_at) VALUES (1, 'model', 2, 1, 0)"
ENTITY = """
    INSERT INTO entity (ulid, name, type, first_seen_at, last_referenced_at, created_at, updated_at)
    VALUES ('0', 'Ada', 'person', 0, 0, 0, 0);
    INSERT INTO entity_name (key, entity_id, name) VALUES ('ada', 1, 'Ada')
"""
DRIFT = {
    "full text, a row missing": (
        "full text",
        [
            "INSERT INTO nodes_fts (nodes_fts, rowid, text, speaker, tags) "
            "SELECT 'delete', * FROM indexed_text WHERE id = 3"
        ],
    ),
    "full text, a row too many": ("full text", ["INSERT INTO nodes_fts (rowid, text) VALUES (999, 'ghost')"]),
    "full text, pages gone": ("full text", ["DELETE FROM nodes_fts_data WHERE id > 10"]),
    "folding": ("folding", ["UPDATE node SET folded_text = 'something else' WHERE id = 21"]),
    "a vector of the wrong size": (
        "vectors",
        [
            MODEL,
            "INSERT INTO vector (node_id, model_id, data) VALUES (3, 1, x'0000')",
            "DELETE FROM embedding_queue WHERE node_id = 3",
        ],
    ),
    "a vector of no numbers": (
        "vectors",
        [
            MODEL,
            "INSERT INTO vector (node_id, model_id, data) VALUES (3, 1, x'007e007e')",
            "DELETE FROM embedding_queue WHERE node_id = 3",
        ],
    ),
    "a node that waits for no vector": ("embedding", ["DELETE FROM embedding_queue WHERE node_id = 3"]),
    "a session's count": ("sessions", ["UPDATE session SET episode_count = 7"]),
    "a session's last node": ("sessions", ["UPDATE session SET last_node_id = 999"]),
    "an entity without its name": ("names", [ENTITY, "DELETE FROM entity_name"]),
    "an entity whose mentions were not counted": (
        "names",
        [
            ENTITY,
            "INSERT INTO node_entity (node_id, entity_id) VALUES (1, 1)",
            "UPDATE entity SET mention_count = 0",
        ],
    ),
    "a stated preference that is not marked": (
        "preference marks",
        ["UPDATE node SET attributes = json_remove(attributes, '$.states_preference') WHERE id = 23"],
    ),
    "a mark without a stated preference": (
        "preference marks",
        ['UPDATE node SET attributes = \'{"type":"conversation","states_preference":true}\' WHERE id = 1'],
    ),
    "ids that could be given again": ("ids", ["UPDATE sqlite_sequence SET seq = 3 WHERE name = 'node'"]),
    "a link from nowhere": (
        "links",
        [
            "INSERT INTO edge (source_id, target_id, type, valid_from, created_at) VALUES (999, 1, 'causal', 0, 0)",
            "INSERT INTO node_entity (node_id, entity_id) VALUES (1, 999)",
            "INSERT INTO change (node_id, at, verb) VALUES (999, 0, 'update')",
        ],
    ),
}


@pytest.mark.parametrize(("check", "statements"), DRIFT.values(), ids=DRIFT.keys())
def test_drift_is_found_and_repaired(filled: Memory, path: str, check: str, statements: list[str]) -> None:
    assert unsound(filled) == []
    damage(path, *statements)
    assert [line.partition(":")[0] for line in unsound(filled)] == [check]
    (mended,) = [finding for finding in filled.admin.doctor(repair=True) if not finding.ok]
    assert mended.repaired
    assert unsound(filled) == []
    assert filled.stats().nodes == 23
    assert len(filled.recall("green tea", limit=30).hits) >= 20


def test_a_changed_word_is_reported_and_not_repaired(filled: Memory, path: str) -> None:
    damage(path, "UPDATE node SET text = 'turn 3 about black tea' WHERE id = 4")
    for repair in (False, True):
        (finding,) = [finding for finding in filled.admin.doctor(repair=repair) if not finding.ok]
        assert finding.check == "words"
        assert "first node 4" in finding.detail
        assert not finding.repaired
    assert filled.get(4).text == "turn 3 about black tea"


def test_a_session_whose_last_node_is_missing_can_continue(filled: Memory, path: str) -> None:
    damage(path, "UPDATE session SET last_node_id = 999")
    assert filled.observe("one more", session="s").id == 24


def test_a_repair_keeps_all_canonical_rows(filled: Memory, path: str) -> None:
    canonical = ("node", "edge", "session", "entity", "relation", "change", "ledger")
    before = {table: count for table, count in contents(path).items() if table in canonical}
    for _, statements in list(DRIFT.values())[:-1]:  # the last one adds links that lead nowhere
        if MODEL in statements or ENTITY in statements:
            continue
        damage(path, *statements)
    assert all(finding.ok or finding.repaired for finding in filled.admin.doctor(repair=True))
    assert unsound(filled) == []
    assert {table: count for table, count in contents(path).items() if table in canonical} == before


def test_a_missing_session_is_rebuilt_from_its_episodes(filled: Memory, path: str) -> None:
    damage(path, "DELETE FROM session")
    assert [line.partition(":")[0] for line in unsound(filled)] == ["links"]
    filled.admin.doctor(repair=True)
    assert unsound(filled) == []
    (session,) = filled.sessions()
    assert (session.name, session.episode_count) == ("recovered 1", 20)
    assert filled.get(1).session == "recovered 1"


def test_remarks_are_reported_for_a_sound_file(filled: Memory) -> None:
    one, other = filled.remember("Otto likes tea"), filled.remember("Otto never drinks anything hot")
    filled.graph.link(one.id, other.id, "contradicts")
    inserted(filled, "Otto drinks tea", key="once more")
    filled.end("s")
    told = {finding.check: finding.detail for finding in filled.admin.doctor() if finding.ok}
    assert (
        told["contradictions"] == "1 pair of memories contradict each other; `omoide review contradictions` lists them"
    )
    assert told["duplicates"] == "1 memories repeat another, first node 22"
    assert told["learning"] == "1 conversation waits to be learned from"
    assert unsound(filled) == []


def test_a_finding_that_cannot_be_repaired_says_what_to_do(filled: Memory, path: str) -> None:
    filled.graph.relate("Otto", "likes", "tea")
    damage(path, "DELETE FROM entity WHERE name = 'tea'")
    (finding,) = [finding for finding in filled.admin.doctor(repair=True) if not finding.ok]
    assert finding.check == "links"
    assert "relation cannot be repaired: restore them from a backup" in finding.detail


def test_busy_is_not_mistaken_for_corrupt(filled: Memory, path: str, opened: Open) -> None:
    holder = start(
        """
        import sys
        from tests.open_file import open_file
        db = open_file(sys.argv[1])
        db.execute("BEGIN IMMEDIATE")
        print("held", flush=True)
        sys.stdin.readline()
        """,
        path,
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    impatient = opened(settings=Settings(busy_timeout=0.05))
    with pytest.raises(Busy):
        impatient.admin.doctor(repair=True)
    assert len(impatient.recall("green tea").hits) == 10
    holder.communicate("done\n")
    assert unsound(impatient) == []
