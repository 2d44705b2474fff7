"""Question → Query: the words worth searching, the entities named, the script it is written in."""

from __future__ import annotations

from collections.abc import Mapping

from omoide.layers.entity import named_in
from omoide.recall.question import Query, Question
from omoide.recall.when import parse
from omoide.text import phrases, quoted, terms

# Words that carry no content in a question. A short list: on small stores dropping words by their frequency loses
# answers, and on every set we measured this list gained (mean recall at 10: .488 → .510).
_STOP = frozenset(
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
_ENDINGS = 3  # letters: "plan", "plans" and "planned" are one word to the index, and count once


def understand(question: Question, names: Mapping[str, tuple[int, ...]]) -> Query:
    """Pure: the same question over the same names is understood the same way."""
    spoken = tuple(phrases(question.text))
    words = _worth_asking(terms(question.text))
    return Query(
        question=question,
        terms=words,
        phrases=spoken,
        wanted=quoted(words, spoken),
        entities=named_in(question.text, names),
        when=parse(question.text, question.at) if len(question.text) <= _LONGEST_QUESTION else None,
    )


def _worth_asking(words: list[str]) -> tuple[str, ...]:
    """Without stop words, unless there is nothing else, and without a second form of the same word."""
    content = [word for word in words if word.lower() not in _STOP] or words
    kept: list[str] = []
    for word in content:
        if not any(_same_stem(word.lower(), other.lower()) for other in kept):
            kept.append(word)
    return tuple(kept)


def _same_stem(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= _ENDINGS
