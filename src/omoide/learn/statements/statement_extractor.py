"""Reads a conversation and proposes what its people stated, without a language model."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from itertools import accumulate

from omoide.domain.slots import SLOTS
from omoide.language.registry import Language, compiled_pattern, detect_language, languages
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
    doubts,
)
from omoide.learn.statements import kinds
from omoide.learn.statements.candidates import Candidate, all_led, repaired, set_apart, told
from omoide.learn.statements.clauses import Sentence, how_to_in, mask, read_sentences
from omoide.learn.statements.discourse import Discourse, Unit, answer_said, join_units
from omoide.learn.statements.judge import Judge
from omoide.learn.statements.kinds import match_slot, matter_of, slot_matter
from omoide.learn.statements.modality import ClauseFeatures, Frame, Person, read_turn
from omoide.learn.statements.people import People, Speaker, clean_name, names_in, speakers_of
from omoide.learn.statements.people import Person as NamedPerson
from omoide.learn.statements.restate import (
    USER_MARK,
    Restated,
    dates_in,
    named,
    ordered,
    quoted_dates,
    restate,
    third_person,
    with_dates,
)

Scorer = Callable[[Sequence[ClauseFeatures]], Sequence[float]]
"""The probability that each clause is worth keeping."""

THRESHOLD = 0.5
_KEPT = frozenset({"asserted", "instructed"})
_STANDING = 0.8  # the least probability of what is said to hold from now on, or asked to be remembered
_PLAIN, _PLAIN_CHANGE = 0.25, 0.2  # of a plain statement that fills a slot, or says that it changed
_TASTE = 0.5  # of one that says what somebody likes: "I like tea"
_OPINION = 0.2  # of a plain opinion of something that has a name
_ENDING = 0.2  # of one that says what no longer fills it
_DOUBTED = 0.03  # unless the judge finds it less probable than this
_ORDER = 0.1  # the least probability of an instruction that is to hold from now on
_ANSWERING, _ANSWERING_AFTER = 0.01, 0.3  # of one about how the agent writes; after a reply it may mean that one
_PLAUSIBLE = 0.3  # the least probability of steps that are numbered, to be taught on purpose
_UNCLEAR = 0.5  # what a probability counts for of a clause that is about an unknown "it" or "she"
_TOO_FEW = 3  # words without a subject that stand alone: "until last year"
_MOST_SENTENCES = 100  # of one turn; each costs some milliseconds, and so long a text is no talk
_MOST_CLAUSES = 200  # in them
_DIGITS = frozenset("0123456789")
_STEP = re.compile(r"(?<!\S)\d{1,2}[.)] \S")


@dataclass(slots=True)
class ConversationReader:
    """Reads the turns of one conversation in order, remembering people and roles."""

    user: str | None
    people: dict[str, People] = field(default_factory=dict)
    frame: Frame = field(default_factory=Frame)
    discourse: Discourse = field(default_factory=Discourse)
    fictional: set[str] = field(default_factory=set)
    related: list[tuple[NamedPerson, ConversationTurn, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    dated: DateClue | None = None  # the latest coming date in the turn
    turn: int = 0

    def candidates(self, turn: ConversationTurn, reply: str = "", answer: str = "") -> list[Candidate]:
        """The units of a user's turn that may be kept, or not; the agent said `reply` before it and `answer` after."""
        self.turn += 1
        self.dated = None
        language = statement_language(turn.text)
        words = language.statements
        if words is None:
            return []
        text = mask(turn.text, turn.speaker)
        people = self.people.setdefault(language.name, People(words))
        sentences = read_sentences(text, words)
        first = _first_sentences(sentences)
        if len(sentences) > len(first) or len(turn.text) > len(text):
            sentences = first
            self.notes.append(f"of a long turn, the first {len(sentences)} sentences were learned from [id:{turn.id}]")
        read = read_turn(turn, text, sentences, words, self.frame)
        said = "" if self.frame.acting or self.discourse.in_story else answer_said(reply, sentences, words)
        if said and read and read[0].modality in {"asserted", "small talk", "instructed", "requested"}:
            read[0] = replace(read[0], modality="asserted", said=said)
        if words.pattern("unkept").search(text):
            self.notes.append(f"a turn was not learned from: it was asked not to be kept [id:{turn.id}]")
        for each in read:
            unreal = each.modality == "supposed" and words.pattern("unreal").search(each.text) is not None
            invented = {name for name in names_in(each.text, words) if people.find(name) is None}
            if each.modality == "staged" or (unreal and invented):
                self.fictional |= invented
                people.invent(invented, self.turn, each.start)
        own = [each for each in read if each.modality != "staged"]
        for each in own:
            if each.modality not in {"supposed", "joking"}:
                for person in people.read(text[each.start : each.start + len(each.text)], self.turn, each.start):
                    self.related.append((person, turn, each.text))
        units = join_units(text, own, words)
        self.discourse.enter(read)
        around = zip(
            ["", *(each.text for each in units)], units, [*(each.text for each in units[1:]), ""], strict=False
        )
        found = [
            each
            for before, unit, follows in around
            for each in set_apart(self._candidate(turn, unit, language, people, text, (before, follows, reply, answer)))
        ]
        self.discourse.leave()
        return repaired(all_led(found))

    def _candidate(
        self,
        turn: ConversationTurn,
        unit: Unit,
        language: Language,
        people: People,
        text: str,
        around: tuple[str, str, str, str],
    ) -> Candidate:
        words = language.statements
        assert words is not None
        before, follows, reply, answer = around
        answered = unit.first.said if unit.start == unit.first.start else ""
        restated = restate(answered or turn.text[unit.start : unit.end], words, people, self.turn, unit.start)
        how_to = how_to_in(turn.text[unit.start : unit.end], words)
        if how_to:
            restated = Restated(third_person(how_to.told(words, before), words), None, False, False, False)
        told = restated.subject.fictional if restated.subject else restated.pronoun and self.discourse.in_story
        if unit.modality in _KEPT and (told or self.fictional & set(names_in(unit.text, words))):
            unit = replace(unit, modality="staged")
        slot = match_slot(restated.canonical, words) if unit.modality == "asserted" else None
        flags = kinds.flags_in(unit.text, words) if unit.modality in _KEPT else set()
        dates = dates_in(restated.canonical, turn.at, language, self.dated, turn.text) if unit.modality in _KEPT else []
        self.dated = next((each for each in reversed(dates) if each.span.start > turn.at), self.dated)
        flags |= self._flags(unit, restated, dates, words)
        flags |= set(self.discourse.flags(unit, text))
        features = ClauseFeatures(
            text=answered or unit.text,
            restated=restated.canonical,
            modality=unit.modality,
            person=_person(restated, unit, words),
            slot=slot.slot if slot else None,
            flags=frozenset(flags),
            position=unit.start / max(1, len(text)),
            turn_words=len(text.split()),
            before=before,
            follows=follows,
            reply=reply,
            answer=answer,
        )
        return Candidate(turn, unit, restated, slot, dates, features, words)

    def _flags(self, unit: Unit, restated: Restated, dates: list[DateClue], words: StatementWords) -> set[str]:
        named = any(name for name in names_in(unit.text, words))
        tests = {
            "name": named,
            "number": not _DIGITS.isdisjoint(unit.text),
            "date": bool(dates),
            "change": kinds.change_in(unit.opened, words) is not None,
            "laugh": any(each.laughs for each in unit.clauses),
            "addressed": words.pattern("addressed").search(unit.text) is not None,
            "unresolved": restated.unresolved,
            "fragment": restated.fragment,
            "in_question": any(each.in_question for each in unit.clauses),
            "in_request": any(each.in_request for each in unit.clauses),
            "bullet": unit.first.clause.bullet,
            "possessive": restated.canonical.startswith(words.possessive.format(USER_MARK)),
        }
        return {name for name, holds in tests.items() if holds}


