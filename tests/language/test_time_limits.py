"""Any text can be parsed at any moment, in time linear in its length."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.language.time import DateClue, EventClue, parse_time, resolve_time
from omoide.language.time.pattern import bounded

ASKED = datetime(2023, 10, 22, 11, 17, 51, tzinfo=UTC)
_WORDS = """
    last next this past the a first second third of in on at since until before after between and to from -
    , / : may march friday sun 8th 31st 2023 0 1 12 99 2.5 30 5pm am noon morning night yesterday today
    tomorrow ago day days week weeks month year decade century season summer weekend easter lent christmas
    q4 early mid late end beginning session sessions 10000 999999999 couple few half quarter hour minutes
    feb 29 30 closest around about million thousand hundred twenty one gmt ' s 90 nineties move wedding my
    when during ago hence now for within .
"""
words = st.lists(st.sampled_from(_WORDS.split()), max_size=14).map(" ".join)
moments = st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)).map(
    lambda moment: moment.replace(tzinfo=timezone(timedelta(hours=moment.hour - 12)))
)


@given(text=words | st.text(max_size=60), moment=moments, future=st.booleans())
@settings(max_examples=1500, deadline=None, derandomize=True)
def test_any_text_can_be_parsed_at_any_moment(text: str, moment: datetime, future: bool) -> None:
    when = parse_time(text, moment, prefer="future" if future else "past")
    for clue in when.clues if when else ():
        assert text[clue.phrase.start : clue.phrase.end] == clue.phrase.text
        if isinstance(clue, DateClue):
            assert clue.span.start < clue.span.end
            assert clue.span.start.astimezone(UTC) < clue.span.widened().end.astimezone(UTC)
        if isinstance(clue, EventClue):
            assert clue.resolve(moment).start < clue.resolve(moment).end


@given(text=words, moment=moments)
@settings(max_examples=500, deadline=None, derandomize=True)
def test_a_bare_expression_is_a_span_or_none(text: str, moment: datetime) -> None:
    found = resolve_time(text, moment)
    assert found is None or found.start < found.end


@pytest.mark.parametrize("piece", ["last ", "1 ", "1-", "feb 31 ", "the day after ", "I met her last week. ", "x" * 50])
def test_a_long_text_is_parsed_quickly(piece: str) -> None:
    before = time.process_time()
    parse_time(piece * (100_000 // len(piece)), ASKED)
    assert time.process_time() - before < 5  # a few tenths as a rule; the bound is for slow machines


def test_reading_stops_when_its_budget_of_steps_is_used_up() -> None:
    far = " ".join(f"{number} weekends ago" for number in range(9000, 9012))
    assert parse_time(far, ASKED) is None
    assert parse_time("two weekends ago", ASKED) is not None  # each reading has a budget of its own
    with bounded(10):
        assert parse_time("two weekends ago", ASKED) is None
