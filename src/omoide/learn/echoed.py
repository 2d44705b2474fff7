"""Sentences of ours that come back without a sign: letter by letter what memory says of the user, in the user's turn.

"User works at Aldi" nobody says of themselves. Where it stands, whatever else in that paragraph is worded as a memory
is, is one too, also one that has given way since.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from omoide.learn.proposal import Conversation, Turn
from omoide.learn.rules.sentence import sentences

Worded = Callable[[Collection[str]], Collection[str]]
"""Those of the texts that are the words of something learned."""

_PARAGRAPH = re.compile(r"(?:[^\n]|\n(?![ \t]*\n))+")
_UNNAMED = re.compile(r"(?<![\w@#])User(?:'s|s')?(?= \w)")
_MARKS = " \t.-*•·"

_Span = tuple[int, int]


def unechoed(conversation: Conversation, worded: Worded) -> Conversation:
    """The conversation with blanks where a fresh turn repeats what memory says of its speaker."""
    fresh = conversation.turns[conversation.fresh :]
    told = {turn.id: list(_told(turn, conversation.owner)) for turn in fresh if turn.role == "user"}
    texts = {turn.text[slice(*span)] for turn in fresh for span in told.get(turn.id, ())}
    ours = frozenset(worded(texts)) if texts else frozenset[str]()
    heard = tuple(
        replace(turn, text=_blanked(turn.text, told[turn.id], ours)) if told.get(turn.id) else turn for turn in fresh
    )
    return replace(conversation, turns=(*conversation.turns[: conversation.fresh], *heard))


def _told(turn: Turn, owner: str | None) -> Iterable[_Span]:
    """The sentences of every paragraph that tells of its own speaker as of somebody else."""
    mine = owner if owner and turn.speaker in (None, owner) else None
    named = re.compile(rf"(?<!\w){re.escape(mine)}(?:'s)? \w") if mine else None
    for paragraph in _PARAGRAPH.finditer(turn.text):
        if _UNNAMED.search(paragraph[0]) or (named and named.search(paragraph[0])):
            for each in sentences(paragraph[0]):
                marked = len(each.text) - len(each.text.lstrip(_MARKS))
                start = paragraph.start() + each.start + marked
                yield start, start + len(each.text[marked:].rstrip(_MARKS))


def _blanked(text: str, spans: Iterable[_Span], ours: Collection[str]) -> str:
    for start, end in spans:
        if text[start:end] in ours:
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
