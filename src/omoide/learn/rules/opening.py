"""How a clause begins before it says anything: small talk, factive conjunctions, hedges, "no, …", "remember that …"."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FILLER = re.compile(
    r"(?:(?:as a matter of fact|no,? wait|wait,? no|scratch that|correction|hold on|so"
    r"|well|oh|hey(?: there)?|hi(?: there)?|hello|yeah|yes|yep|yup|ok|okay|btw"
    r"|by the way|fyi"
    r"|also|and|but|or|honestly|to be honest|tbh|anyway|anyways|actually|plus"
    r"|as you know|just so you know|you know|for the record|fun fact|for context|context|about me"
    r"|a bit about me|since|because|cause|cuz|as(?! of\b)|given that|now that"
    r"|although|though|even though|considering(?: that)?|seeing as|haha+|lol|um+|uh+|hmm+|nope|nah"
    r"|thanks|thank you|thx|cool|great|nice|wow|ah|right|sure"
    r"|however|personally|currently|now|right now|these days|nowadays|recently|lately|in general|basically"
    r"|the thing is|(?:it )?turns out(?: that)?|in fact|truth be told|long story short|i mean"
    r"|btw|ps|oh and|sorry|ugh|man|dude|damn|yes please|good morning|good evening|nice to meet you"
    r"|absolutely|definitely|totally|exactly|same|for sure|of course"
    r"|like i said|as i said|as i mentioned|i(?:'ve)? (?:already |just )?(?:told you|said"
    r"|mentioned)(?: that)?|you should know(?: that)?|also|too"
    r"|aber|also|und|ja|nein|hallo|weil|übrigens|pues|hola|sí|oi|olá|sim|e|y|et|mais|salut|bonjour|coucou|oui|alors"
    r"|donc|en fait|au fait|du coup|sinon|maintenant)"
    r"(?:\s*[,:!.…-]+\s*|\s+)|no(?:\s*[,:!.…-]+\s*| (?=i\b|i'm|im\b|my\b|we\b|it's\b|use\b))){1,6}",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"i(?:'m| am) (?:pretty|fairly|quite|almost) (?:sure|certain)(?: that)? "
    r"|i (?:think|guess|believe|suppose|feel like|assume|reckon)(?: that)? |if i remember (?:correctly"
    r"|right),? |iirc,? |i'd say(?: that)? ",
    re.IGNORECASE,
)
_SURE = re.compile(r"i(?:'m| am) (?:pretty|fairly|quite|almost)", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|may be|likely|not sure|unsure|kind of|kinda|sort of"
    r"|sorta|supposedly|apparently|could be|vielleicht|wahrscheinlich"
    r"|peut-être|probablement|sans doute|quizás?|tal vez|talvez|provavelmente|也许|可能)\b",
    re.IGNORECASE,
)
_KEEP = re.compile(
    r"(?:please |pls |can you |could you )*(?:remember|don't forget|do not forget|dont forget"
    r"|keep in mind|bear in mind|note|make a note|note to self|remind yourself|for the record)"
    r"(?:(?: that|:|,)\s+| (?=(?:i|i'm|im|i've|ive|my|we're)\b))",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\s*(?:no|nope|nah|wrong|incorrect|actually|nein|não|not quite|that's wrong|that's not right"
    r"|that is wrong)\b[,.!:]?\s+(?!thanks|thank|not yet|problem|worries|idea|i don't know)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A clause without its opening. `doubt` is how far a claim in it is believed; 0 means not at all."""

    text: str
    doubt: float
    kept: bool  # "remember that …"
    when: str = ""  # the time it opened with: "In 2019 I …"

    @property
    def timed(self) -> str:
        return f"{self.when} {self.text}" if self.when else self.text


def opened(text: str) -> Opened:
    kept = False
    doubt = 0.0 if _UNSURE.search(text) else 1.0
    for _ in range(4):
        before = text
        if (filler := _FILLER.match(text)) and filler.end() < len(text):
            text = text[filler.end() :]
        if (keep := _KEEP.match(text)) and keep.end() < len(text):
            text, kept = text[keep.end() :], True
        if guess := _DOUBT.match(text):
            text, doubt = text[guess.end() :], doubt * (0.8 if _SURE.match(guess[0]) else 0.4)
        if text == before:
            break
    return Opened(text, doubt, kept)


def denies(text: str) -> bool:
    """The speaker sets something right: "no, …", "actually, …"."""
    return bool(_DENIES.match(text))
