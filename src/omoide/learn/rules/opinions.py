"""What somebody thinks of a thing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omoide.learn.proposal import Judgement

from .found import Scene, quoted
from .matter import named_tool
from .mood import Read
from .phrase import proper
from .thing import thing

_GOOD = (
    "great|amazing|awesome|excellent|fantastic|wonderful|brilliant|beautiful|elegant|fun|lovely"
    "|perfect|good|nice|cool|impressive|useful|underrated|delicious|fascinating|interesting|important"
    "|the best"
)
_BAD = (
    "terrible|awful|horrible|bad|ugly|boring|overrated|useless|annoying|confusing|slow|bloated"
    "|overpriced|expensive|overkill|overengineered|stupid|dumb|a mess|garbage|trash|overhyped|painful"
    "|hard|difficult|the worst"
)
_ADJECTIVE = (
    rf"(?P<how>(?:(?:really|very|so|pretty|quite|super|absolutely|totally|extremely|way too|too|kind of"
    rf"|a bit|much better|better|worse|more|one of) )*(?:{_GOOD}|{_BAD}))\b"
)
_IS = re.compile(
    rf"(?:(?:so|well|and|but|honestly|tbh|personally|ok|yeah|yes)[, ]+)*(?:i (?P<no>don't |do not "
    rf"|no longer )?(?:really |still "
    rf"|personally )?(?:think|believe|feel|find)(?: that)?|in my opinion,?|imo,?|imho,?|if you ask me,?"
    rf"|to me,?) (?P<about>.{{2,40}}?) (?:is|are|was) {_ADJECTIVE}",
    re.IGNORECASE,
)
_FIND = re.compile(
    rf"(?:(?:so|well|and|but|honestly|tbh|personally)[, ]+)*i (?:really "
    rf"|still )?find (?P<about>.{{2,40}}?) (?:to be )?{_ADJECTIVE}",
    re.IGNORECASE,
)


def opinions_in(scene: Scene, reads: list[Read]) -> Iterator[Judgement]:
    for read in reads:
        for clause in read.told:
            text = read.sentence.text[clause.start - read.sentence.start :][:200]
            match = _IS.match(text) or _FIND.match(text)
            about = _about(match["about"]) if match and not _of_the_moment(match, text) else None
            if match and about:
                yield Judgement(
                    holder=scene.speaker.subject,
                    about=about,
                    text=f"{scene.speaker.name} {_thinks(match)} {about} is {match['how'].lower()}",
                    quote=quoted(scene.turn, clause.start, clause.start + match.end()),
                    confidence=min(0.9, scene.ceiling),
                )


_AT_HAND = re.compile(
    r"(?:dinner|lunch|breakfast|brunch|weather|food|today|tomorrow|tonight|everyone|everybody|\d+|(?:mon|tues|wednes"
    r"|thurs"
    r"|fri|satur|sun)day)s?$",
    re.IGNORECASE,
)
_NOW = re.compile(
    r" (?:here|today|tonight|right now|this (?:time|week|year)|at the moment|to (?!use|learn|read|understand|debug"
    r"|maintain"
    r"|work|get|set|test|write|master|follow|configure|install|teach)\w+)\b",
    re.IGNORECASE,
)


def _of_the_moment(match: re.Match[str], text: str) -> bool:
    """ "I think dinner was great", "Rome is bad this time of year", "hard to beat"."""
    was = re.search(r"\bwas\b", match[0], re.IGNORECASE) and match["about"][:1].islower()
    return bool(was or _AT_HAND.match(match["about"]) or _NOW.match(text[match.end() :]))


def _thinks(match: re.Match[str]) -> str:
    return "does not think" if match.groupdict().get("no") else "thinks"


def _about(words: str) -> str | None:
    """A name or a bare noun; "it", "this place" and "your idea" mean something else tomorrow."""
    words = words.strip()
    tool = named_tool(words)
    if tool and len(words.split()) == len(tool.split()):
        return tool
    found = proper(words) or thing(words)
    return found[0] if len(found) == 1 and len(found[0].split()) >= len(words.split()) - 1 else None
