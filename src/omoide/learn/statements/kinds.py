"""What a kept clause is: fact, relation, event, plan, preference, instruction, opinion or procedure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from omoide.domain.slots import RESUMABLE, SLOTS
from omoide.language.statement_words import StatementWords
from omoide.language.time import TimeSpan
from omoide.learn.proposal import ChangeKind, StatementKind
from omoide.learn.statements.clauses import how_to_in
from omoide.learn.statements.features import ClauseFeatures, Modality
from omoide.learn.statements.slots import SlotMatch

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
    if clause.slot is None or SLOTS[clause.slot].group == "taste":
        return False
    own = clause.person == "first" and clause.modality == "asserted"
    few = _NAMING_WORDS if "name" in clause.flags else _PLAIN_WORDS
    return own and len(clause.text.split()) <= few and not clause.flags & DOUBTFUL


def is_plain_opinion(clause: ClauseFeatures) -> bool:
    """Whether a few words say what the speaker thinks of something that has a name: "I think Kotlin is overrated"."""
    own = clause.person == "first" and clause.modality == "asserted"
    few = len(clause.text.split()) <= _OPINION_WORDS
    return own and few and {"opinion", "name"} <= clause.flags and not clause.flags & (DOUBTFUL - {"hedge"})
