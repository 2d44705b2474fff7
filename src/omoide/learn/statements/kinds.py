"""What a kept clause is: fact, relation, event, plan, preference, instruction, opinion or procedure; and its slot."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from omoide.domain.slots import RESUMABLE, SLOTS
from omoide.language.registry import words_of
from omoide.language.statement_words import StatementWords
from omoide.language.text import stem
from omoide.language.time import TimeSpan
from omoide.learn.proposal import ChangeKind, StatementKind
from omoide.learn.statements.clauses import how_to_in
from omoide.learn.statements.modality import ClauseFeatures, Modality
from omoide.learn.statements.people import clean_name
from omoide.learn.statements.restate import USER_MARK

_MIN_STEPS = 2
_TASTES = frozenset({"likes", "dislikes", "favorite"})


def kind_of(
    text: str, modality: Modality, slot: str | None, spans: list[TimeSpan], at: datetime, words: StatementWords
) -> StatementKind:
    if how_to_in(text, words):
        return "procedure"
    if modality == "instructed":
        return "instruction"
    if len(steps_in(text, words)) >= _MIN_STEPS and _finds(words.procedures, text, words):
        return "procedure"
    if slot in _TASTES:
        return "preference"
    if slot is not None and slot in SLOTS and SLOTS[slot].group == "relation":
        return "relation"
    if spans and slot not in {"birthday", "age"}:
        if spans[0].end > at and (
            _finds(words.plans, text, words) or _finds(words.future, text, words) or slot is None
        ):
            return "plan"
        if spans[0].end <= at and slot is None and _finds(words.events, text, words):
            return "event"
    if _finds(words.preferences, text, words) and slot is None:
        return "preference"
    if _finds(words.opinions, text, words) and slot is None:
        return "opinion"
    return "fact"


@dataclass(frozen=True, slots=True)
class Validity:
    """Since when and until when a statement is true, as far as its words say."""

    begins: datetime | None = None
    ends: datetime | None = None
    today: bool = True  # its slot is filled today


def validity_of(
    text: str, slot: SlotMatch | None, spans: list[TimeSpan], at: datetime, words: StatementWords
) -> Validity:
    """When the value of a slot is true. Of events, plans and statements without a slot nothing is said."""
    if slot is None or SLOTS[slot.slot].group in {"identity", "constraint", "taste"}:
        return Validity()
    span = spans[0] if spans else None
    if slot.ended:
        return Validity(ends=span.start if span and span.start <= at else None)
    if _finds(words.once, text, words):
        return Validity(span.start, span.end, today=True) if span and span.end <= at else Validity(today=False)
    if span and span.start > at and _finds(words.starts, text, words) and slot.slot in RESUMABLE:
        return Validity(begins=span.start)
    if _finds(words.elsewhen, text, words) or (span and span.start > at):
        return Validity(today=False)
    return Validity(begins=span.start if span else None)


def steps_in(text: str, words: StatementWords) -> tuple[str, ...]:
    """The steps of a procedure, as they were told."""
    if how_to := how_to_in(text, words):
        return how_to.steps
    pieces = (piece.strip(" ,.;:\n") for piece in words.pattern("sequence").split(text))
    return tuple(piece for piece in pieces if len(piece.split()) >= _MIN_STEPS)


def change_in(text: str, words: StatementWords) -> ChangeKind | None:
    """The change that the words announce, if any."""
    for kind, pattern in words.changes:
        if _finds(pattern, text, words):
            return kind  # type: ignore[return-value]
    return None


def demand_in(text: str, form: StatementKind, words: StatementWords) -> str | None:
    """What an instruction demands of its matter, so that "never" replaces "always"."""
    if form != "instruction":
        return None
    return "avoid" if words.pattern("avoids").match(text) else "do"


def scope_of(text: str, words: StatementWords) -> str | None:
    found = words.pattern("scopes").search(text)
    return found["scope"].strip() if found else None


def exceptions_in(text: str, words: StatementWords) -> tuple[str, ...]:
    return tuple(found["exception"].strip() for found in words.pattern("exceptions").finditer(text))


def flags_in(text: str, words: StatementWords) -> set[str]:
    """The cues of a clause that the judge asks for."""
    cues = {
        "future": words.future,
        "past": words.past,
        "lasting": words.lasting,
        "hedge": words.hedges,
        "preference": words.preferences,
        "opinion": words.opinions,
        "plan": words.plans,
        "event": words.events,
        "procedure": words.procedures,
        "standing": words.standing,
        "kin": words.kin_alone,
    }
    return {name for name, pattern in cues.items() if _finds(pattern, text, words)}


def _finds(pattern: str, text: str, words: StatementWords) -> bool:
    return words.compiled(pattern).search(text) is not None


_PLAIN_WORDS, _NAMING_WORDS, _OPINION_WORDS = 4, 7, 6
DOUBTFUL = frozenset({"hedge", "laugh", "in_question", "in_request", "fragment", "negated"})


def fills_slot_plainly(clause: ClauseFeatures) -> bool:
    """Whether a few words say of the speaker what fills a slot, and nothing makes them doubtful: "I'm vegan".

    They may be more if they name somebody or something: "I have a dog called Luna"."""
    if clause.slot is None:
        return False
    own = clause.person == "first" and clause.modality == "asserted"
    few = _NAMING_WORDS if "name" in clause.flags else _PLAIN_WORDS
    return own and len(clause.text.split()) <= few and not clause.flags & DOUBTFUL


def is_plain_opinion(clause: ClauseFeatures) -> bool:
    """Whether a few words say what the speaker thinks of something that has a name: "I think Kotlin is overrated"."""
    own = clause.person == "first" and clause.modality == "asserted"
    few = len(clause.text.split()) <= _OPINION_WORDS
    return own and few and {"opinion", "name"} <= clause.flags and not clause.flags & (DOUBTFUL - {"hedge"})


# Finds the slot of a restated clause, and the key of what it is about.


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
        if slot == "name" and not clean_name(value, words):
            continue
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
