"""Whether a message changes the topic: by how near it is to what was said just before, and by how it is said.

`seed` is Kira-R's rule. The other two are logistic: weights and thresholds were fitted on one set of 300 labelled
conversations and judged on another 100 (bench/topics.py; docs/explanation/benchmarks.md has the figures). A new topic brings words
that were not said just before, or is announced ("by the way"); people stay with one when they answer a question, and
the turn just before tells more than the three before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from omoide.language.registry import topicless_words
from omoide.language.stemmer import stem
from omoide.recall.budget_selection import comparison_words

RECENT_TURNS = 3  # turns (Kira-R)
_KIRA_THRESHOLD = 0.3  # Kira-R: less alike is another topic
_ASKS = ("?", "？")
_SHORT = 8  # words: a message that leans on what was said before
_ANAPHOR = re.compile(
    r"\b(?:it|its|that|this|these|those|they|them|their|there|he|him|his|she|her|one|ones)\b", re.IGNORECASE
)
_ANNOUNCED = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|oh|so|and|hey|well|great|thanks|thank you|anyways?|right)\W+){0,3}"
    r"(?:by the way|btw|before i forget|one more (?:question|thing)"
    r"|on (?:another|a different|an unrelated) (?:note|topic|subject)|unrelated(?:ly)?"
    r"|(?:completely |totally )?different (?:question|topic|subject)"
    r"|chang(?:e|ing) (?:of )?(?:the )?(?:topic|subject)|switching (?:gears|topics|subjects)"
    r"|let'?s (?:talk about something else|move on to)"
    r"|übrigens|anderes thema|por cierto|cambiando de tema|au fait|changement de sujet)\b",
    re.IGNORECASE,
)
_ANYWAY = re.compile(r"^\W*(?:(?:ok(?:ay)?|so|well|but)\W+)?anyways?\b", re.IGNORECASE)  # or taken up again
_LONGEST = 3.0  # tens of words: beyond, length says nothing more


@dataclass(frozen=True, slots=True)
class TurnSimilarity:
    """How alike a message is to each of the last turns, the latest last, from 0 to 1; and to all of them together."""

    each: tuple[float, ...]
    together: float | None = None

    @property
    def nearest(self) -> float:
        return max(self.each)

    @property
    def last(self) -> float:
        return self.each[-1]


def kira_topic_changed(near: TurnSimilarity, turns: int) -> bool:
    """Kira-R: the last three turns as one text; with fewer than two there is no topic yet."""
    return turns >= 2 and near.together is not None and near.together < _KIRA_THRESHOLD


def topic_changed(message: str, recent: Sequence[str], near: TurnSimilarity | None) -> bool:
    """By meaning where both could be read, else by words. Nothing was said yet: no topic to change.

    A false alarm costs more than a miss, for it clears the board: what brings nothing new is never a change.
    """
    if not recent or _refers_back(message):
        return False
    if _announced(message, recent):
        return True
    if near:
        return _new_words(message, recent) >= 2 and _by_meaning(message, recent, near) > -0.7
    return _new_words(message, recent) >= 3 and _by_words(message, recent) > -0.89


def _refers_back(message: str) -> bool:
    """Whether it is short and speaks of what was said before: "what does it cost?"."""
    return len(message.split()) <= _SHORT and _ANAPHOR.search(message) is not None


def _announced(message: str, recent: Sequence[str]) -> bool:
    new = _new_words(message, recent)
    if _ANYWAY.match(message):  # "anyway, the boiler" goes back to it
        return new >= 3 and new == len(_stems(message))
    return new >= 2 and _ANNOUNCED.match(message) is not None


def _new_words(message: str, recent: Sequence[str]) -> int:
    """How many words of content were not said just before."""
    return len(_stems(message).difference(*map(_stems, recent)))


def _by_meaning(message: str, recent: Sequence[str], near: TurnSimilarity) -> float:
    score = -0.33 - 1.75 * near.nearest - 2.8 * near.last + 0.24 * _length(message)
    return score + _manner(message, recent, 0.8, 0.96)


def _by_words(message: str, recent: Sequence[str]) -> float:
    mine = _stems(message)
    before = frozenset().union(*map(_stems, recent))
    shared = len(mine & before) / max(1, len(mine))
    last = len(mine & _stems(recent[-1])) / max(1, len(mine))
    score = -1.39 - 1.32 * shared - 0.91 * last + 0.25 * _length(message)
    return score + _manner(message, recent, 0.5, 1.19)


def _manner(message: str, recent: Sequence[str], asks: float, answers: float) -> float:
    """A question is a hint and no proof: most questions follow up. Its weight was set below what was fitted."""
    return asks * any(mark in message for mark in _ASKS) - answers * recent[-1].rstrip().endswith(_ASKS)


def _length(message: str) -> float:
    return min(_LONGEST, len(message.split()) / 10)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in comparison_words(text) if word not in topicless_words())
