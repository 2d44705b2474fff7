"""What stands around a clause: frames that others open, the question that it answers, clauses that it is joined to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from omoide.language.statement_words import StatementWords
from omoide.learn.statements.clauses import GAP, Sentence, how_to_in, mask, read_sentences
from omoide.learn.statements.modality import Modality, ReadClause
from omoide.learn.statements.restate import USER_MARK, third_person

_RECENT = 3  # user turns over which a story or a joke is likely to go on
_UNREAL = frozenset({"supposed", "wished"})
_TRAILS = ("…", "..")


@dataclass(slots=True)
class Discourse:
    """The frames of a conversation. A turn is read before the ones that follow it."""

    turn: int = 0
    staged: int = -_RECENT  # the latest turn with something staged
    joked: int = -_RECENT
    read: Sequence[ReadClause] = field(default_factory=tuple)

    def enter(self, read: Sequence[ReadClause]) -> None:
        """Begin a turn, whose clauses are all given, also those that are staged."""
        self.turn += 1
        self.read = read

    def leave(self) -> None:
        modalities = {each.modality for each in self.read}
        self.staged = self.turn if "staged" in modalities else self.staged
        self.joked = self.turn if "joking" in modalities else self.joked

    @property
    def in_story(self) -> bool:
        """Whether something staged was said in this turn or a little before."""
        return self.turn - self.staged < _RECENT or any(each.modality == "staged" for each in self.read)

    def flags(self, unit: Unit, text: str) -> Iterator[str]:
        """The cues that a unit of the turn has from what stands around it; `text` is the masked turn."""
        before = [each for each in self.read if each.start < unit.start]
        after = [each for each in self.read if each.start >= unit.end]
        others = {each.modality for each in (*before, *after)}
        nearest = before[-1] if before else None
        tests = {
            "told_on": nearest is not None and nearest.modality == "reported",
            "unreal_before": any(each.modality in _UNREAL for each in before),
            "unreal_after": bool(after) and after[0].modality in _UNREAL,
            "staged_beside": "staged" in others,
            "staged_lately": self.turn - self.staged < _RECENT,
            "joke_beside": "joking" in others,
            "joked_lately": self.turn - self.joked < _RECENT,
            "laugh_beside": any(each.laughs for each in (*before[-1:], *after[:1])),
            "task_beside": "requested" in others,
            "question_beside": "asked" in others,
            "instructed_beside": "instructed" in others,
            "opens": not before,
            "closes": not after,
            "exclaims": "!" in unit.clauses[-1].clause.mark,
            "trails": unit.clauses[-1].clause.mark.startswith(_TRAILS),
            "quotes": GAP in unit.text or any(mark in unit.text for mark in '"“„«「'),
            "introduced": text[: unit.start].rstrip().endswith(":"),
            "bracketed": text[: unit.start].rstrip().endswith("("),
            "bare_end": not unit.clauses[-1].clause.mark,
        }
        return (name for name, holds in tests.items() if holds)


# Joins clauses that mean nothing alone to the ones before, so that everything learned can be understood by itself.


_MAX_WORDS = 45  # of a joined unit
_SHORT = 20  # words: a shorter clause without a subject belongs to the one before


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
    if words.pattern("has_subject").match(clause.text) or before.modality != "asserted":
        return False
    if words.pattern("dropped").match(clause.text):
        return not _of_speaker(before, words)
    return len(clause.text.split()) <= _SHORT


def _of_speaker(unit: Unit, words: StatementWords) -> bool:
    """Whether the speaker is the subject of a unit, so that a verb without one after it has the same."""
    text = unit.clauses[-1].text
    return third_person(text, words).startswith(USER_MARK) or words.pattern("dropped").match(text) is not None


# A question of the agent and a brief answer to it are one statement: "Where do you live?" – "Bari".


_BRIEF = 7  # words; a longer answer says itself what it is about
_PHRASE = 4  # words of an answer that may begin like a sentence: "the 12th of October"


def answer_said(reply: str, sentences: list[Sentence], words: StatementWords) -> str:
    """What the first clause of a turn says as an answer to the only question of the reply; empty if it is none."""
    if not sentences or not reply.rstrip().endswith(("?", "？")):
        return ""
    asked = [each for each in read_sentences(mask(reply), words) if each.mark.startswith(("?", "？"))]
    clause = sentences[0].clauses[0]
    if len(asked) != 1 or GAP in sentences[0].text or "?" in sentences[0].mark:
        return ""
    opening = words.pattern("openings").match(clause.text)
    text = clause.text[opening.end() :] if opening else clause.text
    question = asked[0].clauses[-1].text
    yes, no = words.pattern("yes").fullmatch(clause.text), words.pattern("no").fullmatch(clause.text)
    if yes or no:
        return _filled(question, words.agreed if yes else words.refused, "", words)
    whole = words.pattern("has_subject").match(text) is not None and len(text.split()) > _PHRASE
    if (
        whole
        or words.pattern("small_talk").fullmatch(text)
        or words.pattern("unanswered").search(text)
        or len(text.split()) > _BRIEF
    ):
        return ""
    return _filled(question, words.answers, text.strip(" .,!"), words)


def _filled(question: str, rows: tuple[tuple[str, str], ...], answer: str, words: StatementWords) -> str:
    for pattern, template in rows:
        if found := words.compiled(pattern).fullmatch(question.strip(" ,.?!")):
            said = {name: _turned(value or "", words) for name, value in found.groupdict().items()}
            answer = re.sub(words.compiled(words.answer_leads), "", answer)
            return re.sub(" +", " ", template.format(answer=answer, **said)).strip()
    return ""


def _turned(text: str, words: StatementWords) -> str:
    """The words of the agent's question as the user would say them: "your dog" is "my dog"."""
    for pattern, own in words.turned:
        text = words.compiled(pattern).sub(own, text)
    return text
