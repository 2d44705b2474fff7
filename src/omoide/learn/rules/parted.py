"""A couple that is none any more: "we broke up", "Tom and I split up", "I broke up with my girlfriend"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from omoide.learn.proposal import Claim

from .dates import ended
from .found import Found, Scene, quoted
from .mood import Read
from .opening import Opened, opened
from .phrase import person
from .rule import NAME
from .sentence import Clause

_PARTNER = r"(?:girlfriend|boyfriend|wife|husband|partner|fiancée?|fiancee?|spouse|gf|bf)"
_PARTS = re.compile(r"broke|split|separated|divorced|dumped|left m[ey]\b", re.IGNORECASE)  # worth reading closely
_SPLIT = (
    r"(?:(?:'ve|'re| have| are| just| finally| recently| actually| got)*) (?:broke up|broken up|split up|separated"
    r"|divorced)"
)
# "We broke up the monolith" and "we split up into teams" are about something else.
_OVER = (
    r"(?=\s*(?:$|[,.!;]|(?:last|yesterday|recently|after|this|because|over|and|two|three|a"
    r"|in (?:\d+|(?-i:[A-Z])\w+)|\d+|for good|again|now|when|on)\b))"
)
_WE = re.compile(rf"we{_SPLIT}{_OVER}", re.IGNORECASE)
_BOTH = re.compile(rf"(?:my {_PARTNER},? )?(?P<who>(?-i:{NAME}))? ?and i{_SPLIT}{_OVER}", re.IGNORECASE)
_WITH = re.compile(
    rf"i(?:'ve| have)?(?: just| finally| recently)* (?:broke up with|broken up with|split up with|separated from"
    rf"|divorced"
    rf"|left|dumped) (?P<whose>my {_PARTNER})?,? ?(?P<who>(?-i:{NAME}))?{_OVER}",
    re.IGNORECASE,
)
_ME = re.compile(
    rf"(?:my {_PARTNER},? ?)?(?P<who>(?-i:{NAME}))?(?: just| finally)* (?:broke up with|dumped|left"
    rf"|divorced) me{_OVER}",
    re.IGNORECASE,
)


def parted(text: str) -> tuple[str, ...]:
    """The name of who was parted from; "" where nobody is named; nothing where nobody parted."""
    if _WE.match(text):
        return ("",)
    both, left, me = _BOTH.match(text), _WITH.match(text), _ME.match(text)
    if left and not left["whose"] and re.match(r"i[\w' ]*? (?:left|dumped|divorced) ", text, re.IGNORECASE):
        left = None  # "I left Acme"
    found = both or left or me
    if found is None or (found is both and not (both["who"] or re.match("my", text, re.IGNORECASE))):
        return ()
    if found["who"]:
        return person(found["who"])
    return ("",) if re.search(rf"\bmy {_PARTNER}\b", found[0], re.IGNORECASE) else ()


def couple(scene: Scene, read: Read) -> Iterator[Found]:
    """Read over clauses, since "Tom and I" is two of them; at most one a sentence."""
    for clause in read.told if _PARTS.search(read.sentence.text) else ():
        open_ = opened(read.sentence.text[clause.start - read.sentence.start :])
        for name in parted(open_.text) if open_.doubt else ():
            yield _parted(scene, replace(clause, end=read.sentence.end), open_, name)
            return


def _parted(scene: Scene, clause: Clause, open_: Opened, name: str) -> Found:
    """Without a name it is said of whoever the partner is: subject and object are then the same."""
    me = scene.speaker.subject
    text = f"{scene.speaker.name} and {name or 'their partner'} are no longer together"
    claim = Claim(
        subject=name or me,
        predicate="partner_of",
        object=me,
        text=text,
        quote=quoted(scene.turn, clause.start, clause.end),
        confidence=1.0,
        negated=True,
        valid_until=ended(open_.timed, scene.turn.at),
    )
    return Found(claim, "person" if name else None, None)
