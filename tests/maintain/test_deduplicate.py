"""Duplicates are merged; similar memories stay two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

from omoide import Memory
from omoide.maintain import retention_jobs
from omoide.providers.hashing import HashingEmbedder
from tests.conftest import START, Open, inserted, unsound
from tests.maintain.store_dumps import run_job, states

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Alike:
    """To it every text means nearly the same: only what may be merged keeps two apart."""

    name = "alike"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found = 0.05 * HashingEmbedder(dimensions=64).embed(texts)
        found[:, 0] += 1.0
        return found


def merged(memory: Memory) -> list[int | None]:
    memory.flush()
    return [step.id for step in run_job(retention_jobs.DEDUPLICATE_JOB, memory, START)]


def test_equal_texts_are_merged_with_sources_and_counts_of_both(memory: Memory) -> None:
    said = [memory.observe(text, session="s") for text in ("I own a boat", "my boat is blue")]
    first = inserted(memory, "Otto owns a boat.", sources=[said[0].id], confidence=0.6)
    second = inserted(memory, "otto owns a  boat", sources=[said[1].id], confidence=0.9)
    memory.review.reinforce(first.id)
    memory.review.reinforce(second.id)
    assert merged(memory) == [first.id]
    kept = memory.get(second.id)
    assert (kept.score, kept.confidence) == (6, 0.9)
    why = memory.explain(second.id)
    assert [each.episode.id for each in why.evidence] == [said[1].id, said[0].id]
    assert why.supersedes == [first.id]
    assert memory.recall("boat", kinds=["fact"]).hits[0].id == second.id
    assert merged(memory) == []
    assert unsound(memory) == []


def test_a_merged_memory_has_the_tags_of_both(memory: Memory) -> None:
    inserted(memory, "Otto owns a boat", tags=["harbour", "spare time"], confidence=0.6)
    kept = inserted(memory, "Otto owns a boat.", tags=["property", "harbour"], confidence=0.9)
    run_job(retention_jobs.DEDUPLICATE_JOB, memory, START + 10**9)
    assert memory.get(kept.id).tags == ("property", "harbour", "spare time")
    assert [hit.id for hit in memory.recall("boat", tags=["spare time"])] == [kept.id]
    assert [hit.id for hit in memory.recall("spare time", kinds=["fact"])] == [kept.id]
    then = {hit.id: hit.node.tags for hit in memory.recall("boat", as_of=kept.recorded_at)}
    assert then[kept.id] == ("property", "harbour")
    assert unsound(memory) == []


def test_the_corrected_memory_stays_and_the_inferred_goes(memory: Memory) -> None:
    inserted(memory, "Otto owns a boat", source_type="inferred", confidence=1.0)
    corrected = inserted(memory, "Otto owns a boat", source_type="corrected", confidence=0.7)
    merged(memory)
    assert states(memory)[corrected.id] == "live"
    assert memory.get(corrected.id).confidence == 1.0


def test_counts_of_preferences_and_patterns_are_added(memory: Memory) -> None:
    one = memory.remember("Retry once", kind="pattern", usage_count=2, category="http")
    memory.remember("Retry once", kind="pattern", usage_count=3, correct_approach="retry")
    merged(memory)
    kept = memory.get(one.id)
    assert kept.attributes["usage_count"] == 5
    assert (kept.attributes["category"], kept.attributes["correct_approach"]) == ("http", "retry")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"sensitive": True}, {}),
        ({"audience": "shared"}, {}),
        ({"origin": "tool:web"}, {}),
        ({"subject": "Otto"}, {"subject": "Ana"}),
        ({"kind": "note"}, {}),
        ({"valid_until": "2027-01-01T00:00:00+00:00"}, {}),
    ],
)
def test_equal_texts_with_other_labels_stay_two(memory: Memory, one: dict[str, Any], other: dict[str, Any]) -> None:
    inserted(memory, "The boat is blue", **one)
    inserted(memory, "The boat is blue", **other)
    assert merged(memory) == []


def test_contradicting_memories_are_never_merged(memory: Memory) -> None:
    one, other = inserted(memory, "The boat is blue"), inserted(memory, "the boat is blue")
    memory.graph.link(one.id, other.id, "contradicts")
    assert merged(memory) == []


@pytest.mark.parametrize(
    ("one", "other", "one_thing"),
    [
        ("Deploy app with pnpm", "Deploy the app with pnpm", True),
        ("Anna likes cats", "Anna like the cat", True),
        ("Deploy with pnpm", "Deploy the app with pnpm", False),
        ("The boat is blue", "The boat was blue", False),
        ("Deploy with pnpm", "Never deploy with pnpm", False),
        ("The port is 80", "The port is 8080", False),
        ("The boat is blue", "The boat is red", False),
        ("Ana manages Bob", "Bob manages Ana", False),
        ("He doesn't smoke", "He does smoke", False),
        ("Anna is a nurse in Denver", "Anna is a former nurse in Denver", False),
        ("Take the pills with a glass of water", "Take the pills with half a glass of water", False),
        ("Otto has visited Lisbon and Paris", "Otto has visited Lisbon and almost Paris", False),
        ("Otto will marry Anna", "Otto will marry Anna maybe", False),
        ("Otto that the landing was real", "Otto doubts that the landing was real", False),
        ("Otto to eat meat", "Otto refuses to eat meat", False),
        ("Otto flies from Rome to Paris", "Otto flies to Rome from Paris", False),
        ("My boat is blue", "Your boat is blue", False),
        ("Otto knows little of it", "Otto knows a little of it", False),
        ("Otto writes C", "Otto writes C++", False),
        ("Otto owns a boat", "Otto owns a boat?", False),
        ("Otto met Adam", "Otto met Adams", False),
        ("Call US office", "Call us office", False),
        ("Otto is in IT", "Otto is in it", False),
        ("US offices are open", "us offices are open", False),
    ],
)
def test_similar_notes_are_merged_only_if_nothing_is_lost(opened: Open, one: str, other: str, one_thing: bool) -> None:
    memory = opened(embedder=Alike())
    memory.remember(one, kind="note")
    memory.remember(other, kind="note")
    assert len(merged(memory)) == int(one_thing)


def test_two_wordings_of_a_fact_are_merged(opened: Open) -> None:
    memory = opened(embedder=Alike())
    same: dict[str, Any] = {"subject": "Otto", "predicate": "owns", "object": "boat"}
    inserted(memory, "Otto owns a boat", **same)
    inserted(memory, "Otto has got himself some boat", **same)
    inserted(memory, "Otto has got himself some boot", **same | {"object": "boot"})
    assert len(merged(memory)) == 1


def test_equal_attributes_with_doubt_stay_two(opened: Open) -> None:
    memory = opened(embedder=Alike())
    same: dict[str, Any] = {"subject": "Otto", "predicate": "owns", "object": "boat"}
    inserted(memory, "Otto owns a boat", **same)
    inserted(memory, "Maybe Otto owns a boat", **same)
    assert merged(memory) == []


def test_only_new_vectors_are_compared(opened: Open) -> None:
    memory = opened(embedder=Alike())
    memory.remember("Deploy app with pnpm", kind="note")
    merged(memory)
    assert memory._store.duplicates.new_vectors(1, memory._store.maintenance.get_cursor("deduplicate")[1], 10) == []
    memory.remember("Deploy the app with pnpm", kind="note")
    assert len(merged(memory)) == 1


def test_a_dry_run_reports_each_pair_once(opened: Open) -> None:
    memory = opened(embedder=Alike())
    memory.remember("Deploy app with pnpm", kind="note")
    memory.remember("Deploy the app with pnpm", kind="note")
    memory.flush()
    told = run_job(retention_jobs.DEDUPLICATE_JOB, memory, START, dry_run=True)
    assert len(told) == 1
    assert set(states(memory).values()) == {"live"}
    assert run_job(retention_jobs.DEDUPLICATE_JOB, memory, START) == told


def test_an_earlier_time_has_both(memory: Memory, clock: object) -> None:
    one = inserted(memory, "Otto owns a boat", confidence=0.6)
    then = inserted(memory, "Otto owns a boat", confidence=0.5).recorded_at
    run_job(retention_jobs.DEDUPLICATE_JOB, memory, START + 10**9)
    found = memory.recall("boat", as_of=then)
    assert len(found.hits) == 2
    assert {hit.node.confidence for hit in found.hits} == {0.6, 0.5}
    assert memory.get(one.id).state == "live"
