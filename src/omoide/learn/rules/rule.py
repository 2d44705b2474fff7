"""A rule: how a claim begins, what it is about, and how the words after it are read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from omoide.domain.entity import name_key
from omoide.learn.proposal import USER, Claim, ConversationTurn, LearningConversation, Quote, SourceType
from omoide.learn.rules.phrases import CAPITAL, Reader

# Words between the subject and its verb that change nothing.
_ADVERBS = (
    r"(?: (?:currently|now|still|also|actually|really|recently|just|finally|officially|mostly|mainly"
    r"|usually|always|absolutely|totally|both|all|already|originally"
    r"|personally|truly|honestly|do|mostly|primarily|only|generally|genuinely|especially|particularly"
    r"|definitely|very much|love to|so|even|myself|quite))*"
)
NAME = rf"(?:(?:Mrs?|Ms|Dr|Prof)\.? )?{CAPITAL}[\w-]+(?: {CAPITAL}[\w-]+)?"


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """`pattern` is matched at the clause's first word; its group `rest` begins where the object does."""

    predicate: str
    pattern: re.Pattern[str]
    read: Reader
    type: str | None = None  # of the object, where it is a thing of the world
    ended: bool = False
    confidence: float = 1.0
    past: bool = False  # told as over: a fact of the time it names, and nothing where it names none


def mine(
    predicate: str, verbs: str, read: Reader, type: str | None = None, *, ended: bool = False, confidence: float = 1.0
) -> ClaimRule:
    """ "I …", "we …" followed by one of the verbs."""
    pattern = rf"(?i:(?:i|we)(?:'ve| have|ve)?{_ADVERBS}(?: been)? (?:{verbs}))\s+(?P<rest>\S.*)"
    return ClaimRule(predicate, re.compile(pattern), read, type, ended, confidence)


def am(
    predicate: str, words: str, read: Reader, type: str | None = None, *, ended: bool = False, confidence: float = 1.0
) -> ClaimRule:
    """ "I am …", "we're …" followed by one of the words ("" for none)."""
    said = rf" (?:{words})" if words else ""
    pattern = rf"(?i:(?:i'?m|i am|we're|we are|i have been|i've been){_ADVERBS}{said})\s+(?P<rest>\S.*)"
    return ClaimRule(predicate, re.compile(pattern), read, type, ended, confidence)


def named(
    predicate: str,
    verbs: str,
    read: Reader,
    type: str | None = None,
    *,
    ended: bool = False,
    confidence: float = 0.9,
    past: bool = False,
) -> ClaimRule:
    """A name followed by one of the verbs: what the user tells about somebody else."""
    pattern = rf"(?P<who>{NAME})(?i:(?:'s)?{_ADVERBS} (?:{verbs}))\s+(?P<rest>\S.*)"
    return ClaimRule(predicate, re.compile(pattern), read, type, ended, confidence, past)


def plain(
    predicate: str,
    pattern: str,
    read: Reader,
    type: str | None = None,
    *,
    ended: bool = False,
    confidence: float = 1.0,
    past: bool = False,
) -> ClaimRule:
    """Any other opening, without regard to case."""
    return ClaimRule(predicate, re.compile(f"(?i:{pattern})(?P<rest>\\S.*)"), read, type, ended, confidence, past)


# What the rules pass among themselves: who speaks, and a claim with what is known of its two ends.


_NOBODY = frozenset({"user", "me", "human", "you", "customer", "client", "assistant", "ai", "agent", "bot", "system"})


@dataclass(frozen=True, slots=True)
class TurnSpeaker:
    """Who "I" is: `subject` in a claim, `name` in its sentence."""

    subject: str
    name: str

    @property
    def owns_the_memory(self) -> bool:
        return self.subject == USER


@dataclass(frozen=True, slots=True)
class FoundClaim:
    """A claim, and what kind of thing its subject and its object are, where the rule knows."""

    claim: Claim
    subject_type: str | None = None
    object_type: str | None = None


