"""What kind of answer a question wants: a reason, a time, a person, a thing, a way of doing it, or anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from omoide.domain.entity import MIN_LONG_WORD, EntityNames, name_key
from omoide.language.common_words import COMMON_ENGLISH_WORDS
from omoide.language.registry import Language, QuestionKind, compiled_pattern
from omoide.language.time import DateClue, QuestionTime, SessionNumbers, SessionsAgo

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.recall.intent_exemplars import IntentExemplars


EXEMPLAR_THRESHOLD = 0.45  # Yodoca: below this likeness an exemplar says nothing
_EXEMPLAR_MARGIN = 0.1  # by so much nearer than to small talk


@dataclass(frozen=True, slots=True)
class Intent:
    """The kind, and by which rule or exemplar it was told."""

    kind: QuestionKind
    by: str

    def __str__(self) -> str:
        return f"{self.kind} ({self.by})"


GENERAL_INTENT = Intent("general", "no cue")


def intent_of(
    text: str,
    language: Language,
    vector: NDArray[np.float32] | None = None,
    exemplars: IntentExemplars | None = None,
    threshold: float = EXEMPLAR_THRESHOLD,
) -> Intent:
    """Pure. By rule; where no rule speaks, by the nearest exemplar; else general.

    Rules come first since a small embedder hears the topic and not the question word: on 176 questions in nine
    languages the rules are right for 98 in 100, MiniLM's nearest exemplar for 38 (46 without `_CLEARLY`).
    """
    ruled = intent_by_rule(text, language)
    if ruled.kind != "general" or vector is None or exemplars is None:
        return ruled
    return intent_by_exemplar(vector, exemplars, threshold) or ruled


def intent_by_rule(text: str, language: Language) -> Intent:
    """By the cue words of the language: the sentence that asks comes before those that tell."""
    sentences = SENTENCE_PATTERN.findall(compiled_pattern(language.non_questions).sub(" ", text.replace("’", "'")))
    asking = [each for each in sentences if each.rstrip().endswith(("?", "？"))]
    for sentence in (*asking, *sentences):
        if found := _earliest_cue(sentence, language):
            return found
    return GENERAL_INTENT


def intent_by_exemplar(
    vector: NDArray[np.float32], exemplars: IntentExemplars, threshold: float = EXEMPLAR_THRESHOLD
) -> Intent | None:
    """By the nearest exemplar; None when none is near enough, or one that asks for nothing is nearly as near."""
    likeness = [float(each) for each in exemplars.vectors @ vector]
    best = max(range(len(likeness)), key=likeness.__getitem__)
    kind, words = exemplars.texts[best]
    idle = max(near for near, (other, _) in zip(likeness, exemplars.texts, strict=True) if other == "general")
    if likeness[best] < max(threshold, idle + _EXEMPLAR_MARGIN):
        return None
    return Intent(kind, f"like {words!r}, {likeness[best]:.2f}")


def _earliest_cue(sentence: str, language: Language) -> Intent | None:
    best: tuple[int, int, QuestionKind, str] | None = None
    for kind, pattern in language.question_cues:
        found = compiled_pattern(pattern).search(sentence)
        if found and (best is None or (found.start(), -found.end()) < best[:2]):
            best = (found.start(), -found.end(), kind, found[0])
    return None if best is None else Intent(best[2], f"by rule {best[3].strip()!r}")


# The part of a message that asks: sentences with a question mark, or that begin as a question does.


SENTENCE_PATTERN = re.compile(r"[^.!?？。！\n]+[.!?？。！]*")


def asking_sentences(text: str, language: Language) -> str:
    """What is only told says nothing of the answer: "you suggested Rome, so I went" asks for nobody's words."""
    return " ".join(each.strip() for each in SENTENCE_PATTERN.findall(text) if _is_asking(each.strip(), language))


def _is_asking(sentence: str, language: Language) -> bool:
    if sentence.endswith(("?", "？")):
        return True
    return any(
        compiled_pattern(pattern).match(sentence)
        for pattern in (*(each for _, each in language.question_cues), language.recall_cues)
    )


