"""Reads a conversation and proposes what its people stated, without a language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from omoide.domain.slots import SLOTS
from omoide.language.registry import Language, detect_language, languages
from omoide.language.statement_words import StatementWords
from omoide.language.time import DateClue
from omoide.learn.proposal import (
    USER,
    ConversationTurn,
    EntityMention,
    LearningConversation,
    Proposal,
    Quote,
    Statement,
)
from omoide.learn.statements import kinds
from omoide.learn.statements.clauses import read_sentences
from omoide.learn.statements.features import ClauseFeatures, Person, hand_score
from omoide.learn.statements.masking import mask
from omoide.learn.statements.modality import Frame, read_turn
from omoide.learn.statements.people import People, names_in
from omoide.learn.statements.people import Person as NamedPerson
from omoide.learn.statements.restate import (
    USER_MARK,
    Restated,
    dates_in,
    quoted_dates,
    restate,
    sentence_case,
    with_dates,
)
from omoide.learn.statements.slots import SlotMatch, match_slot, matter_of
from omoide.learn.statements.units import Unit, join_units

Scorer = Callable[[Sequence[ClauseFeatures]], Sequence[float]]
"""The probability that each clause is worth keeping."""

THRESHOLD = 0.5
_KEPT = frozenset({"asserted", "instructed"})
_DIGITS = frozenset("0123456789")


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


@dataclass(slots=True)
class ConversationReader:
    """Reads the turns of one conversation in order, remembering people and roles."""

    user: str | None
    people: dict[str, People] = field(default_factory=dict)
    frame: Frame = field(default_factory=Frame)
    fictional: set[str] = field(default_factory=set)
    related: list[tuple[NamedPerson, ConversationTurn, str]] = field(default_factory=list)
    turn: int = 0

    def candidates(self, turn: ConversationTurn, reply: str) -> list[Candidate]:
        """The units of a user's turn that may be kept, or not."""
        self.turn += 1
        language = statement_language(turn.text)
        words = language.statements
        if words is None:
            return []
        text = mask(turn.text, turn.speaker)
        people = self.people.setdefault(language.name, People(words))
        read = read_turn(turn, text, read_sentences(text, words), words, self.frame)
        for each in read:
            if each.modality == "staged":
                self.fictional |= {name for name in names_in(each.text, words) if people.find(name) is None}
        own = [each for each in read if each.modality != "staged"]
        for each in own:
            if each.modality not in {"supposed", "joking"}:
                for person in people.read(_padded(text, each.start, each.start + len(each.text)), self.turn):
                    self.related.append((person, turn, each.text))
        units = join_units(text, own, words)
        return [
            self._candidate(turn, unit, before, language, people, text, reply) for unit, before in _with_before(units)
        ]

    def _candidate(
        self, turn: ConversationTurn, unit: Unit, before: str, language: Language, people: People, text: str, reply: str
    ) -> Candidate:
        words = language.statements
        assert words is not None
        restated = restate(turn.text[unit.start : unit.end], words, people, self.turn, unit.start)
        if self.fictional & set(names_in(unit.text, words)):
            unit = replace(unit, modality="staged")
        slot = match_slot(restated.canonical, words) if unit.modality == "asserted" else None
        flags = kinds.flags_in(unit.text, words) if unit.modality in _KEPT else set()
        dates = dates_in(restated.canonical, turn.at, language) if unit.modality in _KEPT else []
        flags |= self._flags(unit, restated, dates, words)
        features = ClauseFeatures(
            text=unit.text,
            restated=restated.canonical,
            modality=unit.modality,
            person=_person(restated, words),
            slot=slot.slot if slot else None,
            flags=frozenset(flags),
            position=unit.start / max(1, len(text)),
            turn_words=len(text.split()),
            before=before,
            reply=reply,
        )
        return Candidate(turn, unit, restated, slot, dates, features, words)

    def _flags(self, unit: Unit, restated: Restated, dates: list[DateClue], words: StatementWords) -> set[str]:
        named = any(name for name in names_in(unit.text, words))
        tests = {
            "name": named,
            "number": not _DIGITS.isdisjoint(unit.text),
            "date": bool(dates),
            "change": kinds.change_in(unit.text, words) is not None,
            "laugh": any(each.laughs for each in unit.clauses),
            "unresolved": restated.unresolved,
            "fragment": restated.fragment,
            "in_question": any(each.in_question for each in unit.clauses),
            "in_request": any(each.in_request for each in unit.clauses),
            "bullet": unit.first.clause.bullet,
            "possessive": restated.canonical.startswith(words.possessive.format(USER_MARK)),
        }
        return {name for name, holds in tests.items() if holds}


