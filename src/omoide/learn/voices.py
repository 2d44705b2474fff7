"""Of whom and of which time a sentence tells something, and whether it says or denies it: a claim turns none around."""

from __future__ import annotations

import re

from omoide.learn.proposal import Claim, Turn
from omoide.learn.rules.dropped import DROPS
from omoide.learn.rules.sentence import Clause, Sentence, sentences
from omoide.learn.rules.unnamed import plain

OTHERS = "it is said of somebody else"
DENIED = "it is denied there"
OPPOSITE = "the opposite is said there"
AHEAD = "it lies ahead"
LONG_AGO = "it tells of a time of which is not said when it was"

_LASTS = frozenset({"lives_in", "works_at", "works_as", "studies_at", "uses", "owns"})
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
_KIN = (
    r"(?:(?:step|grand|half-?)?(?:mother|father|mom|mum|dad|brother|sister|son|daughter|parents|kids?|child(?:ren)?)"
    r"|uncle|aunt|cousin|niece|nephew|wife|husband|partner|spouse|girlfriend|boyfriend|fianc[eé]e?|ex|friend|buddy"
    r"|roommate|flatmate|colleague|coworker|co-worker|boss|manager|neighbou?r|teacher|doctor|client|team|in-laws?)s?"
)
_FIRST = r"(?i:\b(?:i|im|ive|me|we|us|myself|ich|wir|mir|mich|je|yo|eu|nous)\b|\bj['’])|我"
_MY = r"(?i:\b(?:my|our|mine|mein\w*|unser\w*|mon|ma|mes|mi|mis|meu|minha|nuestr\w+)\b)"
_OTHER = (
    rf"(?i:\b(?:my|our|his|her|their|your|the)(?: [\w-]+)? {_KIN}\b(?! and i\b))"
    r"|(?i:\b(?:he|she|they|he's|she's)\b)"
    r"|\b(?!(?:I|We|Ich|Yo|Eu|Je|Es|This|That|What|There|Which|Where|Here|Today)\b)[A-Z][\w'’-]+"
    r"(?: (?:also|still|now|just|really|currently|never|always))?"
    r" (?:is|was|has|does|doesn't|isn't|(?!this\b|as\b|always\b|was\b|us\b|is\b)[a-z]{2,}s|moved|lived|worked|said)\b"
)
_WHO = re.compile(rf"(?P<other>{_OTHER})|(?P<mine>{_FIRST}|{_MY})")
_NOT = re.compile(
    r"\b(?:not|never|no longer|neither|nor|nobody|cannot|nicht|kein\w*|nie|niemals|nunca|jamais|não|ne)\b"
    r"|\bn['’](?=[aeéhiouy])|n't\b|n’t\b"
    r"|\b(?:dont|doesnt|didnt|isnt|wasnt|cant)\b|\b(?:yo |ya )?no (?=viv|trabaj|us|teng|soy|me )|不|没",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(
    r"\bnot (?:only|just)\b|\b(?:don'?t|do not|never|not) forget\b|\bno doubt\b|\bwhy not\b", re.IGNORECASE
)
_HOLDS_WITHOUT = re.compile(
    r"not_|_not|no_|dislike|hate|avoid|cannot|stopped|sold|intoleran|allerg|diet|never|does_not"
)
_FOND = frozenset({"likes", "loves", "enjoys", "prefers"})
_AVERSE = frozenset({"dislikes", "hates", "avoids"})
_HATES = re.compile(r"\b(?:hate|hates|hated|dislike\w*|detest\w*|loathe\w*|despise\w*|avoid\w*)\b", re.IGNORECASE)
_LOVES = re.compile(r"\b(?:love|loves|like|likes|enjoy\w*|adore\w*|prefer\w*)\b", re.IGNORECASE)


def denies(text: str) -> bool:
    """Whether words say that something is not so."""
    return _NOT.search(_NOT_ONLY.sub(" ", text)) is not None


def against(item: Claim, turn: Turn, *, of_user: bool) -> str | None:
    """Why the sentence a claim rests on does not say it, where it does not."""
    places = _places(item, turn.text)
    whys = [_why(item, sentence, at, of_user) or _when(item, sentence, at, turn) for sentence, at in places]
    return None if not whys or None in whys else whys[0]


def _why(item: Claim, sentence: Sentence, at: int, of_user: bool) -> str | None:
    of_relative = plain(item.predicate) != item.predicate  # `wife_works_at` is the user's, and told of her
    if of_user and _speaks_of_others(sentence.text, at) != of_relative:
        return OTHERS
    clause = _clause(sentence, at)
    before = sentence.text[clause.start - sentence.start : at] if clause else ""
    hates, loves, no = _HATES.search(before), _LOVES.search(before), denies(before)
    if item.predicate in _FOND and not item.negated and hates and not loves and not no:
        return OPPOSITE
    if item.predicate in _AVERSE and not item.negated and loves and not hates and not no:
        return OPPOSITE
    if not item.negated and no and not _HOLDS_WITHOUT.search(item.predicate) and not denies(item.object):
        return DENIED
    return None


def _when(item: Claim, sentence: Sentence, at: int, turn: Turn) -> str | None:
    """What lasts is so today, unless it is said to begin later, or began at a time that nobody dated."""
    clause = _clause(sentence, at)
    if item.predicate not in _LASTS or item.negated or item.valid_until is not None or clause is None:
        return None
    if _FUTURE.search(clause.text) or any(int(year) > turn.at.year for year in _YEAR.findall(clause.text)):
        return AHEAD
    told = sentence.text[clause.start - sentence.start :]
    if item.valid_from is None and _MOVED.search(clause.text) and _WHEN.search(told):
        return LONG_AGO
    return None


def _clause(sentence: Sentence, at: int) -> Clause | None:
    return next((each for each in sentence.clauses if each.start <= sentence.start + at < each.end), None)


def _speaks_of_others(sentence: str, at: int) -> bool:
    """The last one named before the words is whom they are said of; where none is, the first one after them."""
    found = [each for each in _WHO.finditer(sentence) if each.start() != at]  # "Rome is where I live"
    before = [each for each in found if each.start() < at]
    deciding = before[-1] if before else found[0] if found else None
    dropped = DROPS.match(sentence)
    if dropped and all(each.start() < dropped.end() for each in before):
        return False  # "Moved to Utrecht for my girlfriend": the one who says so moved
    return deciding is not None and deciding["other"] is not None


def _places(item: Claim, text: str) -> list[tuple[Sentence, int]]:
    """The sentences that the quote touches, each with where in it the object stands, or else the quote."""
    places: list[tuple[Sentence, int]] = []
    told = sentences(text)
    for quote in list(re.finditer(re.escape(item.quote.words), text))[:20]:
        touched = [each for each in told if each.start < quote.end() and quote.start() < each.end]
        objects = [(each, at) for each in touched for at in _at(item.object, each, quote)]
        places += objects or [(each, max(0, quote.start() - each.start)) for each in touched[:1]]
    return places


def _at(words: str, sentence: Sentence, quote: re.Match[str]) -> list[int]:
    """Where they stand in a sentence, inside of the quote if they do."""
    found = [each.start() for each in re.finditer(re.escape(words), sentence.text, re.IGNORECASE)]
    quoted = [at for at in found if quote.start() <= sentence.start + at < quote.end()]
    return quoted or found
