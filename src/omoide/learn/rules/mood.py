"""Whether a sentence says how things are: questions, conditions, jokes, fiction, other people's words do not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile

from .groan import groaned
from .sentence import ASKED_ABROAD, Clause, Sentence
from .stage import staged
from .unkept import unkept

_ASKS = re.compile(
    r"(?:and |so |but |or |ok(?:ay)?,? |hey,? |hi,? |also,? |btw,? |wait,? )*"
    r"(?:(?:do|does|did|can|could|would|should|is|are|was|were|will|have|has|had|am|may|isn't|aren't"
    r"|don't|doesn't|didn't|won't|can't)"
    r" (?:i|you|we|he|she|it|they|this|that|there|the|my|your|our|his|her|any|anyone|someone)\b"
    r"|(?:what|what's|whats|where|where's|who|who's|how|how's|why|which|whose|when)\b)",
    re.IGNORECASE,
)
# "Lara works at Bayer, doesn't she": asked, with or without the mark.
_TAG = re.compile(
    r", (?:(?:is|are|was|were|do|does|did|has|have|had|wo|ca|ai)n't (?:i|you|we|he|she|it|they)|am i|innit|eh|no"
    r"|nicht wahr"
    r"|oder|verdad|né)$",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"(?:and |so |but |or |then |well,? |ok,? |yeah,? )*(?:(?:even |only |not even )?if|unless|suppose|supposing"
    r"|imagine"
    r"|imagining|pretend|assume|assuming|say (?:i|i'm|my|we|that i)|let'?s (?:say|assume|imagine|suppose)"
    r"|let us (?:say|assume|imagine|suppose)|what if|in case|as if|as though|i wish|if only|would that|wish i"
    r"|(?:as|so) long as|provided(?: that)?|providing|were (?:i|we|my|he|she)|had (?:i|we) \w+(?:ed|en|ne|me|ught|nt)"
    r"|once (?:i|we|my|he|she)|as soon as|by the time|the day i|when i \w+ (?:[\w ]{0,30} )?(?:someday|one day)"
    r"|wenn|falls|sobald|solange|angenommen|stell dir vor|nehmen wir an|sagen wir|mal angenommen|wäre|hätte|würde"
    r"|si|ojalá|imagina(?:te)?|supongamos|supón|digamos|pongamos|cuando (?:viva|trabaje|tenga)"
    r"|supposons|imaginons|admettons|au cas où|à supposer|se|caso|oxalá|vamos supor|suponha(?:mos)?|supondo|quando"
    r" eu (?:morar|trabalhar|tiver))\b"
    r"|(?:如果|要是|假如|假设|想象|假定)",
    re.IGNORECASE,
)
# Somebody else's words or thoughts, told. What "I said" is the speaker's own.
_REPORTS = re.compile(
    r"\b(?:said|says|saying|told me|tells me|telling me|claims|claimed|thinks|believes|replied|wrote"
    r"|writes|texted|asked me|asks|yelled|shouted|assumes|assumed|thought i|guesses|denies|denied|pretends|joked|jokes"
    r"|according to|insists|swears|goes|sang|sings|lyrics|quote|rumou?r has it|i lied|(?:never|didn't|not) (?:said|say)"
    r"|keeps? (?:asking|saying|telling)|shows? that|it's not true|(?:not|isn't) true that"
    r"|(?:they|people|you|everyone|everybody|some) (?:think|assume|say|believe|claim|guess)(?: that)? (?:i|i'm|my"
    r"|we|our)"
    r"|dijo|dice|dicen|disse|diz|dizem|sagte|sagt|sagen|meinte|meint|behauptet|glaubt|m'a dit|a dit|ont dit|disent"
    r"|dit que|selon|prétend|croit que)\b"
    r"|\b(?:his|her|their|the|this|that|an?|your|its|\w+'s) (?:\w+ )?(?:text|tweet|message|post|email|e-mail|mail"
    r"|caption"
    r"|sign|note|bio|headline|status|comment|review|title|letter|profile|form|label|poster|shirt|mug|ad|banner|article"
    r"|page|log|output|answer|reply|line|song|quote)s?(?: (?:\w+ )?(?:reads?|said|was|is|goes|says))?:|\breads?:"
    r"|♪|♫|[说问]我|据说",
    re.IGNORECASE,
)
_MY_REPORT = re.compile(
    r"\b(?:i|i've|like i|as i|i already|i just|have i)\s+(?:already |just )?(?:said|told|mentioned|wrote)\b"
    r"|\bich mein(?:e|te)\b",
    re.IGNORECASE,
)
_JOKES = re.compile(
    r"(?:^|\s)/s\b|\b(?:just kidding|only kidding|j/?k|yeah,? right|as if|oh sure|sure,? because"
    r"|not really|(?:just|only) joking|i'm joking|im joking"
    r"|said no one ever|sarcasm|april fools|psych)\b|\b(?:not!|(?-i:NOT))\s*$|^not$|[,;–—-] ?not$"
    r"|, (?:obviously|apparently|allegedly)$"
    r"|\bbecause obviously\b|^(?:sure|yay)[,!]* (?:i|we)(?:'m|'re)? (?:totally|obviously|definitely"
    r"|clearly|so totally|just (?-i:LOVE))\b|^(?:yay|woo-?hoo|hooray|lucky me|how lovely|fantastic)[,!]* (?:another"
    r"|i (?:just )?love)"
    r"|\bi (?:just |really |so )*(?:love|enjoy|adore)\b.*,? thanks a (?:lot|bunch|million)$"
    r"|\bi (?:just |really |so )*(?:love|enjoy|adore) (?:waiting (?:\w+ )?(?:hours?|minutes?|days?|on hold|in line|for)"
    r"|being (?:ignored|put on hold|overcharged|ghosted|stuck)|getting (?:ignored|spammed|overcharged|stuck))\b"
    r"|\bjust (?-i:LOVE)\b|\bnothing i (?:love|like|enjoy) more than\b"
    r"|🙄|🤡|😏|😒|😑|🙃"
    r"|\b(?:oh|wow),? (?:(?:great|joy|wonderful|perfect|fantastic|how nice)[,.!]* (?:i|we|another|more"
    r"|just|yet)\b|i just love)",
    re.IGNORECASE,
)
_LAST_ASK = re.compile(
    r"(?:and |so |but |or |then |also |please |just )*(?:what|what's|whats|how|how's|which|where"
    r"|where's|who|who's|why|when|can|could|would|will|do|does|did|is|are|any|should"
    r"|anything|got|have|has|may|might|shall|am|was|were|isn't|aren't|don't|right now)\b"
    rf"|(?!¿?(?:verdad|no|cierto|eh|sí|né|não|oder|nicht|hein|non)\b){ASKED_ABROAD}",
    re.IGNORECASE,
)


STAGED = "it is part of a story, a role or a text to work on"
SUPPOSED = "it is supposed, not told"
ASKED = "it is asked, not told"
REPORTED = "these are somebody else's words"
JEST = "it is said in jest"
UNKEPT = "it was asked not to be kept"


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence with what in it is told as true: `told`. Instructions are read from all of it."""

    sentence: Sentence
    told: tuple[Clause, ...]
    asks: bool
    presupposed: tuple[Clause, ...]  # where "my sister Anna" names her even in a question or in reported speech
    why: str = ""  # why nothing is told, where nothing is


