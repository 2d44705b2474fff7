"""What a standing wish says once it is read, and the words that may stand before an instruction."""

from __future__ import annotations

import re
from dataclasses import dataclass

from omoide.learn.proposal import SourceType

from .matter import Matter


@dataclass(frozen=True, slots=True)
class Told:
    """`strength` by Kira-L: .7 to .8 where it is said, .9 where something is set right."""

    matter: Matter
    strength: float = 0.8
    instead_of: str | None = None
    source: SourceType = "stated"


_LEAD = (
    r"(?:(?:please|pls|just|also|and|but|so|then|hey|ok|okay|well|no|actually|oh|you should|you must"
    r"|you need to|i want you to|i need you to|i'd like you to|i would like you to|make sure (?:to|you"
    r"|that you)|remember to|be sure to|can you|could you|would you|try to|kindly|bitte|por favor)[, ]{1,3}){0,4}"
)
_FROM_NOW = (
    r"(?P<now>(?:from now on|going forward|in (?:the )?future|for future reference|as a rule"
    r"|in general|whenever you write code|by default)[, ]+)?"
)
START = rf"{_LEAD}{_FROM_NOW}{_LEAD}"

# What points at the thing at hand is meant for now, not for good.
ONCE = re.compile(
    r"\b(?:yet|for now|right now|this time|today|tonight|now|again|here|this|that|these|those|it|them|him|her"
    r"|his|their)\b",
    re.IGNORECASE,
)


def closed(words: str) -> str:
    """Without the blanks that stand for ticks: " ruff , not  flake8 " is "ruff, not flake8"."""
    return re.sub(r"\s+(?=[,;!])", "", re.sub(r"\s{2,}", " ", words))


# "Benutze immer pnpm, nicht npm": the same contrast in other languages.
ELSEWHERE = re.compile(
    r"(?:bitte |por favor,? )?(?:benutze|verwende|nimm|nutze|usa|usar|utiliza|use|utilize|utilise)"
    r"(?: bitte| immer| lieber| besser| doch| stattdessen| mejor| plutôt| siempre| sempre| toujours| por favor| nur)*"
    r" (?P<right>[\w][\w .+#/-]{0,30}?)"
    r"(?:,? (?:und nicht|y no|e não|nicht|no|não|pas)|,? (?:statt|anstatt|anstelle von|en vez de|en lugar de|em vez de"
    r"|ao invés de|au lieu de)) (?P<wrong>[\w][\w.+#/-]{0,30})$",
    re.IGNORECASE,
)
