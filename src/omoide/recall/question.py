"""The question as it was asked (`RecallQuestion`), as it was understood (`Query`), its embedding and asked value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from omoide.domain.changed import changed
from omoide.domain.entity import EntityNames, entities_named_in
from omoide.errors import Busy, CannotWrite, EmbedderFailed
from omoide.language.registry import (
    QuestionKind,
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

    from omoide.providers.protocols import Embedder
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
        if not len(
            sources.store.search.vectors(sources.model_id())
        ):  # checked first: loading the model would be wasted
            return NoEmbedding("no node has a vector yet")
        found, supported = embed_texts(sources.embedder, [text]), accepts_text(sources.embedder, text)
    except (EmbedderFailed, Busy, CannotWrite) as error:  # a model that is new to the file is first written to it
        return NoEmbedding(str(error), failed=True)
    if not found.vectors.any():
        return NoEmbedding("the embedder found no meaning in the question")
    return QuestionEmbedding(found.vectors[0], found.tokens[0] if found.tokens else None, not supported)


_embedded: dict[tuple[type, str, int, tuple[str, ...]], NDArray[np.float32]] = {}


def embed_once(embedder: Embedder, texts: tuple[str, ...]) -> NDArray[np.float32]:
    """The vectors of texts that never change, computed once in a process. Raises `EmbedderFailed`."""
    key = (type(embedder), embedder.name, embedder.dimensions, texts)
    if key not in _embedded:
        _embedded[key] = embed_texts(embedder, texts).vectors
    return _embedded[key]


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


# Example questions of each intent in several languages, embedded once for each embedder.


_TEXTS: dict[QuestionKind, str] = {
    "why": """
        Why did we do that? | What was the reason for this decision? | How come it failed? | What caused the problem? |
        Explain the motivation behind the change | I wonder about the reason he left | Warum haben wir das gemacht? |
        Pourquoi avons-nous choisi cela ? | ¿Por qué cambiamos de idea? | Por que isso aconteceu? | Perché abbiamo
        deciso così? | Почему мы так решили? | 我们为什么这样做？ | どうしてそうしたのですか？
    """,
    "when": """
        When did this happen? | What day was the meeting? | On which date did we start? | How long ago was that? | At
        what time is the appointment? | Give me the date of the event | Wann war das? | Quand est-ce arrivé ? | ¿Cuándo
        fue eso? | Quando foi isso? | Quando è successo? | Когда это было? | 那是什么时候的事？ | それはいつでしたか？
    """,
    "who": """
        Who is that person? | Who told me about it? | Whose idea was it? | Which people were involved? | Name the person
        responsible | With whom did I go? | Wer hat das gesagt? | Qui était avec moi ? | ¿Quién me lo dijo? | Quem fez
        isso? | Chi era con me? | Кто это сделал? | 那个人是谁？ | 誰が言いましたか？
    """,
    "what": """
        What is my favourite food? | What did I buy? | Which tool do we use? | Where do I live? | What is the name of
        the project? | How many books did I read? | Was ist mein Lieblingsessen? | Qu'est-ce que j'ai acheté ? | ¿Qué
        herramienta usamos? | Qual é o nome do projeto? | Che cosa ho comprato? | Что я купил? |
        我喜欢吃什么？ | 何を買いましたか？
    """,
    "how": """
        How do I deploy the app? | How did we fix the error? | What are the steps to set it up? | Show me the way to do
        this | Walk me through the procedure | Instructions for configuring the server | Wie richte ich das ein? |
        Comment faire cela ? | ¿Cómo se configura? | Como faço isso? | Come si fa? | Как это настроить? | 这个怎么做？ |
        どうやって設定しますか？
    """,
    "general": """
        Tell me about the project | I had a good day today | Hello, nice to see you again | Thanks, that was helpful |
        Let's continue with the plan | Please write an email to the team | Erzähl mir etwas über das Projekt | Parle-moi
        du projet | Cuéntame sobre el proyecto | Fale-me sobre o projeto | Parlami del progetto | Расскажи мне о проекте
        | 给我讲讲这个项目 | プロジェクトについて教えて
    """,
}  # separated by |


@dataclass(frozen=True, slots=True, eq=False)
class IntentExemplars:
    """(intent, text) pairs, and their vectors in the same order."""

    texts: tuple[tuple[QuestionKind, str], ...]
    vectors: NDArray[np.float32]


def intent_exemplars(embedder: Embedder) -> IntentExemplars:
    """The exemplars of an embedder."""
    texts = tuple((kind, " ".join(text.split())) for kind, several in _TEXTS.items() for text in several.split("|"))
    return IntentExemplars(texts, embed_once(embedder, tuple(text for _, text in texts)))


# What kind of value a question asks for, and whether a hit holds one: a name, a number, a phone number, a thing.
#
# "What's Jill's phone number?" finds lines about Jill. However close they are, without a number none of them answers.


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PHONE = re.compile(r"\d(?:[\s./()-]*\d){5,}")
VALUE_MISSING = 0.1  # the greatest probability that hits without such a value answer
_BEST = 12  # hits that are read
_NEAR = 6  # words between a name and what it names
_RARE = 20_000  # a lower-case word that is rarer may be a name


@dataclass(frozen=True, slots=True)
class AskedValue:
    """The kind of value that is asked for, and what the line with the answer is about, as stems."""

    kind: str  # name, part_of_name, number, date, phone, thing or attribute
    topic: frozenset[str]  # what it is the value of
    nouns: frozenset[str]  # of the topic, the words that are no names, or all of it
    asked: frozenset[str]  # all words of the question

    def is_in(self, text: str) -> bool:
        """Whether a text holds such a value beside a word of the topic."""
        parts = [text] if self.kind == "date" else split_sentences(text) or [text]
        return any(map(self._in_sentence, parts))

    def _in_sentence(self, sentence: str) -> bool:
        words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(sentence)]
        stems = [_stem(word) for word, _, _ in words]
        places = [place for place, each in enumerate(stems) if each in self.nouns]
        if not places:
            return False
        match self.kind:
            case "phone":
                return _PHONE.search(sentence) is not None
            case "number":
                return any(_is_number(word) for word, _, _ in words)
            case "date":
                named = len(self.topic) == len(self.nouns) or not self.topic.isdisjoint({*stems} - self.nouns)
                return named and any(_is_number(word) or word.lower() in _date_words() for word, _, _ in words)
            case "attribute":
                return len(self.topic) == len(self.nouns) or not self.topic - self.nouns <= self.asked - set(stems)
            case "part_of_name":
                return any(self._is_surname(sentence, words[place], other) for place in places for other in words)
            case "name":
                near = {at for place in places for at in range(place - _NEAR, place + _NEAR + 1)}
                return any(self._is_name(word, at) for at, (word, _, _) in enumerate(words) if at in near)
        return True  # the thing itself is named

    def _is_name(self, word: str, place: int) -> bool:
        plain = re.sub(r"['’]\w*$", "", word)
        if _stem(word) in self.asked or len(plain) < 3 or plain.lower() in _no_names():
            return False
        rank = word_rank(plain.lower())
        return (word[0].isupper() and place > 0) or rank is None or rank >= _RARE

    def _is_surname(self, sentence: str, known: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
        """Whether another word stands directly beside a known name, written like a name in the same way."""
        beside = sentence[min(known[2], other[2]) : max(known[1], other[1])].isspace()
        return beside and known[0][0].isupper() == other[0][0].isupper() and self._is_name(other[0], 1)


def asked_value(text: str) -> AskedValue | None:
    """The value that a question asks for; None where its kind is not recognised."""
    words = search_terms(text)
    for kind, pattern in detect_language(text).value_questions:
        found = compiled_pattern(pattern).search(text.replace("’", "'"))
        if found is None:
            continue
        own = _stems(search_terms(found[0]))
        topic = _stems(word for word in words if word.lower() not in _no_topic()) - own
        if kind in ("thing", "attribute"):
            noun = _stems(search_terms(found[1])[-1:])
            return AskedValue(kind, topic | noun, noun, _stems(words))
        common = _stems(word for word in words if _stem(word) in topic and word_rank(word.lower()) is not None)
        names = topic - common or topic
        nouns = names if kind in ("part_of_name", "phone") else common or topic
        return AskedValue(kind, topic, nouns, _stems(words)) if topic else None
    return None


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
    return frozenset(map(_stem, words))


def _stem(word: str) -> str:
    return stem(singular(re.sub(r"['’]\w*$", "", word.lower())))


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) or word.lower() in words_of("number_words")


@cache
def _date_words() -> frozenset[str]:
    lists = words_of("weekdays", "months", "seasons").union(*(each.date_words.words.split() for each in languages()))
    return frozenset(form for word in lists for form in word.lower().split("/"))


def _no_topic() -> frozenset[str]:
    return words_of("stop_words", "titles")


def _no_names() -> frozenset[str]:
    calendar = (form for word in words_of("weekdays", "months") for form in word.lower().split("/"))
    return words_of("titles", "number_words") | frozenset(calendar)