# Explicit recall: the words by which a question sends us to the past ("remember when …", "like last time").


def explicit_recall(text: str, language: Language) -> str | None:
    """The words that ask to remember; None where nothing does."""
    found = compiled_pattern(language.recall_cues).search(text.replace("’", "'"))
    return found[0].strip() if found else None


# Whose words a question asks for: "what did I say", "what did you suggest", "what did Anna tell".


_NOT_NAMES = frozenset("i you we he she they it what who when where why how which that this somebody someone".split())

_FIRST_PERSON = frozenset("i me my mine".split())
_SECOND_PERSON = frozenset("you your yours".split())


@dataclass(frozen=True, slots=True)
class AskedSpeaker:
    """By whom the answer was said: the user, the agent, or somebody with a name; and which words told."""

    by: Literal["user", "agent", "named"]
    cue: str
    name: str | None = None

    def __str__(self) -> str:
        return f"{self.name or self.by} ({self.cue!r})"


def asked_speaker(text: str, language: Language) -> AskedSpeaker | None:
    """Pure. Who is named as the one who said it; a name goes before "you", which is often only the one asked."""
    text = text.replace("’", "'")
    if found := compiled_pattern(language.user_said).search(text):
        return AskedSpeaker("user", found[0].strip())
    for found in compiled_pattern(language.named_said, case_sensitive=True).finditer(text):
        name = next(filter(None, found.groups())).removesuffix("'s")
        if name.lower() not in _NOT_NAMES:
            return AskedSpeaker("named", found[0].strip(), name)
    if found := compiled_pattern(language.agent_said).search(text):
        return AskedSpeaker("agent", found[0].strip())
    return None


def asks_about_user(text: str) -> bool:
    """Whether the user asks about themselves and not about what the agent said."""
    words = set(name_key(text).split())
    return bool(words & _FIRST_PERSON) and not words & _SECOND_PERSON


# How much a question asks for: a simple one is answered from near by, a complex one from further away.


_LONG_QUESTION = 25  # words
_MANY_NAMES = 3
_LONG_RANGE = timedelta(days=8)  # more than a week is a stretch to go through, not a day to look up

_QUESTION_MARK = re.compile(r"[?？]")


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
    text: str, language: Language, entities: int = 0, when: QuestionTime | None = None, explicit: bool = False
) -> Complexity:
    """Pure. One strong sign makes a question complex, or two weak ones."""
    strong = _strong_signs(text, language, entities, when, explicit)
    weak = _weak_signs(text, language, entities)
    if strong or len(weak) > 1:
        return replace(COMPLEX, reasons=(*strong, *weak))
    return replace(SIMPLE, reasons=tuple(weak))


def _strong_signs(text: str, language: Language, entities: int, when: QuestionTime | None, explicit: bool) -> list[str]:
    signs = []
    if found := compiled_pattern(language.collection_cues).search(text):
        signs.append(f"gathers: {found[0].strip()!r}")
    if found := compiled_pattern(language.comparison_cues).search(text):
        signs.append(f"compares: {found[0].strip()!r}")
    if entities >= _MANY_NAMES:
        signs.append(f"{entities} names")
    if when is not None and (stretch := _time_range(when)):
        signs.append(f"a stretch of time: {stretch!r}")
    if explicit:
        signs.append("asks to remember")
    return signs


def _weak_signs(text: str, language: Language, entities: int) -> list[str]:
    signs = []
    if (words := len(text.split())) > _LONG_QUESTION:
        signs.append(f"{words} words")
    if entities == _MANY_NAMES - 1:
        signs.append(f"{entities} names")
    if len(_QUESTION_MARK.findall(text)) > 1:
        signs.append("several questions")
    if compiled_pattern(language.clause_cues).search(text):
        signs.append("several clauses")
    return signs


