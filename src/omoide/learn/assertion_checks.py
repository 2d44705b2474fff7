"""Checks that a turn really asserts an item: modality, polarity, whom and when it is about, and masked text."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, TypeVar

from omoide.learn.proposal import (
    Claim,
    ConversationTurn,
    EntityMention,
    ProposalItem,
    Quote,
    StatedOpinion,
    StatedPreference,
    StatedRelation,
    TaughtProcedure,
    UserCorrection,
)
from omoide.learn.rules.answers import DROPS
from omoide.learn.rules.rule_clauses import GAP, ParsedSentence, RuleClause, masked, parse_sentences
from omoide.learn.rules.rule_modality import ASKED, JEST, REPORTED, STAGED, SUPPOSED, UNKEPT, SentenceReading, stances
from omoide.learn.rules.subjects import plain

QUOTED = "it is quoted, or code, or a log"
_ASKED_OF_YOU = re.compile(r"\b(?:can|could|would|will) you\b", re.IGNORECASE)
_RELATIVE_PREDICATE = re.compile(r"\w+_of|has_pet")
_WHENEVER = re.compile(r"when(?:ever)? \w+ing\b", re.IGNORECASE)


def modality_objection(item: ProposalItem, turn: ConversationTurn, *, of_user: bool) -> str | None:
    """Why the quoted words assert nothing (question, supposition, fiction, quotation, joke), or None if they do.

    `of_user`: the item is about the user.
    """
    if turn.role != "user" or turn.origin != "user":
        return None  # other origins are limited by their confidence
    whys = {
        _modality_reason(item, read, place)
        for place in _quote_spans(item.quote.words, turn.text)
        for read in _readings_at(turn, place)
    }
    if not whys or "" in whys:
        return None
    why = min(whys)
    return None if why == REPORTED and not of_user else why


def _modality_reason(item: ProposalItem, read: SentenceReading | None, place: tuple[int, int]) -> str:
    if read is None:
        return QUOTED
    match item:
        case Claim() | StatedOpinion() | StatedRelation():
            clauses = read.presupposed if _RELATIVE_PREDICATE.fullmatch(_predicate_of(item)) else read.told
            inside = any(clause.start < place[1] and place[0] < clause.end for clause in clauses)
            return "" if inside else read.why or (ASKED if read.asks else SUPPOSED)
        case StatedPreference():
            polite = read.why == ASKED and _ASKED_OF_YOU.search(read.sentence.text)
            return "" if polite else read.why
        case TaughtProcedure():  # "if the build fails, first …" is taught
            return read.why if read.why in (STAGED, JEST, UNKEPT) else ""
        case UserCorrection(whole=True) | UserCorrection(lasting=True):  # "just kidding" is a joke and a retraction
            return ""
        case UserCorrection():  # "when deploying, don't push to main" is not a supposition
            always = "?" not in read.sentence.mark and _WHENEVER.match(read.sentence.text)
            return "" if always and read.why in (SUPPOSED, ASKED) else read.why
        case EntityMention():
            return read.why
    return ""


def _predicate_of(item: Claim | StatedOpinion | StatedRelation) -> str:
    return item.predicate if isinstance(item, Claim) else item.type if isinstance(item, StatedRelation) else ""


def _quote_spans(words: str, text: str) -> list[tuple[int, int]]:
    """All occurrences of the words: if one of them is an assertion, they are asserted."""
    return [found.span() for found in re.finditer(re.escape(words), text)][:20] if words else []


def _readings_at(turn: ConversationTurn, place: tuple[int, int]) -> list[SentenceReading | None]:
    """The sentences that a span touches; [None] if all of it is masked."""
    text, reads = _text_readings(turn.text, turn.speaker)
    start, end = place
    if start >= len(text):
        return []  # after the part that is read
    if not text[start:end].replace(GAP, "").strip(" .,!?\"'«»“”„`"):
        return [None]
    return [read for read in reads if read.sentence.start < end and start < read.sentence.end]


@lru_cache(maxsize=256)
def _text_readings(text: str, speaker: str | None) -> tuple[str, tuple[SentenceReading, ...]]:
    text = masked(text, speaker)
    return text, tuple(stances(parse_sentences(text)))


# ── polarity, person and time ──

ABOUT_OTHERS = "it is said about somebody else"
DENIED = "it is denied there"
OPPOSITE = "the opposite is said there"
IN_FUTURE = "it is in the future"
UNDATED_PAST = "it is about an undated time in the past"

_LASTING_PREDICATES = frozenset({"lives_in", "works_at", "works_as", "studies_at", "uses", "owns"})
_FUTURE = re.compile(
    r"\bin (?:an?|\d+|two|three|four|five|six|ten|a few|a couple of) (?:days?|weeks?|months?|years?)\b(?! (?:of|now)\b)"
    r"|\bby (?:next|the end of|\d{4})\b|\bnext (?:week|month|year|spring|summer|autumn|fall|winter)\b"
    r"|\bsomeday\b|\bone day\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:in|by|from|until) ((?:19|20|21)\d\d)\b")
_MOVED = re.compile(r"\b(?:moved|relocated|came)\b", re.IGNORECASE)
_WHEN = re.compile(
    r"\b(?:back )?when (?:i|we|my|our|he|she|they)\b|\bas an? (?:\w+ )?(?:kid|child|baby|teen\w*|student|boy|girl)\b"
    r"|\bin my (?:\w+ )?(?:childhood|youth|teens|twenties|thirties)\b|\bat (?:the )?age\b",
    re.IGNORECASE,
)
_RELATIVE = (
    r"(?:(?:step|grand|half-?)?(?:mother|father|mom|mum|dad|brother|sister|son|daughter|parents|kids?|child(?:ren)?)"
    r"|uncle|aunt|cousin|niece|nephew|wife|husband|partner|spouse|girlfriend|boyfriend|fianc[eé]e?|ex|friend|buddy"
    r"|roommate|flatmate|colleague|coworker|co-worker|boss|manager|neighbou?r|teacher|doctor|client|team|in-laws?)s?"
)
_FIRST_PERSON = r"(?i:\b(?:i|im|ive|me|we|us|myself|ich|wir|mir|mich|je|yo|eu|nous)\b|\bj['’])|我"
_FIRST_POSSESSIVE = r"(?i:\b(?:my|our|mine|mein\w*|unser\w*|mon|ma|mes|mi|mis|meu|minha|nuestr\w+)\b)"
_OTHER_PERSON = (
    rf"(?i:\b(?:my|our|his|her|their|your|the)(?: [\w-]+)? {_RELATIVE}\b(?! and i\b))"
    r"|(?i:\b(?:he|she|they|he's|she's)\b)"
    r"|\b(?!(?:I|We|Ich|Yo|Eu|Je|Es|This|That|What|There|Which|Where|Here|Today)\b)[A-Z][\w'’-]+"
    r"(?: (?:also|still|now|just|really|currently|never|always))?"
    r" (?:is|was|has|does|doesn't|isn't|(?!this\b|as\b|always\b|was\b|us\b|is\b)[a-z]{2,}s|moved|lived|worked|said)\b"
)
_PERSON = re.compile(rf"(?P<other>{_OTHER_PERSON})|(?P<mine>{_FIRST_PERSON}|{_FIRST_POSSESSIVE})")
_NOT = re.compile(
    r"\b(?:not|never|no longer|neither|nor|nobody|cannot|nicht|kein\w*|nie|niemals|nunca|jamais|não|ne)\b"
    r"|\bn['’](?=[aeéhiouy])|n't\b|n’t\b"
    r"|\b(?:dont|doesnt|didnt|isnt|wasnt|cant)\b|\b(?:yo |ya )?no (?=viv|trabaj|us|teng|soy|me )|不|没",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(
    r"\bnot (?:only|just)\b|\b(?:don'?t|do not|never|not) forget\b|\bno doubt\b|\bwhy not\b", re.IGNORECASE
)
_NEGATIVE_PREDICATE = re.compile(
    r"not_|_not|no_|dislike|hate|avoid|cannot|stopped|sold|intoleran|allerg|diet|never|does_not"
)
_POSITIVE_TASTES = frozenset({"likes", "loves", "enjoys", "prefers"})
_NEGATIVE_TASTES = frozenset({"dislikes", "hates", "avoids"})
_HATES = re.compile(r"\b(?:hate|hates|hated|dislike\w*|detest\w*|loathe\w*|despise\w*|avoid\w*)\b", re.IGNORECASE)
_LOVES = re.compile(r"\b(?:love|loves|like|likes|enjoy\w*|adore\w*|prefer\w*)\b", re.IGNORECASE)


def is_negated(text: str) -> bool:
    """Whether words contain a negation."""
    return _NOT.search(_NOT_ONLY.sub(" ", text)) is not None


def meaning_objection(item: Claim, turn: ConversationTurn, *, of_user: bool) -> str | None:
    """Why the quoted sentences do not state a claim (another person, denied, opposite, wrong time), or None."""
    places = _object_positions(item, turn.text)
    whys = [
        _meaning_reason(item, sentence, at, of_user) or _time_reason(item, sentence, at, turn)
        for sentence, at in places
    ]
    return None if not whys or None in whys else whys[0]


def _meaning_reason(item: Claim, sentence: ParsedSentence, at: int, of_user: bool) -> str | None:
    of_relative = (
        plain(item.predicate) != item.predicate
    )  # `wife_works_at` has the user as subject and is about the wife
    if of_user and _speaks_of_others(sentence.text, at) != of_relative:
        return ABOUT_OTHERS
    clause = _clause_at(sentence, at)
    before = sentence.text[clause.start - sentence.start : at] if clause else ""
    hates, loves, no = _HATES.search(before), _LOVES.search(before), is_negated(before)
    if item.predicate in _POSITIVE_TASTES and not item.negated and hates and not loves and not no:
        return OPPOSITE
    if item.predicate in _NEGATIVE_TASTES and not item.negated and loves and not hates and not no:
        return OPPOSITE
    if not item.negated and no and not _NEGATIVE_PREDICATE.search(item.predicate) and not is_negated(item.object):
        return DENIED
    return None


def _time_reason(item: Claim, sentence: ParsedSentence, at: int, turn: ConversationTurn) -> str | None:
    """Why a lasting fact is not true today: it begins in the future, or at an undated time in the past."""
    clause = _clause_at(sentence, at)
    if item.predicate not in _LASTING_PREDICATES or item.negated or item.valid_until is not None or clause is None:
        return None
    if _FUTURE.search(clause.text) or any(int(year) > turn.at.year for year in _YEAR.findall(clause.text)):
        return IN_FUTURE
    rest = sentence.text[clause.start - sentence.start :]
    if item.valid_from is None and _MOVED.search(clause.text) and _WHEN.search(rest):
        return UNDATED_PAST
    return None


def _clause_at(sentence: ParsedSentence, at: int) -> RuleClause | None:
    return next((each for each in sentence.clauses if each.start <= sentence.start + at < each.end), None)


def _speaks_of_others(sentence: str, at: int) -> bool:
    """Whether a sentence is about somebody else at a position.

    The last person named before the position decides, or else the first one after it.
    """
    found = [each for each in _PERSON.finditer(sentence) if each.start() != at]  # "Rome is where I live"
    before = [each for each in found if each.start() < at]
    deciding = before[-1] if before else found[0] if found else None
    dropped = DROPS.match(sentence)
    if dropped and all(each.start() < dropped.end() for each in before):
        return False  # "Moved to Utrecht for my girlfriend": the implicit subject is the speaker
    return deciding is not None and deciding["other"] is not None


def _object_positions(item: Claim, text: str) -> list[tuple[ParsedSentence, int]]:
    """The quoted sentences, each with the position of the object, or else of the quote."""
    places: list[tuple[ParsedSentence, int]] = []
    parsed = parse_sentences(text)
    for quote in list(re.finditer(re.escape(item.quote.words), text))[:20]:
        touched = [each for each in parsed if each.start < quote.end() and quote.start() < each.end]
        objects = [(each, at) for each in touched for at in _positions_in(item.object, each, quote)]
        places += objects or [(each, max(0, quote.start() - each.start)) for each in touched[:1]]
    return places


def _positions_in(words: str, sentence: ParsedSentence, quote: re.Match[str]) -> list[int]:
    """Positions of words in a sentence, preferably inside of the quote."""
    found = [each.start() for each in re.finditer(re.escape(words), sentence.text, re.IGNORECASE)]
    quoted = [at for at in found if quote.start() <= sentence.start + at < quote.end()]
    return quoted or found


# ── masked text ──

_MASKED_RUN = re.compile(f"{GAP}+")
_CONTEXT = 12  # characters before a masked run by which it is located
_MAX_MASKED = 80  # characters; longer runs are foreign text or code

T = TypeVar("T", bound=ProposalItem)


class UnrecoverableMask(Exception):
    """The original text of a masked part cannot be found."""


def unmask_item(item: T, text: str) -> T:
    """Restore masked parts of an item from its turn. Raises UnrecoverableMask if a part is too long or not found."""
    changed = {}
    for field in fields(item):
        value = getattr(item, field.name)
        if field.name != "quote" and (whole := _unmask_value(value, text)) != value:
            changed[field.name] = whole
    return replace(item, **changed) if changed else item


def _unmask_value(value: Any, text: str) -> Any:
    if isinstance(value, tuple):
        return tuple(_unmask_value(each, text) for each in value)
    if not isinstance(value, str) or isinstance(value, Quote) or GAP not in value:
        return value
    while (hole := _MASKED_RUN.search(value)) is not None:
        value = value[: hole.start()] + _original_text(value, hole, text) + value[hole.end() :]
    return value


def _original_text(value: str, hole: re.Match[str], text: str) -> str:
    before = value[max(0, hole.start() - _CONTEXT) : hole.start()]
    size = hole.end() - hole.start()
    found = re.search(f"{re.escape(before)}(.{{{size}}})", text, re.IGNORECASE) if before.strip() else None
    if found is None or size > _MAX_MASKED or GAP in found[1]:
        raise UnrecoverableMask
    return found[1]
