"""The columns in memory match the rows, whatever any process wrote in between."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.store.engine.connection import Connection
from omoide.store.search.node_columns import ColumnLoader, NodeColumns
from omoide.store.search.node_filter import NEEDS_CHECK
from tests.conftest import Open, counted, run, ticking
from tests.open_file import connect

DEEDS = ("observe", "whisper", "remember", "correct", "forget", "archive", "unarchive", "update", "unlink", "link")


def expected(db: Connection) -> dict[int, tuple[str, int, int, int, bool]]:
    """Kind, session, turn before, turn after and whether a filter must check the row, from the rows alone."""
    rows = {
        id: (kind, session or 0, bool(doubtful))
        for id, kind, session, doubtful in db.execute(f"SELECT id, kind, session_id, {NEEDS_CHECK} FROM node")
    }
    links = list(db.execute("SELECT source_id, target_id FROM edge WHERE type = 'temporal' ORDER BY id DESC"))
    after, before = dict(links), {target: source for source, target in links}
    return {
        id: (kind, session, before.get(id, 0), after.get(id, 0), doubtful)
        for id, (kind, session, doubtful) in rows.items()
    }


def held(columns: NodeColumns, kinds: dict[int, str]) -> dict[int, tuple[str, int, int, int, bool]]:
    ids = np.array(sorted(kinds), np.int64)
    (_, before), (_, after) = columns.neighbours(ids, 1)
    kind = [name if columns.is_kind(ids[[place]], (name,))[0] else "?" for place, name in enumerate(kinds.values())]
    rows = zip(kind, columns.session(ids), before, after, columns.needs_check(ids), strict=True)
    return {
        int(id): (name, int(session), int(back), int(on), bool(check))
        for id, (name, session, back, on, check) in zip(ids, rows, strict=True)
    }


def assert_current(loader: ColumnLoader, db: Connection) -> None:
    rows = expected(db)
    assert held(loader.current(db), {id: row[0] for id, row in sorted(rows.items())}) == rows


def do(memory: Memory, verb: str, number: int, turns: list[int], facts: list[int]) -> None:
    if verb in ("observe", "whisper"):
        turns.append(memory.observe(f"turn {len(turns)}", session=f"s{number % 2}", sensitive=verb == "whisper").id)
    elif verb == "remember":
        facts.append(memory.remember(f"fact number {len(facts)} about {number}").id)
    elif verb == "forget" and turns:
        memory.forget(turns.pop(number % len(turns)))
    elif verb == "link" and len(turns) > 1:
        memory.graph.link(turns[0], turns[-1], "related_to")
    elif facts:
        chosen = facts[number % len(facts)]
        node = memory.get(chosen)
        if verb == "correct" and node.state == "live":
            facts[number % len(facts)] = memory.correct(chosen, f"another fact {number}").id
        elif verb == "update" and node.state == "live":
            memory.review.update(chosen, f"in other words {number}")
        elif verb == "archive" and node.state == "live":
            memory.admin.archive(chosen)
        elif verb == "unarchive" and node.state == "archived":
            memory.admin.unarchive(chosen)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 9), st.booleans()), max_size=25))
def test_columns_match_the_rows_after_any_history(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[str, int, bool]]
) -> None:
    path = str(tmp_path_factory.mktemp("columns") / "memory.db")
    with Memory(path, embedder=None, clock=ticking(), ids=counted()) as memory:
        loader, db = ColumnLoader(), connect(path, 1.0)
        turns: list[int] = []
        facts: list[int] = []
        for verb, number, ask in history:
            do(memory, verb, number, turns, facts)
            if ask:
                assert_current(loader, db)
        assert_current(loader, db)
        assert_current(ColumnLoader(), db)
        db.close()


def test_a_snapshot_in_use_stays_as_it_was(opened: Open, path: str) -> None:
    memory = opened()
    fact = memory.remember("Otto likes tea")
    loader, db = ColumnLoader(), connect(path, 1.0)
    before, ids = loader.current(db), np.array([fact.id])
    memory.correct(fact.id, "Otto likes coffee")
    assert loader.current(db).needs_check(ids)[0]
    assert not before.needs_check(ids)[0]


def test_changes_by_another_process_are_seen(opened: Open, path: str) -> None:
    memory = opened()
    memory.observe("one", session="s1")
    loader, db = ColumnLoader(), connect(path, 1.0)
    loader.current(db)
    run(
        """
        import sys
        from omoide import Memory
        with Memory(sys.argv[1], embedder=None) as memory:
            memory.observe("two", session="s1")
            memory.observe("three", session="s1")
            memory.forget(2)
        """,
        path,
    )
    assert_current(loader, db)


def test_a_log_that_does_not_reach_back_loads_everything_again(opened: Open, path: str) -> None:
    memory = opened()
    fact = memory.remember("Otto likes tea")
    loader, db = ColumnLoader(), connect(path, 1.0)
    loader.current(db)
    memory.correct(fact.id, "Otto likes coffee")
    db.execute("DELETE FROM cache_invalidation")
    db.execute("INSERT INTO cache_invalidation (part, node_id) VALUES ('text', 99), ('text', 99)")
    assert_current(loader, db)


def test_lengths_count_the_text_with_and_without_the_speaker(opened: Open, path: str) -> None:
    memory = opened()
    memory.observe("Otto: good morning", speaker="Otto")
    memory.observe("good morning", speaker="Otto")
    columns, ids = ColumnLoader().current(connect(path, 1.0)), np.array([1, 2])
    assert columns.length(ids).tolist() == [18, 12]
    assert columns.spoken_length(ids).tolist() == [13, 12]
