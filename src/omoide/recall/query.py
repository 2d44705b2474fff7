"""Question → Query: the words worth searching, who and what is named, the time, the intent, whose words are meant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from omoide.layers.names import Names, named_in
from omoide.recall.asking import asking
from omoide.recall.complexity import complexity_of
from omoide.recall.intent import by_rule
from omoide.recall.language import language_of
from omoide.recall.question import Query, Question
from omoide.recall.remember import explicit_recall
from omoide.recall.speaker import about_oneself, said_by
from omoide.recall.spelling import Slip, Spelled, slips
from omoide.recall.when import End, Extreme, When
from omoide.recall.when.abroad import parse_in
from omoide.text import phrases, quoted, terms

# Words that carry no content in a question. A short list: on small stores dropping words by their frequency loses
# answers, and on every set we measured this list gained (mean recall at 10: .488 → .510).
STOP = frozenset(
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
_ENDINGS = 3  # letters: "plan", "plans" and "planned" are one word to the index, and count once


def understand(question: Question, names: Mapping[str, tuple[int, ...]], spelled: Spelled = list) -> Query:
    """Pure: the same question over the same names and the same spellings is understood the same way."""
    known, part = Names.of(names), _part(question.text)
    language = language_of(part)
    mistyped = slips(part, known, spelled)
    spoken = tuple(phrases(question.text))
    words = _worth_asking(_mended(terms(question.text), mistyped))
    entities = tuple(dict.fromkeys([*named_in(question.text, known), *(id for slip in mistyped for id in slip.ids)]))
    when = parse_in(language, question.text, question.at) if len(question.text) <= _LONGEST_QUESTION else None
    explicit, wanted = explicit_recall(part, language), asking(part, language)
    return Query(
        question=question,
        terms=words,
        phrases=spoken,
        wanted=quoted(words, spoken),
        entities=entities,
        when=when,
        slips=mistyped,
        intent=by_rule(part, language),
        complexity=complexity_of(part, language, len(entities), when, explicit is not None),
        explicit=explicit,
        speaker=said_by(wanted, language),
        oneself=about_oneself(part),
        end=_end(when, wanted),
    )


def koshi_terms(text: str) -> tuple[str, ...]:
    """The words of a question as Koshi asks for them; its sixth step, OR between them, is how the store asks.

    URLs are stripped, hyphens split, punctuation stripped, single characters dropped, and each word quoted.
    """
    words = _PUNCTUATION.sub(" ", _URL.sub(" ", text).replace("-", " ")).split()
    return tuple(f'"{word}"' for word in words if len(word) > 1)


def _end(when: When | None, wanted: str) -> End | None:
    """Which end of a row is asked for, and not merely told of."""
    clues = when.clues if when else ()
    return next((clue.end for clue in clues if isinstance(clue, Extreme) and clue.phrase.text in wanted), None)


def _part(text: str) -> str:
    """The part of a message that is read: whoever pastes a document asks before or after it."""
    if len(text) <= _LONGEST_QUESTION:
        return text
    half = _LONGEST_QUESTION // 2
    return f"{text[:half]}\n{text[-half:]}"


def _mended(words: list[str], mistyped: Sequence[Slip]) -> list[str]:
    """With the names that were meant in the place of what was typed: no text spells it so."""
    meant = {slip.word.lower(): slip.name for slip in mistyped}
    return list(dict.fromkeys(mended for word in words for mended in _words_of(word, meant.get(word.lower()))))


def _words_of(word: str, name: str | None) -> list[str]:
    return [word] if name is None else terms(name)


def _worth_asking(words: list[str]) -> tuple[str, ...]:
    """Without stop words, unless there is nothing else, and without a second form of the same word."""
    content = [word for word in words if word.lower() not in STOP] or words
    kept: list[str] = []
    for word in content:
        if not any(_same_stem(word.lower(), other.lower()) for other in kept):
            kept.append(word)
    return tuple(kept)


def _same_stem(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= _ENDINGS
