"""What in a turn was handed out by us, or is told as said before: blanked, so that memory does not feed on itself.

A whole pack is replaced when it is observed. Here are its parts: lines that a client took out of it, and what somebody
puts before a turn as "what you know". The turn keeps its words; only nothing is learned from them a second time.
"""

from __future__ import annotations

import re
from functools import lru_cache

OURS = "its words are our own, handed out before"

_PACK = re.compile(r"<omoide-memory\b.*?(?:</omoide-memory>|\Z)|\[recalled: [^\]]*\]", re.DOTALL)
_LINE = re.compile(
    r"^[ \t]*(?:[-*•][ \t]+)?(?:[^\n]*\[id:\d+\][ \t]*|\[\d{4}-\d\d-\d\d[^\]\n]{0,20}\][ \t]+[\w.' -]{1,40}:[^\n]*)$",
    re.MULTILINE,
)
_TOLD_BEFORE = re.compile(
    r"\b(?:what (?:you|we|i|it|omoide|the memory) (?:already |still )?(?:knows?|knew|remembers?|recalled|recalls?"
    r"|has stored|have stored|have on|noted|wrote down)(?: (?:about |of )?\w+)?"
    r"|(?:earlier|previously|before|last time|yesterday|back then|once),? (?:i|you|we) (?:said|told you|wrote"
    r"|mentioned)"
    r"|(?:i|you|we) (?:said|told you|wrote|mentioned)(?: \w+)? (?:earlier|before|previously|last time|yesterday)"
    r"|you(?: just| once| already)? (?:said|told (?:me|us)|wrote|answered|replied|claimed|mentioned|listed|reminded me)"
    r"|your (?:last|previous|earlier|latest|recent) (?:answer|reply|response|message|summary|output|list|words)"
    r"|your (?:answer|reply|response|message|summary|notes?|memory|memories|profile|records?)(?: \w+){0,3}"
    r" (?:was|were|said|says?|reads?|is|are)"
    r"|(?:summary|recap|transcript|log|copy|excerpt|minutes) of (?:our|your|the|this|my|a) "
    r"(?:last |previous |earlier )?(?:chat|conversation|session|talk|discussion|notes?|memory|memories|answers?)"
    r"|(?:from|in) (?:your|the) memor(?:y|ies)|(?:recalled|retrieved|stored) (?:memor(?:y|ies)|facts|context))"
    r"[^:\n.!?]{0,30}:"
    r"\s*.*?(?=\n[ \t]*\n|(?<=[.!?])\s+(?:but|now|actually|today|meanwhile|since then|that's (?:wrong|outdated|old|not)"
    r"|no,)(?!\w)|\Z)",
    re.IGNORECASE | re.DOTALL,
)
# A chat that somebody pasted has two sides: from its first label on both of them are told, up to the paragraph's end.
_MINE = re.compile(r"(?:(?<=[\s:*(\[])|^)(?:User|Human|Me|Customer)\*{0,2}: ", re.MULTILINE)
_THEIRS = re.compile(r"(?:(?<=[\s:*(\[])|^)(?:Assistant|AI|Bot|Agent|ChatGPT|GPT|Claude|Gemini)\*{0,2}: ", re.MULTILINE)
_BLANK_LINE = re.compile(r"\n[ \t]*\n|\Z")


@lru_cache(maxsize=256)
def without(text: str) -> str:
    """Blanks in its place, so that everything else stands where it stood."""
    for pattern in (_PACK, _LINE, _TOLD_BEFORE):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return _without_chat(text)


def _without_chat(text: str) -> str:
    mine, theirs = ([found.start() for found in side.finditer(text)] for side in (_MINE, _THEIRS))
    if not mine or not theirs:
        return text
    first, last = min(mine[0], theirs[0]), max(mine[-1], theirs[-1])
    ends = _BLANK_LINE.search(text, last)
    end = ends.start() if ends else len(text)
    return f"{text[:first]}{' ' * (end - first)}{text[end:]}"


def is_in(words: str) -> bool:
    """Whether words hold a pack of ours, or a part of one."""
    return _PACK.search(words) is not None
