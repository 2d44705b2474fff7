"""What a question says about time, seen from the moment it is asked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from omoide.language.time import DateClue, EventClue, ExtremeClue, QuestionTime, SessionNumbers, SessionsAgo, parse_time

# A Sunday, towards noon.
ASKED = datetime(2023, 10, 22, 11, 17, 51, tzinfo=UTC)


def read(text: str, asked: datetime = ASKED) -> QuestionTime:
    when = parse_time(text, asked)
    assert when is not None, text
    return when


def span(text: str, asked: datetime = ASKED) -> tuple[str, str]:
    (clue,) = read(text, asked).clues
    assert isinstance(clue, DateClue)
    return clue.span.start.strftime("%Y-%m-%d %H:%M"), clue.span.end.strftime("%Y-%m-%d %H:%M")


def days(text: str) -> tuple[str, str]:
    start, end = span(text)
    return start[:10], end[:10]


@pytest.mark.parametrize(
    ("words", "first", "after"),
    [
        ("today", "2023-10-22", "2023-10-23"),
        ("yesterday", "2023-10-21", "2023-10-22"),
        ("the day before yesterday", "2023-10-20", "2023-10-21"),
        ("last Friday", "2023-10-20", "2023-10-21"),
        ("on Tuesday", "2023-10-17", "2023-10-18"),
        ("this past Friday", "2023-10-20", "2023-10-21"),
        ("last Sunday", "2023-10-15", "2023-10-16"),
        ("two Fridays ago", "2023-10-13", "2023-10-14"),
        ("last week", "2023-10-09", "2023-10-16"),
        ("this week", "2023-10-16", "2023-10-23"),
        ("the week before last", "2023-10-02", "2023-10-09"),
        ("on Wednesday of last week", "2023-10-11", "2023-10-12"),
        ("last weekend", "2023-10-13", "2023-10-16"),
        ("the weekend of May 5th", "2023-05-05", "2023-05-08"),
        ("two weekends ago", "2023-10-06", "2023-10-09"),
        ("over the holidays", "2022-12-20", "2023-01-03"),
        ("last month", "2023-09-01", "2023-10-01"),
        ("in May", "2023-05-01", "2023-06-01"),
        ("in October", "2023-10-01", "2023-11-01"),
        ("in November", "2022-11-01", "2022-12-01"),
        ("in May of last year", "2022-05-01", "2022-06-01"),
        ("in Q2 2023", "2023-04-01", "2023-07-01"),
        ("in the second quarter of 2022", "2022-04-01", "2022-07-01"),
        ("last summer", "2023-06-01", "2023-09-01"),
        ("in the spring of 2022", "2022-03-01", "2022-06-01"),
        ("in 2021", "2021-01-01", "2022-01-01"),
        ("in the 90s", "1990-01-01", "2000-01-01"),
        ("3 days ago", "2023-10-19", "2023-10-20"),
        ("5 months ago", "2023-05-01", "2023-06-01"),
        ("a month ago", "2023-09-01", "2023-10-01"),
        ("two years ago", "2021-01-01", "2022-01-01"),
        ("two weeks ago", "2023-10-05", "2023-10-12"),
        ("a couple of days ago", "2023-10-19", "2023-10-21"),
        ("a few days ago", "2023-10-17", "2023-10-21"),
        ("over the last 3 days", "2023-10-19", "2023-10-22"),
        ("over the last week", "2023-10-15", "2023-10-22"),
        ("in the past month", "2023-09-22", "2023-10-22"),
        ("earlier this month", "2023-10-01", "2023-10-22"),
        ("in mid June", "2023-06-11", "2023-06-21"),
        ("in early 2023", "2023-01-01", "2023-05-01"),
        ("late last year", "2022-09-01", "2023-01-01"),
        ("at the end of August", "2023-08-21", "2023-09-01"),
        ("on 2023-05-08", "2023-05-08", "2023-05-09"),
        ("on 8 May 2023", "2023-05-08", "2023-05-09"),
        ("on May 8th", "2023-05-08", "2023-05-09"),
        ("on 16 June, 2023", "2023-06-16", "2023-06-17"),
        ("on 5/8", "2023-05-08", "2023-05-09"),
        ("on 8.5.2023", "2023-05-08", "2023-05-09"),
        ("on the 8th", "2023-10-08", "2023-10-09"),
        ("on December 24th", "2022-12-24", "2022-12-25"),
        ("between May 8th and June 9th", "2023-05-08", "2023-06-10"),
        ("from November to February", "2022-11-01", "2023-03-01"),
        ("from 13 to 15 July", "2023-07-13", "2023-07-16"),
        ("since March", "2023-03-01", "2023-10-22"),
        ("after May 8th", "2023-05-09", "2023-10-22"),
        ("around May 8th", "2023-05-05", "2023-05-12"),
        ("shortly before May 8th", "2023-04-24", "2023-05-08"),
        ("in the first week of 2023", "2023-01-02", "2023-01-09"),
        ("on the last Sunday of March", "2023-03-26", "2023-03-27"),
        ("two weeks before August 11, 2023", "2023-07-28", "2023-07-29"),
        ("the week before Christmas", "2022-12-18", "2022-12-25"),
        ("at Easter", "2023-04-09", "2023-04-10"),
        ("on Thanksgiving", "2022-11-24", "2022-11-25"),
        ("three days after Easter", "2023-04-12", "2023-04-13"),
        ("twenty-one days ago", "2023-10-01", "2023-10-02"),
        ("a week ago today", "2023-10-15", "2023-10-16"),
        ("this time last year", "2022-10-19", "2022-10-26"),
        ("on Labor Day weekend", "2023-09-01", "2023-09-05"),
        ("in the last half of September", "2023-09-16", "2023-10-01"),
        ("in the summer of '69", "1969-06-01", "1969-09-01"),
        ("in nineteen ninety-five", "1995-01-01", "1996-01-01"),
    ],
)
def test_a_question_about_nothing_but_time_becomes_a_filter(words: str, first: str, after: str) -> None:
    question = f"What did we talk about {words}?"
    assert days(question) == (first, after)
    assert read(question).pure


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("this morning", "2023-10-22 00:00", "2023-10-22 12:00"),
        ("earlier this morning", "2023-10-22 00:00", "2023-10-22 10:47"),
        ("last night", "2023-10-21 18:00", "2023-10-22 05:00"),
        ("yesterday afternoon", "2023-10-21 12:00", "2023-10-21 19:00"),
        ("on Friday at 5 pm", "2023-10-20 17:00", "2023-10-20 18:00"),
        ("yesterday evening at eight", "2023-10-21 20:00", "2023-10-21 21:00"),
        ("the evening of 7 July, 2023", "2023-07-07 18:00", "2023-07-08 00:00"),
    ],
)
def test_parts_of_a_day_and_clock_times_are_spans_too(words: str, start: str, end: str) -> None:
    assert span(f"What did we discuss {words}?") == (start, end)


def test_other_content_makes_the_time_a_boost_instead_of_a_filter() -> None:
    when = read("What sport did Matt take up on July 3rd?")
    assert not when.pure
    assert when.content == ("sport", "Matt", "take")


def test_each_clue_says_which_words_it_understood() -> None:
    question = "On February 21, 2023, what did Tara do last Friday?"
    phrases = [clue.phrase for clue in read(question).clues]
    assert [phrase.text for phrase in phrases] == ["On February 21, 2023", "last Friday"]
    assert [question[phrase.start : phrase.end] for phrase in phrases] == [phrase.text for phrase in phrases]


@pytest.mark.parametrize(
    "question",
    [
        "What may I eat?",
        "Does the sun march on?",
        "Which room on the 8th floor is mine?",
        "How many days did it take?",
        "What do I drink in the morning?",
        "Where do we meet on Tuesdays?",
        "Is Bootstrap 5.3.0 in use?",
        "What is the second step?",
        "How many days ago did I buy a smoker?",
        "What do you need from me now?",
        "",
        "   ?!",
    ],
)
def test_words_that_only_look_like_time_are_ignored(question: str) -> None:
    assert parse_time(question, ASKED) is None


def test_the_next_date_is_found_when_the_future_is_preferred() -> None:
    when = parse_time("What is planned for May 8th?", ASKED, prefer="future")
    assert when is not None
    assert when.spans[0].start == datetime(2024, 5, 8, tzinfo=UTC)


def test_spans_keep_the_timezone_of_the_asker() -> None:
    zone = timezone(timedelta(hours=-7))
    (found,) = read("yesterday", ASKED.astimezone(zone)).spans
    assert found.start == datetime(2023, 10, 21, tzinfo=zone)
    assert found.start.tzinfo is zone


def test_a_count_of_days_has_slack() -> None:
    (found,) = read("What did we discuss 6 days ago?").spans
    noon_before = datetime(2023, 10, 15, 12, tzinfo=UTC)
    assert not found.holds(noon_before)
    assert found.widened().holds(noon_before)


SESSIONS = list(range(1, 11))


def _meant(clue: SessionsAgo | SessionNumbers) -> list[int]:
    """Which of ten sessions, all of them over."""
    if isinstance(clue, SessionNumbers):
        return [number for number in SESSIONS if clue.first <= number <= clue.last]
    return [number for number in SESSIONS if clue.nearest <= len(SESSIONS) + 1 - number <= clue.farthest]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("3 sessions ago", [8]),
        ("two conversations ago", [9]),
        ("in our last session", [10]),
        ("in our previous chat", [10]),
        ("the last time we spoke", [10]),
        ("in the session before last", [9]),
        ("in the second to last discussion", [9]),
        ("over the last three sessions", [8, 9, 10]),
        ("one session before last", [9]),
        ("in our first session", [1]),
        ("in the seventh conversation", [7]),
        ("in session 4", [4]),
        ("over sessions 2 through 4", [2, 3, 4]),
        ("in the first two sessions", [1, 2]),
        ("40 sessions ago", []),
        ("in session 99", []),
        ("since session 8", [8, 9, 10]),
        ("before the third session", [1, 2]),
    ],
)
def test_sessions_are_found_by_number(words: str, meant: list[int]) -> None:
    when = read(f"What did we discuss {words}?")
    (clue,) = when.clues
    assert isinstance(clue, SessionsAgo | SessionNumbers)
    assert _meant(clue) == meant
    assert when.pure


def test_time_relative_to_an_event_is_resolved_with_the_date_of_the_event() -> None:
    (clue,) = read("What did I cook two weeks before the move?").clues
    assert isinstance(clue, EventClue)
    assert (clue.event, clue.side) == ("the move", "before")
    found = clue.resolve(datetime(2023, 6, 15, 18, tzinfo=UTC))
    assert found.holds(datetime(2023, 6, 1, 12, tzinfo=UTC))
    assert not found.holds(datetime(2023, 6, 10, tzinfo=UTC))


def test_the_day_after_an_event_is_one_day() -> None:
    (clue,) = read("Where were we the day after my wedding?").clues
    assert isinstance(clue, EventClue)
    found = clue.resolve(datetime(2023, 6, 15, 18, tzinfo=UTC))
    assert (found.start.day, found.end.day) == (16, 17)


def test_a_year_beside_an_event_is_a_clue_of_its_own() -> None:
    event, year = read("What did they see during their camping trip last year?").clues
    assert isinstance(event, EventClue)
    assert isinstance(year, DateClue)
    assert event.event == "their camping trip"


def test_a_distance_that_is_asked_for_is_no_clue() -> None:
    assert parse_time("How many days before the move did I pack?", ASKED) is None


@pytest.mark.parametrize(
    ("question", "end"),
    [
        ("When was the first time we met Anna?", "first"),
        ("What is my most recent address?", "latest"),
        ("Where did I go on my last trip?", "latest"),
        ("What was the very first book I read?", "first"),
        ("When did I last run?", "latest"),
        ("Which phone did I buy first?", "first"),
        ("What is my current job?", "latest"),
    ],
)
def test_first_and_latest_are_recognized(question: str, end: str) -> None:
    (clue,) = read(question).clues
    assert isinstance(clue, ExtremeClue)
    assert clue.end == end


@pytest.mark.parametrize(
    "question", ["What is Anna's last name?", "What are the first two steps?", "Who was the first to arrive?"]
)
def test_first_and_last_can_have_other_meanings(question: str) -> None:
    assert parse_time(question, ASKED) is None


def test_first_or_latest_alone_is_not_a_filter() -> None:
    assert not read("What did we talk about last?").pure


@pytest.mark.parametrize(
    ("question", "event"),
    [("What did we eat on my birthday?", "my birthday"), ("What did it cost the day we moved?", "we moved")],
)
def test_the_day_of_an_event_is_an_event_clue(question: str, event: str) -> None:
    (clue,) = read(question).clues
    assert isinstance(clue, EventClue)
    assert (clue.event, clue.side) == (event, "around")
