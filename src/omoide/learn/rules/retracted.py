"""What the turn before is taken back by: "ignore that", "just kidding", "forget that I live in Rome"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from omoide.learn.proposal import Correction, Turn

from . import voice
from .claims import claims_in
from .found import Found, Scene, quoted
from .mood import read
from .sentence import Sentence, sentences

_SOFTLY = (
    r"(?:(?:sorry|ok(?:ay)?|oh|ah|haha+|lol|please|pls|wait|actually|hmm+|no|nah|well|um+|and"
    r"|remember(?: that)?|never ?mind)[,.!:…\s]+)*"
)
_THAT = (
    r"(?:that|this|it|what i (?:just )?(?:said|told you|wrote)|my last (?:message|sentence)|the last (?:bit|part"
    r"|message))"
)
_FORGET = r"(?:forget|ignore|disregard|scratch|strike|scrap|drop|delete|erase|undo|never ?mind)"
_DONT_KEEP = (
    r"(?:(?:you )?(?:don't|do not|dont|shouldn't|should not)) (?:remember|save|store|keep|note|learn|record"
    r"|memori[sz]e)"
)
# At the beginning of the turn, and the end of what it says: "ignore that warning" is about a warning.
_WHOLE = re.compile(
    rf"{_SOFTLY}(?:(?:{_FORGET}|{_DONT_KEEP}) {_THAT}(?: (?:please|again|then|though|ok))*(?=\s*(?:[.,!;:…–—-]|$))"
    rf"|{_FORGET} (?:that )?i (?:ever |just )*(?:said|told you|mentioned|wrote) (?:that|this|it"
    rf"|anything)(?=\s*(?:[.,!;]|$))"
    r"|(?:i'm |i am |i was |it was |that was |that's |was )*(?:just |only |all |a |totally )*(?:kidding|joking|jk|j/k|"
    r"a joke|joke|sarcasm|being sarcastic|messing with you|pulling your leg)(?=\s*(?:[.,!;…–—-]|$|lol\b|haha"
    r"|obviously\b))"
    r"|(?:lol|haha+)[,.!\s]+(?:no|nope|nah)[,.!\s]*(?:i (?:don't|do not|am not|didn't|haven't|wasn't)"
    r"|i'm not)?(?=\s*(?:[.,!]|$))"
    r"|(?:april fools?|gotcha)\b)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"{_SOFTLY}(?:{_FORGET}|{_DONT_KEEP}|forget (?:that )?i (?:ever )?(?:said|told you|mentioned)) (?:that "
    rf"|the fact that )?"
    r"(?P<what>(?:i|i'm|i've|my|we|we're|our)\b.{3,200})",
    re.IGNORECASE,
)


_WORTH = re.compile(rf"\b(?:{_FORGET}|{_DONT_KEEP})\b", re.IGNORECASE)  # reading all of a turn once more


def takes_back(text: str) -> re.Match[str] | None:
    """Whether a turn opens by taking back what its speaker said just before."""
    return _WHOLE.match(text.lstrip())


def retracted(scene: Scene, text: str, before: Sequence[Turn]) -> Iterator[Correction]:
    """All that the speaker's last turn taught; only theirs, and only that turn."""
    found = takes_back(text)
    own = next((turn for turn in reversed(before) if _same_voice(turn, scene.turn)), None) if found else None
    if found and own:
        start = len(text) - len(text.lstrip())
        quote = quoted(scene.turn, start, start + found.end())
        yield Correction(wrong=None, right=None, text=quote.words, quote=quote, about=own.id, whole=True)


def denied(scene: Scene, text: str) -> Iterator[Found]:
    """ "Please forget that I live in Rome": whatever it says is said to end."""
    for sentence in sentences(text) if _WORTH.search(text) else ():
        named = _NAMED.match(sentence.text) if "?" not in sentence.mark else None
        if named is None:
            continue
        begins = sentence.start + named.start("what")
        told = [_at(each, begins) for each in sentences(named["what"])]
        for item in claims_in(scene, read(told)):
            claim = item.claim
            if not claim.negated and claim.predicate != "asked_to_remember":
                said = voice.told(claim.subject, claim.predicate, claim.object, ended=True)
                yield replace(item, claim=replace(claim, negated=True, text=said, valid_from=None, valid_until=None))


def _at(sentence: Sentence, offset: int) -> Sentence:
    clauses = tuple(replace(each, start=each.start + offset, end=each.end + offset) for each in sentence.clauses)
    return replace(sentence, start=sentence.start + offset, clauses=clauses)


def _same_voice(one: Turn, other: Turn) -> bool:
    return one.role == other.role and one.speaker == other.speaker and one.origin == other.origin
