"""Bare time expressions and the spans they name."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from omoide.language.time import resolve_time

# A Tuesday, early in the morning.
NOW = datetime(2013, 2, 12, 4, 30, tzinfo=timezone(timedelta(hours=-2)))


@pytest.mark.parametrize(
    ("phrase", "start"),
    [
        ("three months ago", "2012-11-12 00:00"),
        ("1 year 2 months", "2011-12-12 00:00"),
        ("a fortnight ago", "2013-01-29 00:00"),
        ("2.5 hours ago", "2013-02-12 02:00"),
        ("half an hour ago", "2013-02-12 04:00"),
        ("a year and a half ago", "2011-08-12 00:00"),
        ("1 year, 1 month, 1 week, 1 day, 1 hour and 1 minute ago", "2012-01-04 03:29"),
        ("2018Q4", "2018-10-01 00:00"),
        ("Good Friday 2023", "2023-04-07 00:00"),
        ("orthodox easter 2023", "2023-04-16 00:00"),
        ("the 19th century", "1800-01-01 00:00"),
        ("Hanukkah 2023", "2023-12-07 00:00"),
        ("Passover 2018", "2018-03-30 00:00"),
        ("Ramadan 2018", "2018-05-16 00:00"),
        ("Chinese New Year 2023", "2023-01-22 00:00"),
        ("Diwali 2022", "2022-10-24 00:00"),
    ],
)
def test_looking_back(phrase: str, start: str) -> None:
    found = resolve_time(phrase, NOW)
    assert found is not None
    assert found.start.strftime("%Y-%m-%d %H:%M") == start


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("in three weeks", "2013-03-05 00:00", "2013-03-06 00:00"),
        ("next monday", "2013-02-18 00:00", "2013-02-19 00:00"),
        ("wednesday after next", "2013-02-20 00:00", "2013-02-21 00:00"),
        ("Fri, Jul 18, 2014 07:00 PM", "2014-07-18 19:00", "2014-07-18 19:01"),
        ("day after tomorrow 5pm", "2013-02-14 17:00", "2013-02-14 18:00"),
        ("9 tomorrow evening", "2013-02-13 21:00", "2013-02-13 22:00"),
        ("a quarter to noon", "2013-02-12 11:45", "2013-02-12 11:46"),
        ("from 3:30 to 6 pm", "2013-02-12 15:30", "2013-02-12 18:01"),
        ("Thursday 8:00 GMT", "2013-02-14 06:00", "2013-02-14 06:01"),
        ("third tuesday after christmas 2014", "2015-01-13 00:00", "2015-01-14 00:00"),
        ("18th Dec for 10 days", "2013-12-18 00:00", "2013-12-29 00:00"),
        ("the closest xmas to today", "2012-12-25 00:00", "2012-12-26 00:00"),
    ],
)
def test_looking_ahead(phrase: str, start: str, end: str) -> None:
    found = resolve_time(phrase, NOW, prefer="future")
    assert found is not None
    assert (found.start.strftime("%Y-%m-%d %H:%M"), found.end.strftime("%Y-%m-%d %H:%M")) == (start, end)


@pytest.mark.parametrize("phrase", ["the move", "last week in Paris", "February 30th", "25:99", "2013-13-45", ""])
def test_text_with_other_words_is_not_resolved(phrase: str) -> None:
    assert resolve_time(phrase, NOW) is None