def read(found: list[Sentence]) -> list[Read]:
    """The sentences up to where the turn stops being the speaker's own, each with the clauses that tell something."""
    return own(stances(found))


def own(reads: list[Read]) -> list[Read]:
    return list(takewhile(lambda each: each.why not in (STAGED, UNKEPT), reads))


def stances(found: list[Sentence]) -> list[Read]:
    """Every sentence, and of those that tell nothing the reason: also what others read in a turn is judged by it."""
    if any(unkept(sentence.text) for sentence in found):
        return [Read(sentence, (), "?" in sentence.mark, (), UNKEPT) for sentence in found]
    begins = next((n for n, sentence in enumerate(found) if staged(sentence.text)), len(found))
    jests = {n for n, sentence in enumerate(found[:begins]) if _JOKES.search(sentence.text)}
    if jests:
        jests.add(min(jests) - 1)  # "just kidding" takes back what was said right before it
    jests |= set(groaned(found[:begins]))
    return [
        Read(sentence, (), "?" in sentence.mark, (), STAGED) if number >= begins else _read(sentence, number in jests)
        for number, sentence in enumerate(found)
    ]


def _read(sentence: Sentence, jest: bool) -> Read:
    asks = (
        "?" in sentence.mark or "？" in sentence.mark or bool(_ASKS.match(sentence.text) or _TAG.search(sentence.text))
    )
    why = JEST if jest else SUPPOSED if _SUPPOSES.match(sentence.text) else REPORTED if _reported(sentence.text) else ""
    told = () if why else _told(sentence, asks)
    why = why or ("" if told else ASKED if asks else SUPPOSED)
    unsure = why in (JEST, SUPPOSED) or ":" in sentence.text
    return Read(sentence, told, asks, told if unsure else sentence.clauses, why)


def _reported(text: str) -> bool:
    return bool(_REPORTS.search(text)) and not _MY_REPORT.search(text)


def _told(sentence: Sentence, asks: bool) -> tuple[Clause, ...]:
    clauses = sentence.clauses
    if asks:
        # "I'm vegan, what can I eat?" tells before it asks; a tag ("…, right?") makes all of it the question.
        if _ASKS.match(sentence.text) or len(clauses) < 2 or not _LAST_ASK.match(clauses[-1].text):
            return ()
        clauses = tuple(takewhile(lambda clause: not _LAST_ASK.match(clause.text), clauses))
    cut = next((n for n, clause in enumerate(clauses) if _SUPPOSES.match(clause.text)), len(clauses))
    # What follows a condition inside the sentence depends on it; what stands before it does not.
    return clauses[:cut]
