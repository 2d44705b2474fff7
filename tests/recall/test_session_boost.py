"""The session boost raises the nodes of a session with a good hit; nodes without a session do not fall behind."""

from __future__ import annotations

import numpy as np
import pytest

from omoide import Memory
from omoide.recall.candidates import Candidates
from omoide.recall.scoring import boost_sessions
from tests.conftest import Open


def test_each_node_gets_a_share_of_the_sum_of_the_best_five_of_its_session() -> None:
    scores = {1: 1.0, 2: 0.5, 3: 0.5, 4: 0.5, 5: 0.5, 6: 0.1, 7: 0.5}
    after = boost_sessions(Candidates.of(scores), np.array([7, 7, 7, 7, 7, 7, 8]), 0.5)
    assert after.scores == pytest.approx([1.3, 0.8, 0.8, 0.8, 0.8, 0.4, 0.55])  # one turn that fits may be chance


def test_a_node_without_a_session_gets_most_of_a_share_of_its_own_score() -> None:
    after = boost_sessions(Candidates.of({1: 0.9, 2: 1.0}), np.array([7, 0]), 0.5)
    assert after.scores == pytest.approx([0.99, 1.4])


@pytest.fixture
def talks(memory: Memory) -> Memory:
    filler = ["thanks", "see you", "all right", "hm", "fine", "well"]
    memory.observe_many(
        [
            {"text": "we booked the ferry to Naxos", "session": "holiday"},
            *({"text": text, "session": "holiday"} for text in filler),
            {"text": "the ferry was late", "session": "holiday"},
            *({"text": text, "session": "work"} for text in filler),
            {"text": "the ferry was late", "session": "work"},
        ]
    )
    return memory


def test_of_two_alike_the_one_in_the_better_session_comes_first(talks: Memory) -> None:
    found = talks.recall("Which ferry to Naxos?")
    late = [hit.node.session for hit in found.hits if hit.text == "the ferry was late"]
    assert late == ["holiday", "work"]


def test_the_trace_says_how_many_sessions_there_were(talks: Memory) -> None:
    notes = {step.stage: step.note for step in talks.recall("Which ferry to Naxos?").trace.steps}
    assert notes["session_boost"] == "2 sessions"


def test_a_fact_stays_before_a_conversation_on_its_subject(opened: Open) -> None:
    memory = opened()
    memory.remember("the ferry to Naxos leaves at nine")
    memory.observe_many([{"text": f"about the ferry, part {n}", "session": "talk"} for n in range(5)])
    assert memory.recall("When does the ferry to Naxos leave?").hits[0].kind == "fact"
