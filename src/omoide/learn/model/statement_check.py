"""Checks statements of a language model word by word against the turns that they quote.

Every word with content must stand in the quoted turn, or be a name or date that the conversation gives; negation, doubt
and person must be those of the quoted clause. What adds anything is replaced by the plain reading of the clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from omoide.domain.entity import name_key
from omoide.domain.slots import SLOTS
from omoide.language.registry import detect_language
from omoide.language.text import stem
from omoide.learn.proposal import (
    USER,
    ConversationTurn,
    EntityMention,
    Extractor,
    LearningConversation,
    Proposal,
    ProposalItem,
    Statement,
    collect_proposal,
)
from omoide.learn.quote_matching import content_words, is_negated, is_supported, unsupported_words
from omoide.learn.statements.candidates import Candidate
from omoide.learn.statements.kinds import match_slot
from omoide.learn.statements.people import names_in, speakers_of
from omoide.learn.statements.restate import USER_MARK, dates_in
from omoide.learn.statements.statement_extractor import (
    ConversationReader,
    compose_statement,
    is_read,
    statement_language,
)

_CONTEXT_TURNS = 3  # earlier turns whose names a pronoun may mean
_STATED = frozenset({"asserted", "instructed"})
_TOLD = {"instruction": frozenset({"requested"})}  # what is asked for politely
_CUES = ("hedges", "once", "elsewhen", "wishes", "supposing", "reported")  # a statement may not leave these out
_NEUTRAL = frozenset("user users named called name since until".split())
_WISHING = frozenset("want wants prefer prefers".split())  # of a preference or an instruction
_EMPTY = frozenset({"only"})  # may stand before the speaker: "not only do I"
_FORMS_OF_USER = frozenset({"preference", "instruction", "procedure"})
_PLAIN_CONFIDENCE = 0.6  # at most, of a statement that had to be replaced by its quote
_HEARSAY_CONFIDENCE = 0.6  # at most, of what agents, tools and documents say
_FARTHEST = 2  # words with content from one word of a statement to the next, in the quoted clauses
_LONGEST_TURN = 20_000  # characters; of a longer turn the surroundings of the quote are read
_SURROUNDINGS = 300  # characters
_DATE = re.compile(r"\b(\d{4})-(\d\d)(?:-(\d\d))?(?:[ T]\d\d:\d\d)?\b")
_WORD = re.compile(r"[\w'’-]+")
_POSSESSIVE = re.compile(r"['’]s?(?=\W|\Z)")


class NotStated(Exception):
    """Nobody states it. The message says why."""


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A statement that holds. `problem`: why it now has the words of its quote instead of the model's."""

    statement: Statement
    problem: str = ""


