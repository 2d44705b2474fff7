"""Splits a conversation into windows for one model call each, rendered so that no turn can fake a delimiter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

from omoide.domain.entity import name_key
from omoide.language import tokens
from omoide.language.sentences import split_verbatim
from omoide.language.text import shorten
from omoide.learn.proposal import USER, ConversationTurn, LearningConversation

OVERLAP_TURNS = 3  # context turns before a window, to resolve "she" and "the day after"
_CONTEXT_CHARACTERS = 600  # of a context turn
MAX_DATA_TOKENS = 600  # of the text of a tool or document
_MAX_NAMES = 40


@dataclass(frozen=True, slots=True)
class WindowLine:
    """A turn, or a part of a long one, as shown to the model."""

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
    """The input of one call. Turns are numbered from 1."""

    lines: tuple[WindowLine, ...]
    names: tuple[str, ...] = ()

    @property
    def fresh(self) -> int:
        return sum(not line.context for line in self.lines)

    def line(self, number: int) -> WindowLine | None:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else None

    def halves(self) -> tuple[ConversationWindow, ConversationWindow] | None:
        """Two windows with half of the new turns each; None if there is only one."""
        places = [place for place, line in enumerate(self.lines) if not line.context]
        if len(places) < 2:
            return None
        middle = places[len(places) // 2]
        before = tuple(_as_context(line) for line in self.lines[max(0, middle - OVERLAP_TURNS) : middle])
        return replace(self, lines=self.lines[:middle]), replace(self, lines=before + self.lines[middle:])

    def render(self) -> str:
        """The window as text. Every line of a turn starts with a bar, so it cannot look like a header or the end."""
        body = "\n".join(_render_line(number, line) for number, line in enumerate(self.lines, 1))
        names = f"Known names: {', '.join(self.names)}\n" if self.names else ""
        mark = sha256((names + body).encode("utf-8", "replace")).hexdigest()[:8]
        return f"<conversation {mark}>\n{names}{body}\n</conversation {mark}>"


def split_windows(conversation: LearningConversation, budget: int) -> tuple[ConversationWindow, ...]:
    """Split the new turns into windows of about `budget` tokens, each with the turns before it as context."""
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
    """Whether a turn is data of a tool, document or import."""
    return turn.origin not in ("user", "agent", "system")


class SpeakerNames:
    """Names the speaker of a turn: the user, unless several people talk and it is another of them."""

    def __init__(self, conversation: LearningConversation) -> None:
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
    """The turn, split at sentence ends if it is too long."""
    if is_data_turn(turn):
        yield WindowLine(turn, speaker, _beginning(turn.text, MAX_DATA_TOKENS))
        return
    if tokens.estimate(turn.text) <= budget:
        yield WindowLine(turn, speaker, turn.text)
        return
    pieces = [""]
    for sentence in split_verbatim(turn.text):
        for chunk in _split_long_sentence(sentence, budget):
            if pieces[-1] and tokens.estimate(pieces[-1] + chunk) > budget:
                pieces.append("")
            pieces[-1] += (" " if pieces[-1] else "") + chunk
    for number, piece in enumerate(pieces, 1):
        yield WindowLine(turn, speaker, piece, part=f", part {number} of {len(pieces)}")


def _split_long_sentence(sentence: str, budget: int) -> Iterator[str]:
    """Cut an overlong sentence (a log, a table in one line) by length."""
    size = max(200, budget * 2)  # characters; about two per token at least
    if tokens.estimate(sentence) <= budget:
        yield sentence
    else:
        yield from (sentence[at : at + size] for at in range(0, len(sentence), size))


def _beginning(text: str, max_tokens: int) -> str:
    text = text[: max_tokens * 8]
    while tokens.estimate(text) > max_tokens:
        text = text[: len(text) * 3 // 4]
    return text


def _as_context(line: WindowLine) -> WindowLine:
    return replace(line, text=shorten(line.text, _CONTEXT_CHARACTERS), context=True)


def _names_in_window(window: ConversationWindow, names: tuple[str, ...]) -> tuple[str, ...]:
    """The known names that occur in the window."""
    said = name_key(" ".join(line.text for line in window.lines))
    return tuple(_one_line(name) for name in names if name_key(name) and name_key(name) in said)[:_MAX_NAMES]


def _one_line(name: str) -> str:
    """A name without line breaks, which could fake a header."""
    return shorten(" ".join(name.split()), 60)


def _render_line(number: int, line: WindowLine) -> str:
    kind = " DATA" if is_data_turn(line.turn) else ""
    context = ", context" if line.context else ""
    text = line.text.replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    body = "\n".join(f"| {each}" for each in text.split("\n"))
    return f"[{number}]{kind} {line.speaker}, {line.turn.at:%A %Y-%m-%d %H:%M}{context}{line.part}\n{body}"
