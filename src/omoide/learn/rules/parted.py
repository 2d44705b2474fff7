"""A couple that is none any more: "we broke up", "Tom and I split up", "I broke up with my girlfriend"."""

from __future__ import annotations

import re

from .phrase import person
from .rule import NAME

_PARTNER = r"(?:girlfriend|boyfriend|wife|husband|partner|fiancée?|fiancee?|spouse|gf|bf)"
PARTS = re.compile(r"broke|split|separated|divorced|dumped|left m[ey]\b", re.IGNORECASE)  # worth reading closely
_SPLIT = (
    r"(?:(?:'ve|'re| have| are| just| finally| recently| actually| got)*) (?:broke up|broken up|split up|separated"
    r"|divorced)"
)
# "We broke up the monolith" and "we split up into teams" are about something else.
_OVER = (
    r"(?=\s*(?:$|[,.!;]|(?:last|yesterday|recently|after|this|because|over|and|two|three|a|in (?:\d|(?-i:[A-Z]))|\d+"
    r"|for good|again|now|when|on)\b))"
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
