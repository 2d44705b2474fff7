"""Whether a message changes the topic: by its similarity to the last turns, and by its wording.

Two logistic models, one by vectors and one by words. Their weights and thresholds were fitted on 300 labelled
conversations and tested on another 100 (bench/topics.py). A new topic brings new words or is announced ("by the way");
an answer to a question rarely changes the topic, and the last turn tells more than the three before.
`baseline_topic_changed` is the simple rule they are compared with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from omoide.language.registry import language_pattern
from omoide.recall.budget_selection import comparison_words

RECENT_TURNS = 3
_BASELINE_THRESHOLD = 0.3  # cosine
_ASKS = ("?", "？")
# The weights below were fitted to words cut after five letters, without these common English words. They are part of
# the model: with the stemmer and the stop words of `omoide.language`, 4 of 25 prompts of a test conversation change.
_PREFIX = 5
_COMMON = frozenset(
    """
    the this that these those and but then than with about into over you your his him her its they them their are was
    were been does did have has had will would can could should what which who when where why how there here not any
    some all just please too very really for from our out get got like many much more also again okay yes yeah well
    know think going want let thing things way good great sure maybe lot one two now
    """.split()
)
_SHORT = 8  # words: a message this short may refer to what was said before
_ANYWAY = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|well|but)\W+)?anyways?\b", re.IGNORECASE
)  # leaves a topic, or returns to it
_LONGEST = 3.0  # tens of words; beyond, the length tells nothing more


@dataclass(frozen=True, slots=True)
class TurnSimilarity:
    """Similarity of a message to each of the last turns, the latest last, and to all of them together."""

    each: tuple[float, ...]
    together: float | None = None

    @property
    def nearest(self) -> float:
        return max(self.each)

    @property
    def last(self) -> float:
        return self.each[-1]


def baseline_topic_changed(similarity: TurnSimilarity, turns: int) -> bool:
    """Whether the similarity to the last turns as one text is low; with fewer than two turns there is no topic yet."""
    return turns >= 2 and similarity.together is not None and similarity.together < _BASELINE_THRESHOLD


def topic_changed(message: str, recent: Sequence[str], similarity: TurnSimilarity | None) -> bool:
    """Whether a message changes the topic: by similarity if it is known, else by words.

    A false alarm costs more than a miss, since it clears the board; a message without new words is never a change.
    """
    if not recent or _refers_back(message):
        return False
    if _announced(message, recent):
        return True
    if similarity:
        return _new_words(message, recent) >= 2 and _by_meaning(message, recent, similarity) > -0.7
    return _new_words(message, recent) >= 3 and _by_words(message, recent) > -0.89


def _refers_back(message: str) -> bool:
    """Whether the message is short and has a pronoun that refers back ("what does it cost?")."""
    return len(message.split()) <= _SHORT and language_pattern("anaphora").search(message) is not None


def _announced(message: str, recent: Sequence[str]) -> bool:
    new = _new_words(message, recent)
    if _ANYWAY.match(message):  # "anyway, the boiler" returns to a topic
        return new >= 3 and new == len(_stems(message))
    return new >= 2 and language_pattern("topic_announcements").match(message) is not None


def _new_words(message: str, recent: Sequence[str]) -> int:
    """The number of content words that the last turns do not contain."""
    return len(_stems(message).difference(*map(_stems, recent)))


def _by_meaning(message: str, recent: Sequence[str], similarity: TurnSimilarity) -> float:
    score = -0.33 - 1.75 * similarity.nearest - 2.8 * similarity.last + 0.24 * _length(message)
    return score + _manner(message, recent, 0.8, 0.96)


def _by_words(message: str, recent: Sequence[str]) -> float:
    mine = _stems(message)
    before = frozenset().union(*map(_stems, recent))
    shared = len(mine & before) / max(1, len(mine))
    last = len(mine & _stems(recent[-1])) / max(1, len(mine))
    score = -1.39 - 1.32 * shared - 0.91 * last + 0.25 * _length(message)
    return score + _manner(message, recent, 0.5, 1.19)


def _manner(message: str, recent: Sequence[str], asks: float, answers: float) -> float:
    """The wording: is it a question, does it answer one. Most questions follow up, so their weight is below the fit."""
    return asks * any(mark in message for mark in _ASKS) - answers * recent[-1].rstrip().endswith(_ASKS)


def _length(message: str) -> float:
    return min(_LONGEST, len(message.split()) / 10)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_PREFIX] for word in comparison_words(text) if word not in _COMMON)
