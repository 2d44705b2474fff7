"""An event that is sent twice is stored once; a text that was said twice is stored twice."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from omoide import Memory
from tests.conftest import contents

AT = "2026-05-03T09:30:00+00:00"


def test_the_same_key_is_the_same_event(memory: Memory) -> None:
    first = memory.observe("hello", key="message 7", session="s")
    again = memory.observe("hello", key="message 7", session="s")
    assert again == first
    assert memory.session("s").episode_count == 1


def test_the_same_words_at_the_same_stated_time_are_the_same_event(memory: Memory) -> None:
    first = memory.observe("hello", at=AT, speaker="Otto")
    assert memory.observe("hello", at=AT, speaker="Otto") == first
    east = datetime(2026, 5, 3, 11, 30, tzinfo=timezone(timedelta(hours=2)))
    assert memory.observe("hello", at=east, speaker="Otto") == first
    assert memory.observe("hello", at=AT, speaker="Eva").id == 2
    assert memory.observe("hello", at=AT, speaker="Otto", session="other").id == 3


def test_turns_without_key_and_time_are_all_stored(memory: Memory) -> None:
    assert [memory.observe("hello").id for _ in range(3)] == [1, 2, 3]


def test_a_batch_sent_again_is_stored_once_and_what_it_repeats_is_kept(memory: Memory) -> None:
    batch = [{"text": "ping", "at": AT, "role": role} for role in ("user", "assistant", "agent", "user", "user")]
    first = memory.observe_many(batch)
    assert [node.id for node in first] == [1, 2, 3, 4, 5]
    assert memory.observe_many(batch) == first
    assert memory.observe_many(batch[:1]) == first[:1]


def test_the_same_key_twice_in_one_batch_is_one_event(memory: Memory) -> None:
    first, second = memory.observe_many([{"text": "ping", "key": "7"}, {"text": "ping", "key": "7"}])
    assert first == second


def test_a_preference_stated_twice_under_one_key_is_one_piece_of_evidence(memory: Memory, path: str) -> None:
    def prefer(value: str, key: str) -> int:
        return memory.remember(f"use {value}", kind="preference", name="manager", value=value, key=key).id

    assert [prefer("pnpm", "a"), prefer("pnpm", "b"), prefer("pnpm", "b"), prefer("pnpm", "a")] == [1, 1, 1, 1]
    assert memory.get(1).attributes["evidence_count"] == 2
    assert prefer("npm", "c") == 2
    before = contents(path)
    assert [prefer("pnpm", "b"), prefer("pnpm", "a"), prefer("npm", "c")] == [
        1,
        1,
        2,
    ]  # late echoes
    assert contents(path) == before