def _first_sentences(sentences: list[Sentence]) -> list[Sentence]:
    """As many as are learned from."""
    clauses = accumulate(len(each.clauses) for each in sentences)
    most = max(1, sum(count <= _MOST_CLAUSES for count in clauses))
    return sentences[: min(most, _MOST_SENTENCES)]


def is_read(turn: ConversationTurn) -> bool:
    """Whether a turn holds the words of a user."""
    return turn.role == "user" and turn.origin == "user" and turn.type in {"conversation", "event", "action"}


class StatementExtractor:
    """An extractor without a language model. What tools, documents and imports say is never learned from."""

    name = "statements"

    def __init__(self, score: Scorer | None = None, threshold: float = THRESHOLD) -> None:
        self._score = score or Judge().score
        self._threshold = threshold

    def extract(self, conversation: LearningConversation) -> Proposal:
        reader = ConversationReader(conversation.owner)
        speakers = speakers_of(conversation)
        found: list[Candidate] = []
        reply = ""
        for index, turn in enumerate(conversation.turns):
            if not is_read(turn):
                reply = turn.text if turn.role == "agent" else reply
                continue
            candidates = reader.candidates(turn, reply, conversation.reply_after(index))
            if index < conversation.fresh:
                reader.related.clear()
                reader.notes.clear()
            else:
                found += _own(candidates, speakers[turn.speaker])
            reply = ""
        judged = zip(found, self._score([each.features for each in found]), strict=True)
        scored = [(each, _with_instructions(each, float(score))) for each, score in judged]
        kept = [(each, score) for each, score in scored if score >= self._threshold]
        leads = {each.lead for each, _ in kept if each.lead}
        kept = [(each, score) for each, score in kept if each.slot or f"{told(each)}; " not in leads]
        speakers = _introduced(speakers, [each for each, _ in kept])
        found_items = compose(speakers, kept, reader.related)
        missed = [(each, score) for each, score in scored if self._threshold / 2 <= score < self._threshold]
        doubted = doubts(compose(speakers, missed, ()).statements)
        return replace(found_items, notes=(*reader.notes, *found_items.notes), refused=doubted)


