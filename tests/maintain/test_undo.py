"""One night put back whole: exactly the rows of before, except for what somebody changed since."""

from __future__ import annotations

from typing import Any

import pytest

from omoide import Memory
from omoide.clock import to_datetime
from omoide.errors import InvalidInput, NotFound
from omoide.store.engine import night_journal
from tests.conftest import START, Open, Ticking, contents, unsound
from tests.maintain.job_runs import talk
from tests.maintain.store_dumps import dump
from tests.reading import Reading


def rows_of(path: str) -> dict[str, list[Any]]:
    """Everything except what the runs say of themselves."""
    return {name: rows for name, rows in dump(path).items() if name not in night_journal.NOT_RECORDED}


def fill(memory: Memory) -> None:
    """A conversation, a guess that has faded, and a task trace."""
    talk(memory, begun=to_datetime(START))
    memory.observe("I live in Rome and my sister Maja works at Acme.", session="s2")
    memory.end("s1")
    memory.end("s2")
    memory.remember("Otto may own a boat", source_type="inferred", confidence=0.4)
    with memory.task("deploy the shop"):
        memory.observe("ran the tests", role="agent", type="action")
    memory.flush()


def nights(memory: Memory, clock: Ticking, count: int) -> None:
    for _ in range(count):
        clock.advance(days=1)
        memory.maintain()


def test_a_night_is_put_back_exactly(memory: Memory, clock: Ticking, path: str) -> None:
    fill(memory)
    before = rows_of(path)
    clock.advance(days=2)
    report = memory.maintain()
    assert report.counts
    assert rows_of(path) != before
    done = memory.admin.undo(report.night)
    assert (done.night, done.kept) == (report.night, ())
    assert done.removed > 0
    assert rows_of(path) == before
    assert unsound(memory) == []
    assert memory.admin.id_states().lost == 0


def test_nights_are_put_back_from_the_last_to_the_first(memory: Memory, clock: Ticking, path: str) -> None:
    fill(memory)
    before = rows_of(path)
    nights(memory, clock, 100)  # learned, compressed, distilled, archived
    listed = [each for each in memory.admin.nights(200) if each.can_undo]
    assert 0 < len(listed) <= night_journal.NIGHTS_KEPT
    with pytest.raises(InvalidInput, match=f"night {listed[0].id} came after"):
        memory.admin.undo(listed[-1].id)
    for each in listed:
        assert memory.admin.undo().night == each.id
    assert unsound(memory) == []
    assert memory.admin.nights(200)[0].can_undo is False
    assert rows_of(path) == before


def test_what_was_changed_since_is_left_alone_and_reported(memory: Memory, clock: Ticking) -> None:
    fill(memory)
    nights(memory, clock, 2)
    learned = next(node for node in memory.list(["fact"]).items if "Rome" in node.text)
    corrected = memory.correct(learned.id, "Otto lives in Berlin")
    later = memory.observe("I bought a bicycle", session="s2")
    kept = [memory.admin.undo().kept for night in memory.admin.nights() if night.can_undo]
    assert learned.id in {id for ids in kept for id in ids}
    assert memory.get(learned.id).state == "superseded"
    assert memory.get(corrected.id).text == "Otto lives in Berlin"
    assert memory.get(later.id).text == "I bought a bicycle"
    assert memory.explain(learned.id).evidence
    assert unsound(memory) == []


def test_a_night_is_put_back_although_vectors_were_made_anew_since(opened: Open, clock: Ticking, path: str) -> None:
    memory = opened(embedder=Reading())
    fill(memory)
    for _ in range(100):
        nights(memory, clock, 1)
        memory.flush()
    for night in [each for each in memory.admin.nights(200) if each.can_undo]:
        assert memory.admin.undo(night.id).night == night.id
    assert unsound(memory) == []


def test_the_next_night_does_it_again(memory: Memory, clock: Ticking) -> None:
    fill(memory)
    clock.advance(days=1)
    first = memory.maintain().counts
    memory.admin.undo()
    clock.advance(days=1)
    again = memory.maintain().counts
    assert again["learned"] == first["learned"]


def test_erasing_a_memory_removes_the_records_of_the_nights(memory: Memory, clock: Ticking, path: str) -> None:
    fill(memory)
    nights(memory, clock, 2)
    memory.forget(session="s2")
    assert dump(path)["night_change"] == []
    with pytest.raises(NotFound, match="erasure removed"):
        memory.admin.undo()


def test_every_table_is_recorded_or_named_as_not(path: str, opened: Open) -> None:
    opened()
    tables = {name for name in contents(path) if not name.startswith(("nodes_fts", "sqlite_", "word"))}
    assert tables >= night_journal.NOT_RECORDED
    assert {name for name in tables if not night_journal.is_recorded(name)} == night_journal.NOT_RECORDED
