"""The trace explains why a node was returned or dropped."""

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
    assert list(stages) == ["keyword", "fuse", "neighbours", "session_boost", "rank"]
    assert {id for id, _ in stages["keyword"]} == {1, 2}
    for candidates in stages.values():
        assert [score for _, score in candidates] == sorted((score for _, score in candidates), reverse=True)
    assert stages["rank"] == [(found.hits[0].id, found.hits[0].score)]


def test_explain_node_lists_the_place_of_a_hit_after_each_stage(memory: Memory) -> None:
    told(memory)
    found = memory.recall("where does the app run?")
    fate = found.trace.explain_node(found.hits[0].id)
    assert [line.split(":")[0] for line in fate] == ["keyword", "fuse", "neighbours", "session_boost", "rank"]
    assert fate[-1].startswith("rank: 1st of 2")


def test_explain_node_ends_with_the_reason_if_a_node_was_not_returned(memory: Memory) -> None:
    told(memory)
    found = memory.recall("where does the app run?", limit=1)
    (other,) = {1, 2} - {found.hits[0].id}
    assert found.trace.explain_node(other)[-1] == "dropped: ranked below the 1 that were asked for"
    assert found.trace.explain_node(3)[-1].startswith("no search found it, or a filter left it out")


def test_explain_node_says_that_a_score_was_too_low(memory: Memory) -> None:
    for number in range(40):
        memory.remember(f"Note {number}: " + "app " * (41 - number))
    found = memory.recall("app", limit=1)
    last = next(step for step in found.trace.steps if step.stage == "neighbours").candidates[-1][0]
    assert found.trace.explain_node(last)[-1] == "dropped: its score was too low to be read"


def test_considered_lists_all_nodes_with_the_hits_first(memory: Memory) -> None:
    told(memory)
    found = memory.recall("where does the app run?", limit=1)
    assert found.trace.considered[0] == found.hits[0].id
    assert sorted(found.trace.considered) == [1, 2]


def test_a_reranked_hit_is_not_listed_as_dropped(opened: Open) -> None:
    class Longest:
        name = "longest"

        def scores(self, question: str, texts: Sequence[str]) -> list[float]:
            return [float(len(text)) for text in texts]

    memory = opened(reranker=Longest())
    told(memory)
    found = memory.recall("where does the app run?")
    assert found.trace.explain_node(found.hits[0].id)[-1].startswith("rerank: 1st")
