"""Joins clauses that mean nothing alone to the ones before, so that everything learned can be understood by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omoide.language.sentences import may_have_date
from omoide.language.statement_words import StatementWords
from omoide.learn.statements.clauses import how_to_in
from omoide.learn.statements.features import Modality
from omoide.learn.statements.modality import ReadClause
from omoide.learn.statements.people import names_in
from omoide.learn.statements.restate import USER_MARK, third_person

_MAX_WORDS = 45  # of a joined unit
_HEADING = 4  # words
_SHORT = 14  # words: a shorter clause without a subject belongs to the one before


@dataclass(frozen=True, slots=True)
class Unit:
    """One or more clauses in a row that state one thing: `turn.text[start:end]`."""

    text: str
    start: int
    end: int
    modality: Modality
    clauses: tuple[ReadClause, ...]

    @property
    def first(self) -> ReadClause:
        return self.clauses[0]

    @property
    def opened(self) -> str:
        """The words with those that open it: "wait, no"."""
        return self.first.clause.text[: self.start - self.first.clause.start] + self.text


def join_units(text: str, clauses: Sequence[ReadClause], words: StatementWords) -> list[Unit]:
    """The clauses of a masked turn as units."""
    units: list[Unit] = []
    for clause in clauses:
        before = units[-1] if units else None
        end = clause.start + len(clause.text)
        if (
            before is not None
            and _belongs(before, clause, words)
            and len(text[before.start : end].split()) <= _MAX_WORDS
        ):
            units[-1] = Unit(text[before.start : end], before.start, end, before.modality, (*before.clauses, clause))
        else:
            units.append(Unit(clause.text, clause.start, end, clause.modality, (clause,)))
    return units


def _belongs(before: Unit, clause: ReadClause, words: StatementWords) -> bool:
    if before.first.said or before.modality not in {"asserted", "instructed"} or clause.modality != before.modality:
        return False
    if how_to_in(clause.text, words) or how_to_in(before.text, words):
        return False
    if words.pattern("dependent").match(clause.text):
        return True
    short = len(clause.text.split()) <= _SHORT
    has_subject = words.pattern("has_subject").match(clause.text) is not None
    if not short or has_subject or before.modality != "asserted" or _is_heading(before, words):
        return False
    if words.pattern("dropped").match(clause.text):
        return not _of_speaker(before, words)
    return clause.clause.sentence == before.clauses[-1].clause.sentence or _tells(clause.text, words)


def _tells(text: str, words: StatementWords) -> bool:
    """Whether words without a subject add to what was said: a number, a name, a day, "no" or "every"."""
    named = next(names_in(text, words), None) is not None
    return named or may_have_date(text) or words.pattern("telling").search(text) is not None


def _is_heading(unit: Unit, words: StatementWords) -> bool:
    """Whether a unit only says what comes next: "House.", "phd hat on"."""
    few = len(unit.text.split()) <= _HEADING and not any(map(str.isdigit, unit.text))
    return few and words.pattern("has_subject").match(unit.text) is None


def _of_speaker(unit: Unit, words: StatementWords) -> bool:
    """Whether the speaker is the subject of a unit, so that a verb without one after it has the same."""
    text = unit.clauses[-1].text
    return third_person(text, words).startswith(USER_MARK) or words.pattern("dropped").match(text) is not None
