"""What is asked, and what is understood of it: the first two values of the read path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from omoide.recall.meaning import Meaning, Unread
from omoide.recall.recipes import Recipe, Voice
from omoide.recall.when import When
from omoide.store import Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """As it was put: the words, when they were asked, and which nodes may answer."""

    text: str
    at: datetime
    limit: int
    keep: Filter
    recipe: Recipe


Complexity = Literal["simple", "complex"]


@dataclass(frozen=True, slots=True)
class Seed:
    """A node from which an arm may start, and how relevant it seemed."""

    id: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """As it was understood: what each search arm needs to know."""

    question: Question
    terms: tuple[str, ...]
    phrases: tuple[str, ...]
    wanted: tuple[str, ...]  # terms and phrases as the full-text index takes them
    entities: tuple[int, ...]
    when: When | None
    intent: str = "general"  # why, when, who, what, how
    complexity: Complexity = "simple"
    meaning: Meaning | Unread = Unread("nothing in the recipe goes by it")
    voice: Voice | None = None  # the voice that is asked now
    seeds: tuple[Seed, ...] = ()  # the best of what was found before it is asked

    def put_to(self, voice: Voice, seeds: tuple[Seed, ...]) -> Query:
        """The same, as one voice of the recipe is asked it."""
        return replace(self, voice=voice, seeds=seeds)

    @property
    def asks_only_for_a_time(self) -> bool:
        return self.when is not None and self.when.pure and self.question.recipe.asks("time")

    @property
    def reach(self) -> int:
        """How many candidates an arm gives: as its voice says, or enough for what was asked for."""
        if self.voice is not None and self.voice.reach is not None:
            return self.voice.reach
        return max(self.question.recipe.reach, self.question.limit)

    @property
    def keep(self) -> Filter:
        """What may be found, by the voice that is asked or at all."""
        return self.question.keep if self.voice is None else self.voice.narrowed(self.question.keep)