def _introduced(speakers: dict[str | None, Speaker], kept: Sequence[Candidate]) -> dict[str | None, Speaker]:
    """The speakers with the names by which they introduced themselves."""
    names = {each.turn.speaker: each.slot.value for each in kept if each.slot and each.slot.slot == "name"}
    return {who: replace(speaker, introduced=names.get(who, "")) for who, speaker in speakers.items()}


def _own(candidates: Sequence[Candidate], speaker: Speaker) -> list[Candidate]:
    """The units that are stated. Nobody speaks of themselves by name: that is memories which were handed back."""
    stated = [each for each in candidates if each.unit.modality in _KEPT]
    if any(_is_echo(each, speaker) for each in stated):
        return [each for each in stated if each.restated.of_user and not _is_echo(each, speaker)]
    return stated


def _is_echo(candidate: Candidate, speaker: Speaker) -> bool:
    text = candidate.unit.text
    named = [name for name in (speaker.name, candidate.words.user) if name]
    return any(text.startswith((f"{name} ", f"{name}'s ")) or f" {name}'s " in text for name in named)


def _with_instructions(candidate: Candidate, score: float) -> float:
    """The probability, raised for what is asked to be remembered or to hold from now on, however short it is."""
    asked = candidate.unit.first.said and (candidate.slot is not None or score >= _DOUBTED)
    if asked or candidate.unit.first.keep_asked:
        return max(score, _STANDING)
    order = candidate.unit.modality == "instructed"
    few = candidate.slot is None and not order and len(candidate.unit.text.split()) <= _TOO_FEW
    brief = few and candidate.restated.fragment and not candidate.lead
    if candidate.restated.unresolved or brief:
        return score * _UNCLEAR
    if score >= _DOUBTED and how_to_in(candidate.unit.text, candidate.words):
        return max(score, _STANDING)
    changes = "change" in candidate.features.flags and candidate.slot and SLOTS[candidate.slot.slot].single
    plain = kinds.fills_slot_plainly(candidate.features)
    ends = candidate.slot is not None and candidate.slot.ended and not candidate.features.flags & kinds.DOUBTFUL
    taste = candidate.slot is not None and SLOTS[candidate.slot.slot].group == "taste"
    plain = plain and (score >= _TASTE or not taste)
    opinion = kinds.is_plain_opinion(candidate.features) and score >= _OPINION
    if opinion or (plain and score >= (_PLAIN_CHANGE if changes else _PLAIN)) or (ends and score >= _ENDING):
        return max(score, _STANDING)
    if score >= _PLAUSIBLE and len(_STEP.findall(candidate.unit.text)) > 1:
        return max(score, _STANDING)
    order = order and "task_beside" not in candidate.features.flags
    text, words = candidate.unit.text, candidate.words
    answering = words.pattern("answering").match(text)
    least = (_ANSWERING_AFTER if candidate.features.reply else _ANSWERING) if answering else _ORDER
    weak = not answering and words.pattern("weak_orders").search(text)
    return max(score, _STANDING) if order and not weak and score >= least else score


