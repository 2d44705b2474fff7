"""What a question says about time."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from omoide.recall.when import Dated, parse

# A Sunday.
ASKED = datetime(2023, 10, 22, 11, 17, 51, tzinfo=timezone.utc)


def span(text: str) -> tuple[str, str] | None:
    when = parse(text, ASKED)
    if when is None:
        return None
    (clue,) = when.clues
    assert isinstance(clue, Dated)
    return clue.span.start.strftime("%Y-%m-%d %H:%M"), clue.span.end.strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("today", "2023-10-22 00:00", "2023-10-23 00:00"),
        ("last Friday", "2023-10-20 00:00", "2023-10-21 00:00"),
        ("between May 8th and June 9th", "2023-05-08 00:00", "2023-06-10 00:00"),
        ("over the last week", "2023-10-15 00:00", "2023-10-22 11:17"),
        ("5 months ago", "2023-05-01 00:00", "2023-06-01 00:00"),
    ],
)
def test_a_question_that_is_all_time_becomes_a_filter(words: str, start: str, end: str) -> None:
    question = f"What did we talk about {words}?"
    when = parse(question, ASKED)
    assert when is not None
    assert when.pure
    assert span(question) == (start, end)
