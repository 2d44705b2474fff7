"""What somebody says in a later conversation ends or replaces what it names, and nothing else."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.learn.learning_context import LearningReport
from tests.conftest import Open

DAYS = ("2026-10-05T12:00:00+00:00", "2026-10-08T12:00:00+00:00", "2026-11-17T12:00:00+00:00")


def lived(memory: Memory, *sessions: str) -> LearningReport:
    for number, (said, at) in enumerate(zip(sessions, DAYS, strict=False)):
        memory.observe(said, session=f"s{number}", at=at)
        memory.end(f"s{number}")
        report = memory.learn()
    return report


def live(memory: Memory) -> list[str]:
    found = memory.list(state="all", order="added")
    return [each.text for each in found if each.kind == "fact" and each.state == "live" and not each.valid_until]


@pytest.mark.parametrize(
    ("before", "after", "ended", "holds"),
    [
        (
            "My son Max is allergic to peanuts.",
            "Actually Max is not allergic to peanuts but to tree nuts.",
            "User's son Max is allergic to peanuts",
            "Max is allergic to tree nuts",
        ),
        (
            "My sister Anna is vegetarian.",
            "Anna is not vegetarian but vegan.",
            "User's sister Anna is vegetarian",
            "Anna is vegan",
        ),
        (
            "I'm strictly vegetarian.",
            "I stopped being vegetarian.",
            "User is strictly vegetarian",
            "User stopped being vegetarian",
        ),
        (
            "My brother Elias is visiting me on October 24.",
            "Elias can't make it on the 24th, he's coming on November 7 instead.",
            "User's brother Elias is visiting User on October 24 (2026-10-24)",
            "Elias is coming on November 7 (2026-11-07) instead",
        ),
        (
            "Nina's swimming lessons are on Wednesdays at 5.",
            "Swimming has moved to Thursdays.",
            "Nina's swimming lessons are on Wednesdays at 5",
            "Swimming has moved to Thursdays",
        ),
    ],
)
def test_later_words_end_what_they_name(opened: Open, before: str, after: str, ended: str, holds: str) -> None:
    memory = opened()
    lived(memory, before)
    assert ended in live(memory)
    lived(memory, before, after)
    assert ended not in live(memory)
    assert holds in live(memory)


def test_a_job_that_starts_on_a_coming_day_follows_the_one_that_was_left(opened: Open) -> None:
    memory = opened()
    lived(
        memory,
        "I work as a data engineer at Norrsken Bank.",
        "I handed in my notice today. I start at Polestar on November 16 as a platform lead.",
        "Second day at Polestar!",
    )
    jobs = {
        each.attributes["object"]: each
        for each in memory.list(state="all")
        if each.attributes.get("predicate") == "works_at"
    }
    assert jobs["Norrsken Bank"].valid_until
    assert f"{jobs['Polestar'].valid_from:%Y-%m-%d}" == "2026-11-16"
    assert not any("Norrsken" in text for text in memory.recall("Where do I work?").texts[:2])


def test_two_things_that_are_cancelled_do_not_contradict_each_other(opened: Open) -> None:
    said = "The concert on October 20 is cancelled.", "My flight on October 12 was cancelled."
    report = lived(opened(), *said)
    assert [each.verb for each in report.entries] == ["learned"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I'm vegetarian myself.", "User is vegetarian"),
        (
            "I handed in my notice yesterday at St. Anna.",
            "User handed in their notice yesterday (2026-10-04) at St. Anna",
        ),
    ],
)
def test_a_memory_names_its_user_once(opened: Open, said: str, kept: str) -> None:
    memory = opened()
    lived(memory, said)
    assert live(memory) == [kept]


def test_an_entity_is_described_by_what_lasts_and_still_holds(opened: Open) -> None:
    memory = opened()
    said = "My brother Elias lives in Oslo.", "My brother Elias lives in Berlin now."
    lived(memory, *said, "My brother Elias is visiting me on December 24.")
    assert memory.graph.entity("Elias").summary == "Elias lives in Berlin now."