class StatementCheck:
    """Checks the statements of one conversation."""

    def __init__(self, conversation: LearningConversation) -> None:
        self._turns = conversation.turns
        self._places = {turn.id: place for place, turn in enumerate(conversation.turns)}
        self._speakers = speakers_of(conversation)
        self._owner = conversation.owner
        self._read: dict[int, list[Candidate]] = {}
        reader, reply = ConversationReader(conversation.owner), ""
        for turn in conversation.turns:
            if is_read(turn):
                self._read[turn.id] = reader.candidates(turn, reply)
                reply = ""
            elif turn.role == "agent":
                reply = turn.text

    def check(self, item: Statement) -> CheckedStatement:
        """The statement if its words hold, else the plain reading of its quote. Raises NotStated if there is none."""
        turn = self._turns[self._places[item.quote.episode]]
        if not is_read(turn):
            return CheckedStatement(self._hearsay(item, turn))
        if item.form == "procedure":
            return CheckedStatement(self._taught(item, turn))
        touched = self._touched(item, turn)
        stated = [each for each in touched if each.unit.modality in _STATED | _TOLD.get(item.form, frozenset())]
        if not stated:
            why = touched[0].unit.modality if touched else "quoted, staged or code"
            raise NotStated(f"it is {why}, not told")
        problem = self._problem(item, turn, stated)
        if not problem:
            return CheckedStatement(_with_sound_fields(item, turn, stated))
        return CheckedStatement(self._plain(item, turn, stated, problem), problem)

    def _touched(self, item: Statement, turn: ConversationTurn) -> list[Candidate]:
        """The units of the turn that the quote touches; of several places those where something is stated."""
        best: list[Candidate] = []
        for found in list(re.finditer(re.escape(item.quote.words), turn.text))[:20]:
            start, end = found.span()
            units = self._read[turn.id]
            if len(turn.text) > _LONGEST_TURN:
                first = max(0, start - _SURROUNDINGS)
                near = replace(turn, text=turn.text[first : end + _SURROUNDINGS])
                units, start, end = ConversationReader(self._owner).candidates(near, ""), start - first, end - first
            touched = [each for each in units if each.unit.start < end and start < each.unit.end]
            if any(each.unit.modality in _STATED for each in touched):
                return touched
            best = best or touched
        return best

    def _problem(self, item: Statement, turn: ConversationTurn, stated: Sequence[Candidate]) -> str:
        """What a statement adds to its quoted clauses, leaves out or turns round; empty if nothing."""
        clause = " ".join(each.unit.text for each in stated)
        words = stated[0].words
        if foreign := self._foreign_words(item.text, turn, item.form):
            return f"{', '.join(foreign)} is not in its turn"
        if is_negated(item.text) != is_negated(clause):
            return "it is denied there" if is_negated(clause) else "it is not denied there"
        for cue in _CUES:
            if words.pattern(cue).search(clause) and not words.pattern(cue).search(item.text):
                return "it is less certain there, or about another time"
        if date := _foreign_date(item.text, turn):
            return f"the date {date} is not in its turn"
        if why := self._wrong_person(item, turn, stated):
            return why
        return _mixed(item.text, stated)

    def _foreign_words(self, text: str, turn: ConversationTurn, form: str) -> list[str]:
        neutral = _NEUTRAL | (_WISHING if form in _FORMS_OF_USER else frozenset())
        known = " ".join([turn.text, *self._names(turn)])
        found = unsupported_words(_DATE.sub(" ", text), known, dated=False)
        if detect_language(text).name != "English":
            own = name_key(turn.text).split()
            found = [word for word in found if not any(_is_inflected(word, each) for each in own)]
        return [word for word in found if word not in neutral]

    def _names(self, turn: ConversationTurn) -> list[str]:
        """Names that the turn may mean without saying them."""
        place = self._places[turn.id]
        found = [name for name in (self._owner, turn.speaker) if name]
        for each in self._turns[max(0, place - _CONTEXT_TURNS) : place]:
            words = statement_language(each.text).statements
            found += names_in(each.text, words) if words else []
            found += [each.speaker] if each.speaker else []
        return found

    def _wrong_person(self, item: Statement, turn: ConversationTurn, stated: Sequence[Candidate]) -> str:
        """Why a statement is about somebody else than its clauses; empty if it is not."""
        speaker = self._speakers[turn.speaker]
        me = [name_key(name) for name in (USER, "the user", speaker.subject, speaker.name) if name]
        opening = name_key(_POSSESSIVE.sub("", item.text.split(",")[0]))
        leads = next((name for name in me if opening == name or opening.startswith(f"{name} ")), None)
        owned = leads is not None and _POSSESSIVE.match(_after(item.text, leads)) is not None
        verb = next(iter(_WORD.findall(_after(item.text, leads))), "") if leads is not None and not owned else ""
        own = any(
            each.restated.of_user
            or each.restated.fragment
            or each.unit.modality != "asserted"
            or _says_first(each, verb)
            for each in stated
        )
        if verb and own and _says_of_another(verb, stated):
            return "it is said about somebody else"
        mentioned = any(USER_MARK in each.restated.canonical for each in stated)
        if leads is not None and not own and not (owned and mentioned):
            return "it is said about somebody else"
        if name_key(item.subject) in me:
            return "" if own or mentioned else "it is said about somebody else"
        if not is_supported(item.subject, " ".join([turn.text, *self._names(turn), "user user's"])):
            return f"{item.subject!r} is not in its turn"
        return ""

    def _plain(self, item: Statement, turn: ConversationTurn, stated: Sequence[Candidate], problem: str) -> Statement:
        """What the quoted clause says by itself. Raises NotStated if it says nothing alone."""
        wanted = set(map(stem, content_words(item.text)))
        best = max(stated, key=lambda each: len(wanted & set(map(stem, content_words(each.unit.text)))))
        confidence = min(item.confidence, _PLAIN_CONFIDENCE)
        speaker = self._speakers[turn.speaker]
        found = compose_statement(best, confidence, speaker)
        bare = best.restated.unresolved or (best.restated.fragment and best.unit.modality != "instructed")
        if bare or (found.form == "instruction" and found.subject != USER):
            raise NotStated(problem)
        return found

    def _taught(self, item: Statement, turn: ConversationTurn) -> Statement:
        """A procedure: steps are commands and code, so only their words are checked."""
        if any(each.unit.modality in ("joking", "asked") for each in self._touched(item, turn)):
            raise NotStated("it is not taught there")
        if missing := self._foreign_words(" ".join([item.text, *item.steps]), turn, item.form):
            raise NotStated(f"{', '.join(missing)} is not in its turn")
        trigger = item.trigger if item.trigger and is_supported(item.trigger, turn.text) else None
        return replace(item, slot=None, value=None, trigger=trigger)

    def _hearsay(self, item: Statement, turn: ConversationTurn) -> Statement:
        """What agents, tools and documents say is believed less, and never about the user."""
        speaks_of_user = name_key(item.subject) in {USER, name_key(self._owner or USER)}
        if speaks_of_user or item.form in _FORMS_OF_USER:
            raise NotStated(f"{turn.origin} says it, not the user")
        missing = self._foreign_words(item.text, turn, item.form)
        if missing or is_negated(item.text) != is_negated(item.quote.words):
            raise NotStated(f"{', '.join(missing) or item.text!r} is not in its turn")
        if not is_supported(item.subject, turn.text):
            raise NotStated(f"{item.subject!r} is not in its turn")
        return replace(
            item, slot=None, value=None, source_type="observed", confidence=min(item.confidence, _HEARSAY_CONFIDENCE)
        )


