"""A session that is killed at any point resumes with the same board."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from omoide import Memory
from omoide.errors import NotFound
from omoide.memory.live_sessions import is_goal
from tests.conftest import Open, start, without_mark
from tests.interfaces.terminal import Terminal

# Every write, and every look at the time, asks the clock: to die at its nth call is to die anywhere.
AGENT = """
import os, signal, sys
from omoide import Memory
from tests.conftest import Ticking, counted

class Deadly(Ticking):
    left = int(sys.argv[2])
    def __call__(self):
        Deadly.left -= 1
        if Deadly.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__()

memory = Memory(sys.argv[1], embedder=None, clock=Deadly(), ids=counted())
memory.remember("Otto lives in Berlin", subject="Otto")
live = memory.live("s1", window=1_000, system="You are Kira.")
goal = live.goal("Ship version 2")
for number in range(6):
    live.before(f"{number}: where does Otto live, and which pier is free? " + "word " * 40)
    live.after(f"In Berlin, and pier {number}. " + "word " * 20)
    print(live.board.as_json(), flush=True)
live.finish(goal, "partial")
print(live.board.as_json(), flush=True)
"""


def killed(path: str, call: int) -> list[dict[str, object]]:
    process = start(AGENT, path, call)
    out, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, err
    return [json.loads(line) for line in out.splitlines()]


LONG = [pytest.param(call, marks=pytest.mark.long) for call in (7, 10, 15, 18, 24, 28, 36, 45)]


@pytest.mark.parametrize("call", [4, 9, 13, 21, 32, 40, 50, *LONG])
def test_a_killed_session_resumes_with_every_turn_and_its_board(path: str, opened: Open, call: int) -> None:
    boards = killed(path, call)
    memory = opened()
    if "s1" not in memory.admin.live_sessions():
        assert memory.stats().nodes <= 2  # it died before its first words were acknowledged
        return
    board = memory.admin.live_state("s1")
    stored = list(memory.list(["episode"], session="s1", order="added"))
    said = [node.id for node in sorted(stored, key=lambda node: node.id) if not is_goal(node)]
    assert said[len(said) - len(board.turns) :] == list(board.turns)
    assert all(id <= board.summarised_until for id in said[: len(said) - len(board.turns)])
    assert board.goals == tuple(node.id for node in stored if is_goal(node) and node.attributes["outcome"] == "pending")
    assert (board.window, board.system) == (1_000, "You are Kira.")
    for before in boards[-1:]:
        assert board.turn_count >= before["turn_count"]  # type: ignore[operator]
        assert board.goals == tuple(before["goals"])  # type: ignore[arg-type]
    assert memory.live("s1").board == board


def test_a_session_killed_between_two_turns_has_the_same_board(path: str, opened: Open) -> None:
    process = start(AGENT.replace("live.finish", "os.kill(os.getpid(), signal.SIGKILL)\nlive.finish"), path, 0)
    out, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, err
    assert opened().live("s1").board.as_json() == out.splitlines()[-1]


def test_a_pending_message_is_answered_after_a_crash(opened: Open) -> None:
    first = opened()
    first.remember("Otto lives in Berlin", subject="Otto")
    live = first.live("s1", window=8_000, system="You are Kira.")
    prompt = live.before("Where does Otto live?")
    first.close()
    again = opened().live("s1")
    assert again.pending is not None
    assert again.pending.text == "Where does Otto live?"
    resumed = again.before()
    assert without_mark(str(resumed.messages)) == without_mark(str(prompt.messages))
    assert [node.text for node in again.conversation] == ["Where does Otto live?"]


def test_without_a_pending_message_one_is_required(memory: Memory) -> None:
    with pytest.raises(Exception, match="no message is waiting for a reply"):
        memory.live("s1").before()


def test_turns_observed_elsewhere_are_on_the_board_after_resuming(memory: Memory) -> None:
    memory.live("s1", window=8_000).before("hello there")
    memory.observe("and one more thing", session="s1")
    assert [node.text for node in memory.live("s1").conversation] == ["hello there", "and one more thing"]


def test_a_session_that_was_never_live_begins_with_what_was_said_in_it(memory: Memory) -> None:
    for number in range(60):
        memory.observe(f"turn {number}", session="s1")
    live = memory.live("s1")
    assert [live.conversation[0].text, live.conversation[-1].text] == ["turn 10", "turn 59"]


def test_settings_given_again_replace_the_saved_ones(memory: Memory) -> None:
    memory.live("s1", window=8_000, system="You are Kira.").before("hello there")
    assert memory.live("s1", window=16_000).board.system == "You are Kira."
    assert memory.live("s1", window=16_000).board.window == 16_000


def test_the_saved_board_contains_no_text_of_the_conversation(memory: Memory, path: str) -> None:
    live = memory.live("s1", window=8_000)
    live.goal("Ship version 2")
    live.before("Otto lives in Berlin")
    live.after("Noted.")
    snapshot = memory._store.boards.find_board("s1")
    assert snapshot is not None
    assert not any(word in snapshot.board for word in ("Otto", "Berlin", "Noted", "Ship"))
    assert len(snapshot.board) < 1_000


def test_where_no_session_is_live_there_is_nothing_to_resume(memory: Memory) -> None:
    with pytest.raises(NotFound, match="no session is live"):
        memory.admin.live_state()
    with pytest.raises(NotFound, match="no live session 's1'"):
        memory.admin.live_state("s1")


def test_the_command_shows_the_state_of_a_session(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    with Memory(terminal.path, embedder=None) as memory:
        memory.remember("Otto lives in Berlin", subject="Otto")
        live = memory.live("s1", window=8_000, system="You are Kira.")
        live.goal("Find out where Otto lives")
        live.before("Where does Otto live?")
    ran = terminal.run("admin", "live-state")
    assert ran.code == 0, ran.err
    for words in ("a reply is pending", "Find out where Otto lives", "user: Where does Otto live?"):
        assert words in ran.out
    found = terminal.json("admin", "live-state", "s1")
    assert (found["session"], found["waits"], found["live"]) == ("s1", True, ["s1"])
    assert [turn["text"] for turn in found["turns"]] == ["Where does Otto live?"]
    assert terminal.run("admin", "live-state", "nobody").code == 3
