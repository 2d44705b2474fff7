"""Whose words a question asks for: "what did I say", "what did you suggest", "what did Anna tell"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from omoide.layers.entity import name_key
from omoide.recall.language import Language, compiled

_NOBODY = frozenset("i you we he she they it what who when where why how which that this somebody someone".split())

_MYSELF = frozenset("i me my mine".split())
_YOURSELF = frozenset("you your yours".split())


@dataclass(frozen=True, slots=True)
class Said:
    """By whom the answer was said: the user, the agent, or somebody with a name; and which words told."""

    by: Literal["user", "agent", "named"]
    cue: str
    name: str | None = None

    def __str__(self) -> str:
        return f"{self.name or self.by} ({self.cue!r})"


def said_by(text: str, language: Language) -> Said | None:
    """Pure. Who is named as the one who said it; a name goes before "you", which is often only the one asked."""
    text = text.replace("’", "'")
    if found := compiled(language.user_said).search(text):
        return Said("user", found[0].strip())
    for found in compiled(language.named_said, cased=True).finditer(text):
        name = next(filter(None, found.groups())).removesuffix("'s")
        if name.lower() not in _NOBODY:
            return Said("named", found[0].strip(), name)
    if found := compiled(language.agent_said).search(text):
        return Said("agent", found[0].strip())
    return None


def about_oneself(text: str) -> bool:
    """Whether the user asks about themselves and not about what the agent said."""
    words = set(name_key(text).split())
    return bool(words & _MYSELF) and not words & _YOURSELF
