"""The question as it was asked (`RecallQuestion`), as it was understood (`Query`), its embedding and asked value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING

from omoide.domain.changed import changed
from omoide.domain.entity import EntityNames, entities_named_in
from omoide.errors import Busy, CannotWrite, EmbedderFailed
from omoide.language.registry import (
    compiled_pattern,
    detect_language,
    language_pattern,
    languages,
    words_of,
)
from omoide.language.sentences import split_sentences
from omoide.language.text import fts_terms, is_same_word, quoted_phrases, search_terms, singular, stem, word_rank
from omoide.language.time import ExtremeClue, QuestionTime, RowEnd
from omoide.language.time.mentioned import question_time
from omoide.recall.question_cues import (
    GENERAL_INTENT,
    SIMPLE,
    AskedSpeaker,
    Complexity,
    Intent,
    SpelledWords,
    Typo,
    asked_part,
    asked_speaker,
    asking_sentences,
    asks_about_user,
    asks_for_action,
    complexity_of,
    explicit_recall,
    find_typos,
    intent_by_rule,
    seeks_advice,
)
from omoide.store import NodeFilter, ProjectedTokenStates, accepts_text, embed_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.recall.candidates import SearchSources
    from omoide.recall.recipes import Recipe, RecipeArm
    from omoide.recall.results import Hit
    from omoide.store.search.node_columns import ScoredNodes


LONGEST_QUESTION = 20_000  # characters; of a longer one the beginning and the end are searched for
_MAX_QUESTION_LENGTH = 1_000  # characters; a longer message contains pasted text, whose dates are not what is asked for
_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_PUNCTUATION = re.compile(r"[^\w\s]|_")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuestion:
    """A question as it was asked: text, time of asking, which nodes may be returned, and the recipe."""

    text: str
    at: datetime
    limit: int | None  # None: the recipe decides
    filter: NodeFilter
    recipe: Recipe


@dataclass(frozen=True, slots=True)
class QuestionEmbedding:
    """The vector of a question and, if the embedder provides them, the states of its tokens."""

    vector: NDArray[np.float32]
    tokens: ProjectedTokenStates | None
    unsupported_language: bool = False  # the embedder was not trained for the question's language


@dataclass(frozen=True, slots=True)
class NoEmbedding:
    """Why a question has no embedding."""

    reason: str
    failed: bool = False  # the embedder failed; the next attempt may succeed


@dataclass(frozen=True, kw_only=True)  # no slots: see `changed`
class Query:
    """A question as it was understood: everything that the search arms need."""

    question: RecallQuestion
    terms: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    fts_terms: tuple[str, ...] = ()  # terms and phrases in the syntax of the full-text index
    entities: tuple[int, ...] = ()
    when: QuestionTime | None = None
    about_saying: bool = False  # it asks what was said at a time, not what happened or will
    typos: tuple[Typo, ...] = ()  # misspelled names and the names they were read as
    intent: Intent = GENERAL_INTENT
    complexity: Complexity = SIMPLE
    recall_cue: str | None = None  # the words that explicitly ask to remember
    speaker: AskedSpeaker | None = None  # whose words are asked for
    sequence_end: RowEnd | None = None  # the question asks for the first or the latest of several
    about_user: bool = False  # the user asks about themselves
    about_now: bool = False  # it asks how something is by now
    seeks_advice: bool = False  # the user's preferences should shape the answer
    is_request: bool = False  # something is to be done or chosen
    embedding: QuestionEmbedding | NoEmbedding = NoEmbedding("nothing in the recipe needs it")
    arm: RecipeArm | None = None  # the arm that is being asked
    seeds: ScoredNodes | None = None  # the best nodes found before this arm is asked

    def for_arm(self, arm: RecipeArm, seeds: ScoredNodes) -> Query:
        return changed(self, arm=arm, seeds=seeds)

    @property
    def recipe(self) -> Recipe:
        return self.question.recipe

    @property
    def asks_only_for_time(self) -> bool:
        """Whether the question names a time and no subject ("what did we do last Tuesday?")."""
        return self.when is not None and self.when.pure and self.recipe.uses("time")

    @property
    def candidate_limit(self) -> int:
        """How many candidates an arm returns."""
        if self.arm is not None and self.arm.candidates is not None:
            return self.arm.candidates
        return max(self.recipe.candidates, self.limit)

    @property
    def limit(self) -> int:
        """How many hits are returned: as the caller said, else as the recipe says for this complexity."""
        recipe = self.recipe
        usual = recipe.complex_limit if self.complexity.name == "complex" and recipe.complex_limit else recipe.limit
        return self.question.limit or usual

    @property
    def depth(self) -> int:
        """How many links are followed: as the arm says, else by the complexity of the question."""
        if self.arm is not None and self.arm.depth is not None:
            return self.arm.depth
        return self.complexity.depth

    @property
    def filter(self) -> NodeFilter:
        """Which nodes may be found, narrowed to what the current arm looks for."""
        return self.question.filter if self.arm is None else self.arm.narrow(self.question.filter)


def understand(question: RecallQuestion, names: Mapping[str, tuple[int, ...]], spelled: SpelledWords = list) -> Query:
    """Read a question: terms, phrases, entities, time, intent, complexity and speaker. Pure.

    `names` maps the known entity names to entity ids; `spelled` tells which words occur in some stored text.
    """
    known, text = EntityNames.from_mapping(names), asked_part(readable_part(question.text, _MAX_QUESTION_LENGTH))
    language = detect_language(text)
    typos = find_typos(text, known, spelled)
    phrases = tuple(quoted_phrases(question.text))
    asked = asked_part(question.text)
    topic = language_pattern("present_words").sub(" ", asked)
    terms = _content_words(_with_names_corrected(search_terms(topic) or search_terms(asked), typos))
    named = [*entities_named_in(question.text, known), *(id for typo in typos for id in typo.ids)]
    entities = tuple(dict.fromkeys(named))
    when = question_time(language, question.text, question.at) if len(question.text) <= _MAX_QUESTION_LENGTH else None
    intent = intent_by_rule(text, language)
    recall_cue, asking = explicit_recall(text, language), asking_sentences(text, language)
    return Query(
        question=question,
        terms=terms,
        phrases=phrases,
        fts_terms=fts_terms(terms, phrases),
        entities=entities,
        when=when,
        about_saying=when is not None and compiled_pattern(language.date_words.saying_words).search(text) is not None,
        typos=typos,
        intent=intent,
        complexity=complexity_of(text, language, len(entities), when, recall_cue is not None),
        recall_cue=recall_cue,
        speaker=asked_speaker(asking, language),
        about_user=asks_about_user(text),
        about_now=topic != asked,
        seeks_advice=seeks_advice(question.text),
        is_request=asks_for_action(text, intent),
        sequence_end=_sequence_end(when, asking),
    )


def all_words(text: str) -> tuple[str, ...]:
    """All words of a question, stop words too, quoted for the index.

    URLs and punctuation are removed, hyphens split words, single characters are dropped.
    """
    words = _PUNCTUATION.sub(" ", _URL.sub(" ", text).replace("-", " ")).split()
    return tuple(f'"{word}"' for word in words if len(word) > 1)


def contained_terms(terms: Sequence[str], text: str) -> list[str]:
    """The terms that occur in a text, ignoring their last two letters, as the index does."""
    text = text.casefold()
    return [term for term in terms if term.casefold()[: max(3, len(term) - 2)] in text]


def embed_question(text: str, sources: SearchSources) -> QuestionEmbedding | NoEmbedding:
    """Embed a question. An embedder that fails does not stop recall: the reason is returned instead."""
    if sources.embedder is None:
        return NoEmbedding(sources.no_embedder)
    if not text.strip():
        return NoEmbedding("the question is empty")
    try:
        if not sources.store.search.has_vectors(sources.model_id()):  # first: loading the model would be wasted
            return NoEmbedding("no node has a vector yet")
        found, supported = embed_texts(sources.embedder, [text]), accepts_text(sources.embedder, text)
    except (EmbedderFailed, Busy, CannotWrite) as error:  # a model that is new to the file is first written to it
        return NoEmbedding(str(error), failed=True)
    if not found.vectors.any():
        return NoEmbedding("the embedder found no meaning in the question")
    return QuestionEmbedding(found.vectors[0], found.tokens[0] if found.tokens else None, not supported)


def _sequence_end(when: QuestionTime | None, asking: str) -> RowEnd | None:
    """The end of a sequence that the asking sentences name ("the first", "the latest")."""
    clues = when.clues if when else ()
    return next((clue.end for clue in clues if isinstance(clue, ExtremeClue) and clue.phrase.text in asking), None)


def readable_part(text: str, length: int = LONGEST_QUESTION) -> str:
    """The start and the end of a long message: the question stands before or after the pasted text."""
    if len(text) <= length:
        return text
    return f"{text[: length // 2]}\n{text[-length // 2 :]}"


def _with_names_corrected(words: list[str], typos: Sequence[Typo]) -> list[str]:
    """Replace misspelled names by the names that were meant."""
    names = {typo.word.lower(): search_terms(typo.name) for typo in typos}
    return list(dict.fromkeys(each for word in words for each in names.get(word.lower(), [word])))


def _content_words(words: list[str]) -> tuple[str, ...]:
    """Drop stop words, unless there is nothing else, and further forms of the same word."""
    content = [word for word in words if word.lower() not in words_of("stop_words")] or words
    kept: list[str] = []
    for word in content:
        if not any(is_same_word(word.lower(), other.lower()) for other in kept):
            kept.append(word)
    return tuple(kept)


# What kind of value a question asks for, and whether a hit holds one: a name, a number, a phone number, a thing.
#
# "What's Jill's phone number?" finds lines about Jill. However close they are, without a number none of them answers.


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PHONE = re.compile(r"\d(?:[\s./()-]*\d){5,}")
_DATE = re.compile(r"\b\d{4}-\d\d(?:-\d\d)?\b")  # as learned memories write it; no number and no phone number
_CLAUSE_END = re.compile(r"[,;.:?!](?:\s|$)")
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d\d\b(?!\d)")
VALUE_MISSING = 0.1  # the greatest probability that hits without such a value answer
_BEST = 12  # hits that are read
_NEAR = 6  # words between a name and what it names
_INFLECTED = re.compile(r"(?:ed|ing|ly|al|ion|ness|ment|ous|ive)$")
_RARE = 20_000  # a lower-case word that is rarer may be a name
_RARE_AT_START = 2_500  # so may one with a capital that begins a sentence


@dataclass(frozen=True, slots=True)
class AskedValue:
    """The kind of value that is asked for, and what the line with the answer is about, as stems."""

    kind: str  # name, part_of_name, number, date, phone, thing or attribute
    topic: frozenset[str]  # what it is the value of
    nouns: frozenset[str]  # of the topic, the words that are no names, or all of it
    asked: frozenset[str]  # all words of the question
    names: frozenset[str] = frozenset()  # in the topic
    form: frozenset[str] = frozenset()  # the words that tell the kind: "name", "called"

    def is_in(self, text: str) -> bool:
        """Whether a text holds such a value beside a word of the topic."""
        parts = [text] if self.kind == "date" else split_sentences(text) or [text]
        by_name = self.kind == "name" and not self.names.isdisjoint(_stems(_WORD.findall(text)))
        nouns = self.nouns | self.form if by_name else self.nouns  # "Ida: his name is Max" names no son, but Ida
        return any(self._in_sentence(part, nouns) for part in parts)

    def _in_sentence(self, sentence: str, nouns: frozenset[str]) -> bool:
        words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(sentence)]
        stems = [stemmed(word) for word, _, _ in words]
        places = [place for place, each in enumerate(stems) if each in nouns]
        if not places:
            return False
        match self.kind:
            case "phone":
                return _PHONE.search(_DATE.sub(" ", sentence)) is not None
            case "number":
                return len(nouns & {*stems}) >= (len(nouns) + 1) // 3 and _holds_amount(sentence)
            case "date":
                named = len(self.topic) == len(self.nouns) or not self.topic.isdisjoint({*stems} - self.nouns)
                return named and any(_is_number(word) or word.lower() in _date_words() for word, _, _ in words)
            case "attribute":
                return len(self.topic) == len(self.nouns) or not self.topic - self.nouns <= self.asked - set(stems)
            case "part_of_name":
                return any(self._is_surname(sentence, words[place], other) for place in places for other in words)
            case "name":
                near = {at for place in places for at in range(place - _NEAR, place + _NEAR + 1)}
                capitals = any(word[0].isupper() for word, _, _ in words[1:])
                return any(self._is_name(word, at, capitals) for at, (word, _, _) in enumerate(words) if at in near)
        return True  # the thing itself is named

    def _is_name(self, word: str, place: int, capitals: bool = False) -> bool:
        """Whether a word may be a name. Who writes names with `capitals` writes no name without."""
        plain = re.sub(r"['’]\w*$", "", word)
        if stemmed(word) in self.asked or len(plain) < 3 or plain.isdigit() or plain.lower() in _no_names():
            return False
        if word[0].isupper() and place > 0:
            return True
        rank, least = word_rank(plain.lower()), _RARE if word.islower() else _RARE_AT_START
        return (rank is None or rank >= least) and not (word.islower() and (capitals or _INFLECTED.search(plain)))

    def _is_surname(self, sentence: str, known: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
        """Whether another word stands directly beside a known name, written like a name in the same way."""
        beside = sentence[min(known[2], other[2]) : max(known[1], other[1])].isspace()
        return beside and known[0][0].isupper() == other[0][0].isupper() and self._is_name(other[0], 1)


def asked_value(text: str) -> AskedValue | None:
    """The value that a question asks for; None where its kind is not recognised."""
    for kind, pattern in detect_language(text).value_questions:
        found = compiled_pattern(pattern).search(text.replace("’", "'"))
        if found is not None:
            own = _stems(search_terms(found[0]))
            return _value(kind, found, _topic_of(found, own) - own, own)
    return None


def _topic_of(found: re.Match[str], own: frozenset[str]) -> frozenset[str]:
    """The words of the clause that asks, or else of the whole message."""
    start = max(_CLAUSE_END.finditer(found.string, 0, found.start() + 1), key=re.Match.end, default=None)
    end = _CLAUSE_END.search(found.string, found.end() - 1)
    clause = found.string[start.end() if start else 0 : end.start() if end else None]
    for part in (clause, found.string):
        words = search_terms(language_pattern("present_words").sub(" ", part))
        if topic := _stems(word for word in words if word.lower() not in _no_topic()) - own:
            return topic
    return frozenset()


def _value(kind: str, found: re.Match[str], topic: frozenset[str], own: frozenset[str]) -> AskedValue | None:
    text = found.string
    words = search_terms(text)
    if kind in ("thing", "attribute"):
        noun = _stems(search_terms(found[1])[-1:])
        return AskedValue(kind, topic | noun, noun, _stems(words))
    named = _stems(word for word in words if word_rank(word.lower()) is None or _is_capital(word, text)) - own
    names = topic & named
    match kind:
        case "part_of_name" | "phone":
            nouns = named
        case "number":
            nouns = topic - _stems(word for word in words if word.lower() in _date_words())
        case "name":
            nouns = _named_noun(text[found.end() :], text[: found.start()], topic - names or topic)
        case _:
            nouns = topic - names
    return AskedValue(kind, topic, nouns or topic, _stems(words), names, own) if topic else None


def _is_capital(word: str, text: str) -> bool:
    """Whether a word is written with a capital, and not because it begins the text."""
    return word[0].isupper() and not text.lstrip().startswith(word)


def _named_noun(after: str, before: str, nouns: frozenset[str]) -> frozenset[str]:
    """What has the name: the first nouns after "name of", or the last before "called"."""
    for part in (search_terms(after), search_terms(before)[::-1]):
        run = list(dropwhile(lambda word: stemmed(word) not in nouns, part))
        if run:
            return _stems(takewhile(lambda word: stemmed(word) in nouns, run))
    return nouns


def value_found(query: Query, hits: Sequence[Hit], uncovered: Iterable[str] = ()) -> bool:
    """Whether one of the best hits holds a value of the kind that is asked for; yes where the kind is not known.

    `uncovered` are the words of the question that no hit is close to in meaning. A thing of a kind ("which cities …?")
    is mostly named without the word for its kind, so it counts as missing only if nothing close to the word was said.
    """
    asked = value_of(query)
    if asked is None or (asked.kind == "thing" and not asked.nouns & _stems(uncovered)):
        return True
    return any(asked.is_in(f"{hit.node.speaker or ''}: {hit.text}") for hit in hits[:_BEST])


def value_of(query: Query) -> AskedValue | None:
    """The value that a question asks for; None for a request that is no question ("price a new sink, two hours")."""
    text = query.question.text
    return None if query.is_request and not text.rstrip().endswith("?") else asked_value(text)


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stemmed, words))


def stemmed(word: str) -> str:
    return stem(singular(re.sub(r"['’]\w*$", "", word.lower())))


def _holds_amount(sentence: str) -> bool:
    """Whether a sentence has a number that is no part of a date."""
    words = _WORD.findall(_CLOCK.sub(" ", _DATE.sub(" ", sentence)))
    near = zip(["", *words], words, [*words[1:], ""], strict=False)
    return any(
        _is_number(word) and not {before.lower(), after.lower()} & _calendar_words() for before, word, after in near
    )


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) or word.lower() in words_of("number_words")


@cache
def _date_words() -> frozenset[str]:
    lists = words_of("weekdays", "months", "seasons").union(*(each.date_words.words.split() for each in languages()))
    return frozenset(form for word in lists for form in word.lower().split("/"))


def _no_topic() -> frozenset[str]:
    return words_of("stop_words", "titles")


@cache
def _calendar_words() -> frozenset[str]:
    return frozenset(form for word in words_of("weekdays", "months") for form in word.lower().split("/"))


def _no_names() -> frozenset[str]:
    return words_of("titles", "number_words") | _calendar_words()