class StatementExtractor:
    """An extractor without a language model. What tools, documents and imports say is never learned from."""

    name = "statements"

    def __init__(self, score: Scorer | None = None, threshold: float = THRESHOLD) -> None:
        self._score = score or (lambda each: [hand_score(one) for one in each])
        self._threshold = threshold

    def extract(self, conversation: LearningConversation) -> Proposal:
        reader = ConversationReader(conversation.owner)
        found: list[Candidate] = []
        reply = ""
        for index, turn in enumerate(conversation.turns):
            if turn.role != "user" or turn.origin != "user" or turn.type not in {"conversation", "event", "action"}:
                reply = turn.text if turn.role == "agent" else reply
                continue
            if index < conversation.fresh:
                reader.candidates(turn, reply)
                reader.related.clear()
            else:
                found += [each for each in reader.candidates(turn, reply) if each.unit.modality in _KEPT]
            reply = ""
        scores = self._score([each.features for each in found])
        kept = [(each, float(score)) for each, score in zip(found, scores, strict=True) if score >= self._threshold]
        return compose(conversation, kept, reader.related)


def compose(
    conversation: LearningConversation,
    kept: Sequence[tuple[Candidate, float]],
    related: Sequence[tuple[NamedPerson, ConversationTurn, str]],
) -> Proposal:
    """Statements and mentions of what was kept."""
    statements = [_statement(each, score, conversation.owner) for each, score in kept]
    relations = [_relation(person, turn, quote, conversation.owner) for person, turn, quote in related]
    held = {(each.subject, each.slot, each.value) for each in statements}
    statements += [each for each in relations if each and (each.subject, each.slot, each.value) not in held]
    mentions = [_mention(person, turn) for person, turn, _ in related if person.name]
    unique = {(each.subject, each.text, each.quote.episode): each for each in statements}
    return Proposal(entities=tuple(dict.fromkeys(mentions)), statements=tuple(unique.values()))


def _statement(candidate: Candidate, score: float, owner: str | None) -> Statement:
    words, unit, turn = candidate.words, candidate.unit, candidate.turn
    spans = list(quoted_dates(candidate.dates))
    slot = candidate.slot.slot if candidate.slot else None
    form = kinds.kind_of(unit.text, unit.modality, slot, spans, turn.at, words)
    canonical = with_dates(candidate.restated.canonical, candidate.dates)
    if unit.modality == "instructed":
        canonical = words.wants_template.format(USER_MARK, with_dates(unit.text, []))
        slot = slot or "rule"
    user = owner or turn.speaker or words.user
    timed = form in {"plan", "event"} and bool(spans)
    value = candidate.slot.value.replace(USER_MARK, user) if candidate.slot else None
    matter = matter_of(candidate.restated.canonical, words, *(clue.phrase.text for clue in candidate.dates))
    return Statement(
        form=form,
        subject=_subject_name(candidate, user),
        text=sentence_case(canonical.replace(USER_MARK, user)),
        quote=Quote(turn.id, turn.text[unit.start : unit.end]),
        confidence=round(score, 3),
        slot=slot,
        value=value,
        matter=matter or None,
        change=kinds.change_in(unit.text, words),
        begins=spans[0].start if timed else None,
        ends=spans[0].end if timed else None,
        scope=kinds.scope_of(unit.text, words) if form == "instruction" else None,
        exceptions=kinds.exceptions_in(unit.text, words) if form == "instruction" else (),
        steps=kinds.steps_in(unit.text, words) if form == "procedure" else (),
    )


def _subject_name(candidate: Candidate, user: str) -> str:
    person = candidate.restated.subject
    if candidate.slot and candidate.slot.who and candidate.slot.slot in {"version", "price", "kept_in", "deadline"}:
        return candidate.slot.who.replace(USER_MARK, user)
    if person is None or candidate.unit.modality == "instructed":
        return USER
    return person.name or f"{candidate.words.possessive.format(user)} {person.kin}"


def _relation(person: NamedPerson, turn: ConversationTurn, quote: str, owner: str | None) -> Statement | None:
    words = statement_language(turn.text).statements
    if words is None or not person.name or not person.kin or not person.mine or person.slot not in SLOTS:
        return None
    user = owner or turn.speaker or words.user
    return Statement(
        form="relation",
        subject=USER,
        text=words.relation_template.format(person.name, words.possessive.format(user), person.kin),
        quote=Quote(turn.id, quote),
        confidence=0.9,
        slot=person.slot,
        value=person.name,
        matter=f"{person.slot} {person.name}".lower(),
    )


def _mention(person: NamedPerson, turn: ConversationTurn) -> EntityMention:
    type = "other" if person.slot == "pet" else "person"
    return EntityMention(name=person.name, type=type, quote=Quote(turn.id, person.name))


def _person(restated: Restated, words: StatementWords) -> Person:
    if restated.of_user:
        return "first"
    if restated.subject is not None:
        return "named" if restated.subject.name and not restated.subject.kin else "kin"
    return "second" if restated.canonical.lower().startswith(words.second_person) else "thing"


def _with_before(units: Sequence[Unit]) -> list[tuple[Unit, str]]:
    return [(unit, units[index - 1].text if index else "") for index, unit in enumerate(units)]


def _padded(text: str, start: int, end: int) -> str:
    """A part of a turn at its own place, so that what is found in it has its offset."""
    return " " * start + text[start:end]


def statement_language(text: str) -> Language:
    """The language by which a turn is read: of two that share characters, the one with more of its own."""
    language = detect_language(text)
    if language.statements is not None:
        return language
    return next(each for each in languages() if each.statements is not None)
