"""Finds turns of which one brought about the next, by the words that say so at the beginning of a turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from omoide.learn.proposal import CausalLink, ConversationTurn, Quote
from omoide.learn.statements.statement_extractor import statement_language

_END = re.compile(r"[.!?\n。！？]|\Z")


def causes_in(turns: Sequence[ConversationTurn], fresh: int) -> Iterator[CausalLink]:
    """Links between consecutive turns from `fresh` on; a turn that only asks why links nothing."""
    for before, turn in zip(turns[max(fresh - 1, 0) :], turns[max(fresh, 1) :], strict=False):
        words = statement_language(turn.text).statements
        if turn.role not in {"user", "agent"} or turn.text.rstrip().endswith("?") or words is None:
            continue
        start = len(turn.speaker) + 1 if turn.speaker and turn.text.startswith(f"{turn.speaker}:") else 0
        effect = words.pattern("effects").match(turn.text, start)
        reason = words.pattern("reasons").match(turn.text, start)
        if found := effect or reason:
            end = _END.search(turn.text, found.end())
            quote = Quote(turn.id, turn.text[found.start("cue") : end.start() if end else None].strip())
            cause, effected = (before, turn) if effect else (turn, before)
            yield CausalLink(cause=cause.id, effect=effected.id, quote=quote)


def says_reason(words: str) -> bool:
    """Whether words begin by giving the reason of what was said before: "that's because"."""
    language = statement_language(words).statements
    return language is not None and language.pattern("reasons").match(words) is not None
