"""The time a question in another language speaks of: its phrases are turned into English ones and read as those."""

from __future__ import annotations

import re
from datetime import datetime

from omoide.recall.language import Language, compiled
from omoide.recall.language.times import Times

from .clue import Dated, Phrase, When
from .question import parse

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|\d+")


def parse_in(language: Language, text: str, asked_at: datetime) -> When | None:
    """What a question says about time; None when it says nothing, or nothing that the table of its language knows."""
    if language.times is None:
        return parse(text, asked_at)
    times = language.times()
    clues: list[Dated] = []
    rest = text.replace("’", "'")
    for pattern, english in times.phrases:
        for found in compiled(pattern).finditer(rest):
            read = parse(times.english(english, found.groups()), asked_at)
            if read is not None and read.spans:
                said = Phrase(text[found.start() : found.end()], found.start(), found.end())
                clues.append(Dated(read.spans[0], said))
        for clue in clues:  # what is understood is not read again, and keeps its place
            rest = rest[: clue.phrase.start] + " " * (clue.phrase.end - clue.phrase.start) + rest[clue.phrase.end :]
    if not clues:
        return parse(text, asked_at)  # "2023-05-08" is the same everywhere
    content = _content(rest, times, language)
    if content:  # "I am cooking today, which recipe was it?": when it is asked, not when the answer was said
        clues = [clue for clue in clues if not clue.span.holds(asked_at)]
    return When(tuple(sorted(clues, key=lambda clue: clue.phrase.start)), content) if clues else None


def _content(rest: str, times: Times, language: Language) -> tuple[str, ...]:
    """The words that carry a subject."""
    chat = times.chat
    if not language.function_words:
        for word in sorted(chat, key=len, reverse=True):
            rest = re.sub(rf"\b{word}\b" if word[0] < "\u3000" else word, " ", rest, flags=re.IGNORECASE)
        return tuple(_WORD.findall(rest))
    idle = chat | set(language.function_words.split())
    return tuple(word for word in _WORD.findall(rest) if word.lower() not in idle)
