"""What is asked, and what is understood of it: the first two values of the read path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from omoide.recall.complexity import SIMPLE, Complexity
from omoide.recall.intent import GENERAL, Intent
from omoide.recall.meaning import Meaning, Unread
from omoide.recall.speaker import Said
from omoide.recall.spelling import Slip
from omoide.recall.when import End, When
from omoide.store import Filter

if TYPE_CHECKING:
    from omoide.recall.recipe import Recipe, Voice


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """As it was put: the words, when they were asked, and which nodes may answer."""

    text: str
    at: datetime
    limit: int | None  # None: as many as the recipe gives
    keep: Filter
    recipe: Recipe


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
    slips: tuple[Slip, ...] = ()  # names that were mistyped, and what they were taken for
    intent: Intent = GENERAL
    complexity: Complexity = SIMPLE
    explicit: str | None = None  # the words that ask to remember
    speaker: Said | None = None  # whose words are asked for
    end: End | None = None  # the first or the latest of a row
    oneself: bool = False  # the user asks about themselves
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
        return max(self.question.recipe.reach, self.limit)

    @property
    def limit(self) -> int:
        """How many are wanted: as was said, or as the recipe has it for a question of this weight."""
        recipe = self.question.recipe
        usual = recipe.complex_limit if self.complexity.name == "complex" and recipe.complex_limit else recipe.limit
        return self.question.limit or usual

    @property
    def depth(self) -> int:
        """How far links are walked: as the voice says, or by the weight of the question (Yodoca)."""
        if self.voice is not None and self.voice.depth is not None:
            return self.voice.depth
        return self.complexity.depth

    @property
    def damps_hubs(self) -> bool:
        return self.voice is None or self.voice.damps_hubs

    @property
    def asks_every_word(self) -> bool:
        return self.voice is not None and self.voice.every_word

    @property
    def keep(self) -> Filter:
        """What may be found, by the voice that is asked or at all."""
        return self.question.keep if self.voice is None else self.voice.narrowed(self.question.keep)
