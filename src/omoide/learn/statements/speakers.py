"""Who speaks in a conversation."""

from __future__ import annotations

from dataclasses import dataclass

from omoide.domain.entity import name_key
from omoide.language.statement_words import StatementWords
from omoide.learn.proposal import USER, LearningConversation

_NOBODY = frozenset({"user", "me", "human", "you", "customer", "client", "assistant", "ai", "agent", "bot", "system"})


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who "I" is: `subject` in a statement, `name` in its text."""

    subject: str
    name: str | None  # None: not known
    introduced: str = ""  # the name that the speaker gives in this conversation

    def in_text(self, words: StatementWords) -> str:
        return self.name or words.user


def speakers_of(conversation: LearningConversation) -> dict[str | None, Speaker]:
    """One memory has one owner: two people who both talk in it are told apart by their names."""
    owner = conversation.owner
    said = {turn.speaker for turn in conversation.turns if turn.role == "user"}
    named = {name for name in said if name and name_key(name) not in _NOBODY}
    alone = owner is None and len(named) == 1
    return {
        name: Speaker(USER, owner or (name if alone and name in named else None))
        if name not in named or alone or name_key(name or "") == name_key(owner or "")
        else Speaker(name or USER, name)
        for name in said
    }
