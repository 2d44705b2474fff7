"""What the rules pass among themselves: who speaks, and a claim with what is known of its two ends."""

from __future__ import annotations

from dataclasses import dataclass

from omoide.layers.entity import name_key
from omoide.learn.proposal import USER, Claim, Conversation, Quote, SourceType, Turn

_NOBODY = frozenset({"user", "me", "human", "you", "customer", "client", "assistant", "ai", "agent", "bot", "system"})


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who "I" is: `subject` in a claim, `name` in its sentence."""

    subject: str
    name: str

    @property
    def owns_the_memory(self) -> bool:
        return self.subject == USER


@dataclass(frozen=True, slots=True)
class Found:
    """A claim, and what kind of thing its subject and its object are, where the rule knows."""

    claim: Claim
    subject_type: str | None = None
    object_type: str | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """One turn as the claims see it."""

    turn: Turn
    speaker: Speaker
    source: SourceType = "stated"
    ceiling: float = 1.0


def speakers(conversation: Conversation) -> dict[str | None, Speaker]:
    """Who each speaker's "I" is. One memory has one owner: two people who both talk are told apart by their names."""
    owner = conversation.owner
    names = dict.fromkeys(turn.speaker for turn in conversation.turns if turn.role == "user" and _is_name(turn.speaker))
    found: dict[str | None, Speaker] = {}
    for name in dict.fromkeys(turn.speaker for turn in conversation.turns):
        if not _is_name(name):
            found[name] = Speaker(USER, owner or "User")
        elif (owner is None and len(names) == 1) or (owner is not None and name_key(name or "") == name_key(owner)):
            found[name] = Speaker(USER, owner or name or "User")
        else:
            found[name] = Speaker(name or USER, name or "User")
    return found


def _is_name(speaker: str | None) -> bool:
    return bool(speaker) and name_key(speaker or "") not in _NOBODY


def quoted(turn: Turn, start: int, end: int) -> Quote:
    """Words of the turn as they stand there, whatever the rules made of them."""
    words = turn.text[start:end].strip()
    return Quote(turn.id, words or turn.text.strip()[:200])