def compose(
    speakers: Mapping[str | None, Speaker],
    kept: Sequence[tuple[Candidate, float]],
    related: Sequence[tuple[NamedPerson, ConversationTurn, str]],
) -> Proposal:
    """Statements and mentions of what was kept. The wishes of those who do not own the memory bind nobody."""
    statements = [compose_statement(each, score, speakers[each.turn.speaker]) for each, score in kept]
    relations = [_relation(person, turn, quote, speakers[turn.speaker]) for person, turn, quote in related]
    notes = [
        f"a wish of {each.subject}, who does not own this memory, was not learned: {each.quote.words!r}"
        for each in statements
        if each.form == "instruction" and each.subject != USER
    ]
    statements = [each for each in statements if each.form != "instruction" or each.subject == USER]
    held = {(each.subject, each.slot, each.value) for each in statements}
    statements += [each for each in relations if each and (each.subject, each.slot, each.value) not in held]
    mentions = [_mention(person, turn) for person, turn, _ in related if person.name]
    unique = {(each.subject, each.text, each.quote.episode): each for each in statements}
    return Proposal(entities=tuple(dict.fromkeys(mentions)), statements=tuple(unique.values()), notes=tuple(notes))


def compose_statement(candidate: Candidate, score: float, speaker: Speaker) -> Statement:
    """The statement that a unit makes."""
    words, unit, turn = candidate.words, candidate.unit, candidate.turn
    canonical = candidate.restated.canonical
    spans = list(quoted_dates(candidate.dates))
    valid = kinds.validity_of(canonical, candidate.slot, spans, turn.at, words)
    if not valid.today:
        candidate = replace(candidate, slot=None)
    slot = candidate.slot
    form = kinds.kind_of(unit.text, unit.modality, slot.slot if slot else None, spans, turn.at, words)
    text = with_dates(canonical, candidate.dates, turn.at)
    text = candidate.lead + words.pattern("slot_leads" if slot else "reason_leads").sub("", text, count=1)
    if form == "instruction":
        text = ordered(unit.text, words)
        text = f"{candidate.lead}{text[:1].lower()}{text[1:]}" if candidate.lead else text
    if form == "preference" and speaker.subject != USER:
        form = "fact"
    user = speaker.in_text(words)
    timed = form in {"plan", "event"} and bool(spans)
    return Statement(
        form=form,
        subject=_subject_name(candidate, speaker),
        text=named(text, user, words),
        quote=Quote(turn.id, turn.text[unit.start : unit.end]),
        confidence=round(score, 3),
        slot=slot.slot if slot else "rule" if form == "instruction" else None,
        value=(slot.value.replace(USER_MARK, user) or None) if slot else kinds.demand_in(unit.text, form, words),
        matter=_matter(candidate) or None,
        change="ends" if slot and slot.ended else kinds.change_in(unit.opened, words),
        begins=spans[0].start if timed else None,
        ends=spans[0].end if timed else None,
        valid_from=_as_date(valid.begins, turn.at),
        valid_until=_as_date(valid.ends, turn.at),
        scope=kinds.scope_of(unit.text, words) if form == "instruction" else None,
        exceptions=kinds.exceptions_in(unit.text, words) if form == "instruction" else (),
        steps=kinds.steps_in(unit.text, words) if form == "procedure" else (),
    )


def _matter(candidate: Candidate) -> str:
    if candidate.slot:
        return slot_matter(candidate.slot, candidate.words)
    person = candidate.restated.subject
    phrases = (clue.phrase.text for clue in candidate.dates)
    return matter_of(candidate.restated.canonical, candidate.words, person.name if person else "", *phrases)


