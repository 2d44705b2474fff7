"""Finds the slot of a restated clause, and the key of what it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from omoide.domain.slots import SLOTS
from omoide.language.registry import words_of
from omoide.language.statement_words import StatementWords
from omoide.language.text import stem
from omoide.learn.statements.restate import USER_MARK

_MAX_VALUE = 80  # characters
_MATTER_WORDS = 5
_WORD = re.compile(r"(?<!\w)[^\W\d_][\w'-]*")
_TRIMMED = " \t,.;:!?()\"'-–—"


@dataclass(frozen=True, slots=True)
class SlotMatch:
    slot: str
    value: str
    who: str = ""  # what the slot belongs to, where that is not the subject of the clause
    ended: bool = False  # the value is no longer true; without a value, whatever the slot held


def match_slot(canonical: str, words: StatementWords) -> SlotMatch | None:
    """The first slot whose wording fits a clause in the third person, or fits what the clause says has ended."""
    canonical = words.pattern("slot_leads").sub("", canonical, count=1)
    for pattern, replacement in words.endings:
        as_before, count = words.compiled(pattern).subn(replacement, canonical, count=1)
        if count and (found := _match(as_before, words)):
            return replace(found, ended=True)
    return _match(canonical, words)


def _match(canonical: str, words: StatementWords) -> SlotMatch | None:
    for slot, pattern in words.slot_patterns:
        found = pattern.match(canonical)
        if found is None or slot not in SLOTS:
            continue
        groups = found.groupdict()
        value = next((groups[name] for name in ("value", "value2") if groups.get(name)), "")
        who = next((groups[name] for name in ("who", "who2", "what") if groups.get(name)), "")
        if groups.get("whole"):
            return SlotMatch(slot, "", ended=True)
        if slot in _OF_ANYBODY and _is_ordinary(canonical, words):
            continue
        value = words.pattern("value_ends").split(value, maxsplit=1)[0]
        if value := value.strip(_TRIMMED):
            return SlotMatch(slot, value[:_MAX_VALUE], who.strip(_TRIMMED))
    return None


_OF_ANYBODY = frozenset({"likes", "dislikes", "owns", "uses", "plays"})  # their wordings fit many sentences


def _is_ordinary(canonical: str, words: StatementWords) -> bool:
    """Whether a clause begins with a word that is only capitalised for that: "Sounds like", "You got"."""
    first = canonical.split(" ", 1)[0].strip("',.")
    ordinary = words_of("common_words", "general_words", "minor_words", "stop_words", "function_words")
    return first != USER_MARK and (first in words.words("not_names") or first.lower() in ordinary)


_BY_VALUE = frozenset({"favorite", "allergy", "medication", "condition", "likes", "dislikes", "owns", "uses", "plays"})


def slot_matter(found: SlotMatch, words: StatementWords) -> str:
    """What a slot is about: the slot itself, or its value where several can be true at once."""
    if found.who:
        return f"{found.slot} {matter_of(found.who, words)}".strip()
    if found.slot in _BY_VALUE or not SLOTS[found.slot].single:
        return matter_of(found.value, words) or found.slot
    return found.slot


def matter_of(canonical: str, words: StatementWords, *without: str) -> str:
    """What a clause is about, as a key of head words: stems in order, without function words, numbers and values."""
    ignored, generic = words.words("matter_ignored"), words.words("matter_generic")
    for each in without:
        if each:
            canonical = canonical.replace(each, " ")
    found = [word.lower().removesuffix("'s") for word in _WORD.findall(canonical.replace(USER_MARK, " "))]
    kept = [word for word in dict.fromkeys(found) if word not in ignored and len(word) > 1]
    heads = [word for word in kept if word not in generic] or kept
    return " ".join(dict.fromkeys(stem(word) for word in heads[:_MATTER_WORDS]))
