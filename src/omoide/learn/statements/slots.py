"""Finds the slot of a restated clause, and the key of what it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from omoide.domain.slots import SLOTS
from omoide.language.statement_words import StatementWords
from omoide.language.stemmer import stem
from omoide.learn.statements.restate import USER_MARK

_MAX_VALUE = 80  # characters
_MATTER_WORDS = 5
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_TRIMMED = " \t,.;:!?()\"'-–—"


@dataclass(frozen=True, slots=True)
class SlotMatch:
    slot: str
    value: str
    who: str = ""  # what the slot belongs to, where that is not the subject of the clause


def match_slot(canonical: str, words: StatementWords) -> SlotMatch | None:
    """The first slot whose wording fits a clause in the third person."""
    for slot, pattern in words.slot_patterns:
        found = pattern.match(canonical)
        if found is None or slot not in SLOTS:
            continue
        groups = found.groupdict()
        value = next((groups[name] for name in ("value", "value2") if groups.get(name)), "")
        who = next((groups[name] for name in ("who", "who2", "what") if groups.get(name)), "")
        if value := value.strip(_TRIMMED):
            return SlotMatch(slot, value[:_MAX_VALUE], who.strip(_TRIMMED))
    return None


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
