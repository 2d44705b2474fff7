"""A role that lasts over turns: whoever plays King Arthur, or has taken the keyboard, does not speak of the user."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from omoide.learn.proposal import Turn

from .mask import masked
from .meant import type_of
from .rule import NAME

_LET = (
    r"(?:^|[.!?,:]\s+|\n)(?:(?:ok(?:ay)?|so|now|please|hey)[, ]+)*"
    r"(?:(?:let's|let us|can we|shall we|we'll|i want to) )?"
)
_LATER = r"(?! ?(?:later|tonight|tomorrow|together|sometime|soon|on|this|next|again|with|at|after)\b)"
_PLAYS = re.compile(
    rf"{_LET}(?:role.?play{_LATER}\b(?!ing)|pretend (?:that )?(?:to be|you|i'm|i am|we|it's|this)\b"
    rf"|(?<=let's )play (?:a game|a scene|make.?believe|a role){_LATER})"
    r"|\bin this (?:game|role.?play|scene),? (?:i'm|i am|you are|you're)\b",
    re.IGNORECASE,
)
# The agent's role alone leaves the user who they are: "act as a reviewer". Both in a role are on a stage.
_YOURS = re.compile(
    r"(?:^|[.!?]\s+|\n)(?:you(?:'re| are) (?:an?|the|now|my)\b|you(?:'ll| will) (?:be|play)\b|act as\b|your role is\b"
    r"|play the role\b|you play\b)",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"\b(?:i'm|i am) (?:an?|the|your) [\w ]{1,25}?(?:named|called) |\b(?:i'll|i will) (?:be|play) (?:an?|the"
    r"|your)\b|\bi play "
    r"|\b(?:i'm|i am) (?:an?|the|your) (?:customer|patient|client|caller|guest|interviewer|interviewee|candidate"
    r"|suspect|king"
    r"|queen|knight|prince|princess|wizard|detective|pirate|adventurer|prisoner|tenant|traveler|shopper)\b",
    re.IGNORECASE,
)
_ANOTHER = re.compile(rf"(?i:(?:^|[.!?]\s+)(?:(?:hi|hey|hello)[,!]? )?this is) (?P<who>{NAME})(?i: (?:here )?now)\b")
_OVER = re.compile(
    r"(?:end of (?:the )?(?:game|role.?play|story|scene|play|act)|back to (?:reality|real life|normal)|game over"
    r"|(?:out of|break(?:ing)?) character|\booc\b|stop (?:pretending|role.?playing|playing|the (?:game|role.?play))"
    r"|(?:done|finished) (?:pretending|role.?playing|playing)|enough (?:pretending|role.?playing|playing)"
    r"|in real life|for real now|seriously now|i'm back(?: now)?|(?:it's|this is) (?:me"
    r"|\w+) again)\b[^.!?\n]*?(?:[.!?,:;\n]|$)",
    re.IGNORECASE,
)
_PAUSE = timedelta(hours=4)  # nobody stays in a role over night


def unstaged(turns: tuple[Turn, ...]) -> Iterator[tuple[int, Turn | None]]:
    """Every turn with its index; None where the user plays a role. What stands before a role's end is blanked."""
    acting, last = False, None
    for index, turn in enumerate(turns):
        acting = acting and not (last and turn.at - last > _PAUSE)
        last = turn.at
        if turn.role != "user" or turn.origin != "user":
            yield index, turn
            continue
        over = _OVER.search(masked(turn.text)) if acting else None
        if acting and not over:
            yield index, None
            continue
        said = replace(turn, text=" " * over.end() + turn.text[over.end() :]) if over else turn
        acting = begins(said.text)
        yield index, said


def begins(text: str) -> bool:
    """Whether from here on the user is somebody else."""
    if not _WORTH.search(text):
        return False
    text = masked(text)
    another = _ANOTHER.search(text)
    if another and type_of(another["who"]) == "person":
        return True
    return bool(_PLAYS.search(text) or (_YOURS.search(text) and _MINE.search(text)))


_WORTH = re.compile(r"play|pretend|you|act as|\bnow\b", re.IGNORECASE)
