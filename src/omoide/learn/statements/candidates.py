"""What a turn may state: its units, each with what is needed to understand it alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from omoide.language.statement_words import StatementWords
from omoide.language.time import DateClue
from omoide.language.time.mentioned import placed
from omoide.learn.proposal import ConversationTurn
from omoide.learn.statements.discourse import Unit
from omoide.learn.statements.kinds import SlotMatch, match_slot
from omoide.learn.statements.modality import ClauseFeatures
from omoide.learn.statements.people import is_unusual, names_in
from omoide.learn.statements.restate import SAID, Restated, third_person, with_dates

_BRIEF = 6  # words of a clause without a subject that is told together with the one before
_FEW = 4  # words of one with a subject, but nobody's name
_LONGEST_LEAD = 30  # words


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit of a turn with everything that is known about it before it is judged."""

    turn: ConversationTurn
    unit: Unit
    restated: Restated
    slot: SlotMatch | None
    dates: list[DateClue]
    features: ClauseFeatures
    words: StatementWords
    lead: str = ""  # the statement before, which says what an instruction refers to


def repaired(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a turn, where "I mean Lyon" has replaced the value of the one before."""
    kept: list[Candidate] = []
    for each in found:
        repair = each.words.pattern("repairs").fullmatch(each.unit.text)
        before = kept[-1] if kept else None
        if repair is None or before is None or before.slot is None:
            kept.append(each)
            continue
        value = repair["value"].strip()
        text = before.restated.canonical.replace(before.slot.value, value)
        kept[-1] = replace(
            before, restated=replace(before.restated, canonical=text), slot=replace(before.slot, value=value), dates=[]
        )
    return kept


def set_apart(candidate: Candidate) -> list[Candidate]:
    """Both statements of "is not X but Y", where each fills a slot or ends it."""
    for pattern, *parts in candidate.words.contrasts if candidate.unit.modality == "asserted" else ():
        found = candidate.words.compiled(pattern).match(candidate.restated.canonical)
        said = [found.expand(each) for each in parts] if found else []
        slots = [match_slot(each, candidate.words) for each in said]
        if slots and all(slots):
            return [
                replace(
                    candidate,
                    restated=replace(candidate.restated, canonical=text),
                    slot=slot,
                    features=replace(candidate.features, restated=text, slot=slot.slot if slot else None),
                )
                for text, slot in zip(said, slots, strict=True)
            ]
    return [candidate]


def all_led(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a turn, each with what is needed to understand it alone."""
    result: list[Candidate] = []
    for each in found:
        result.append(led(each, result[-1] if result else None))
    return result


def led(candidate: Candidate, before: Candidate | None) -> Candidate:
    """What cannot be understood alone, with the clause before it: "never suggest it", "she pays half", "two weeks"."""
    restated, instructed = candidate.restated, candidate.unit.modality == "instructed"
    is_open = _is_open(candidate)
    lead = _lead(candidate, before, is_open, instructed)
    if not lead:
        unclear = _is_unclear(candidate) or (instructed and before is not None and _follows(candidate))
        return replace(candidate, restated=replace(restated, unresolved=unclear))
    if before and before.restated.fragment and not restated.fragment:
        lead = lead.removeprefix(SAID)
    own = restated.canonical.removeprefix(SAID)
    if not lead.startswith(SAID) and third_person(own, candidate.words) != own:  # "we" needs to be somebody
        own = restated.canonical
    moved = len(own) - len(restated.canonical)
    dates = [placed(each, moved) for each in candidate.dates]
    return replace(
        candidate, lead=f"{lead}; ", restated=replace(restated, canonical=own, unresolved=False), dates=dates
    )


def _lead(candidate: Candidate, before: Candidate | None, is_open: bool, instructed: bool) -> str:
    """The clause before, if it says what this one is about; empty if not."""
    if before is None or before.unit.modality != "asserted" or len(told(before).split()) > _LONGEST_LEAD:
        return ""
    text, words = candidate.unit.text, candidate.words
    if before.restated.unresolved or (_is_about_somebody(candidate) and not _names_somebody(before)):
        return ""
    if instructed:
        return told(before) if words.pattern("refers").match(text) or _follows(candidate) else ""
    about = before.restated.fragment and words.pattern("backward").search(text) is not None
    return told(before) if is_open or about else ""


def _is_about_somebody(candidate: Candidate) -> bool:
    """Whether a clause is about a "he" or "she" that nobody is known to be."""
    text, words = candidate.unit.text, candidate.words
    if candidate.restated.subject is not None:
        return False
    found = words.pattern("someone").search(text)
    before = text[: found.start()] if found else ""
    named = words.pattern("has_noun").search(before) or next(names_in(before, words), None)
    return candidate.restated.pronoun or (found is not None and not named)


def _follows(candidate: Candidate) -> bool:
    """Whether an instruction follows from what was said before: "so never call"."""
    return candidate.words.pattern("therefore").match(candidate.unit.first.clause.text) is not None


def _names_somebody(candidate: Candidate) -> bool:
    text, words = candidate.unit.text, candidate.words
    names = (name for name in names_in(text, words) if not text.startswith(name) or is_unusual(name.lower(), words))
    known = candidate.restated.subject is not None or next(names, None) is not None
    return known or words.pattern("relative").search(text) is not None


def _is_open(candidate: Candidate) -> bool:
    """Whether a clause goes on from the one before: it is unclear alone, or a few words without a subject."""
    text, words = candidate.unit.text, candidate.words
    few = len(text.split()) <= (_BRIEF if candidate.restated.fragment else _FEW)
    brief = few and not (candidate.restated.of_user and not candidate.restated.fragment) and candidate.slot is None
    return brief or words.pattern("linked").search(text) is not None or _is_unclear(candidate)


def _is_unclear(candidate: Candidate) -> bool:
    """Whether a clause is about an unknown "she" or "it", or says only what somebody does: "lands on Saturday"."""
    text, words = candidate.unit.text, candidate.words
    if candidate.restated.unresolved or words.pattern("refers").match(text) is not None:
        return True
    something = words.pattern("something").search(text)
    if something is not None and not words.pattern("has_noun").search(text[: something.start()]):
        return True
    return _is_about_somebody(candidate)


def told(candidate: Candidate) -> str:
    return candidate.lead + with_dates(candidate.restated.canonical, candidate.dates, candidate.turn.at)
