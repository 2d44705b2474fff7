"""One thing rather than another: "use pnpm, not npm", "I prefer tea over coffee", "I prefer dark mode"."""

from __future__ import annotations

import re

from . import matter
from .matter import Matter
from .thing import thing
from .told import ELSEWHERE, START, Told

_USE = re.compile(
    rf"{START}(?:always )?(?:use|pick|choose|go with|stick (?:to|with)"
    rf"|switch to) (?P<right>[\w][\w .+#/-]{{0,40}}?)(?:,? (?:and )?not |,? (?:instead of|rather than"
    rf"|over|never|and never) )(?:using )?(?P<wrong>[\w][\w .+#/-]{{0,30}})",
    re.IGNORECASE,
)
_PREFER = re.compile(
    r"(?:personally,? )?(?:i|i(?P<would>'d| would)|we)(?: (?:really|much|strongly|generally|usually|always"
    r"|definitely|tend to"
    r"|personally))* prefer (?:to (?:use|work with|write in) |using |working with |writing in )?(?P<right>[^,;]+?)"
    r"(?:,? (?:over|instead of|rather than|not|more than|and not) (?P<wrong>[^,;.]+?)"
    r"|,? to (?!be\b|have\b|get\b|do\b)(?P<less>[^,;. ]+(?: [^,;. ]+)?))?"
    r"(?: (?:for|when|because|if|since|as|any day|these days|nowadays|though|so|whenever|while)\b.*)?$",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\b(?:this|that|these|those|it|them|one|ones|him|her|the (?:first|second|last|other|former|latter))\b",
    re.IGNORECASE,
)
_WITH = re.compile(r"prefer (?:to work|working) with ", re.IGNORECASE)
_TAIL = re.compile(r" (?:for|in|when|please|here|because|everywhere|from|if)\b")


def contrast(text: str) -> Told | None:
    """An instruction that rules something out."""
    match = _USE.match(text) or ELSEWHERE.match(text)
    if not match or _LEANS.search(match[0]):
        return None
    right, wrong = match["right"].strip(), _TAIL.split(match["wrong"])[0].strip()
    known = matter.choice(right)
    if known is None:
        if len(right.split()) > 3 or len(wrong.split()) > 3 or matter.snake(right) == "other":
            return None
        category = "tools" if matter.named_tool(right) or matter.named_tool(wrong) else "other"
        known = Matter(category, matter.between(right, wrong), right)
    return Told(known, 0.9, wrong, "corrected")


def preference(text: str, clause: str) -> Told | None:
    """What is liked better. "I'd prefer" is said of the choice at hand, unless it is between two things."""
    match = _PREFER.match(text) or _PREFER.match(clause)
    if not match:
        return None
    right = match["right"].strip()
    wrong = (match["wrong"] or match["less"] or "").strip() or None
    if _LEANS.search(right) or re.match(
        r"(?:not|to|that|when|if|your|you|my|the|being|having)\b", right, re.IGNORECASE
    ):
        return None
    if _WITH.search(match[0]) and right[:1].isupper() and not matter.named_tool(right):
        return None  # "I prefer working with Kim"
    known = matter.choice(right) or matter.style(right, wanted=True, whole=True)
    if known:
        return Told(known, 0.8, wrong)
    objects, other = thing(right), thing(wrong) if wrong else ()
    whole = len(objects) == 1 and len(objects[0].split()) >= len(right.split()) - 1
    if not whole or len(objects[0].split()) > 5 or (match["would"] and not other) or (wrong and not other):
        return None
    if match["less"] and re.match(r"\w+ing\b", right) and not re.match(r"\w+ing\b", match["less"]):
        return None  # "I prefer winding down early to prepare for the night"
    name = matter.between(objects[0], other[0]) if other else matter.snake(objects[0])
    category = "tools" if matter.named_tool(right) else "other"
    return Told(Matter(category, name, objects[0]), 0.8, other[0] if other else None)
