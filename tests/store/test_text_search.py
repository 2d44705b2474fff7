"""Text search gives the textbook's BM25 scores, whatever was written in between."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.domain.trust import Viewer
from omoide.store import NodeFilter
from omoide.store.engine.connection import Connection
from omoide.store.search import fulltext
from omoide.store.search.postings import Postings, RankedScores
from tests.conftest import Open, counted, run, ticking, viewed_with_consent
from tests.open_file import connect

Rank = Callable[[Connection, Sequence[str]], RankedScores]
VOCABULARY = ("tea", "teas", "rain", "otto", "maria", "running", "runs", "berlin", "são", "茶")


@pytest.fixture(params=["lists", "lists that hold nothing"])
def rank(request: pytest.FixtureRequest) -> Rank:
    """Everyone who ranks words."""
    return Postings().scored if request.param == "lists" else Postings(bound=0).scored


def quoted(*asked: str) -> list[str]:
    return [f'"{each}"' for each in asked]


def reference(db: Connection, asked: Sequence[str]) -> dict[int, float]:
    """BM25 as it stands in the textbook, from the rows alone."""
    cut = fulltext.make_tokenizer(db)
    held = {
        id: [cut(column) if column else [] for column in columns]
        for id, *columns in db.execute("SELECT id, text, speaker, tags FROM indexed_text")
    }
    lengths = {id: sum(map(len, columns)) for id, columns in held.items()}
    average = sum(lengths.values()) / max(1, len(held))
    scores: dict[int, float] = {}
    for word in (stem for each in asked for stem in cut(each)):
        often = {id: _often(columns, word) for id, columns in held.items() if any(word in each for each in columns)}
        odds = (len(held) - len(often) + 0.5) / (len(often) + 0.5)
        rarity = max(math.log(odds), math.log(1 + odds) * min(1, 1_000 / max(1, len(held))))
        for id, count in often.items():
            part = rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * lengths[id] / average))
            scores[id] = scores.get(id, 0.0) + part
    return scores


def _often(columns: list[list[str]], word: str) -> float:
    return sum(weight * column.count(word) for weight, column in zip((1.0, 0.5, 0.8), columns, strict=True))


def told(memory: Memory) -> Memory:
    memory.observe_many(
        [
            {"text": "Otto likes green tea and more tea", "speaker": "Maria"},
            {"text": "Maria runs in the rain", "speaker": "Otto", "tags": ["running", "rain"]},
        ]
    )
    memory.remember("Tea")
    memory.observe("We were running to Berlin, Otto and I", tags=["berlin"])
    return memory


def test_every_ranking_gives_textbook_bm25_scores(memory: Memory, path: str, rank: Rank) -> None:
    told(memory)
    db = connect(path, 1.0)
    found = dict(rank(db, quoted("tea", "running", "Otto", "nobody")).best(100))
    assert found == pytest.approx(reference(db, ["tea", "running", "Otto"]), rel=1e-5)


def test_a_phrase_matches_only_adjacent_words(memory: Memory, path: str, rank: Rank) -> None:
    told(memory)
    assert [id for id, _ in rank(connect(path, 1.0), ['"green tea"']).best(10)] == [1]


def test_two_forms_of_a_word_count_twice(memory: Memory, path: str, rank: Rank) -> None:
    told(memory)
    db = connect(path, 1.0)
    once, twice = dict(rank(db, quoted("run")).best(10)), dict(rank(db, quoted("running", "runs")).best(10))
    assert twice == pytest.approx({id: 2 * score for id, score in once.items()}, rel=1e-5)


def test_among_ranks_only_the_given_nodes(memory: Memory, path: str, rank: Rank) -> None:
    told(memory)
    scores = rank(connect(path, 1.0), quoted("tea", "otto"))
    assert [id for id, _ in scores.among([4, 3, 3, 99, -1], 10)] == [3, 4]
    assert len(scores.among([], 10)) == 0


def test_equal_scores_are_in_order_of_id(memory: Memory, path: str, rank: Rank) -> None:
    memory.observe_many([{"text": f"tea for {name}"} for name in ("anna", "otto", "maria", "ines", "jo")])
    scores = rank(connect(path, 1.0), quoted("tea"))
    assert [id for id, _ in scores.best(3)] == [1, 2, 3]
    assert [id for id, _ in scores.best(9)] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("asked", [[], ['"…"'], ['""'], quoted("nobody")])
def test_an_empty_query_finds_nothing(memory: Memory, path: str, rank: Rank, asked: list[str]) -> None:
    told(memory)
    assert len(rank(connect(path, 1.0), asked).best(10)) == 0


def test_an_empty_memory_ranks_nothing(memory: Memory, path: str, rank: Rank) -> None:
    assert len(rank(connect(path, 1.0), quoted("tea")).best(10)) == 0


texts = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=12).map(" ".join)
deeds = st.one_of(
    st.tuples(st.just("tell"), texts, st.sampled_from(VOCABULARY), st.lists(st.sampled_from(VOCABULARY), max_size=2)),
    st.tuples(st.just("update"), st.integers(0, 30), texts),
    st.tuples(st.just("tag"), st.integers(0, 30), st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=2)),
    st.tuples(st.just("delete"), st.integers(0, 30)),
    st.tuples(st.just("ask"), st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=4)),
)


@settings(max_examples=60)
@given(st.lists(deeds, max_size=25))
def test_lists_match_the_rows_after_any_history(tmp_path_factory: pytest.TempPathFactory, history: list) -> None:  # type: ignore[type-arg]
    path = str(tmp_path_factory.mktemp("words") / "memory.db")
    lists, narrow = Postings(), Postings(bound=3_000)
    with Memory(path, embedder=None, clock=ticking(), ids=counted()) as memory:
        ids: list[int] = []
        asker, deleter = connect(path, 1.0), connect(path, 1.0)
        for verb, *what in [*history, ("ask", list(VOCABULARY))]:
            if verb == "tell":
                memory.observe(what[0], speaker=what[1], tags=what[2])
                ids.append(memory.remember(what[0], tags=what[2], kind="note").id)
            elif verb == "ask":
                expected = reference(asker, what[0])
                for each in (lists, narrow):
                    found = list(each.scored(asker, quoted(*what[0])).best(100))
                    assert dict(found) == pytest.approx(expected, rel=1e-4)
                    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))
                assert narrow.bytes <= 3_000
            elif ids and verb == "update":
                memory.review.update(ids[what[0] % len(ids)], what[1])
            elif ids and verb == "tag":
                memory.review.update(ids[what[0] % len(ids)], tags=what[1])
            elif ids:
                deleter.execute("DELETE FROM node WHERE id = ?", (ids.pop(what[0] % len(ids)),))
        asker.close()
        deleter.close()


def test_changes_by_another_process_are_seen_by_the_next_query(opened: Open, path: str) -> None:
    memory = told(opened())
    assert {hit.id for hit in memory.recall("tea", recipe="keyword")} == {1, 3}
    run(
        """
        import sys
        from tests.open_file import connect
        from omoide import Memory
        with Memory(sys.argv[1], embedder=None) as memory:
            memory.observe("tea tea tea")
            memory.review.update(3, "Maria walks in the sun")
        connect(sys.argv[1], 1.0).execute("DELETE FROM node WHERE id = 2")
        """,
        path,
    )
    assert {hit.id for hit in memory.recall("tea", recipe="keyword")} == {1, 5}
    assert memory.recall("rain", recipe="keyword").hits == ()
    assert [hit.id for hit in memory.recall("walking", recipe="keyword")] == [3]


def test_many_changes_are_read_from_the_index(opened: Open, path: str) -> None:
    memory = told(opened())
    lists, db = Postings(), connect(path, 1.0)
    assert len(lists.scored(db, quoted("tea")).best(10_000)) == 2
    for batch in range(5):
        memory.observe_many([{"text": f"tea {batch} {number}"} for number in range(1_000)])
        if batch % 2:
            assert len(lists.scored(db, quoted("tea")).best(10_000)) == 2 + 1_000 * (batch + 1)
    assert dict(lists.scored(db, quoted("tea")).best(10_000)) == pytest.approx(reference(db, ["tea"]), rel=1e-4)


def test_small_changes_are_applied_to_the_lists_eventually(opened: Open, path: str) -> None:
    memory = told(opened())
    lists, db = Postings(), connect(path, 1.0)
    for batch in range(9):
        memory.observe_many([{"text": f"tea {batch} {number}"} for number in range(600)])
        memory.review.update(3, f"tea again {batch}")
        lists.scored(db, quoted("tea", "again", str(batch)))
    assert dict(lists.scored(db, quoted("tea", "again")).best(10_000)) == pytest.approx(
        reference(db, ["tea", "again"]), rel=1e-4
    )
    assert lists._changes.texts <= 4_000


def test_an_interrupt_at_any_statement_leaves_no_partial_change(opened: Open, path: str) -> None:
    memory = told(opened())
    lists, db = Postings(), connect(path, 1.0)
    lists.scored(db, quoted("tea", "otto"))

    def interrupt(*_: object) -> bool:
        if next(countdown) == 0:
            raise KeyboardInterrupt
        return True

    for statements in range(9):
        memory.remember(f"tea for Otto, {statements} times")
        memory.review.update(3, f"tea and rain {statements}")
        countdown = iter(range(statements, -99, -1))
        db.exec_trace = interrupt
        with suppress(KeyboardInterrupt):
            lists.scored(db, quoted("tea", "rain", f"new{statements}"))
        db.exec_trace = None
        asked = ["tea", "rain", "otto"]
        assert dict(lists.scored(db, quoted(*asked)).best(99)) == pytest.approx(reference(db, asked), rel=1e-4)
        assert lists.bytes == sum(held.list.bytes + 400 for held in lists._held.values())


def test_lists_stay_within_their_bound(memory: Memory, path: str) -> None:
    memory.observe_many([{"text": " ".join(f"w{number % size}" for size in range(2, 30))} for number in range(300)])
    lists, db = Postings(bound=20_000), connect(path, 1.0)
    for number in range(29):
        lists.scored(db, quoted(*(f"w{each}" for each in range(number + 1))))
        assert lists.bytes <= 20_000
        assert lists.bytes == sum(held.list.bytes + 400 for held in lists._held.values())


def test_a_log_that_does_not_reach_back_makes_caches_start_over(opened: Open, path: str) -> None:
    memory = told(opened())
    lists, db = Postings(), connect(path, 1.0)
    lists.scored(db, quoted("sun"))
    memory.review.update(3, "sun")
    db.execute("DELETE FROM cache_invalidation")
    db.execute("INSERT INTO cache_invalidation (part, node_id) VALUES ('text', 4)")
    assert [id for id, _ in lists.scored(db, quoted("sun")).best(10)] == [3]


def test_the_log_keeps_only_its_last_ten_thousand(memory: Memory, path: str) -> None:
    told(memory)
    db = connect(path, 1.0)
    db.execute("BEGIN")
    for _ in range(3_000):
        db.execute("UPDATE node SET text = text")
    db.execute("COMMIT")
    assert db.execute("SELECT count(*) FROM cache_invalidation").get == 10_000


def test_a_rebuilt_index_is_read_again(opened: Open, path: str) -> None:
    memory = told(opened())
    db = connect(path, 1.0)
    db.execute("INSERT INTO nodes_fts (nodes_fts) VALUES ('delete-all')")
    assert memory.recall("tea").hits == ()
    memory.admin.doctor(repair=True)
    assert {hit.id for hit in memory.recall("tea")} >= {1, 3}


def test_the_most_common_words_are_left_out_only_beyond_the_budget(memory: Memory, path: str) -> None:
    memory.observe_many([{"text": f"tea {'rain' if number % 2 else ''} x{number}"} for number in range(100)])
    db = connect(path, 1.0)
    lists = Postings(most_weighed=60)
    without = list(lists.scored(db, quoted("rain", "x7")).best(1_000))
    assert list(lists.scored(db, quoted("tea", "rain", "x7")).best(1_000)) == without
    assert len(lists.scored(db, quoted("tea")).best(1_000)) == 100  # never all of them
    assert len(Postings().scored(db, quoted("tea", "rain", "x7")).best(1_000)) == 100


def test_threads_that_search_during_writes_see_whole_nodes(opened: Open) -> None:
    memory = opened()
    for number in range(40):
        memory.remember(f"tea number {number}", kind="note")
    wrong: list[str] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            wrong.extend(text for text in memory.recall("tea rain", limit=100).texts if not re.search("tea|rain", text))

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for asker in askers:
        asker.start()
    for number in range(1, 40):
        memory.review.update(number, f"rain number {number}")
        memory.remember(f"tea again {number}", kind="note")
    done.set()
    for asker in askers:
        asker.join()
    assert wrong == []
    assert len(memory.recall("rain", limit=100, recipe="keyword")) == 39
    assert len(memory.recall("tea", limit=100, recipe="keyword")) == 40


def test_our_tokenizer_is_the_one_in_the_schema(path: str, memory: Memory) -> None:
    db = connect(path, 1.0)
    sql = str(db.execute("SELECT sql FROM sqlite_schema WHERE name = 'nodes_fts'").get)
    name, arguments = fulltext._TOKENIZER
    spelled = " ".join([name, *(f"'{each}'" if " " in each else each for each in arguments)])
    assert f'tokenize = "{spelled}"' in sql


@pytest.mark.parametrize("size", [1, 100, 127, 128, 300, 20_000])
def test_text_lengths_match_those_of_the_index(memory: Memory, path: str, size: int) -> None:
    memory.observe("tea " * size)
    memory.observe("tea and rain")
    db = connect(path, 1.0)
    found = dict(Postings().scored(db, quoted("tea")).best(2))
    assert found == pytest.approx(reference(db, ["tea"]), rel=1e-4 if size < 6_000 else 1e-2)


def test_a_word_longer_than_the_index_stores_is_found(memory: Memory, path: str) -> None:
    lists, db = Postings(), connect(path, 1.0)
    long = "a" * 40_000
    for _ in range(2):  # once from the index, once laid over
        memory.observe(f"{long} tea")
        assert lists.scored(db, [f'"{long}"']).best(9)
    assert len(lists.scored(db, [f'"{long}"']).best(9)) == 2


def test_filters_apply_to_text_search(memory: Memory, tmp_path: Path) -> None:
    memory.observe("tea in the morning", session="s1", at="2026-01-01T08:00:00+00:00")
    memory.observe("tea at noon", session="s2", at="2026-02-01T12:00:00+00:00", audience="shared")
    memory.observe("tea in secret", session="s2", at="2026-03-01T12:00:00+00:00", sensitive=True)
    fact = memory.remember("Otto drinks tea", tags=["drink"], valid_until="2026-04-01T00:00:00+00:00")

    seen = viewed_with_consent(memory)

    def found(**given: object) -> set[int]:
        return {hit.id for hit in seen.recall("tea", recipe="keyword", **given)}  # type: ignore[arg-type]

    assert found() == {1, 2, 3}
    assert found(at="2026-03-15T00:00:00+00:00") == {1, 2, 3, fact.id}
    assert found(session="s2") == {2, 3}
    assert found(audience="shared") == {2}
    assert found(kinds="fact", at="2026-03-15T00:00:00+00:00") == {fact.id}
    assert found(kinds="episode") == {1, 2, 3}
    assert found(tags=["drink"], at="2026-03-15T00:00:00+00:00") == {fact.id}
    assert found(since="2026-01-15T00:00:00+00:00", until="2026-02-15T00:00:00+00:00") == {2}
    assert found(as_of="2020-01-01T00:00:00+00:00") == set()
    assert set(memory.context("tea").ids) == {1, 2}


def test_a_word_is_less_rare_the_more_nodes_contain_it(memory: Memory) -> None:
    told(memory)
    before = memory._store.search.rarities(['"tea"', '"Zanzibar"', '"?"'])
    memory.observe("off to Zanzibar")
    after = memory._store.search.rarities(['"tea"', '"Zanzibar"'])
    assert set(before) == {'"tea"', '"Zanzibar"'}
    assert before['"Zanzibar"'] > after['"Zanzibar"'] > after['"tea"'] > 0


def test_what_others_may_see_is_searched_by_the_index_of_stated_wishes(memory: Memory) -> None:
    keep = NodeFilter(kinds=("episode",), states_preference=True, audience="shared", sensitive=False)
    clause, values = keep.clause()
    plan = memory._store.viewed(Viewer("shared")).search._file.read(
        lambda db: [str(row[3]) for row in db.execute(f"EXPLAIN QUERY PLAN SELECT id FROM node WHERE {clause}", values)]
    )
    assert any("node_states_preference" in step for step in plan)
    assert not any("node_shared" in step for step in plan)


def test_a_filter_that_left_many_nodes_is_asked_again_when_they_may_be_few(memory: Memory) -> None:
    search = memory._store.search
    memory.observe_many({"text": f"turn {n} of tea", "session": "old", "key": f"{n}"} for n in range(5_001))
    old = NodeFilter(session="old")
    assert len(search.text(['"tea"'], old, 10)) == 10
    memory.observe_many({"text": f"turn {n} of tea", "session": "new", "key": f"new {n}"} for n in range(2_000))
    assert len(search.text(['"tea"'], old, 6_000)) == 5_001
    assert len(search.text(['"tea"'], NodeFilter(session="new"), 6_000)) == 2_000
