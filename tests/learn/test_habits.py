"""Procedures learned from repeated actions."""

from __future__ import annotations

from itertools import count

from omoide import Memory
from omoide.learn.across_sessions import ObservedAction, find_habits

DEPLOY = ["git pull", "npm test", "vercel --prod"]


def done(*runs: list[str]) -> list[ObservedAction]:
    ids = count(1)
    return [ObservedAction(next(ids), text, f"s{number}") for number, run in enumerate(runs) for text in run]


def test_three_steps_done_three_times_are_a_habit() -> None:
    [habit] = find_habits(done(DEPLOY, DEPLOY, DEPLOY))
    assert habit.steps == tuple(DEPLOY)
    assert habit.repetitions == ((1, 2, 3), (4, 5, 6), (7, 8, 9))


def test_twice_is_not_enough_and_two_steps_are_not_either() -> None:
    assert find_habits(done(DEPLOY, DEPLOY)) == []
    assert find_habits(done(["a", "b"], ["a", "b"], ["a", "b"])) == []


def test_numbers_and_case_do_not_make_a_step_another() -> None:
    runs = [[f"Bump to version {n}", "NPM test" if n == 1 else "npm test", "git push"] for n in range(3)]
    [habit] = find_habits(done(*runs))
    assert habit.steps == ("Bump to version 2", "npm test", "git push")


def test_the_longest_sequence_is_told_and_not_its_parts() -> None:
    longer = [*DEPLOY, "check the page"]
    [habit] = find_habits(done(longer, longer, longer))
    assert habit.steps == tuple(longer)


def test_the_same_step_over_and_over_is_no_procedure() -> None:
    assert find_habits(done(["ls"] * 12)) == []


def test_other_things_between_make_it_another_sequence() -> None:
    assert find_habits(done(DEPLOY, ["git pull", "coffee", "npm test", "vercel --prod"], DEPLOY)) == []


def test_habits_of_a_history_that_is_replayed_are_seen(memory: Memory) -> None:
    for day in (2, 3, 4):
        for minute, step in enumerate(("pull the branch", "run the tests", "deploy to staging")):
            at = f"2024-03-0{day}T12:0{minute}:00+00:00"
            memory.observe(step, role="agent", type="action", session=f"day {day}", at=at)
        memory.end(f"day {day}")
    report = memory.learn()
    assert [entry.kind for entry in report.entries if entry.verb == "learned"] == ["procedure"]
