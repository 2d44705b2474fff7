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
    r"|has stored|have stored)(?: (?:about|of) \w+)?"
    r"|(?:earlier|previously|before|last time|yesterday|back then|once),? (?:i|you|we) (?:said|told you|wrote"
    r"|mentioned)"
    r"|(?:i|you|we) (?:said|told you|wrote|mentioned)(?: \w+)? (?:earlier|before|previously|last time|yesterday)"
    r"|(?:from|in) (?:your|the) memor(?:y|ies)|(?:recalled|retrieved|stored) (?:memor(?:y|ies)|facts|context))"
    r"[^:\n.!?]{0,30}:"
    r".*?(?=\n[ \t]*\n|(?<=[.!?])\s+(?:but|now|actually|today|meanwhile|since then|that's wrong|no,)(?!\w)|\Z)",
    re.IGNORECASE | re.DOTALL,
)


@lru_cache(maxsize=256)
def without(text: str) -> str:
    """Blanks in its place, so that everything else stands where it stood."""
    for pattern in (_PACK, _LINE, _TOLD_BEFORE):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return text


def is_in(words: str) -> bool:
    """Whether words hold a pack of ours, or a part of one."""
    return _PACK.search(words) is not None
