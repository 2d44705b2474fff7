"""The time a question speaks of, read by our own interval grammar from the moment it is asked."""

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
