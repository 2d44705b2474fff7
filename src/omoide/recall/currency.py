"""Which of two hits is current: finds hits that speak of the same matter, and puts the newest of them first.

Learned statements say it themselves: their subject and matter are keys. Two turns are compared if the newer one has a
word of change ("now", "moved", "instead"): by their vectors, the words and names that they share, and the values in
which they differ (times, numbers, days). Measured on the pairs of turns (4 % are changes) of labelled conversations
that were not used for fitting: at the threshold below, 60 % of the pairs found are labelled as a change (most of the
others speak of the same matter too), and 38 % of the changes are found.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from omoide.domain import Node
from omoide.domain.entity import name_key
from omoide.domain.slots import SLOTS
from omoide.language.registry import language_pattern, words_of
from omoide.language.text import is_everyday_word, search_terms, singular, starts_sentence, stem, word_rank

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.recall.results import Hit
    from omoide.store import NodeFilter, NodeRow, Store


MOST_COMPARED = 12  # hits, the best; more pairs cost time and change nothing near the top
_THRESHOLD = 0.4
_COSINE, _SHARED, _VALUES, _OFFSET = 8.9, 5.2, 1.8, -5.9  # logistic regression
_ALIKE = 0.75  # similarity of vectors that is evidence of one matter without a common word
_LONGEST = 300  # characters; a longer turn speaks of many matters
_REMEMBERED = 4_096  # texts
_EVERYDAY = 300  # rank of the words that are no evidence of a matter: "get", "out", "one"
_NEAR = 0.44  # similarity of vectors that two lines of one common word need
_NUMBER = re.compile(r"(?<!\w)\d+(?:[.:,]\d+)*")  # the digits of a code such as RE350T6 are none
_PLAIN_WORD = re.compile(r"[^\W\d_]+")
_CLAUSE_END = re.compile(r"[,;.:!?]\s")
_MEASURE = re.compile(r"\b([^\W_]+)-([^\W\d_]+)")


@lru_cache(_REMEMBERED)
def _words(text: str) -> frozenset[str]:
    stops = words_of("stop_words")
    words = (word.lower() for word in search_terms(text))
    kept = (word for word in words if len(word) > 2 and not word.isdigit() and word not in stops)
    return frozenset(stem(singular(word)) for word in kept)


@lru_cache(_REMEMBERED)
def _values(text: str) -> frozenset[str]:
    words = [word.lower() for word in search_terms(text)]
    days = frozenset(word[:3] for word in words if word.rstrip("s") in _calendar_words() or word in _calendar_words())
    return frozenset(_NUMBER.findall(text)) | days


@lru_cache(_REMEMBERED)
def _no_matter(text: str) -> frozenset[str]:
    """Names, and measures such as "gallon" in "fifty-gallon": lines of any matter may share them."""
    found = ((each[0], each.start()) for each in _PLAIN_WORD.finditer(text))
    names = [
        word
        for word, start in found
        if word[0].isupper() and (not starts_sentence(text, start) or word_rank(word.lower()) is None)
    ]
    counted = (each[2] for each in _MEASURE.finditer(text) if each[1].isdigit() or each[1].lower() in _numbers())
    return frozenset(stem(singular(word.lower())) for word in (*names, *counted))


@lru_cache(1)
def _numbers() -> frozenset[str]:
    return frozenset(form for word in words_of("numbers") for form in word.lower().split("/"))


@lru_cache(_REMEMBERED)
def _tells_change(text: str) -> bool:
    return language_pattern("change_words").search(text.lower().replace("’", "'")) is not None


@lru_cache(1)
def _calendar_words() -> frozenset[str]:
    return frozenset(
        form for word in words_of("weekdays", "months") for form in word.lower().split("/") if len(form) > 2
    )


def same_matter(old: Node, new: Node, cosine: float) -> float:
    """The probability that the newer of two memories speaks of the same matter with another value.

    The name of the subject is no evidence, nor is anything but its own slot for what stays true: a name, a sister.
    """
    if old.kind != "episode" and new.kind != "episode" and _same_key(old, new):
        return 1.0
    if max(len(old.text), len(new.text)) > _LONGEST or _stays_true(old) or _fill_other_slots(old, new):
        return 0.0
    before, after = _said(old), _said(new)
    if not _tells_change(after):
        return 0.0
    subjects = _subject_words(old) | _subject_words(new)
    old_words, new_words = _words(before) - subjects, _words(after) - subjects
    other_subject = bool(_subject(old) and _subject(new)) and _subject(old) != _subject(new)
    common = frozenset[str]() if other_subject else old_words & new_words
    if cosine < _ALIKE and not _on_one_matter(before, after, old_words, common, cosine):
        return 0.0
    shared = len(common) / max(1, min(len(old_words), len(new_words)))
    old_values, new_values = _values(before), _values(after)
    values = bool(old_values and new_values and not new_values <= old_values)
    gain = _COSINE * cosine + _SHARED * shared + _VALUES * values + _OFFSET
    return 1 / (1 + math.exp(-gain))


def _on_one_matter(before: str, after: str, old_words: frozenset[str], common: frozenset[str], cosine: float) -> bool:
    """Whether the common words are of a matter: two, or one that is half of the old line or has a value beside it.

    A shared name, measure or everyday word is none: "Henrik is my boss" and "Henrik moved the report to Friday".
    """
    other = _no_matter(before) | _no_matter(after)
    matter = frozenset(word for word in common - other if not is_everyday_word(word, _EVERYDAY))
    if len(matter) != 1:
        return bool(matter)
    if len(old_words - other) <= 2 and not matter & (_first_words(before) | _first_words(after)):
        return True
    return cosine >= _NEAR and bool(matter & _valued(before) and _valued(after))


def _counts(text: str) -> bool:
    return not _numbers().isdisjoint(text.lower().split())


@lru_cache(_REMEMBERED)
def _first_words(text: str) -> frozenset[str]:
    """Words that have a capital, as names do, but begin a sentence."""
    found = (each[0] for each in _PLAIN_WORD.finditer(text) if starts_sentence(text, each.start()))
    return frozenset(stem(singular(word.lower())) for word in found if word[0].isupper())


@lru_cache(_REMEMBERED)
def _valued(text: str) -> frozenset[str]:
    """The words of clauses with a number or a day."""
    clauses = _CLAUSE_END.split(text)
    return frozenset[str]().union(*(_words(each) for each in clauses if _values(each) or _counts(each)))


def _subject(node: Node) -> str:
    return "" if node.kind == "episode" else name_key(str(node.attributes.get("subject") or ""))


def _subject_words(node: Node) -> frozenset[str]:
    subject = "" if node.kind == "episode" else str(node.attributes.get("subject") or "")
    return _words(subject)


def _stays_true(node: Node) -> bool:
    """Whether a statement is of a kind that does not go out of date: a name, a birthday, a sister."""
    slot = SLOTS.get(str(node.attributes.get("predicate"))) if node.kind == "fact" else None
    return slot is not None and slot.currency == "permanent"


def _fill_other_slots(old: Node, new: Node) -> bool:
    mine, other = (node.attributes.get("predicate") if node.kind == "fact" else None for node in (old, new))
    return mine is not None and other is not None and mine != other


def matter_words(node: Node | NodeRow) -> frozenset[str]:
    """The words by which two memories on one matter are alike."""
    return _words(_said(node))


def _said(node: Node | NodeRow) -> str:
    """The text without the speaker's name in front."""
    return node.text.removeprefix(f"{node.speaker}:") if node.speaker else node.text


