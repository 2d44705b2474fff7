"""Several handles on one live session: none loses the turns of another."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.errors import InvalidInput
from omoide.working.board import Board, merge_boards
from tests.conftest import Open, start


def test_two_handles_keep_each_others_turns_and_goals(memory: Memory) -> None:
    one, other = memory.live("s1", window=8_000), memory.live("s1", window=8_000)
    goal = one.goal("Ship version 2")
    one.before("the first message")
    one.after("the first reply")
    prompt = other.before("the second message")
    other.goal("Sleep well")
    one.observe("3 failed", role="tool:bash")
    told = [each["content"] for each in prompt.messages]
    assert "Ship version 2" in prompt.markdown
    assert told[:2] == ["the first message", "the first reply"]
    board = memory.admin.live_state("s1")
    assert [node.text for node in memory.live("s1").conversation] == [
        "the first message",
        "the first reply",
        "the second message",
        "3 failed",
    ]
    assert (board.turn_count, len(board.goals)) == (4, 2)
    one.finish(goal)
    other.after("the second reply")
    assert len(memory.admin.live_state("s1").goals) == 1


TALKS = """
    import sys
    from omoide import Memory
    with Memory(sys.argv[1], embedder=None) as memory:
        live = memory.live("s1", window=8_000)
        for number in range(10):
            live.before(f"{sys.argv[2]} asks {number}")
            live.after(f"{sys.argv[2]} is answered {number}")
        live.goal(f"the goal of {sys.argv[2]}")
"""


def test_processes_that_talk_at_once_keep_each_others_turns(opened: Open, path: str) -> None:
    opened().close()
    talking = [start(TALKS, path, name) for name in ("Otto", "Ada", "Ida")]
    said = [each.communicate() for each in talking]
    assert [each.returncode for each in talking] == [0, 0, 0], said
    with opened() as memory:
        board = memory.admin.live_state("s1")
        assert (board.turn_count, len(set(board.turns)), len(board.goals)) == (60, 60, 3)


def test_two_memories_on_one_file_keep_each_others_turns(opened: Open) -> None:
    here, there = opened(), opened()
    one, other = here.live("s1", window=8_000), there.live("s1", window=8_000)
    for number in range(3):
        one.before(f"one {number}")
        other.observe(f"other {number}", role="tool:bash")
        one.after(f"reply {number}")
    assert len(here.admin.live_state("s1").turns) == here.admin.live_state("s1").turn_count == 9


def test_a_board_that_was_saved_meanwhile_is_merged_and_not_replaced() -> None:
    mine = Board(session="s", window=8_000, turns=(1, 2, 5), turn_count=3, version=1, goals=(9,))
    theirs = Board(session="s", window=8_000, turns=(1, 2, 3, 4), turn_count=4, version=2, goals=(8,))
    found = merge_boards(mine, theirs)
    assert (found.turns, found.turn_count, found.goals, found.version) == ((1, 2, 3, 4, 5), 5, (8, 9), 2)
    summed = Board(session="s", window=8_000, turns=(3, 4), turn_count=4, version=3, summary=7, summarised_until=2)
    found = merge_boards(mine, summed)
    assert (found.turns, found.turn_count, found.summary, found.summarised_until) == ((3, 4, 5), 5, 7, 2)


def test_the_other_handle_of_a_session_that_ended_says_so_and_does_not_revive_it(memory: Memory) -> None:
    one, other, idle = (memory.live("s1", window=8_000) for _ in range(3))
    one.before("hello there")
    other.after("Hello.")
    one.end()
    for handle in (other, idle):
        with pytest.raises(InvalidInput, match="has ended"):
            handle.before("still there?")
        ended = handle.end()
        assert ended is not None
        assert not ended.is_open
    assert memory.admin.live_sessions() == []
    assert memory.stats().nodes == 2
    memory.live("s1", window=8_000).before("here again")
    with pytest.raises(InvalidInput, match="has ended"):
        other.before("me too")
    assert memory.admin.live_sessions() == ["s1"]
