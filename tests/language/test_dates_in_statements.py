"""The dates that a statement speaks of: plans look ahead, reports look back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from omoide.language.sentences import date_words, may_have_date
from omoide.language.time import parse_time
from omoide.language.time.mentioned import dates_in_statement

AT = datetime(2026, 9, 14, 10, tzinfo=UTC)  # a Monday


def days(text: str) -> list[str]:
    """The first day of each date, and the last if it is longer."""
    found = []
    for clue in dates_in_statement(text, AT):
        first, last = clue.span.start.date(), (clue.span.end - (clue.span.end - clue.span.start) / 1000).date()
        found.append(f"{first}" if first == last else f"{first}…{last}")
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dentist is on the 26th", ["2026-09-26"]),
        ("I met Sara on the 9th", ["2026-09-09"]),
        ("A week from Thursday we leave", ["2026-09-24"]),
        ("24 to 31 October we're in Chennai", ["2026-10-24…2026-10-31"]),
        ("School trip from the 9th to the 12th", ["2026-10-09…2026-10-12"]),
        ("We land on 3 October at 9:40 and leave on the 10th", ["2026-10-03", "2026-10-10"]),
        ("We fly to Crete on December 11, back on the 25th.", ["2026-12-11", "2026-12-25"]),
        ("We leave on December 20, back on the 3rd", ["2026-12-20", "2027-01-03"]),
        ("We leave on December 26, presents on the 24th", ["2026-12-26", "2026-12-24"]),
        ("We leave on December 11, and I saw Ana on the 9th", ["2026-12-11", "2026-09-09"]),
        ("The fair is on December 3 to 5.", ["2026-12-03…2026-12-05"]),
        ("The hall is open on December 3 to 15 people", ["2026-12-03"]),
        ("I went to Lisbon in March", ["2026-03-01…2026-03-31"]),
        ("We moved to Oslo in March", ["2026-03-01…2026-03-31"]),
        ("The landlord comes on Tuesday because the boiler broke on Friday", ["2026-09-15", "2026-09-11"]),
        ("I had it taken out on Monday, stitches come out on the 24th", ["2026-09-07", "2026-09-24"]),
        ("Got a dentist appointment on the 26th", ["2026-09-26"]),
        ("The report is due by Friday", ["2026-09-18"]),
        ("Booked the venue for 19 September", ["2026-09-19"]),
        ("Termin am 26. September", ["2026-09-26"]),
        ("I rebooked for October 14", ["2026-10-14"]),
        ("My flight on October 12 was cancelled", ["2026-10-12"]),
        ("I won tickets to the show on October 14", ["2026-10-14"]),
        ("I ordered a cake for October 14", ["2026-10-14"]),
        ("I broke my arm on October 14", ["2025-10-14"]),
        ("I bought the car on October 14", ["2025-10-14"]),
    ],
)
def test_the_tense_decides_which_day_is_meant(text: str, expected: list[str]) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She moved it from the 9th to the 12th", ["2026-10-12"]),
        ("My flight was moved to the 9th", ["2026-10-09"]),
        ("It's not the 9th, it's the 12th", ["2026-10-12"]),
        ("They changed the review to Friday", ["2026-09-18"]),
        ("Ed can't come on the 24th, he's coming on October 31 instead", ["2026-10-24", "2026-10-31"]),
        ("Ed comes on October 31 instead of coming on the 24th", ["2026-10-31", "2026-10-24"]),
        ("I can't come on the 28th, but on October 3 I can", ["2026-09-28", "2026-10-03"]),
        ("The dentist is on the 24th and Ed comes on October 31", ["2026-09-24", "2026-10-31"]),
    ],
)
def test_a_date_that_is_taken_back_does_not_count(text: str, expected: list[str]) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Every Monday we have standup at 9",
        "Is the party on the 9th?",
        "I may go to the sun",
        "He needs 30 mg of it",
        "Call me at 5 pm",
        "We live on the 12th floor",
        "no date at all",
        "Jun-Jun's fee is 5k a month",
    ],
)
def test_habits_questions_names_and_numbers_are_no_dates(text: str) -> None:
    assert days(text) == []


def test_a_week_from_thursday_counts_from_the_coming_one_also_in_a_question() -> None:
    found = parse_time("what is a week from Thursday?", AT)
    assert found is not None
    assert found.spans[0].start.date().isoformat() == "2026-09-24"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See you on MONDAY!", True),
        ("the SEGUNDA-feira meeting", True),
        ("er kommt am Mittwoch,oder nicht", True),
        ("下周一见", True),
        ("It may rain in the sun", False),
        ("We met in May", True),
        ("on the 26th", True),
        ("chapter 26", False),
        ("mondayish weekdayless", False),
    ],
)
def test_a_text_may_have_a_date_if_a_word_or_number_of_dates_stands_in_it(text: str, expected: bool) -> None:
    assert may_have_date(text) is expected
    assert (date_words().search(text) is not None or "26th" in text) is expected
