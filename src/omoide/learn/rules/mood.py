"""Whether a sentence says how things are: questions, conditions, jokes, fiction, other people's words do not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile

from .sentence import Clause, Sentence

_ASKS = re.compile(
    r"(?:and |so |but |or |ok(?:ay)?,? |hey,? |hi,? |also,? |btw,? |wait,? )*"
    r"(?:(?:do|does|did|can|could|would|should|is|are|was|were|will|have|has|had|am|may|isn't|aren't"
    r"|don't|doesn't|didn't|won't|can't)"
    r" (?:i|you|we|he|she|it|they|this|that|there|the|my|your|our|his|her|any|anyone|someone)\b"
    r"|(?:what|what's|whats|where|where's|who|who's|how|how's|why|which|whose|when)\b)",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"(?:and |so |but |or |then |well,? |ok,? |yeah,? )*(?:if|unless|suppose|supposing|imagine"
    r"|imagining|pretend|assume|assuming|say i|let's say"
    r"|lets say|let us say|what if|in case|as if|as though|i wish|if only|would that|wish i|wenn|falls"
    r"|angenommen|wäre|hätte|si|ojalá"
    r"|se|caso|oxalá|如果|要是|假如|假设)\b",
    re.IGNORECASE,
)
# Somebody else's words or thoughts, told. What "I said" is the speaker's own.
_REPORTS = re.compile(
    r"\b(?:said|says|saying|told me|tells me|telling me|claims|claimed|thinks|believes|replied|wrote"
    r"|writes|texted|asked me|asks|yelled|shouted"
    r"|according to|insists|swears|goes|sang|sings|lyrics|quote|dijo|dice|disse|diz|sagte|sagt|meinte)\b",
    re.IGNORECASE,
)
_MY_REPORT = re.compile(
    r"\b(?:i|i've|like i|as i|i already|i just|have i)\s+(?:already |just )?(?:said|told|mentioned|wrote)\b",
    re.IGNORECASE,
)
_JOKES = re.compile(
    r"(?:^|\s)/s\b|\b(?:just kidding|only kidding|j/?k|yeah,? right|as if|oh sure|sure,? because"
    r"|not really|just joking|i'm joking|im joking"
    r"|said no one ever|sarcasm|april fools|psych)\b|\b(?:not!|(?-i:NOT))\s*$"
    r"|🙄|🤡|😏|\b(?:oh|wow),? (?:great|joy|i just love)",
    re.IGNORECASE,
)
# From here on the turn is somebody else's text: to translate, to rewrite, to play.
_STAGED = re.compile(
    r"\b(?:role.?play|pretend|imagine (?:that )?(?:you|i|we)|act(?:ing)? (?:as|like)|play the role"
    r"|in character|^you are (?:an?|the|now)|^your (?:task|role|job) is|you will be|hypothetically"
    r"|(?:^|please |you |let's )(?:write|tell|compose|draft|create|generate|continue|finish|make up"
    r"|give)\b.{0,40}\b(?:story|stories|poem|song|novel|haiku|limerick|lyrics|dialogue|script"
    r"|scene|screenplay|joke|essay|monologue|fanfic|rap|sonnet|fable|tale|chapter|prompt|character"
    r"|persona|letter|bio|biography|speech|tweet|caption|blurb"
    r"|email|e-mail|message|post|paragraph|sentence|statement|summary|description|review|testimonial|cover|copy)s?"
    r"|(?:^|please |you |let's )(?:translate|proofread|paraphrase|rephrase|reword|rewrite|summari[sz]e"
    r"|transcribe|edit|fix the grammar|correct the grammar|correct my grammar|improve|grammar.?check"
    r"|analy[sz]e|classify|spell.?check)\b.{0,60}(?:[:\ufffc]|\bthis\b|\bthe following\b|\bbelow\b|$)"
    r"|how (?:do|would|can) (?:you|i|we) say|in my (?:novel|story|book|game|dream|screenplay|dnd|d&d"
    r"|campaign)|my character|my persona|(?:the|a) song goes"
    r"|as an example|for example[:,]|example sentence|here(?:'s| is) (?:an? |the |my )?(?:email|text"
    r"|message|draft|letter|essay|story|poem|article|excerpt|transcript|quote)"
    r"|übersetze|traduce|traduza|traduz|翻译)\b",
    re.IGNORECASE,
)
_LAST_ASK = re.compile(
    r"(?:and |so |but |or |then |also |please |just )*(?:what|what's|whats|how|how's|which|where"
    r"|where's|who|who's|why|when|can|could|would|will|do|does|did|is|are|any|should"
    r"|anything|got|have|has|may|might|shall|am|was|were|isn't|aren't|don't|right now)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence with what in it is told as true: `told`. Instructions are read from all of it."""

    sentence: Sentence
    told: tuple[Clause, ...]
    asks: bool
    presupposed: tuple[Clause, ...]  # where "my sister Anna" names her even in a question or in reported speech


def read(found: list[Sentence]) -> list[Read]:
    """The sentences up to where the turn stops being the speaker's own, each with the clauses that tell something."""
    own = list(takewhile(lambda sentence: not _STAGED.search(sentence.text), found))
    joke = next((n for n, sentence in enumerate(own) if _JOKES.search(sentence.text)), None)
    # "just kidding" takes back what was said right before it.
    silent = set() if joke is None else {n for n, s in enumerate(own) if _JOKES.search(s.text)} | {joke - 1}
    reads = []
    for number, sentence in enumerate(own):
        asks = "?" in sentence.mark or "？" in sentence.mark or bool(_ASKS.match(sentence.text))
        told = () if number in silent else _told(sentence, asks)
        supposed = number in silent or bool(_SUPPOSES.match(sentence.text)) or ":" in sentence.text
        reads.append(Read(sentence, told, asks, told if supposed else sentence.clauses))
    return reads


def _told(sentence: Sentence, asks: bool) -> tuple[Clause, ...]:
    text = sentence.text
    if _SUPPOSES.match(text) or (_REPORTS.search(text) and not _MY_REPORT.search(text)):
        return ()
    clauses = sentence.clauses
    if asks:
        # "I'm vegan, what can I eat?" tells before it asks; a tag ("…, right?") makes all of it the question.
        if _ASKS.match(text) or len(clauses) < 2 or not _LAST_ASK.match(clauses[-1].text):
            return ()
        clauses = tuple(takewhile(lambda clause: not _LAST_ASK.match(clause.text), clauses))
    cut = next((n for n, clause in enumerate(clauses) if _SUPPOSES.match(clause.text)), len(clauses))
    # What follows a condition inside the sentence depends on it; what stands before it does not.
    return clauses[:cut]