@dataclass(frozen=True, slots=True)
class TurnScene:
    """One turn as the claims see it."""

    turn: ConversationTurn
    speaker: TurnSpeaker
    source: SourceType = "stated"
    ceiling: float = 1.0


def speakers(conversation: LearningConversation) -> dict[str | None, TurnSpeaker]:
    """Who each speaker's "I" is. One memory has one owner: two people who both talk are told apart by their names."""
    owner = conversation.owner
    names = dict.fromkeys(turn.speaker for turn in conversation.turns if turn.role == "user" and _is_name(turn.speaker))
    found: dict[str | None, TurnSpeaker] = {}
    for name in dict.fromkeys(turn.speaker for turn in conversation.turns):
        if not _is_name(name):
            found[name] = TurnSpeaker(USER, owner or "User")
        elif (owner is None and len(names) == 1) or (owner is not None and name_key(name or "") == name_key(owner)):
            found[name] = TurnSpeaker(USER, owner or name or "User")
        else:
            found[name] = TurnSpeaker(name or USER, name or "User")
    return found


def _is_name(speaker: str | None) -> bool:
    return bool(speaker) and name_key(speaker or "") not in _NOBODY


def quoted(turn: ConversationTurn, start: int, end: int) -> Quote:
    """Words of the turn as they stand there, whatever the rules made of them."""
    words = turn.text[start:end].strip()
    return Quote(turn.id, words or turn.text.strip()[:200])


# A claim in words: the plain sentence that is stored and searched.


_SAID: dict[str, tuple[str, str]] = {  # predicate → how it is told, how it is told that it ended
    "lives_in": ("{s} lives in {o}", "{s} no longer lives in {o}"),
    "lived_in": ("{s} lived in {o}", ""),
    "comes_from": ("{s} is from {o}", "{s} is not from {o}"),
    "born_in": ("{s} was born in {o}", "{s} was not born in {o}"),
    "grew_up_in": ("{s} grew up in {o}", ""),
    "works_at": ("{s} works at {o}", "{s} no longer works at {o}"),
    "also_works_at": ("{s} also works at {o}", "{s} no longer works at {o}"),
    "stays_in": ("{s} is staying in {o}", "{s} is no longer staying in {o}"),
    "worked_at": ("{s} worked at {o}", ""),
    "works_as": ("{s} works as {a}", "{s} no longer works as {a}"),
    "teaches": ("{s} teaches {o}", "{s} no longer teaches {o}"),
    "runs": ("{s} runs {a}", "{s} no longer runs {a}"),
    "works_on": ("{s} works on {o}", "{s} no longer works on {o}"),
    "name": ("{s}'s name is {o}", "{s}'s name is not {o}"),
    "called": ("{s} wants to be called {o}", "{s} does not want to be called {o}"),
    "age": ("{s} is {o} years old", ""),
    "birthday": ("{s}'s birthday is {o}", ""),
    "has_children": ("{s} has {o}", ""),
    "marital_status": ("{s} is {o}", "{s} is no longer {o}"),
    "nationality": ("{s} is {o}", "{s} is not {o}"),
    "diet": ("{s} is {o}", "{s} is no longer {o}"),
    "does_not_eat": ("{s} does not eat {o}", "{s} eats {o} again"),
    "allergic_to": ("{s} is allergic to {o}", "{s} is not allergic to {o}"),
    "intolerant_to": ("{s} is {o} intolerant", "{s} is not {o} intolerant"),
    "has_condition": ("{s} has {o}", "{s} no longer has {o}"),
    "owns": ("{s} owns {a}", "{s} no longer owns {a}"),
    "uses": ("{s} uses {o}", "{s} no longer uses {o}"),
    "likes": ("{s} likes {o}", "{s} no longer likes {o}"),
    "dislikes": ("{s} dislikes {o}", "{s} no longer dislikes {o}"),
    "prefers": ("{s} prefers {o}", "{s} no longer prefers {o}"),
    "speaks": ("{s} speaks {o}", "{s} does not speak {o}"),
    "learns": ("{s} is learning {o}", "{s} is no longer learning {o}"),
    "studies": ("{s} studies {o}", "{s} no longer studies {o}"),
    "studies_at": ("{s} studies at {o}", "{s} no longer studies at {o}"),
    "graduated_from": ("{s} graduated from {o}", ""),
    "plays": ("{s} plays {o}", "{s} no longer plays {o}"),
    "plans": ("{s} plans: {o}", "{s} no longer plans: {o}"),
    "timezone": ("{s}'s timezone is {o}", ""),
    "email": ("{s}'s email is {o}", ""),
    "phone": ("{s}'s phone number is {o}", ""),
    "deployed_on": ("{s} is deployed on {o}", "{s} is no longer deployed on {o}"),
    "hosted_on": ("{s} is hosted on {o}", "{s} is no longer hosted on {o}"),
    "runs_on": ("{s} runs on {o}", "{s} no longer runs on {o}"),
    "depends_on": ("{s} depends on {o}", "{s} no longer depends on {o}"),
    "part_of": ("{s} is part of {o}", "{s} is no longer part of {o}"),
    "created": ("{s} created {o}", "{s} did not create {o}"),
    "written_in": ("{s} is written in {o}", "{s} is no longer written in {o}"),
    "built_with": ("{s} is built with {o}", "{s} is no longer built with {o}"),
    "friend_of": ("{s} is a friend of {o}", "{s} is no longer a friend of {o}"),
}


