"""Several reads of one thread share a transaction: they see one state of the file."""

from __future__ import annotations

import apsw
import pytest

from omoide import Memory
from omoide.store.search.postings import Postings
from tests.conftest import Open
from tests.open_file import connect
from tests.store.test_text_search import quoted, reference

_MOST_STATEMENTS = 40  # of a recall by words


def test_reads_in_one_state_do_not_see_what_is_written_meanwhile(memory: Memory) -> None:
    kept = memory.remember("Otto drinks tea")
    store = memory._core.store
    with store.one_state():
        assert store.nodes.fetch([kept.id])
        added = memory.remember("Otto drinks coffee")
        with store.one_state():
            assert not store.nodes.fetch([added.id])
        assert not store.nodes.fetch([added.id])
    assert store.nodes.fetch([added.id])


def test_a_read_that_fails_leaves_the_state_of_the_others(memory: Memory) -> None:
    kept = memory.remember("Otto drinks tea")
    store = memory._core.store
    with store.one_state():
        with pytest.raises(KeyError):
            store._file.read(lambda db: dict[str, int]()["nothing"])
        assert store.nodes.fetch([kept.id])


def test_a_list_read_in_an_older_state_is_not_kept(opened: Open, path: str) -> None:
    memory, lists = opened(), Postings()
    memory.remember("tea in the rain")
    older, newer = connect(path, 1.0), connect(path, 1.0)
    older.execute("BEGIN")
    lists.scored(older, quoted("tea"))
    memory.remember("tea and more rain")
    lists.scored(newer, quoted("tea"))
    lists.scored(older, quoted("rain"))
    assert dict(lists.scored(newer, quoted("rain")).best(9)) == pytest.approx(reference(newer, ["rain"]), rel=1e-4)


def test_a_recall_asks_sqlite_little(memory: Memory) -> None:
    memory.observe_many([{"text": f"tea {number} in the rain", "session": "monday"} for number in range(60)])
    memory.recall("tea in the rain")
    asked: list[str] = []

    def note(_: apsw.Cursor, sql: str, values: object) -> bool:
        asked.append(sql)
        return True

    core = memory._core
    core.store._file.reader_for(core.viewer).db.exec_trace = note
    memory.recall("rain and tea")
    assert 0 < len(asked) <= _MOST_STATEMENTS
    assert asked.count("BEGIN") <= 5  # one for all searches, some to read the question
