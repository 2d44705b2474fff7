"""All jobs together, run after run: no job takes the work of another for a fault."""

from __future__ import annotations

from datetime import timedelta

import apsw
import pytest

from omoide import Memory
from omoide.clock import to_datetime
from omoide.maintain.job import MaintenanceReport
from tests.conftest import START, Ticking, unsound

NIGHTS = 12


@pytest.fixture
def aged(memory: Memory, clock: Ticking) -> Memory:
    """A talk, and nights until its turns were compressed, distilled and archived."""
    for number, text in enumerate(("My name is Otto.", "Always use pnpm, not npm.", "I live in Oslo, near the sea.")):
        memory.observe(text, session="s", at=to_datetime(START) + timedelta(minutes=number))
    memory.end("s")
    for _ in range(NIGHTS):
        clock.advance(days=1)
        memory.maintain()
    assert memory.admin.id_states().archived == 3
    return memory


def test_the_doctor_finds_no_fault_after_maintenance(aged: Memory) -> None:
    assert unsound(aged) == []


def test_a_scrub_finds_no_corruption_in_the_archive(aged: Memory) -> None:
    assert aged.maintain(["scrub"]).jobs[0].counts.keys() == {"checked"}


def test_a_scrub_finds_changed_archived_text(aged: Memory) -> None:
    db = apsw.Connection(aged.path)
    db.execute("UPDATE archive_block SET data = zeroblob(length(data))")
    db.close()
    assert aged.maintain(["scrub"]).jobs[0].counts["found"] == 3


def test_a_summary_of_an_erased_turn_is_written_again(memory: Memory, clock: Ticking) -> None:
    told = [
        memory.observe(text, session="s", at=to_datetime(START) + timedelta(minutes=number)).id
        for number, text in enumerate(("We decided to move to Lisbon in May.", "Ok, thanks!"))
    ]
    memory.end("s")
    clock.advance(days=2)
    memory.maintain(["learn", "compress"])
    memory.forget(told[1])
    assert memory.maintain(["compress"]).jobs[0].outcome == "done"
    (hit,) = memory.recall("Lisbon", tags=["auto-compression"])
    assert hit.text == "User: We decided to move to Lisbon in May."


def test_a_dry_run_names_each_session_once(memory: Memory, clock: Ticking) -> None:
    for name in ("monday", "tuesday"):
        memory.observe("The crane was moved to pier 4 because the tide was late.", session=name)
        memory.end(name)
    memory.observe("The boiler is broken again.", session="goes on")  # nobody ended it: compressing learns from it
    clock.advance(days=2)
    foretold, done = memory.maintain(dry_run=True), memory.maintain()

    def sessions(report: MaintenanceReport) -> list[tuple[str, str, str]]:
        return [(ran.job, step.verb, step.text) for ran in report.jobs for step in ran.steps if step.kind == "session"]

    assert sessions(foretold) == sessions(done)
    assert "compressed" not in foretold.counts | done.counts  # short turns stay as they are
