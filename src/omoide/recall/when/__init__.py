"""The time a question speaks of, read by our own interval grammar from the moment it is asked."""

from .clue import Anchored, Clue, Dated, End, Extreme, Phrase, SessionNumbers, SessionsAgo, When
from .pattern import Prefer
from .question import parse, resolve
from .span import Grain, Span

__all__ = [
    "Anchored",
    "Clue",
    "Dated",
    "End",
    "Extreme",
    "Grain",
    "Phrase",
    "Prefer",
    "SessionNumbers",
    "SessionsAgo",
    "Span",
    "When",
    "parse",
    "resolve",
]
