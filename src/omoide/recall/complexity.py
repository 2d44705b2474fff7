"""How much a question asks for: a simple one is answered from near by, a complex one from further away."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta

from omoide.recall.language import Language, compiled
from omoide.recall.when import Dated, SessionNumbers, SessionsAgo, When

_LONG = 25  # words
_MANY_NAMES = 3
_RANGE = timedelta(days=8)  # more than a week is a stretch to go through, not a day to look up

_ASKS = re.compile(r"[?？]")


@dataclass(frozen=True, slots=True)
class Complexity:
    """How deep to walk, how many to return and what a pack may cost (Yodoca), and why."""

    name: str
    depth: int
    limit: int
    budget: int  # tokens
    reasons: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(self.reasons)})" if self.reasons else self.name


SIMPLE = Complexity("simple", depth=2, limit=5, budget=1000)
COMPLEX = Complexity("complex", depth=4, limit=20, budget=3000)


def complexity_of(
    text: str, language: Language, entities: int = 0, when: When | None = None, explicit: bool = False
) -> Complexity:
    """Pure. One strong sign makes a question complex, or two weak ones."""
    strong = _strong(text, language, entities, when, explicit)
    weak = _weak(text, language, entities)
    if strong or len(weak) > 1:
        return replace(COMPLEX, reasons=(*strong, *weak))
    return replace(SIMPLE, reasons=tuple(weak))


def _strong(text: str, language: Language, entities: int, when: When | None, explicit: bool) -> list[str]:
    signs = []
    if found := compiled(language.gathers).search(text):
        signs.append(f"gathers: {found[0].strip()!r}")
    if found := compiled(language.compares).search(text):
        signs.append(f"compares: {found[0].strip()!r}")
    if entities >= _MANY_NAMES:
        signs.append(f"{entities} names")
    if when is not None and (stretch := _stretch(when)):
        signs.append(f"a stretch of time: {stretch!r}")
    if explicit:
        signs.append("asks to remember")
    return signs


def _weak(text: str, language: Language, entities: int) -> list[str]:
    signs = []
    if (words := len(text.split())) > _LONG:
        signs.append(f"{words} words")
    if entities == _MANY_NAMES - 1:
        signs.append(f"{entities} names")
    if len(_ASKS.findall(text)) > 1:
        signs.append("several questions")
    if compiled(language.joins).search(text):
        signs.append("several clauses")
    return signs


def _stretch(when: When) -> str | None:
    for clue in when.clues:
        match clue:
            case Dated(span=span) if span.end - span.start > _RANGE:
                return clue.phrase.text
            case SessionsAgo() if clue.farthest > clue.nearest:
                return clue.phrase.text
            case SessionNumbers() if clue.last > clue.first:
                return clue.phrase.text
            case _:
                pass
    return None
