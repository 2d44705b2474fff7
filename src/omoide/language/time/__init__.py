"""Reads time phrases with an interval grammar: "two weeks before Easter" becomes a span, seen from a given moment."""

from omoide.language.time.calendar import Grain, TimeSpan
from omoide.language.time.clues import (
    DateClue,
    EventClue,
    ExtremeClue,
    MatchedPhrase,
    QuestionTime,
    RowEnd,
    SessionNumbers,
    SessionsAgo,
    TimeClue,
)
from omoide.language.time.parser import parse_time, resolve_time
from omoide.language.time.pattern import TimePreference

__all__ = [
    "DateClue",
    "EventClue",
    "ExtremeClue",
    "Grain",
    "MatchedPhrase",
    "QuestionTime",
    "RowEnd",
    "SessionNumbers",
    "SessionsAgo",
    "TimeClue",
    "TimePreference",
    "TimeSpan",
    "parse_time",
    "resolve_time",
]
