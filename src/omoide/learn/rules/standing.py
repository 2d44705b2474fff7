"""Standing instructions with a matter of their own: whose spelling, which folders are left alone."""

from __future__ import annotations

import re

from . import matter
from .matter import Matter
from .told import START, Told

_SPELLING = re.compile(
    rf"{START}(?:always )?(?:use|write in|stick to|spell (?:things |everything )?in) "
    r"(?P<whose>british|american|canadian|australian|uk|us) (?:english )?spellings?(?P<rest>.*)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"(?: (?:everywhere|always|throughout|(?:in|for) (?:all (?:of )?)?(?:my|our|your|the) (?:texts?|e?-?mails?"
    r"|documents?|writing|answers?|replies|posts?|articles?|docs)))*(?:,? (?:please|thanks))?\s*",
    re.IGNORECASE,
)
_LEAVE = re.compile(
    rf"{START}(?P<what>(?:don't|do not|dont|never)(?: ever)? (?:touch|edit|modify|change|delete|rename|reformat) "
    r"(?:anything|files|any files?|the files|code|any code)(?: that lives)? (?:under|in|inside|below) "
    r"(?:the )?(?P<where>[\w.-]*\w/[\w./-]*|\.[\w-]+))(?: (?:folder|directory|dir))?\s*$",
    re.IGNORECASE,
)


def standing(clause: str) -> Told | None:
    """The clause by itself, since what follows it only says why."""
    clause = clause.strip(" .!")
    spelling = _SPELLING.match(clause)
    if spelling and _ALL.fullmatch(spelling["rest"]):
        return Told(Matter("formatting", "spelling", f"{spelling['whose']} spelling"), 0.7)
    if leave := _LEAVE.match(clause):
        return Told(Matter("workflow", f"files_{matter.snake(leave['where'])}", leave["what"].strip()))
    return None
