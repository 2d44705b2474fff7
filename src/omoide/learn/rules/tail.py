"""What may follow a statement and takes nothing from it: "… btw", "… so keep that in mind", "… if that helps"."""

from __future__ import annotations

import re

_ASIDE = (
    r"(?:btw|by the way|fyi|just so you know|just so (?:you|u) know|if that (?:helps|matters|is relevant)"
    r"|for what it's worth|fwiw|in case (?:it|that) (?:helps|matters)|for the record|for context|as you know"
    r"|if (?:you|u) (?:need|want) (?:it|to know)|just saying|tbh|ngl|lol|haha+|:\)|:-\)|xd)"
)
# After "so" comes what to do about it. What goes back on the statement stays where it is.
_SO = (
    r"so,? (?:please |pls |just |maybe )?(?:keep|no|nothing|none|don't|dont|do not|avoid|skip|be|take|plan|bear|make"
    r"|remember|leave|use|never|that's|thats|anything|everything|any|all|the|nuts|watch|mind|[\w-]+ (?:tips|advice"
    r"|recipes|answers|is out|are out|won't|doesn't|isn't|aren't))\b"
)
_TAIL = re.compile(rf"\s*,?\s+(?:{_ASIDE}(?=\s*(?:$|[,.!;)]|(?:so|and|but)\b))|{_SO}).*$", re.IGNORECASE)
_BACK = re.compile(
    r"\b(?:so to speak|they say|to say|told|heard|thought|supposedly|allegedly|jk|kidding|joking)\b|/s\b|\?",
    re.IGNORECASE,
)
_LEAST = 3  # words that make a statement


def untailed(text: str) -> str:
    """The statement without its tail; whole where the tail says something about it."""
    tail = _TAIL.search(text)
    if tail is None or _BACK.search(tail[0]) or len(text[: tail.start()].split()) < _LEAST:
        return text
    return text[: tail.start()]
