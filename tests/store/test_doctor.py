"""What is derived is held against the rows, and made again from them; words are never touched."""

from __future__ import annotations

from collections.abc import Callable

import apsw
import pytest

from omoide import Memory
from omoide.config import Settings
from omoide.errors import Busy
from omoide.store.connection import connect
from tests.conftest import Open, start, unsound

Damage = Callable[[apsw.Connection], object]


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.observe_many(
        [{"text": f"turn {number} about green tea", "session": "s", "tags": ["drink"]} for number in range(20)]
    )
    memory.observe("お茶が好きです", speaker="Ötto")
    memory.remember("Otto drinks tea", sources=[1])
    return memory


def damage(path: str, *statements: str) -> None:
    """Does to the file what no verb of ours would."""
    db = connect(path, 1.0)
    db.pragma("foreign_keys", False)
    for statement in statements:
        db.execute(statement)
    db.close()


MODEL = "INSERT INTO embedding_model (id, name, dimensions, current, created_at) VALUES (1, 'model', 2, 1, 0)"
DRIFT = {
    "full text, a row missing": (
        "full text",
        ["INSERT INTO nodes_fts (nodes_fts, rowid, text, speaker, tags) SELECT 'delete', * FROM indexed WHERE id = 3"],
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
    (mended,) = [finding for finding in filled.doctor(repair=True) if not finding.ok]
    assert mended.repaired
    assert unsound(filled) == []
    assert len(filled.recall("green tea", limit=30).hits) >= 20


def test_a_changed_word_is_reported_and_not_repaired(filled: Memory, path: str) -> None:
    damage(path, "UPDATE node SET text = 'turn 3 about black tea' WHERE id = 4")
    for repair in (False, True):
        (finding,) = [finding for finding in filled.doctor(repair=repair) if not finding.ok]
        assert finding.check == "words"
        assert "first node 4" in finding.detail
        assert not finding.repaired
    assert filled.show(4).text == "turn 3 about black tea"


def test_a_session_that_ends_in_a_node_that_is_gone_can_go_on(filled: Memory, path: str) -> None:
    damage(path, "UPDATE session SET last_node_id = 999")
    assert filled.observe("one more", session="s").id == 23


def test_busy_is_not_mistaken_for_corrupt(filled: Memory, path: str, opened: Open) -> None:
    holder = start(
        """
        import sys
        import apsw
        db = apsw.Connection(sys.argv[1])
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
        impatient.doctor(repair=True)
    assert len(impatient.recall("green tea").hits) == 10
    holder.communicate("done\n")
    assert unsound(impatient) == []
