"""What recall needs to know of a language: how it asks, how it remembers, how it says who said something."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from omoide.recall.language.times import Times

Kind = Literal["why", "when", "who", "what", "how", "general"]
NEVER = r"(?!)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Patterns as text; `compiled` makes one of them ready when a question first needs it, since all cost every start.

    `asks` tells intents: of two cues at one place the longer decides ("what time" is more than "what").
    """

    asks: tuple[tuple[Kind, str], ...]
    idle: str = NEVER  # cues that ask for nothing: "remember when", "that's why"
    remembers: str  # explicit recall: "do you remember", "like last time"
    user_said: str
    agent_said: str
    named_said: str = NEVER  # one group each: the name
    gathers: str  # "all", "how many", "history"
    compares: str
    joins: str = NEVER  # a further clause
    times: Callable[[], Times] | None = None  # made when first asked for; None: the grammar reads it itself
    function_words: str = ""  # by which it is told from its neighbours


@cache
def compiled(pattern: str, *, cased: bool = False) -> re.Pattern[str]:
    """Spaces and line breaks between alternatives do not count; a space that is meant is written `\\ ` or `[ ]`."""
    return re.compile(pattern, re.VERBOSE | (re.NOFLAG if cased else re.IGNORECASE))


NAME = r"([^\W\d_a-z][\w'-]*)"  # begins with a letter that is not small
