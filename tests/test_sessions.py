"""Sessions open, close, count, and chain their episodes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from omoide import Memory
from omoide.errors import NotFound
from tests.conftest import NOW


def test_the_first_episode_opens_a_session_and_each_one_is_counted(memory: Memory) -> None:
    memory.observe("Hello", session="s1", channel="telegram", at=NOW)
    memory.observe("Hello!", role="agent", session="s1", at=NOW + timedelta(minutes=1))
    session = memory.session("s1")
    assert (session.episode_count, session.channel, session.is_open) == (2, "telegram", True)
    assert (session.started_at, session.last_at) == (NOW, NOW + timedelta(minutes=1))


def test_consecutive_episodes_of_a_session_are_linked_in_time(memory: Memory) -> None:
    a = memory.observe("one", session="s1")
    x = memory.observe("elsewhere", session="s2")
    b = memory.observe("two", session="s1")
    assert [(e.source_id, e.target_id) for e in memory.graph.links(b.id) if e.type == "temporal"] == [(a.id, b.id)]
    assert memory.graph.links(x.id) == []


def test_a_new_session_closes_the_one_before_and_queues_it_for_learning(memory: Memory) -> None:
    memory.observe("one", session="s1")
    memory.observe("two", session="s2")
    before, now = memory.session("s1"), memory.session("s2")
    assert (before.is_open, before.learning) == (False, "pending")
    assert (now.is_open, now.learning) == (True, "open")


def test_sessions_of_other_channels_go_on(memory: Memory) -> None:
    memory.observe("one", session="s1", channel="telegram")
    memory.observe("two", session="s2", channel="cli")
    assert memory.session("s1").is_open


def test_a_session_that_goes_on_after_its_end_is_open_again(memory: Memory) -> None:
    memory.observe("one", session="s1")
    memory.end("s1", summary="We said one.")
    assert memory.session("s1").summary == "We said one."
    memory.observe("two", session="s1")
    session = memory.session("s1")
    assert (session.is_open, session.learning, session.episode_count) == (True, "open", 2)


def test_a_batch_of_many_sessions_leaves_only_the_last_one_open(memory: Memory) -> None:
    memory.observe_many([{"text": f"turn {n}", "session": f"s{n // 3}"} for n in range(9)])
    assert {each.name: (each.is_open, each.episode_count) for each in memory.sessions()} == {
        "s0": (False, 3),
        "s1": (False, 3),
        "s2": (True, 3),
    }


def test_the_latest_session_comes_first(memory: Memory) -> None:
    memory.observe("later", session="b", at=NOW)
    memory.observe("earlier", session="a", at=NOW - timedelta(days=9))
    assert [each.name for each in memory.sessions()] == ["b", "a"]


def test_an_unknown_session_is_not_found(memory: Memory) -> None:
    with pytest.raises(NotFound, match="no session 'nope'"):
        memory.session("nope")
    with pytest.raises(NotFound):
        memory.end("nope")


def test_a_fact_filed_under_a_session_does_not_end_the_conversation(memory: Memory) -> None:
    memory.observe("one", session="s1")
    memory.remember("Otto likes tea", session="s2")
    assert memory.session("s1").is_open
