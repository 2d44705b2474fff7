"""A plain question of the agent and the user's short answer to it, which together are one statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from omoide.learn.proposal import Turn

from .asked import QUESTIONS, Question
from .claims import claims_in
from .found import Found, Scene
from .mask import GAP, masked
from .mood import Read
from .opening import opened
from .sentence import Clause, sentences

_MOST = 7  # words; a longer answer says itself what it is about
_LEADS = re.compile(
    r"(?:(?:so|and|ok(?:ay)?|great|thanks|cool|by the way|also|just curious|out of curiosity|first|hi|hello|may i ask"
    r"|can i ask|could you tell me|can you tell me|if i may ask|if you don't mind me asking)[,:!]? +)*",
    re.IGNORECASE,
)
# Where the agent plays, tests or teaches, the answer is part of that.
_STAGED = re.compile(
    r"\b(?:role|play|pretend|imagine|quiz|game|character|story|scene|interview|practi[cs]e|example|exercise|scenario"
    r"|sample|lesson|suppose|hypothetical\w*|translate|translation|persona|customer|riddle)\b",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:not|never|no|none|used|was|were|formerly|if|or|guess|than|would|could|should|might|why|haha+|lol|lmao|jk"
    r"|kidding|depends|anymore|wish|pretend|fake|n't|ex)\b|n't\b|[?😂🤣😉😜🙃]|\.\.\.|…",
    re.IGNORECASE,
)


def answered(scene: Scene, before: Turn, reads: list[Read]) -> Iterator[Found]:
    """ "Where do you live?" – "Bari". The quote is the answer; the question must be the only one."""
    answer = _answer(reads)
    if answer is None or before.origin not in {"agent", "user"} or _STAGED.search(before.text):
        return
    asked = [each for each in sentences(masked(before.text, before.speaker)) if "?" in each.mark]
    if len(asked) != 1 or before.text.rstrip()[-1:] != "?":
        return
    text = _LEADS.sub("", asked[0].text, count=1).strip()
    for question in QUESTIONS:
        match = question.asked.fullmatch(text)
        if match:
            yield from _statements(scene, question, match, answer)
            return


def _answer(reads: list[Read]) -> Clause | None:
    """The first words of the turn, if they are few and nothing in them turns them round."""
    first = reads[0] if reads else None
    clause = first.told[0] if first and first.told else None
    if clause is None or first is None or GAP in first.sentence.text or _TURNS.search(clause.text):
        return None
    beside = first.sentence.text[clause.end - first.sentence.start :]
    short = len(clause.text.split()) <= _MOST and not re.match(r"\s*,? (?:or|no|not|wait|if|unless)\b", beside)
    return clause if short and not re.match(r"(?i:i|i'm|im|my|we|he|she|it|they|you|your)\b", clause.text) else None


def _statements(scene: Scene, question: Question, match: re.Match[str], answer: Clause) -> Iterator[Found]:
    text = re.sub(r"^(?i:mostly|mainly|usually|just|only|probably|currently|now) ", "", opened(answer.text).text)
    if question.lead:
        text = re.sub(rf"^(?i:{question.lead}) (?=\S)", "", text)
    text = re.sub(
        r"(?i:,? (?:these days|at the moment|right now|currently|mostly|now|mainly|please|thanks))$", "", text
    )
    if not text or not question.fits(text):
        return
    who = (match.groupdict().get("who") or match.groupdict().get("whom") or "").lower()
    said = question.said.replace("{who}", "dog" if who == "pet" else who).replace("{}", text)
    told = replace(answer, text=said)
    read = Read(sentences(said)[0], (told,), False, (told,))
    for found in claims_in(replace(scene, ceiling=0.9), [read]):
        if found.claim.predicate in question.predicates or found.claim.predicate.startswith("favorite_"):
            yield found