def _same_key(old: Node, new: Node) -> bool:
    """Whether two statements have one subject and one matter, or fill the same slot that holds one value."""
    mine, other = old.attributes, new.attributes
    if mine.get("subject") != other.get("subject"):
        return False
    slot = SLOTS.get(str(mine.get("predicate")))
    if (_stays_true(old) and mine.get("predicate") != other.get("predicate")) or _fill_other_slots(old, new):
        return False
    if slot is not None and slot.single and mine.get("predicate") == other.get("predicate"):
        return mine.get("object") != other.get("object")
    matter = frozenset(str(mine.get("matter") or "").split())
    return bool(matter) and matter == frozenset(str(other.get("matter") or "").split())


def earlier_versions(
    hits: Sequence[Hit], vectors_of: Callable[[Sequence[int]], Mapping[int, NDArray[np.float32]]]
) -> dict[int, int]:
    """{hit: the newest hit that speaks of the same matter}, among the best hits. The agent's words replace nothing.

    In a talk of several people turns are not compared: what sounds like a change is mostly an answer.
    """
    best = [hit for hit in hits[:MOST_COMPARED] if hit.node.role != "agent"]
    if len({hit.node.speaker for hit in hits if hit.kind == "episode" and hit.node.role != "agent"}) > 1:
        best = [hit for hit in best if hit.kind != "episode"]
    best.sort(key=lambda hit: (hit.node.event_at, hit.id))
    # As `same_matter`: a turn that tells of no change is never the newer one.
    newer = [hit.kind != "episode" or _tells_change(_said(hit.node)) for hit in best]
    found: dict[int, int] = {}
    if not any(newer):
        return found
    vectors = vectors_of([hit.id for hit in best])
    for place, old in enumerate(best):
        for new in (each for each, may in zip(best[:place:-1], newer[:place:-1], strict=True) if may):
            cosine = float(vectors[old.id] @ vectors[new.id]) if {old.id, new.id} <= vectors.keys() else 0.0
            if new.node.event_at > old.node.event_at and same_matter(old.node, new.node, cosine) >= _THRESHOLD:
                found[old.id] = new.id
                break
    return found