def _after(text: str, name: str) -> str:
    """What follows a name at the beginning of a text."""
    found = re.match(r"\W*" + r"\W+".join(map(re.escape, name.split())), text, re.IGNORECASE)
    return text[found.end() :] if found else text


def _says_first(clause: Candidate, verb: str) -> bool:
    """Whether a clause says a verb of the speaker, with nothing of content before: "Not only do I use Docker"."""
    before, mark, after = clause.restated.canonical.partition(f"{USER_MARK} ")
    said = next(iter(_WORD.findall(after)), "")
    return bool(mark and verb) and stem(said.lower()) == stem(verb.lower()) and set(content_words(before)) <= _EMPTY


def _says_of_another(verb: str, stated: Sequence[Candidate]) -> bool:
    """Whether a verb follows only other people in the clauses: "I hate Rome but my sister works at Acme"."""
    before: list[bool] = []
    for each in stated:
        others = {part for name in names_in(each.unit.text, each.words) for part in name_key(name).split()}
        others |= {kin.split()[-1] for kin in each.words.relatives}
        said = _WORD.findall(each.restated.canonical)
        before += [
            name_key(one) in others for one, other in pairwise(said) if stem(other.lower()) == stem(verb.lower())
        ]
    return bool(before) and all(before)


def _is_inflected(one: str, other: str) -> bool:
    """Whether two words differ only in their endings; numbers never do."""
    common = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return not one.isdigit() and common >= max(3, max(len(one), len(other)) - 2)


def _mixed(text: str, stated: Sequence[Candidate]) -> str:
    """Why words that stand far apart make no statement: "I love Rome but hate Paris" is not "loves Paris"."""
    places: dict[str, list[int]] = {}
    for number, word in enumerate(word for each in stated for word in content_words(each.unit.text)):
        places.setdefault(stem(word), []).append(number)
    found = [places[root] for word in content_words(text) if (root := stem(word)) in places]
    for one, other in pairwise(found):
        if min(abs(left - right) for left in one for right in other) > _FARTHEST:
            return "its words are from different statements"
    return ""


def _spans(turn: ConversationTurn) -> list[tuple[datetime, datetime]]:
    found = dates_in(turn.text[:_LONGEST_TURN], turn.at, statement_language(turn.text))
    return [(clue.span.start, clue.span.end) for clue in found]


def _foreign_date(text: str, turn: ConversationTurn) -> str:
    """A calendar date that the turn neither writes nor implies; empty if there is none."""
    spans: list[tuple[datetime, datetime]] | None = None
    for found in _DATE.finditer(text):
        if found[0] in turn.text:
            continue
        spans = _spans(turn) if spans is None else spans
        year, month, day = int(found[1]), int(found[2]), int(found[3] or 1)
        try:
            first = datetime(year, month, day, tzinfo=turn.at.tzinfo)
        except ValueError:
            return found[0]
        last = first + timedelta(days=1 if found[3] else 31)
        if not any(begins < last and first < ends for begins, ends in spans):
            return found[0]
    return ""


