"""Plans that were moved or cancelled later, whatever they are: the agenda and the answers follow."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from omoide import Memory
from tests.conftest import Open

Tell = Callable[..., Memory]


@pytest.fixture
def tell(opened: Open) -> Tell:
    """Tells a memory turns, a session a day, and has it asked on another day."""

    def told(asked: str, *turns: tuple[str, str], learned: bool = True) -> Memory:
        now = [datetime(2026, 1, 1, tzinfo=UTC)]
        memory = opened(clock=lambda: int(now[0].timestamp() * 1_000_000))
        for count, (day, text) in enumerate(turns):
            now[0] = datetime.fromisoformat(f"{day}T10:00:00+00:00") + timedelta(minutes=count)
            memory.observe(text, session=day)
        now[0] = datetime.fromisoformat(f"{asked}T10:00:00+00:00")
        for day in dict.fromkeys(day for day, _ in turns) if learned else ():
            memory.end(day)
            memory.learn()
        return memory

    return told


def rows(memory: Memory) -> list[tuple[str, str]]:
    """(days, state) of the agenda of a year."""
    found = memory.agenda("2026-01-01T00:00:00+00:00", "2027-01-01T00:00:00+00:00")
    return [(each.when, each.state) for each in found]


def lines(memory: Memory, question: str) -> list[str]:
    return [line for line in str(memory.context(question)).splitlines() if line.startswith("- ")]


RUTH = (
    ("2026-03-02", "my sister Ruth is coming to stay from the 20th to the 24th with her two boys, Ilya and Tom"),
    ("2026-03-09", "Ruth's visit moved by a week, so 27th to 31st"),
    ("2026-03-09", "the new flat is on Calle Luna 14, moving on April 3rd"),
)


@pytest.mark.parametrize("learned", [True, False])
def test_a_visit_that_was_moved_is_told_at_its_new_time(tell: Tell, learned: bool) -> None:
    memory = tell("2026-03-22", *RUTH, learned=learned)
    assert rows(memory) == [
        ("2026-03-20 to 2026-03-24", "moved"),
        ("2026-03-27 to 2026-03-31", "coming"),
        ("2026-04-03 (Fri)", "coming"),
    ]
    (line,) = lines(memory, "what's on next week?")
    assert "Ruth's visit moved by a week, so 27th to 31st" in line
    found = lines(memory, "when is Ruth coming?")
    new = next(place for place, line in enumerate(found) if "27th to 31st" in line)
    old = [(place, line) for place, line in enumerate(found) if "the 20th" in line]
    assert all(place > new and line.startswith("- earlier than") for place, line in old)


def test_the_statement_of_a_move_carries_its_days(tell: Tell) -> None:
    memory = tell("2026-03-22", *RUTH)
    found = [hit.text for hit in memory.recall("when is Ruth coming?") if hit.kind == "fact"]
    assert found[0] == "Ruth's visit moved by a week, so 27th to 31st (2026-03-27 to 2026-03-31)"


@pytest.mark.parametrize("learned", [True, False])
@pytest.mark.parametrize(
    ("plan", "news", "expected"),
    [
        (
            "I have a dentist appointment on the 14th at 3pm",
            "the dentist cancelled my appointment on the 14th",
            [("2026-05-14 (Thu) 15:00", "cancelled")],
        ),
        (
            "My driving test is on the 9th",
            "my driving test is not the 9th but the 16th",
            [("2026-05-09 (Sat)", "moved"), ("2026-05-16 (Sat)", "coming")],
        ),
        (
            "The design review with Karim is on Thursday at 10",
            "design review got pushed to Friday",
            [("2026-05-07 (Thu)", "moved"), ("2026-05-08 (Fri)", "coming")],
        ),
        ("we're having dinner with Ana on May 20th", "Ana called dinner off", [("2026-05-20 (Wed)", "cancelled")]),
    ],
)
def test_what_was_said_later_moves_or_cancels_a_plan(
    tell: Tell, plan: str, news: str, expected: list[tuple[str, str]], learned: bool
) -> None:
    memory = tell("2026-05-06", ("2026-05-04", plan), ("2026-05-05", news), learned=learned)
    assert rows(memory) == expected


@pytest.mark.parametrize(
    "news",
    [
        "the vet appointment got moved to the 20th",  # another appointment
        "if it rains the dentist appointment is cancelled",
        "has the dentist appointment been moved to Friday?",
        "I moved my desk to the window",
        "Vera's exam got pushed to the 20th",
    ],
)
def test_other_matters_questions_and_conditions_move_nothing(tell: Tell, news: str) -> None:
    plan = "I have a dentist appointment with Vera on the 14th"
    memory = tell("2026-05-06", ("2026-05-04", plan), ("2026-05-05", news), learned=False)
    assert ("2026-05-14 (Thu)", "coming") in rows(memory)


def test_only_the_cancelled_of_two_dates_of_a_turn_is_over(tell: Tell) -> None:
    plan = "dentist on May 14th at 3pm, and the vet for Luna on the 15th"
    memory = tell("2026-05-06", ("2026-05-04", plan), ("2026-05-05", "the dentist thing is cancelled"))
    assert rows(memory) == [("2026-05-14 (Thu) 15:00", "cancelled"), ("2026-05-15 (Fri)", "coming")]


def test_a_birthday_stays_when_its_dinner_moves(tell: Tell) -> None:
    birthday = ("2026-06-01", "my mum's birthday is on June 12th")
    dinner = ("2026-06-02", "Mum's birthday dinner moved to the 14th, the restaurant was full on the 12th")
    memory = tell("2026-06-05", birthday, dinner)
    entries = {entry.when: entry.state for entry in memory.agenda("2026-06-01T00:00:00Z", "2026-07-01T00:00:00Z")}
    assert entries == {"2026-06-12 (Fri)": "coming", "2026-06-14 (Sun)": "coming"}
    assert any("birthday is on June 12th" in line for line in lines(memory, "when is mum's birthday?"))


def test_a_date_moved_twice_is_where_it_was_moved_last(tell: Tell) -> None:
    memory = tell(
        "2026-05-08",
        ("2026-05-04", "the launch is on the 14th"),
        ("2026-05-05", "the launch is postponed to the 18th"),
        ("2026-05-06", "they pushed the launch back again, to the 25th"),
        learned=False,
    )
    assert [state for _, state in rows(memory)] == ["moved", "moved", "coming"]


def test_a_plan_with_details_is_found_by_its_date(memory: Memory) -> None:
    said = "I have a dentist visit on Friday at nine."
    memory.observe(said, session="a", details={"seen": ["mail"]}, at="2026-03-02T09:00:00+00:00")
    assert said in memory.recall("What happens on Friday, 6 March 2026?", at="2026-03-03T09:00:00+00:00").texts
    assert memory.agenda("2026-03-01T00:00:00Z", "2026-03-30T00:00:00Z")


@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("The landlord sold the flat. keys on 1 December", [("2026-12-01 (Tue)", "coming")]),
        ("I sold my flat, moving on 1 December", [("2026-12-01 (Tue)", "coming")]),
        ("I quit Velocore! starting at Datadog on 4 December as SRE", [("2026-12-04 (Fri)", "coming")]),
        ("I quit my gym, trial at the new one on 5 December", [("2026-12-05 (Sat)", "coming")]),
        ("The dinner on 5 December, it's cancelled", [("2026-12-05 (Sat)", "cancelled")]),
        ("I usually do the shopping on Friday", []),
        ("yoga is every Wednesday, except next week", []),
        ("call me Mar, everybody does", []),
    ],
)
def test_the_clause_of_a_date_tells_what_becomes_of_it(
    tell: Tell, said: str, expected: list[tuple[str, str]], learned: bool
) -> None:
    assert rows(tell("2026-11-11", ("2026-11-10", said), learned=learned)) == expected


@pytest.mark.parametrize(
    ("plan", "change", "moved_to"),
    [
        (
            "The dentist is on Thursday 24 September at 14:30",
            "The dentist got moved, it's now Tuesday the 29th at 9:15",
            "09-29 09:15",
        ),
        (
            "parents evening is on Thursday 15 October, 5pm",
            "parents evening is moved to 23 October, same time",
            "10-23 17:00",
        ),
    ],
)
def test_a_moved_plan_names_its_new_day(tell: Tell, plan: str, change: str, moved_to: str) -> None:
    memory = tell("2026-09-22", ("2026-09-21", plan), ("2026-09-22", change))
    found = memory.agenda("2026-01-01T00:00:00+00:00", "2027-01-01T00:00:00+00:00")
    assert [f"{each.moved_to:%m-%d %H:%M}" for each in found if each.moved_to] == [moved_to]
    assert f"2026-{moved_to[:5]}" in [f"{each.begins:%Y-%m-%d}" for each in found]
    assert "2026-09-22" not in [f"{each.begins:%Y-%m-%d}" for each in found]


def test_the_day_that_somebody_cannot_make_is_cancelled(tell: Tell) -> None:
    plan = ("2026-09-21", "I'm meeting Lena for lunch on Friday at 12")
    memory = tell("2026-09-22", plan, ("2026-09-22", "can't make lunch with Lena on Friday, we do Monday instead"))
    assert rows(memory) == [("2026-09-25 (Fri)", "cancelled"), ("2026-09-28 (Mon)", "coming")]
