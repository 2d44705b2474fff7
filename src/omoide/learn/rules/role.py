"""A role that lasts over turns: whoever plays King Arthur, or has taken the keyboard, does not speak of the user."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from omoide.learn.proposal import Turn

from .mask import masked
from .rule import NAME

_PLAYS = re.compile(
    r"(?:^|[.!?,:]\s+|\n)(?:ok(?:ay)?,? |so,? |now,? |please,? |hey,? )*(?:(?:let's|let us|can we|shall we|we're"
    r"|i'm|i am) )?"
    r"(?:role.?play(?:ing)?\b|pretend(?:ing)?\b(?! i (?:said|asked))|(?<=let's )play (?:a game|a scene"
    r"|make.?believe|a role)\b"
    r"|play(?:ing)? (?:the|a) role\b)|\bin this (?:game|role.?play|scene),? (?:i'm|i am|you are|you're)\b",
    re.IGNORECASE,
)
# The agent's role alone leaves the user who they are: "act as a reviewer". Both in a role are on a stage.
_YOURS = re.compile(
    r"(?:^|[.!?]\s+|\n)(?:you(?:'re| are) (?:an?|the|now|my)\b|you(?:'ll| will) (?:be|play)\b|act as\b"
    r"|your role is\b|you play\b)",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"(?i:\b(?:i'm|i am|i'll be|i will be|i play|i'll play)) (?:(?i:an?|the|your|playing) |(?!I\b)[A-Z]\w+)"
)
_ANOTHER = re.compile(
    rf"(?i:(?:^|[.!?]\s+)(?:(?:hi|hey|hello)[,!]? )?(?:this is|it's)) {NAME}(?i: (?:now|here now|speaking now"
    rf"|typing now))\b"
)
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
    return bool(_PLAYS.search(text) or _ANOTHER.search(text) or (_YOURS.search(text) and _MINE.search(text)))


_WORTH = re.compile(r"play|pretend|you|act as|\bnow\b", re.IGNORECASE)
