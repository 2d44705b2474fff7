"""What is asked, and what is understood of it: the first two values of the read path."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from omoide.domain.entity import EntityNames, entities_named_in
from omoide.errors import Busy, CannotWrite, EmbedderFailed
from omoide.language.registry import detect_language
from omoide.language.text import fts_terms, quoted_phrases, search_terms
from omoide.language.time import ExtremeClue, QuestionTime, RowEnd
from omoide.language.time.parser import parse_time_in
from omoide.recall.question_cues import (
    GENERAL_INTENT,
    SIMPLE,
    AskedSpeaker,
    Complexity,
    Intent,
    SpelledWords,
    Typo,
    asked_speaker,
    asking_sentences,
    asks_about_user,
    complexity_of,
    explicit_recall,
    find_typos,
    intent_by_rule,
)
from omoide.store import NodeFilter, ProjectedTokenStates, accepts_text, embed_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.recall.recipes import Recipe, RecipeArm
    from omoide.recall.search.arm import SearchSources


# Question → Query: the words worth searching, who and what is named, the time, the intent, whose words are meant.


# Words that carry no content in a question. A short list: on small stores dropping words by their frequency loses
# answers, and on every set we measured this list gained (mean recall at 10: .488 → .510).
STOP_WORDS = frozenset(
    """
    a an the this that these those and or but if then than so as of in on at by for from to with about into over
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
    is am are was were be been being do does did done doing have has had having
    will would shall should can could may might must
    what which who whom whose when where why how there here
    not no don didn doesn isn wasn ll ve re any some all just please tell
    """.split()
)
_LONGEST_QUESTION = 1_000  # characters; beyond, it is a pasted text whose dates are not what is asked for
_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_PUNCTUATION = re.compile(r"[^\w\s]|_")
_MAX_ENDING = 3  # letters: "plan", "plans" and "planned" are one word to the index, and count once


def understand(question: RecallQuestion, names: Mapping[str, tuple[int, ...]], spelled: SpelledWords = list) -> Query:
    """Pure: the same question over the same names and the same spellings is understood the same way."""
    known, part = EntityNames.of(names), _readable_part(question.text)
    language = detect_language(part)
    mistyped = find_typos(part, known, spelled)
    spoken = tuple(quoted_phrases(question.text))
    words = _content_words(_with_names_corrected(search_terms(question.text), mistyped))
    entities = tuple(
        dict.fromkeys([*entities_named_in(question.text, known), *(id for slip in mistyped for id in slip.ids)])
    )
    when = parse_time_in(language, question.text, question.at) if len(question.text) <= _LONGEST_QUESTION else None
    explicit, wanted = explicit_recall(part, language), asking_sentences(part, language)
    return Query(
        question=question,
        terms=words,
        phrases=spoken,
        wanted=fts_terms(words, spoken),
        entities=entities,
        when=when,
        slips=mistyped,
        intent=intent_by_rule(part, language),
        complexity=complexity_of(part, language, len(entities), when, explicit is not None),
        explicit=explicit,
        speaker=asked_speaker(wanted, language),
        oneself=asks_about_user(part),
        end=_sequence_end(when, wanted),
    )


def koshi_terms(text: str) -> tuple[str, ...]:
    """The words of a question as Koshi asks for them; its sixth step, OR between them, is how the store asks.

    URLs are stripped, hyphens split, punctuation stripped, single characters dropped, and each word quoted.
    """
    words = _PUNCTUATION.sub(" ", _URL.sub(" ", text).replace("-", " ")).split()
    return tuple(f'"{word}"' for word in words if len(word) > 1)


def _sequence_end(when: QuestionTime | None, wanted: str) -> RowEnd | None:
    """Which end of a row is asked for, and not merely told of."""
    clues = when.clues if when else ()
    return next((clue.end for clue in clues if isinstance(clue, ExtremeClue) and clue.phrase.text in wanted), None)


def _readable_part(text: str) -> str:
    """The part of a message that is read: whoever pastes a document asks before or after it."""
    if len(text) <= _LONGEST_QUESTION:
        return text
    half = _LONGEST_QUESTION // 2
    return f"{text[:half]}\n{text[-half:]}"


def _with_names_corrected(words: list[str], mistyped: Sequence[Typo]) -> list[str]:
    """With the names that were meant in the place of what was typed: no text spells it so."""
    meant = {slip.word.lower(): slip.name for slip in mistyped}
    return list(dict.fromkeys(mended for word in words for mended in _words_or_name(word, meant.get(word.lower()))))


def _words_or_name(word: str, name: str | None) -> list[str]:
    return [word] if name is None else search_terms(name)


def _content_words(words: list[str]) -> tuple[str, ...]:
    """Without stop words, unless there is nothing else, and without a second form of the same word."""
    content = [word for word in words if word.lower() not in STOP_WORDS] or words
    kept: list[str] = []
    for word in content:
        if not any(_same_stem(word.lower(), other.lower()) for other in kept):
            kept.append(word)
    return tuple(kept)


def _same_stem(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= _MAX_ENDING


# What the embedder makes of a question, once for everything that goes by it.


@dataclass(frozen=True, slots=True)
class QuestionEmbedding:
    """The question's direction and, where the embedder gives them, the states of its words. It is a guess where the
    embedder was not made for what it is written in."""

    vector: NDArray[np.float32]
    tokens: ProjectedTokenStates | None
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class NoEmbedding:
    """A question that was not embedded, and why."""

    reason: str
    failed: bool = False  # it was tried: the next time it may go well


def embed_question(text: str, sources: SearchSources) -> QuestionEmbedding | NoEmbedding:
    """Recall goes on without a meaning, whatever somebody else's embedder does, and says so."""
    if sources.embedder is None:
        return NoEmbedding(sources.no_embedder)
    if not text.strip():
        return NoEmbedding("the question is empty")
    try:
        if not len(sources.store.planes(sources.model_id())):  # before a model is loaded for nothing
            return NoEmbedding("no node has a vector yet")
        found, guessed = embed_texts(sources.embedder, [text]), not accepts_text(sources.embedder, text)
    except (EmbedderFailed, Busy, CannotWrite) as error:  # a model that is new to the file must be written down first
        return NoEmbedding(str(error), failed=True)
    if not found.vectors.any():
        return NoEmbedding("the embedder found no meaning in the question")
    return QuestionEmbedding(found.vectors[0], found.tokens[0] if found.tokens else None, guessed)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuestion:
    """As it was put: the words, when they were asked, and which nodes may answer."""

    text: str
    at: datetime
    limit: int | None  # None: as many as the recipe gives
    keep: NodeFilter
    recipe: Recipe