def _with_sound_fields(item: Statement, turn: ConversationTurn, stated: Sequence[Candidate]) -> Statement:
    """The statement with only those fields that its quoted clauses bear out."""
    spans = _spans(turn)

    def dated(moment: datetime | None) -> datetime | None:
        near = moment and any(begins <= moment + timedelta(days=1) and moment <= ends for begins, ends in spans)
        return moment if near else None

    known = f"{turn.text} {item.text}"
    slot, value = _sound_slot(item, stated)
    return replace(
        item,
        slot=slot,
        value=value if value is None or not unsupported_words(value, known) else None,
        begins=dated(item.begins),
        ends=dated(item.ends),
        valid_from=dated(item.valid_from),
        valid_until=dated(item.valid_until),
        scope=item.scope if item.scope and is_supported(item.scope, turn.text) else None,
        exceptions=tuple(each for each in item.exceptions if is_supported(each, turn.text)),
        trigger=None,
        steps=(),
    )


def _sound_slot(item: Statement, stated: Sequence[Candidate]) -> tuple[str | None, str | None]:
    """The slot that the reading of the clauses finds too; the model's is not believed without it."""
    for each in stated:
        if each.slot and (item.slot in (None, each.slot.slot) or len(stated) == 1):
            return each.slot.slot, each.slot.value
    if item.form == "instruction":
        return "rule", item.value
    words = stated[0].words
    subject = item.text if item.subject != USER else re.sub(r"(?i)^(?:the )?user\b", USER_MARK, item.text)
    read = match_slot(subject.rstrip(" ."), words)
    if read is not None and read.slot == item.slot:
        return read.slot, read.value
    kin = {words.relatives[word].slot for each in stated for word in words.relatives if word in each.unit.text.lower()}
    if item.slot in kin and item.slot in SLOTS and item.value in list(names_in(stated[0].unit.text, words)):
        return item.slot, item.value
    return None, None if item.slot else item.value


# Unites what reading finds with what a language model finds, so that with a model never less is learned.


_ALIKE = 0.6  # share of words in common from which two statements of one clause say the same


@dataclass(frozen=True, slots=True)
class CombinedExtractor:
    """Two extractors. What both state is kept once, in the words of the first."""

    first: Extractor
    second: Extractor

    @property
    def name(self) -> str:
        return f"{self.first.name} + {self.second.name}"

    def extract(self, conversation: LearningConversation) -> Proposal:
        """Raises what either extractor raises: a partial result must not count as complete."""
        first, second = self.first.extract(conversation), self.second.extract(conversation)
        statements = united_statements(first.statements, second.statements)
        others = [each for each in first if not isinstance(each, Statement)]
        found = {_place(each) for each in others}
        others += [each for each in second if not isinstance(each, Statement) and _place(each) not in found]
        refused = (*first.refused, *second.refused)
        return collect_proposal([*others, *statements], (*first.notes, *second.notes), refused)


def _place(item: ProposalItem) -> tuple[object, ...]:
    name = name_key(item.name) if isinstance(item, EntityMention) else ""
    return type(item), item.quote.episode, name


def united_statements(read: Iterable[Statement], modelled: Iterable[Statement]) -> list[Statement]:
    """Everything that was read, and what the model adds to it: other statements, and slots that reading did not see."""
    found = list(read)
    for each in modelled:
        at = next((number for number, held in enumerate(found) if _says_the_same(held, each)), None)
        if at is None:
            found.append(each)
        elif found[at].slot is None and each.slot is not None and found[at].kind == each.kind:
            found[at] = replace(found[at], slot=each.slot, value=each.value)
    return found


def _says_the_same(held: Statement, new: Statement) -> bool:
    if held.quote.episode != new.quote.episode:
        return False
    if held.slot is not None and held.slot == new.slot and name_key(held.value or "") == name_key(new.value or ""):
        return True
    one, other = name_key(held.quote.words), name_key(new.quote.words)
    if one not in other and other not in one and not _alike(one, other):
        return False
    return _alike(held.text, new.text)


def _alike(one: str, other: str) -> bool:
    left, right = ({stem(word) for word in content_words(text)} for text in (one, other))
    return len(left & right) >= _ALIKE * max(1, min(len(left), len(right)))
