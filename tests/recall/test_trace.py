"""Whoever asks why, or why not, gets an answer."""

from __future__ import annotations

from collections.abc import Sequence

from omoide import Memory
from tests.conftest import Open


def told(memory: Memory) -> None:
    memory.remember("The app runs on Vercel")
    memory.remember("The app deploys from the main branch of the app's repository")
    memory.remember("Bananas are yellow")


def test_every_stage_names_what_it_handed_on_best_first(memory: Memory) -> None:
    told(memory)
    found = memory.recall("where does the app run?", limit=1)
    stages = {step.stage: step.candidates for step in found.trace.steps if step.output}
    assert list(stages) == ["keyword", "fuse", "spread", "session_boost", "rank"]
    assert {id for id, _ in stages["keyword"]} == {1, 2}
    for candidates in stages.values():
        assert [score for _, score in candidates] == sorted((score for _, score in candidates), reverse=True)
    assert stages["rank"] == [(found.hits[0].id, found.hits[0].score)]


def test_the_fate_of_a_hit_is_its_way_through_the_stages(memory: Memory) -> None:
    told(memory)
    found = memory.recall("where does the app run?")
    fate = found.trace.explain_node(found.hits[0].id)
    assert [line.split(":")[0] for line in fate] == ["keyword", "fuse", "spread", "session_boost", "rank"]
    assert fate[-1].startswith("rank: 1st of 2")


def test_the_fate_of_what_was_not_returned_ends_with_the_reason(memory: Memory) -> None:
    told(memory)
    found = memory.recall("where does the app run?", limit=1)
    (other,) = {1, 2} - {found.hits[0].id}
    assert found.trace.explain_node(other)[-1] == "dropped: ranked below the 1 that were asked for"
    assert found.trace.explain_node(3)[-1] == "no search found it"


def test_what_was_too_far_behind_to_be_read_says_so(memory: Memory) -> None:
    for number in range(40):
        memory.remember(f"Note {number}: " + "app " * (41 - number))
    found = memory.recall("app", limit=1)
    last = next(step for step in found.trace.steps if step.stage == "spread").candidates[-1][0]
    assert found.trace.explain_node(last)[-1] == "dropped: its score was too low to be read"


def test_all_that_was_considered_is_listed_the_hits_first(memory: Memory) -> None:
    told(memory)
    found = memory.recall("where does the app run?", limit=1)
    assert found.trace.considered[0] == found.hits[0].id
    assert sorted(found.trace.considered) == [1, 2]


def test_a_hit_that_was_read_again_was_not_dropped(opened: Open) -> None:
    class Longest:
        name = "longest"

        def scores(self, question: str, texts: Sequence[str]) -> list[float]:
            return [float(len(text)) for text in texts]

    memory = opened(reranker=Longest())
    told(memory)
    found = memory.recall("where does the app run?")
    assert found.trace.explain_node(found.hits[0].id)[-1].startswith("rerank: 1st")