@dataclass(frozen=True, slots=True)
class SeedNode:
    """A node from which an arm may start, and how relevant it seemed."""

    id: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """As it was understood: what each search arm needs to know."""

    question: RecallQuestion
    terms: tuple[str, ...]
    phrases: tuple[str, ...]
    wanted: tuple[str, ...]  # terms and phrases as the full-text index takes them
    entities: tuple[int, ...]
    when: QuestionTime | None
    slips: tuple[Typo, ...] = ()  # names that were mistyped, and what they were taken for
    intent: Intent = GENERAL_INTENT
    complexity: Complexity = SIMPLE
    explicit: str | None = None  # the words that ask to remember
    speaker: AskedSpeaker | None = None  # whose words are asked for
    end: RowEnd | None = None  # the first or the latest of a row
    oneself: bool = False  # the user asks about themselves
    meaning: QuestionEmbedding | NoEmbedding = NoEmbedding("nothing in the recipe goes by it")
    voice: RecipeArm | None = None  # the voice that is asked now
    seeds: tuple[SeedNode, ...] = ()  # the best of what was found before it is asked

    def put_to(self, voice: RecipeArm, seeds: tuple[SeedNode, ...]) -> Query:
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
    def keep(self) -> NodeFilter:
        """What may be found, by the voice that is asked or at all."""
        return self.question.keep if self.voice is None else self.voice.narrowed(self.question.keep)
