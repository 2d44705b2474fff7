"""Tells the same thing once: of a learned memory or summary and the turn that it was made from, one is shown.

The shorter form is shown where it carries the answer. The turn is shown where the question needs its own words: it has
names, numbers, uncommon words or words of the question that the shorter form lacks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from omoide.language.common_words import word_rank
from omoide.language.stemmer import stem
from omoide.language.text import search_terms

_WORD = re.compile(r"\w+(?:[.,:/-]\w+)*")
_LETTER = re.compile(r"\b[^\W\d_]\b")  # the "I" and "m" of "I'm"
_EVERYDAY_WORDS = 3_000  # the most frequent English words; an answer is seldom one of them alone
_STARTS_SENTENCE = re.compile(r"(?:^|[.!?…:\n\"“])\s*\Z")


def told_by_others(
    texts: Mapping[int, str],
    derived: Iterable[tuple[int, int]],
    terms: Collection[str],
    replaced: Iterable[tuple[int, str, int]] = (),
) -> dict[int, str]:
    """What another of these texts tells as well, with the reason.

    `derived` are pairs of a memory and the turn it was made from. `replaced` are a memory, the text that it replaced,
    and the turn which that was made from: that turn is out of date and stands for nothing.
    """
    shorter: dict[int, list[int]] = defaultdict(list)
    for memory, turn in derived:
        if memory in texts and turn in texts:
            shorter[turn].append(memory)
    outdated: dict[int, list[str]] = defaultdict(list)
    for memory, old, turn in replaced:
        shorter[turn].append(memory)
        outdated[turn].append(old)
    left_out: dict[int, str] = {}
    standing: set[int] = set()  # for a turn that is left out
    for turn, memories in shorter.items():
        said = _LETTER.sub(" ", texts[turn]) if turn in outdated else texts[turn]
        if not needs_own_words(said, [texts[each] for each in memories], terms, outdated.get(turn, ())):
            left_out[turn] = f"told shorter by {', '.join(f'[id:{each}]' for each in memories)}"
            standing.update(memories)
    for turn in shorter.keys() - left_out.keys() - outdated.keys():
        for each in shorter[turn]:
            if each not in standing and not _exact_words(texts[each]) - _exact_words(texts[turn]):
                left_out.setdefault(each, f"told in full by [id:{turn}]")
    return left_out


def needs_own_words(turn: str, shorter: Sequence[str], terms: Collection[str], outdated: Sequence[str] = ()) -> bool:
    """Whether a turn has a name, a number, an uncommon word or a word of the question that its shorter forms lack.

    What only the `outdated` forms tell is needed if the question names it ("when did I leave Porto?").
    """
    current = {word for text in shorter for word in _stems(text)}
    told = current.union(*map(_stems, outdated))
    asked = {stem(term.lower()) for term in terms}
    uncommon = {stem(word) for word in map(str.lower, _WORD.findall(turn)) if _is_uncommon(word)}
    particular = _exact_words(turn) | uncommon
    return bool((particular | (_stems(turn) & asked)) - told or (particular & asked) - current)


def _is_uncommon(word: str) -> bool:
    rank = word_rank(word)
    return rank is None or rank >= _EVERYDAY_WORDS


def _exact_words(text: str) -> set[str]:
    """Names and numbers; a capital at the beginning of a sentence does not make a name."""
    found = ((each[0], each.start()) for each in _WORD.finditer(text))
    return {
        stem(word.lower())
        for word, start in found
        if any(map(str.isdigit, word))
        or (word[0].isupper() and len(word) > 1 and not _STARTS_SENTENCE.search(text[:start]))
    }


def _stems(text: str) -> set[str]:
    return {stem(word.lower()) for word in (*_WORD.findall(text), *search_terms(text))}
