"""What is asked, and what is understood of it: the first two values of the read path."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from omoide.recall.complexity import SIMPLE, Complexity
from omoide.recall.intent import GENERAL, Intent
from omoide.recall.recipes import Recipe
from omoide.recall.speaker import Said
from omoide.recall.spelling import Slip
from omoide.recall.when import End, When
from omoide.store import Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """As it was put: the words, when they were asked, and which nodes may answer."""

    text: str
    at: datetime
    limit: int
    keep: Filter
    recipe: Recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """As it was understood: what each search arm needs to know."""

    question: Question
    terms: tuple[str, ...]
    phrases: tuple[str, ...]
    wanted: tuple[str, ...]  # terms and phrases as the full-text index takes them
    entities: tuple[int, ...]
    when: When | None
    slips: tuple[Slip, ...] = ()  # names that were mistyped, and what they were taken for
    intent: Intent = GENERAL
    complexity: Complexity = SIMPLE
    explicit: str | None = None  # the words that ask to remember
    speaker: Said | None = None  # whose words are asked for
    end: End | None = None  # the first or the latest of a row
    oneself: bool = False  # the user asks about themselves

    @property
    def asks_only_for_a_time(self) -> bool:
        return self.when is not None and self.when.pure

    @property
    def reach(self) -> int:
        """How many candidates an arm gives: enough for what was asked for."""
        return max(self.question.recipe.reach, self.question.limit)

    @property
    def keep(self) -> Filter:
        return self.question.keep