_WAS = {  # how what is over is told
    "lives_in": "{s} lived in {o}",
    "works_at": "{s} worked at {o}",
    "works_as": "{s} worked as {a}",
    "marital_status": "{s} was {o}",
    "has_pet": "{s} had a pet named {o}",
}


def was(subject: str, predicate: str, object: str, when: str = "") -> str:
    """ "Otto lived in Rome in 2019": in the past, with the words that said when."""
    said = _WAS.get(predicate, f"{{s}} {predicate.replace('_', ' ')} (in the past): {{o}}")
    return f"{said.format(s=subject, o=object, a=_with_article(object))} {when}".strip()


def told(subject: str, predicate: str, object: str, ended: bool) -> str:
    """ "Otto lives in Berlin". A predicate without a form of its own is spelled out."""
    said = _SAID.get(predicate)
    if said is not None and said[ended]:
        return said[ended].format(s=subject, o=object, a=_with_article(object))
    spelled = predicate.replace("_", " ")
    if predicate.startswith("favorite_"):
        return f"{subject}'s {spelled} is {object}"
    if predicate.endswith("_of"):
        owner = f"{object}'" if object.endswith("s") else f"{object}'s"
        return f"{subject} is {'no longer ' if ended else ''}{owner} {spelled.removesuffix(' of')}"
    return f"{subject} {spelled}{' no longer' if ended else ''}: {object}"


def _with_article(object: str) -> str:
    first = object.split(" ", 1)[0].lower()
    if first in {"a", "an", "the", "my", "two", "three", "four", "five"} or first[:1].isdigit() or object.endswith("s"):
        return object
    return f"{'an' if first[:1] in 'aeiou' else 'a'} {object}"


_THIRD = (
    (r"\bI'?m\b|\bI am\b", "{s} is"),
    (r"\bI'?ve\b|\bI have\b", "{s} has"),
    (r"\bI'll\b", "{s} will"),
    (r"\bI\b", "{s}"),
    (r"\bme\b", "{s}"),
    (r"\bmy\b|\bMy\b|\bmine\b", "{s}'s"),
)


def in_third(words: str, name: str) -> str:
    """What the speaker said of themselves, told by somebody else; for words that no rule could take apart."""
    for pattern, by in _THIRD:
        words = re.sub(pattern, by.format(s=name).replace("\\", r"\\"), words)
    return words[:1].upper() + words[1:]
