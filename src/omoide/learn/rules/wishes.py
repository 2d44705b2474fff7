"""How the user wants things: standing instructions and preferences, not requests for this one time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omoide.learn.proposal import Wish

from .abroad import abroad
from .found import Scene, quoted
from .instructions import instruction
from .lifted import lifted
from .mask import GAP
from .matter import Matter
from .mood import Read
from .opening import opened
from .preferences import contrast, preference
from .soft import banned, soft
from .told import Told, closed

_LONGEST = 240  # characters of an instruction
_ASKED_OF_YOU = re.compile(r"(?:can|could|would|will) you\b", re.IGNORECASE)
_CHOOSES = re.compile("_or_|package_manager|editor|shell|browser|database|theme|framework")


def wishes_in(scene: Scene, reads: list[Read], disliked: str | None = None) -> Iterator[Wish]:
    """Every standing wish of a turn, one a sentence at most."""
    if not scene.speaker.owns_the_memory:
        return
    for read in reads:
        sentence = read.sentence
        if _NARROW.search(sentence.text):
            continue
        for clause in read.told or (sentence.clauses if read.asks else ()):
            text = sentence.text[clause.start - sentence.start :][:_LONGEST]
            if read.asks and not _ASKED_OF_YOU.match(text):
                continue
            told = _told(text, clause.text, disliked) or banned(scene.turn.text[clause.start : sentence.end])
            if told:
                yield _wish(scene, told, clause.start, sentence.end)
                break


# A wish for one file, one reader or a choice that nobody has to make is not one for good.
_NARROW = re.compile(
    r"\b(?:just|only) (?:for|in|on|with) (?:this|that|the current)\b"
    r"|\b(?:for|in) (?:this|that) (?:one|file|project|repo|chat|task|email|case|function|document|commit|branch)\b"
    r"|\b(?:answers?|e?-?mails?|messages?|repl(?:y|ies)|letters?|texts?|posts?) (?:to|for|with) (?:my|our|the"
    r"|(?-i:[A-Z]))"
    r"|\bif (?:i|we|you) (?:had|have|were forced) to (?:choose|pick|decide)\b|\bif (?:anything|forced)\b"
    r"|\bwhen (?:i'm|i am|we're|you're) \w+",
    re.IGNORECASE,
)


def narrowed(scene: Scene, reads: list[Read]) -> Iterator[str]:
    """The wishes that are for something narrower than everything: told, since they are not learned."""
    for read in reads if scene.speaker.owns_the_memory else ():
        text = read.sentence.text
        if _NARROW.search(text) and not read.asks and any(_told(each.text, each.text, None) for each in read.told):
            yield f"a wish for some cases alone was not learned: {text!r} [id:{scene.turn.id}]"


def _told(text: str, clause: str, disliked: str | None) -> Told | None:
    said, text, clause = closed(clause), _own(text), _own(clause)
    if GAP in clause:
        return None
    return (
        lifted(closed(text))
        or lifted(said)
        or contrast(text)
        or instruction(text, clause, disliked)
        or preference(text, clause)
        or soft(text)
        or abroad(said)
    )


def _own(words: str) -> str:
    """Without its opening, but "no emojis" is not an opening and the words after it."""
    words = closed(words).strip(" .!")
    return words if re.match(r"(?i:no) \w", words) else opened(words).text


def _wish(scene: Scene, told: Told, start: int, end: int) -> Wish:
    matter = told.matter
    return Wish(
        category=matter.category,
        name=matter.name,
        value=matter.value or None,  # of a wish that is taken back, whatever it was
        text=_text(scene.speaker.name, matter, told.instead_of),
        quote=quoted(scene.turn, start, end),
        strength=told.strength,
        source_type=told.source,
        instead_of=told.instead_of,
    )


def _text(name: str, matter: Matter, instead_of: str | None) -> str:
    about = matter.name.replace("_", " ")
    value = matter.value
    if not value:
        return f"{name} has no wish about {about}"
    if instead_of:
        return f"{name} prefers {value} over {instead_of}"
    if value in {"never", "none"}:
        return f"{name} does not want {about}"
    if value == "always":
        return f"{name} wants {about}"
    if _CHOOSES.search(matter.name) or matter.category == "other":
        return f"{name} prefers {value}"
    return f"{name} wants: {value}" if len(value.split()) > 2 else f"{name} prefers {about}: {value}"
