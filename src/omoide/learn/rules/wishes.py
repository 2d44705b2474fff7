"""How the user wants things: standing instructions and preferences, not requests for this one time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omoide.learn.proposal import Claim, Wish

from .abroad import abroad
from .found import Found, Scene, quoted
from .instructions import instruction
from .lifted import lifted
from .mask import GAP
from .matter import Matter
from .mood import Read
from .narrow import OTHERS, passes, scoped, unwished
from .opening import opened
from .preferences import contrast, preference
from .soft import banned, soft
from .standing import standing
from .told import Told, closed

_LONGEST = 240  # characters of an instruction
_ASKED_OF_YOU = re.compile(r"(?:can|could|would|will) you\b", re.IGNORECASE)
_CHOOSES = re.compile("_or_|package_manager|editor|shell|browser|database|theme|framework")


def wishes_in(scene: Scene, reads: list[Read], disliked: str | None = None) -> Iterator[Wish]:
    """Every standing wish of a turn, one a sentence at most."""
    for read in reads:
        sentence = read.sentence
        if OTHERS.search(sentence.text):
            continue
        for clause in read.told or (sentence.clauses if read.asks else ()):
            text = sentence.text[clause.start - sentence.start :][:_LONGEST]
            if read.asks and not _ASKED_OF_YOU.match(text):
                continue
            told = _told(text, clause.text, disliked) or banned(scene.turn.text[clause.start : sentence.end])
            told = scoped(told, text, sentence.text) if told else None
            if told and not passes(sentence.text, clause.text) and not unwished(told):
                yield _wish(scene, told, clause.start, sentence.end)
                break


def narrowed(scene: Scene, reads: list[Read]) -> Iterator[str]:
    """The wishes that are for something narrower than everything: told, since they are not learned."""
    for read in reads:
        text = read.sentence.text
        if not read.asks and any(passes(text, each.text) and _told(each.text, each.text, None) for each in read.told):
            yield f"a wish for some cases alone was not learned: {text!r} [id:{scene.turn.id}]"


_SHORT = 3  # words: "pnpm", "dark mode"


def of_another(scene: Scene, wish: Wish) -> Found | None:
    """What somebody wishes who does not own the memory is a fact about them: it binds nobody."""
    if len(str(wish.value).split()) > _SHORT or not wish.strength:
        return None  # "always be yourself" is said to whoever is talked to
    stands = str(wish.value).casefold() in wish.quote.words.casefold()
    return Found(
        Claim(
            subject=scene.speaker.subject,
            predicate="prefers",
            object=str(wish.value) if stands else wish.quote.words,
            text=wish.text if stands else f"{scene.speaker.name} wants: {wish.quote.words}",
            quote=wish.quote,
            confidence=wish.strength,
        )
    )


def _told(text: str, clause: str, disliked: str | None) -> Told | None:
    said, text, clause = closed(clause), _own(text), _own(clause)
    if GAP in clause:
        return None
    return (
        lifted(closed(text))
        or lifted(said)
        or contrast(text)
        or standing(clause)
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
