"""A conversation → the pieces that go into one call each: numbered turns between marks that no turn can close."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

from omoide.domain.entity import name_key
from omoide.language import tokens
from omoide.language.text import shorten
from omoide.learn.proposal import USER, Conversation, ConversationTurn

OVERLAP_TURNS = 3  # turns before a piece, for "she" and "the day after"
_CONTEXT_CHARACTERS = 600  # of a turn that is context alone
MAX_DATA_TOKENS = 600  # of a tool's or a document's text: it is read for names, not for every line
_MAX_NAMES = 40
_SENTENCE = re.compile(r"(?<=[.!?。！？\n])\s+")


@dataclass(frozen=True, slots=True)
class WindowLine:
    """A turn, or a part of a long one, as the model sees it."""

    turn: ConversationTurn
    speaker: str
    text: str
    context: bool = False
    part: str = ""

    @property
    def size(self) -> int:
        return tokens.estimate(self.text) + 20  # and its header


@dataclass(frozen=True, slots=True)
class ConversationWindow:
    """What one call reads. A turn's number is its place, from 1."""

    lines: tuple[WindowLine, ...]
    names: tuple[str, ...] = ()

    @property
    def fresh(self) -> int:
        return sum(not line.context for line in self.lines)

    def line(self, number: int) -> WindowLine | None:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else None

    def halves(self) -> tuple[ConversationWindow, ConversationWindow] | None:
        """Two windows of half the fresh turns each; None where there is but one."""
        places = [place for place, line in enumerate(self.lines) if not line.context]
        if len(places) < 2:
            return None
        middle = places[len(places) // 2]
        before = tuple(_as_context(line) for line in self.lines[max(0, middle - OVERLAP_TURNS) : middle])
        return replace(self, lines=self.lines[:middle]), replace(self, lines=before + self.lines[middle:])

    def render(self) -> str:
        """Every line of a turn begins with a bar, so nothing inside of one can look like a header or the end."""
        body = "\n".join(_render_line(number, line) for number, line in enumerate(self.lines, 1))
        names = f"Known names: {', '.join(self.names)}\n" if self.names else ""
        mark = sha256((names + body).encode("utf-8", "replace")).hexdigest()[:8]
        return f"<conversation {mark}>\n{names}{body}\n</conversation {mark}>"


def split_windows(conversation: Conversation, budget: int) -> tuple[ConversationWindow, ...]:
    """The fresh turns in pieces of about so many tokens, each with the turns before it as context."""
    speaker = SpeakerNames(conversation)
    before = [
        _as_context(WindowLine(turn, speaker(turn), turn.text)) for turn in conversation.turns[: conversation.fresh]
    ]
    made: list[ConversationWindow] = []
    context, lines, size = before[-OVERLAP_TURNS:], list[WindowLine](), 0
    for turn in conversation.turns[conversation.fresh :]:
        for line in _turn_lines(turn, speaker(turn), budget):
            if lines and size + line.size > budget:
                made.append(ConversationWindow((*context, *lines)))
                context = [_as_context(each) for each in [*context, *lines][-OVERLAP_TURNS:]]
                lines, size = [], 0
            lines.append(line)
            size += line.size
    if lines:
        made.append(ConversationWindow((*context, *lines)))
    return tuple(replace(window, names=_names_in_window(window, conversation.names)) for window in made)


def is_data_turn(turn: ConversationTurn) -> bool:
    """Tools, documents and imports do not speak for anybody."""
    return turn.origin not in ("user", "agent", "system")


class SpeakerNames:
    """Who says "I" in a turn: the user, unless several people talk and this is another of them."""

    def __init__(self, conversation: Conversation) -> None:
        self._owner = name_key(conversation.owner) if conversation.owner else None
        found = {name_key(turn.speaker) for turn in conversation.turns if turn.origin == "user" and turn.speaker}
        self._alone = len(found) < 2 and self._owner is None

    def __call__(self, turn: ConversationTurn) -> str:
        if turn.origin != "user":
            return _one_line(turn.origin)
        if turn.speaker is None or self._alone or name_key(turn.speaker) == self._owner:
            return USER
        return _one_line(turn.speaker)


def _turn_lines(turn: ConversationTurn, speaker: str, budget: int) -> Iterator[WindowLine]:
    """The turn, or, if it would not fit, parts of it that end where sentences end."""
    if is_data_turn(turn):
        yield WindowLine(turn, speaker, _beginning(turn.text, MAX_DATA_TOKENS))
        return
    if tokens.estimate(turn.text) <= budget:
        yield WindowLine(turn, speaker, turn.text)
        return
    pieces = [""]
    for sentence in _SENTENCE.split(turn.text):
        for chunk in _split_long_sentence(sentence, budget):
            if pieces[-1] and tokens.estimate(pieces[-1] + chunk) > budget:
                pieces.append("")
            pieces[-1] += (" " if pieces[-1] else "") + chunk
    for number, piece in enumerate(pieces, 1):
        yield WindowLine(turn, speaker, piece, part=f", part {number} of {len(pieces)}")


def _split_long_sentence(sentence: str, budget: int) -> Iterator[str]:
    """A sentence without end (a log, a table in one line) is cut by its length."""
    size = max(200, budget * 2)  # characters; at least one token is two of them in any script but a few
    if tokens.estimate(sentence) <= budget:
        yield sentence
    else:
        yield from (sentence[at : at + size] for at in range(0, len(sentence), size))


def _beginning(text: str, most: int) -> str:
    text = text[: most * 8]
    while tokens.estimate(text) > most:
        text = text[: len(text) * 3 // 4]
    return text


def _as_context(line: WindowLine) -> WindowLine:
    return replace(line, text=shorten(line.text, _CONTEXT_CHARACTERS), context=True)


def _names_in_window(window: ConversationWindow, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those that are spoken of here; a list of everybody would be longer than the conversation."""
    said = name_key(" ".join(line.text for line in window.lines))
    return tuple(_one_line(name) for name in names if name_key(name) and name_key(name) in said)[:_MAX_NAMES]


def _one_line(name: str) -> str:
    """A name that holds a line break could make a header of its own."""
    return shorten(" ".join(name.split()), 60)


def _render_line(number: int, line: WindowLine) -> str:
    kind = " DATA" if is_data_turn(line.turn) else ""
    context = ", context" if line.context else ""
    text = line.text.replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    body = "\n".join(f"| {each}" for each in text.split("\n"))
    return f"[{number}]{kind} {line.speaker}, {line.turn.at:%A %Y-%m-%d %H:%M}{context}{line.part}\n{body}"