def _as_date(moment: datetime | None, at: datetime) -> datetime | None:
    """A day of the speaker as that day in UTC, in which validity is stored; what has begun is not put off."""
    if moment is None or moment.time() != time():
        return moment
    day = moment.replace(tzinfo=UTC)
    return min(day, at) if moment <= at else day


def _subject_name(candidate: Candidate, speaker: Speaker) -> str:
    person, slot, words = candidate.restated.subject, candidate.slot, candidate.words
    user = speaker.in_text(words)
    if slot and slot.who and slot.slot in {"version", "price", "kept_in", "deadline", "deployed_on"}:
        return slot.who.replace(USER_MARK, user)
    of_relation = slot is not None and SLOTS[slot.slot].group == "relation"
    related = of_relation and (USER_MARK in candidate.restated.canonical or (slot is not None and slot.ended))
    if candidate.unit.modality == "instructed" or candidate.restated.of_user or related:
        return speaker.subject
    if person is None:
        head = words.pattern("names").match(candidate.restated.canonical) if slot else None
        name = clean_name(head[0], words) if head else ""
        return name if name and USER_MARK not in name else speaker.subject
    return _full_name(person, speaker) or f"{words.possessive.format(user)} {person.kin}"


def _full_name(person: NamedPerson, speaker: Speaker) -> str:
    """The name of a person; with the relation if the speaker bears it too."""
    same = person.name and person.name in (speaker.name, speaker.introduced)
    return f"{person.name} ({person.kin})" if person.kin and same else person.name


def _relation(person: NamedPerson, turn: ConversationTurn, quote: str, speaker: Speaker) -> Statement | None:
    words = statement_language(turn.text).statements
    if words is None or not person.name or not person.kin or not person.mine or person.slot not in SLOTS:
        return None
    user = speaker.in_text(words)
    return Statement(
        form="relation",
        subject=speaker.subject,
        text=named(words.relation_template.format(person.name, words.possessive.format(USER_MARK), person.kin), user),
        quote=Quote(turn.id, quote),
        confidence=0.9,
        slot=person.slot,
        value=_full_name(person, speaker),
        matter=f"{person.slot} {person.name}".lower(),
    )


def _mention(person: NamedPerson, turn: ConversationTurn) -> EntityMention:
    type = "other" if person.slot == "pet" else "person"
    return EntityMention(name=person.name, type=type, quote=Quote(turn.id, person.name))


def _person(restated: Restated, unit: Unit, words: StatementWords) -> Person:
    """Whom a unit is about, by its own words: what was said long before must not change how it is judged."""
    if restated.of_user:
        return "first"
    if restated.subject is not None:
        return "kin" if words.pattern("kin_alone").search(unit.text) else "named"
    return "second" if restated.canonical.lower().startswith(words.second_person) else "thing"


def read_statement(text: str, *, at: datetime, owner: str | None = None) -> Statement | None:
    """One statement from words that somebody wants kept as they are; None if the words state nothing.

    For what is written on purpose (`remember`): nothing is judged or left out, and the text is not changed.
    """
    language = statement_language(text)
    if language.statements is None:
        return None
    user = re.compile(r"\W*(?:the )?user(?=\W)", re.IGNORECASE)
    turn = ConversationTurn(id=0, text=user.sub(USER_MARK, text, count=1), role="user", at=at)
    found = [each for each in ConversationReader(owner).candidates(turn, "") if each.unit.modality in _KEPT]
    if not found:
        return None
    return replace(compose_statement(found[0], 1.0, Speaker(USER, owner)), text=text, quote=Quote(0, text))


def statement_language(text: str) -> Language:
    """The language by which a turn is read: of two that share characters, the one that has more of them."""
    known = [each for each in languages() if each.statements is not None]
    if not text.isascii():
        counts = [len(compiled_pattern(each.characters).findall(text)) if each.characters else 0 for each in known]
        if max(counts):
            return known[counts.index(max(counts))]
    language = detect_language(text)
    if language.statements is not None:
        return language
    return known[0]
