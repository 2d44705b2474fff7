"""Months of use: turns are learned from, compressed and archived, and nothing is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest

from omoide import Memory, settings
from omoide.clock import to_datetime, to_micros
from omoide.maintain import compress, retention_jobs
from tests.conftest import Open, Ticking, unsound
from tests.maintain.job_runs import MONDAY, run_jobs, talk

TOWNS = "Lisbon Porto Madrid Seville Lyon Nantes Bremen Ghent Turin Genoa Bergen Gdańsk Vilnius Riga Tartu".split()
GREETINGS = (("user", "Hi!"), ("agent", "Hello!"), ("user", "Thanks, bye"))


def day(memory: Memory, number: int) -> dict[int, str]:
    """One conversation; every fifth is only a greeting."""
    town = TOWNS[number % len(TOWNS)]
    turns = (
        ("user", f"Today, on day {number}, I decided to open a shop in {town} with my cousin."),
        ("agent", f"Great. Shall I look for a flat in {town}?"),
        ("user", f"Yes please. I hate the trains to {town}, they are always late."),
        ("agent", "Done: I have sent three offers to your inbox."),
    )
    said = GREETINGS if number % 5 == 4 else turns
    at = MONDAY + timedelta(days=number)
    ids = [
        memory.observe(text, role=role, session=f"day {number}", at=at + timedelta(minutes=place)).id
        for place, (role, text) in enumerate(said)
    ]
    memory.end(f"day {number}")
    return dict(zip(ids, (text for _, text in said), strict=True))


def lived(memory: Memory, clock: Ticking, days: int) -> dict[int, str]:
    said: dict[int, str] = {}
    for number in range(days):
        said |= day(memory, number)
        if number % 4 == 3:  # a laptop that is on every fourth night
            memory.maintain()
        clock.advance(days=1)
    return said


@pytest.mark.parametrize("days", [60, pytest.param(120, marks=pytest.mark.long)])
def test_after_a_season_old_turns_are_archived_and_summarised(opened: Open, days: int) -> None:
    clock = Ticking(to_micros(MONDAY), 1000)
    memory = opened(clock=clock, settings=settings.make_settings(time_zone="UTC", retention_policy="kira"))
    said = lived(memory, clock, days)
    held = memory._store.nodes.fetch(list(said))
    old = [node for node in held.values() if node.event_at < to_datetime(to_micros(MONDAY)) + timedelta(days=days - 40)]
    assert {node.state for node in old} == {"archived"}  # the greetings too
    assert {id: node.text for id, node in held.items()} == said
    assert memory.admin.id_states().lost == 0
    assert unsound(memory) == []
    question = "shop in Seville"
    short = memory.recall(question, limit=20, archive=False)
    assert any("Seville" in hit.text and hit.id not in said for hit in short.hits)
    assert not {hit.id for hit in short.hits} & {node.id for node in old}
    whole = memory.recall(question, limit=20)
    assert any(hit.text in said.values() and hit.id in held for hit in whole.hits)
    first = next(id for id, text in said.items() if "Seville" in text)
    memory.forget(session=memory.get(first).session)
    assert unsound(memory) == []
    assert memory.admin.id_states().lost == 0


def test_greetings_are_skipped_once_and_expire(memory: Memory) -> None:
    ids = talk(memory, GREETINGS)
    memory.end("s1")
    memory.learn()
    assert run_jobs(memory, compress.COMPRESS_JOB, days=2) == []
    assert memory._store.summaries.uncompressed_sessions(to_micros(MONDAY) * 2) == []
    assert run_jobs(memory, retention_jobs.EXPIRE_JOB, days=3) == []
    steps = run_jobs(memory, retention_jobs.EXPIRE_JOB, days=400)
    assert [step.id for step in steps] == ids
    assert [memory.get(id).text for id in ids] == [text for _, text in GREETINGS]


def test_an_erased_summary_is_not_written_again(memory: Memory) -> None:
    talk(memory)
    memory.end("s1")
    (step, *_) = [step for step in run_jobs(memory, compress.COMPRESS_JOB, days=2) if step.verb == "compressed"]
    assert step.id is not None
    memory.forget(step.id)
    assert run_jobs(memory, compress.COMPRESS_JOB, days=3) == []
    assert unsound(memory) == []
