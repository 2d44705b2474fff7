"""Entities and links that nothing refers to."""

from __future__ import annotations

from omoide import Memory
from omoide.clock import DAY
from omoide.maintain import retention_jobs
from omoide.store.entities.entities import EntityProfile
from tests.conftest import START, unsound
from tests.maintain.store_dumps import run_job

LATER = START + 100 * DAY


def _learned(memory: Memory, name: str) -> None:
    """As learning makes them."""
    memory._store.learning.transact(lambda transaction: transaction.save_entity(EntityProfile(name=name)))


def test_an_unmentioned_entity_is_removed(memory: Memory) -> None:
    _learned(memory, "Zorblax")
    assert run_job(retention_jobs.ORPHANS_JOB, memory, START + DAY) == []
    steps = run_job(retention_jobs.ORPHANS_JOB, memory, LATER)
    assert [step.text for step in steps] == ["Zorblax"]
    assert memory.stats().entities == 0
    assert unsound(memory) == []


def test_described_and_mentioned_entities_stay(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person")
    memory.graph.relate("Ana", "knows", "Bo")
    _learned(memory, "Zorblax")
    gone = memory.observe("Zorblax was here", session="s")
    memory.admin.archive(gone.id)
    assert run_job(retention_jobs.ORPHANS_JOB, memory, LATER) == []


def test_links_that_ended_long_ago_are_removed_and_history_stays(memory: Memory) -> None:
    one, other = memory.remember("a boat"), memory.remember("a car")
    for type in ("related_to", "causal", "derived_from"):
        memory.graph.link(one.id, other.id, type)
    memory._store._file.write(lambda db: db.execute("UPDATE edge SET valid_until = ?", (START,)))
    assert run_job(retention_jobs.ORPHANS_JOB, memory, START + 300 * DAY) == []
    assert [step.kind for step in run_job(retention_jobs.ORPHANS_JOB, memory, START + 400 * DAY)] == ["link"]
    assert sorted(edge.type for edge in memory.graph.links(one.id)) == ["causal", "derived_from"]


def test_an_entity_that_fails_is_set_aside_and_the_others_are_removed(memory: Memory) -> None:
    for name in ("Zorblax", "Quux", "Blip"):
        _learned(memory, name)
    refused = "DELETE ON entity WHEN OLD.name = 'Quux' BEGIN SELECT RAISE(ABORT, 'poison'); END"
    memory._store._file.write(lambda db: db.execute(f"CREATE TRIGGER poison BEFORE {refused}"))
    steps = run_job(retention_jobs.ORPHANS_JOB, memory, LATER)
    assert [(step.verb, step.text) for step in steps] == [
        ("removed", "Zorblax"),
        ("set aside", "2"),
        ("removed", "Blip"),
    ]