def newest_before_earlier(hits: Sequence[Hit], earlier: Mapping[int, int]) -> list[Hit]:
    """The hits with each newest version directly before the first of its earlier versions, with the same score."""
    by_id = {hit.id: hit for hit in hits}
    placed: dict[int, Hit] = {}
    for hit in hits:
        newest = earlier.get(hit.id)
        if newest is not None and newest not in placed:
            placed[newest] = replace(by_id[newest], score=max(hit.score, by_id[newest].score))
        placed.setdefault(hit.id, hit)
    return list(placed.values())


def past_versions(store: Store, hits: Sequence[Hit], filter: NodeFilter) -> list[Hit]:
    """The superseded versions of the best statements, for a question about the past, each after its current one."""
    found: dict[int, Hit] = {}
    for hit in [hit for hit in hits if hit.kind != "episode"][:MOST_COMPARED]:
        older = store.nodes.fetch([id for id in store.nodes.versions(hit.id) if id != hit.id], filter.as_of)
        for node in older.values():
            visible = (filter.audience == "private" or node.audience == "shared") and node.state == "superseded"
            if visible and node.id not in found:
                found[node.id] = replace(hit, node=node, why=f"was true before [id:{hit.id}]")
    return list(found.values())


def asks_for_past(text: str) -> bool:
    """Whether a question asks how something was before."""
    return language_pattern("past_questions").search(text.lower().replace("’", "'")) is not None


# Tells the same thing once: of a learned memory or summary and the turn that it was made from, one is shown.
#
# The shorter form is shown where it carries the answer. The turn is shown where the question needs its own words: it
# has names, numbers, uncommon words or words of the question that the shorter form lacks.


_WORD = re.compile(r"\w+(?:[.,:/-]\w+)*")
_LETTER = re.compile(r"\b[^\W\d_]\b")  # the "I" and "m" of "I'm"
_EVERYDAY_WORDS = 3_000  # the most frequent English words; an answer is seldom one of them alone
_LONG = 20_000  # characters: what a longer turn says is never told by the few memories that are made from it


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
        if len(texts[turn]) > _LONG:
            continue
        said = _LETTER.sub(" ", texts[turn]) if turn in outdated else texts[turn]
        if not needs_own_words(said, [texts[each] for each in memories], terms, outdated.get(turn, ())):
            left_out[turn] = f"told shorter by {', '.join(f'[id:{each}]' for each in memories)}"
            standing.update(memories)
    for turn in shorter.keys() - left_out.keys() - outdated.keys():
        told = _exact_words(texts[turn][:_LONG])
        for each in shorter[turn]:
            if each not in standing and not _exact_words(texts[each]) - told:
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
        if any(map(str.isdigit, word)) or (word[0].isupper() and len(word) > 1 and not starts_sentence(text, start))
    }


def _stems(text: str) -> set[str]:
    return {stem(word.lower()) for word in (*_WORD.findall(text), *search_terms(text))}
