"""What an agent's turn is good for: what it reports to have done, and what the user then confirms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from omoide.learn.proposal import Claim, Turn

from . import voice
from .agreed import agreed
from .claims import claims_in
from .found import Found, Scene, quoted
from .mask import masked
from .mood import Read, read
from .phrase import person, proper
from .rule import NAME
from .said.projects import platform
from .sentence import Clause, sentences

_DONE = re.compile(
    rf"(?:(?i:i|we|i've|we've|i have|done[.!,:]?|ok[.,]?) (?:have |just |successfully "
    rf"|now )*)?(?i:deployed|shipped|released|migrated) (?i:the )?(?P<who>{NAME})(?: [a-z]+)? (?i:to|on"
    rf"|onto) (?P<rest>\S.*)"
)
_ASKED = (
    (
        re.compile(
            r"(?i:(?:so |and |just to (?:confirm|check),? |wait,? )*do you (?:still |also "
            r"|currently )?(?=\w))(?P<rest>.+)"
        ),
        "I {}",
    ),
    (re.compile(r"(?i:(?:so |and |just to (?:confirm|check),? )*are you )(?P<rest>.+)"), "I am {}"),
    (re.compile(r"(?i:(?:so |and |just to (?:confirm|check),? |ok,? |got it,? )*you (?=\w))(?P<rest>.+)"), "I {}"),
    (re.compile(r"(?i:(?:so |and |just to (?:confirm|check),? |ok,? )*you're )(?P<rest>.+)"), "I'm {}"),
    (re.compile(r"(?i:(?:so |and )*is your )(?P<what>name|birthday|timezone|email) (?P<rest>.+)"), "my {what} is {}"),
)
_OBSERVED = 0.6  # Kira-L: seen in what was done, nobody said so


def reports(text: str) -> bool:
    """Whether it is worth reading: agents write long turns, and few of them tell of something done."""
    return any(word in text for word in ("eployed", "hipped", "eleased", "igrated"))


def reported(scene: Scene, reads: list[Read]) -> Iterator[Found]:
    """ "I deployed Kira to Vercel": done and told by who did it. An agent's guesses about anybody are not learned."""
    for item in reads:
        match = _DONE.match(item.sentence.text) if not item.asks and item.told else None
        who = person(match["who"]) or proper(match["who"]) if match else ()
        for object in platform(match["rest"]) if match and who else ():
            claim = Claim(
                subject=who[0],
                predicate="deployed_on",
                object=object,
                text=voice.told(who[0], "deployed_on", object, ended=False),
                quote=quoted(scene.turn, item.sentence.start, item.sentence.end),
                confidence=_OBSERVED,
                source_type="observed",
            )
            yield Found(claim, "project", "tool")


def confirmed(scene: Scene, before: Turn) -> Iterator[Found]:
    """The agent asked "do you live in Lisbon?" and the user said yes. The quote is what was asked."""
    if not agreed(scene.turn.text):
        return
    asked = [sentence for sentence in sentences(masked(before.text, before.speaker)) if "?" in sentence.mark]
    if len(asked) != 1:
        return
    sentence = asked[0]
    text = re.sub(r",? (?:right|correct|yes|isn't it|don't you|aren't you|or not)$", "", sentence.text)
    for pattern, said in _ASKED:
        match = pattern.match(text)
        if match and " or " not in match["rest"]:
            told = said.format(match["rest"], **{k: v for k, v in match.groupdict().items() if k == "what"})
            clause = Clause(told, sentence.start, sentence.end)
            stated = replace(
                read(sentences("x"))[0], sentence=sentence, told=(clause,), asks=False, presupposed=(clause,)
            )
            yield from claims_in(replace(scene, turn=replace(before, at=scene.turn.at), ceiling=0.9), [stated])
            return