def _time_range(when: QuestionTime) -> str | None:
    for clue in when.clues:
        match clue:
            case DateClue(span=span) if span.end - span.start > _LONG_RANGE:
                return clue.phrase.text
            case SessionsAgo() if clue.farthest > clue.nearest:
                return clue.phrase.text
            case SessionNumbers() if clue.last > clue.first:
                return clue.phrase.text
            case _:
                pass
    return None


# Names that were mistyped: a long word that is spelled so nowhere, one or two letters away from a name.


_WORD = re.compile(r"[^\W\d_]+")
_TWO_TYPOS_FROM = 8  # letters of a name in which two may be wrong; below, one
_MAX_WORDS = 60  # of a question; more are a pasted text

SpelledWords = Callable[[Sequence[str]], Collection[str]]
"""Which of these words some text spells just so."""


@dataclass(frozen=True, slots=True)
class Typo:
    """A word of the question, and the name that it was taken for."""

    word: str
    name: str
    ids: tuple[int, ...]

    def __str__(self) -> str:
        return f"took {self.word!r} for {self.name}"


def find_typos(text: str, names: EntityNames, spelled: SpelledWords) -> tuple[Typo, ...]:
    """Every word that is no name and no word we know, but nearly one name. An exact name always wins."""
    if not names:
        return ()
    raw = _WORD.findall(text)[:_MAX_WORDS]
    keys = [name_key(word) for word in raw]
    capitals = any(char.isupper() for char in text)
    found: dict[str, Typo] = {}
    for at, key in enumerate(keys):
        if (
            len(key) < MIN_LONG_WORD
            or key in COMMON_ENGLISH_WORDS
            or key in names
            or names.holding(key)
            or key in found
        ):
            continue
        meant = _intended_name(keys, at, names)
        if meant is not None and _looks_like_a_name(raw[at], names.written(meant), capitals):
            found[key] = Typo(raw[at], names.written(meant), names[meant])
    known = spelled(list(found)) if found else ()
    return tuple(slip for key, slip in found.items() if key not in known)


def _intended_name(keys: Sequence[str], at: int, names: EntityNames) -> str | None:
    """The nearest name that fits the words around; None when two entities are equally near."""
    nearest: dict[str, int] = {}
    for word, distance in _similar_words(keys[at], names):
        for name in names.holding(word):
            if _fits_context(name.split(), word, keys, at):
                nearest[name] = min(distance, nearest.get(name, distance))
    best = [name for name in nearest if nearest[name] == min(nearest.values())]
    return best[0] if best and len({names[name] for name in best}) == 1 else None


def _fits_context(name: Sequence[str], word: str, keys: Sequence[str], at: int) -> bool:
    """The other words of a name of several stand beside it, as they should be."""
    start = at - name.index(word)
    around = [*keys[max(start, 0) : at], word, *keys[at + 1 : start + len(name)]]
    return start >= 0 and around == list(name)


def _similar_words(word: str, names: EntityNames) -> Iterable[tuple[str, int]]:
    """Words of names with their distance: the first letter is the same, or has changed places with the second."""
    for length in range(max(MIN_LONG_WORD, len(word) - 2), len(word) + 3):
        slack = 2 if length >= _TWO_TYPOS_FROM else 1
        if abs(length - len(word)) > slack:
            continue
        shelf = names.long_words(word[0], length)
        if word[1] != word[0]:
            shelf = [*shelf, *(each for each in names.long_words(word[1], length) if each[1] == word[0])]
        if shelf:
            yield from _within_distance(word, shelf, slack)


def _within_distance(word: str, shelf: Sequence[str], slack: int) -> list[tuple[str, int]]:
    from rapidfuzz import process  # some milliseconds, and few questions have a word that comes so far
    from rapidfuzz.distance import OSA

    near = process.extract(word, shelf, scorer=OSA.distance, score_cutoff=slack, limit=None)
    return [(each, int(distance)) for each, distance, _ in near]


def _looks_like_a_name(word: str, name: str, capitals: bool) -> bool:
    """Who writes capitals writes them on names; a long name is seldom met by chance."""
    return not capitals or word[0].isupper() or name[0].islower() or len(name) >= _TWO_TYPOS_FROM
