"""The user sets something right: what was wrong, what holds instead, and which turn it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from omoide.learn.proposal import Correction, Turn

from .claims import Scene
from .found import Found, quoted
from .mask import GAP
from .mood import Read

_NAME = r"[\w][\w .+#/'-]{0,40}?"
_NOT_BUT = re.compile(
    rf"(?:no,? |it's |it is |its )?not (?P<wrong>{_NAME}),? but (?P<right>{_NAME})\s*$", re.IGNORECASE
)
_USE = re.compile(
    rf"(?:\w+,? )?(?:(?:no|please|always|actually|from now on)[, ]+)*(?:use|take|pick|choose|go with"
    rf"|it's|it is) (?P<right>{_NAME})(?:,? (?:and )?not|,? instead of"
    rf"|,? rather than) (?P<wrong>{_NAME})(?= (?:for|in|when|please|here|everywhere)\b|\s*$)",
    re.IGNORECASE,
)
_TAIL = re.compile(rf", (?:and )?not (?P<wrong>{_NAME})\s*$", re.IGNORECASE)
_MEANT = re.compile(
    r"(?:no[, ]+|sorry[, ]+|actually[, ]+|wait[, ]+)*(?:i (?:actually )?(?:meant|mean)(?: to say)?"
    r"|i said|what i (?:meant|said) was) (?P<right>\S.*)",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"(?:no[, ]+|sorry[, ]+|actually[, ]+)*(?:that's|that is|thats|this is|you're|you are"
    r"|it's) (?:wrong|not right|incorrect|not correct|not true|a mistake|mistaken"
    r"|outdated)(?P<rest>.*)",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:no|nope|nah|wrong|incorrect)[,.!:]* (?:actually,? |wait,? |it's actually "
    r"|you're wrong,? )*(?P<right>(?:i|i'm|my|it|it's|we|we're|the|use|she|he|they|that's|don't|do|his"
    r"|her|our|their|its|in|on|at)\b.*)",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"(?:i (?:meant?|said) (?:that|it|what|so|no|yes|hi|hello|the same|if|to )|i mean)\b"
    r"|(?:i don't (?:know|think|care|want|need|have)|i'm (?:good|fine|ok|okay|not|sorry|just)"
    r"|i (?:haven't|didn't|can't|do|am|will|just|was|think|want|need|would|guess|love|like)|it's (?:ok"
    r"|okay|fine|good|all|not|just)|that's (?:ok|okay|fine|it|all|great|good|cool|what|why|so|just"
    r"|really|awesome|amazing)|it was|the only|do you|i'll|we're (?:good|fine)|they|in fact|at all)\b",
    re.IGNORECASE,
)


def corrections_in(
    scene: Scene, reads: list[Read], before: Sequence[Turn], claims: Sequence[Found]
) -> Iterator[Correction]:
    """At most one a sentence."""
    about = next(
        (turn.id for turn in reversed(before) if turn.role != scene.turn.role), before[-1].id if before else None
    )
    answers = bool(before) and before[-1].role == "agent"
    if not scene.speaker.owns_the_memory:
        return
    for number, read in enumerate(reads):
        if read.asks or not read.told:
            continue
        found = _one(read, claims, first=number == 0, answers=answers)
        if found:
            wrong, right = found
            told = f"Not {wrong}: {right}" if wrong and right else right or f"Not {wrong}"
            quote = quoted(scene.turn, read.sentence.start, read.sentence.end)
            yield Correction(wrong=wrong, right=right, text=told, quote=quote, about=about)


def _one(read: Read, claims: Sequence[Found], *, first: bool, answers: bool) -> tuple[str | None, str | None] | None:
    text = read.sentence.text
    if GAP in text:
        return None
    for pattern in (_NOT_BUT, _USE):
        match = pattern.match(text)
        if match and _named(match["wrong"]) and _named(match["right"]):
            return match["wrong"].strip(), match["right"].strip()
    tail = _TAIL.search(text)
    if tail and _named(tail["wrong"]):
        said = next(
            (f.claim.object for f in claims if f.claim.object in text[: tail.start()] and f.claim.quote.words in text),
            None,
        )
        if said:
            return tail["wrong"].strip(), said
    if not answers:
        return None
    if (meant := _MEANT.match(text)) and not _IDLE.match(text):
        return None, meant["right"].strip(" ,.")
    if first and (wrong := _WRONG.match(text)):
        rest = wrong["rest"].strip(" ,.:;-—")
        return (None, rest) if rest else (text, None)
    if first and (no := _NO.match(text)) and not _IDLE.match(no["right"]) and len(no["right"].split()) > 2:
        return None, no["right"].strip()
    return None


def _named(words: str) -> bool:
    """A name or a few words, not a clause: "npm", "the blue one"; not "ideal", not "about changing it"."""
    return len(words.split()) < 4 and not _NO_NAME.search(words)


_NO_NAME = re.compile(
    r"\b(?:only|just|it|this|that|you|sure|bad|good|yet|ideal|great|really|about|because|to|too|very"
    r"|so|enough|much|always|for)\b",
    re.IGNORECASE,
)
