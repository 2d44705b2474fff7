"""Batch sizes, stopped learning, and two learning processes at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from omoide import Memory, settings
from omoide.errors import Closed
from omoide.memory.core import learn_sessions as learned
from omoide.observe.background import BackgroundWorker
from tests.conftest import NOW, Open, start
from tests.interfaces.terminal import Terminal
from tests.learn.test_crash import LATER, prepared, undisturbed
from tests.learn.test_model_and_background import by, nothing
from tests.learn.test_model_extractor import lists
from tests.learn.whole import dump
from tests.providers.server import Server, answer, serving


def long_talk(memory: Memory, turns: int, text: str = "Turn {} says nothing.") -> None:
    given = [
        {"text": text.format(number), "session": "long", "at": NOW + timedelta(minutes=number)}
        for number in range(turns)
    ]
    memory.observe_many(given)
    memory.end("long")


@pytest.mark.parametrize(("turns", "stretches"), [(200, [200]), (201, [200, 1]), (450, [200, 200, 50])])
def test_a_session_is_learned_in_segments_of_two_hundred_turns(
    memory: Memory, turns: int, stretches: list[int]
) -> None:
    long_talk(memory, turns)
    heard: list[int] = []
    memory.learn(progress=lambda session, read: heard.append(read))
    assert heard == stretches


@pytest.mark.parametrize(("most", "found"), [(50, 50), (3, 3)])
def test_the_number_of_causes_in_a_segment_is_limited(opened: Open, most: int, found: int) -> None:
    memory = opened(settings=settings.make_settings(causal_inference_batch_size=most))
    for number in range(60):
        at = NOW + timedelta(minutes=2 * number)
        memory.observe(f"The deploy number {number} failed with exit code 1.", role="agent", session="s", at=at)
        memory.observe("That's why we had to roll back the release.", session="s", at=at + timedelta(minutes=1))
    memory.end("s")
    report = memory.learn()
    assert sum(1 for each in report.entries if each.kind == "cause") == found


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def spoken_of(memory: Memory, *names: str) -> None:
    for number in range(3):
        for name in names:
            at = NOW + timedelta(minutes=number)
            memory.observe(f"My friend {name} lives in Denver.", session="s", at=at)
    memory.end("s")


def test_a_model_sums_up_so_many_in_a_run_and_the_rest_in_the_next(opened: Open, server: Server) -> None:
    memory = opened(settings=by(server, entity_enrichment_batch_size=1))
    spoken_of(memory, "Anna", "Bob")
    told = answer({"summaries": [{"summary": "Lives in Denver."}]})
    server.say(answer(lists()), answer(nothing()), told)
    memory.learn()
    assert [bool(memory.graph.entity(name).summary) for name in ("Anna", "Bob")] == [True, False]
    memory.learn()
    assert [bool(memory.graph.entity(name).summary) for name in ("Anna", "Bob")] == [True, True]


def test_the_rules_sum_up_everybody_however_small_the_batch(opened: Open) -> None:
    memory = opened(settings=settings.make_settings(entity_enrichment_batch_size=1))
    spoken_of(memory, "Anna", "Bob", "Clara")
    memory.learn()
    assert all(memory.graph.entity(name).summary for name in ("Anna", "Bob", "Clara"))


# Beside a conversation


def test_closing_waits_for_the_current_segment_and_the_next_run_continues(memory: Memory) -> None:
    long_talk(memory, 50, "I like dish number {}.")
    store = memory._store

    def learn(names: Iterable[str], progress: Callable[[str, int], None]) -> object:
        def closing(session: str, turns: int) -> None:
            background.stop()
            progress(session, turns)

        return learned(store, settings.Settings(), None, names, closing, batch=20)

    background = BackgroundWorker(store, None, 1, learn)
    with pytest.raises(Closed):
        background.flush(None, None)
    session = memory.session("long")
    assert (session.learning, session.learn_error) == ("pending", None)
    turns = []
    memory.learn(progress=lambda _, read: turns.append(read))
    assert turns == [30]
    assert memory.session("long").learning == "learned"


BESIDE = """
import sys
from omoide.settings import load_settings as load
from tests.learn.whole import opened
print("ready", flush=True)
sys.stdin.readline()
settings = load(learn_automatically=1)
with opened(sys.argv[1], first_id=int(sys.argv[2]), settings=settings) as memory:
    memory.flush()
"""


def test_two_processes_that_learn_by_themselves_learn_everything_once(tmp_path: Path) -> None:
    path = prepared(tmp_path)
    expected = undisturbed(path, tmp_path / "learned.db")
    both = [start(BESIDE, path, first) for first in (LATER, 2 * LATER)]
    for each in both:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in both:
        _, said = each.communicate("go\n")
        assert each.returncode == 0, said
    assert dump(path) == expected


def test_a_command_that_ends_at_once_loses_no_session(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    by_itself = {"OMOIDE_LEARN_AUTOMATICALLY": "1"}
    for number, text in enumerate(["I live in Rome.", "I work at Acme.", "Bye."]):
        assert terminal.run("observe", text, "--session", f"s{number}", **by_itself).code == 0
    terminal.run("learn")
    sessions = terminal.json("sessions")["sessions"]
    assert {each["name"]: each["learning"] for each in sessions} == {"s0": "learned", "s1": "learned", "s2": "open"}
    facts = [each["text"] for each in terminal.json("recall", "Rome Acme", "--kind", "fact")["hits"]]
    assert sorted(facts) == ["User lives in Rome", "User works at Acme"]
