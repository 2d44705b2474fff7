"""A turn in sentences, a sentence in clauses: the unit that a rule reads from its first word."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ABBREVIATED = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|vs|etc|e\.g|i\.e|approx|No|Inc|Ltd|Co|a\.m|p\.m|z\.B|bzw|Sra|usw)|\b[A-Z])\.\Z"
)
_END = re.compile(r"[.!?…。！？]+[\"')\]*]*(?=\s|\Z|[^\w\s.,;:'\"/-])|[。！？]|\n+")
_PRONOUN = (
    r"(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|my|our|he|he's|she|she's|it|it's|they|they're|you"
    r"|you're|your|this|that's)"
)
_ASKING = (
    r"(?:what|what's|how|how's|which|where|who|why|can|could|would|will|do|does|did|is|are|any|should|anything|got)"
)
_TELLING = (
    r"(?:please|never|always|don't|do not|dont|let|let's|use|not|so|but|because|cause|since|though"
    r"|although|thanks|right|ok|now)"
)
# Where a question begins in another language: "Vivo en Cádiz, ¿qué hago hoy?"
ASKED_ABROAD = (
    r"(?:¿|(?:was|wie|wo|wann|warum|wieso|welche[rsnm]?|wer|woran|womit|kann|kannst|können|könntest|hast|gibt|soll|sollte"
    r"|qué|cómo|dónde|cuándo|cuál|cuáles|quién|por qué|con qué|puedes|podrías"
    r"|que|quels?|quelles?|comment|où|quand|pourquoi|peux-tu|pouvez-vous|est-ce|combien|une idée|des idées"
    r"|o que|onde|quando|qual|quais|você pode|pode)\b|qu')"
)
_SPLIT = re.compile(
    rf"\s*[;…]+\s*|\.\.+\s*|\s+[-–—]+\s+|\s*—\s*|\s*[()\[\]]+\s*|:\s+|\s*\ufffc+\s*"
    rf"|\s*,\s*(?=(?:and |or |so |but |then |plus )?(?:{_PRONOUN}|{_ASKING}|{_TELLING}|when|if|while"
    rf"|unless|which|where|who|as|just|even|then)\b)"
    rf"|\s*,\s*(?=(?:ich|wir|mein|meine|aber|weil|und ich|und mein|vivo|trabajo|me|soy|mi|eu|moro|meu"
    rf"|minha|pero|mas|porque|y|e|je|j'|et je|et j'|mon|mais|parce|maintenant)\b)"
    rf"|\s*,\s*(?={ASKED_ABROAD})"
    rf"|\s+(?=(?:and|or)\s+(?:{_PRONOUN}|please|then|never|always|don't|do not)\b)"
    rf"|\s+(?=(?:but|because|cause|cuz|although|though|whereas|except)\b)"
    rf"|\s+(?=(?:since|so|when|while|if|unless|whenever|before|after|until|where|as)\s+(?:{_PRONOUN})\b)"
    rf"|\s+(?=(?:und|aber|weil|y|pero|porque|e|mas)\s+(?:ich|wir|mein|meine|vivo|trabajo|me|soy|mi|eu"
    rf"|moro|meu|minha|não|no|sou|gosto)\b)"
    rf"|\s+(?=(?:et|mais)\s+(?:je|j'|mon|ma|notre|on|nous)\b|parce que\s+(?:je|j')|und\s+(?:arbeite|wohne|lebe)\b)"
    r"|[，、；]",
    re.IGNORECASE,
)


# No sentence that people write is longer. Patterns that look ahead cost the square of what they see, so these two
# bounds are what keeps a turn's cost in proportion to its length.
_LONGEST = 600  # characters
_MOST = 24  # clauses


@dataclass(frozen=True, slots=True)
class Clause:
    """Words of one sentence that stand together, and where: `turn.text[start:end]`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` without its end mark; `mark` is that mark, "" at a line's end."""

    text: str
    start: int
    mark: str
    clauses: tuple[Clause, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def sentences(text: str) -> list[Sentence]:
    """Every sentence of a masked text, in order."""
    found: list[Sentence] = []
    begin = 0
    for end in _END.finditer(text):
        if end[0] == "." and _ABBREVIATED.search(text, max(0, end.start() - 6), end.end()):
            continue
        _add(found, text, begin, end.start(), end[0].strip())
        begin = end.end()
    _add(found, text, begin, len(text), "")
    return found


def _add(found: list[Sentence], text: str, start: int, end: int, mark: str) -> None:
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    words = words[:_LONGEST].strip()
    if words:
        found.append(Sentence(words, start, mark, _clauses(words, start)))


def _clauses(text: str, offset: int) -> tuple[Clause, ...]:
    found: list[Clause] = []
    begin = 0
    for gap in _SPLIT.finditer(text):
        if gap.start() > begin:
            found.append(_clause(text, begin, gap.start(), offset))
        begin = gap.end()
    found.append(_clause(text, begin, len(text), offset))
    return tuple(clause for clause in found if clause.text)[:_MOST]


def _clause(text: str, start: int, end: int, offset: int) -> Clause:
    words = text[start:end]
    start += len(words) - len(words.lstrip(" \t,*_#•·-"))
    words = text[start:end].rstrip(" \t,*_")
    return Clause(words, start + offset, start + len(words) + offset)
