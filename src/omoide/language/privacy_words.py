"""Whether a text asks for privacy, and which sensitive matters it speaks of."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, fields
from functools import cache

from omoide.errors import unknown_name

_NEVER = r"(?!)"
_LINE_BREAK = re.compile(r"\s*\n\s*")
_DIGIT = re.compile(r"\d")
_NO_ASCII = re.compile(r"[^a-z]*")
_READ_CHARACTERS = 4_000
_SHORT_WORDS = 14  # a request of so many words that points at something speaks of what was said before


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyWords:
    """Alternatives of patterns over lower-case text, whole words where the language has spaces.

    They are strict: a sensitive memory is hidden until the user consents, so what people say every day is none.
    """

    requests: str = ""  # asks that others not learn it: "between us", "nobody at work knows"
    pointing: str = ""  # words by which a request points at what was said before: "that", "this"
    health: str = ""  # diagnoses, addiction, pregnancy; not allergies or medicine that a helper must know
    money: str = ""  # wages, debts, wealth
    intimacy: str = ""  # sexuality, affairs, violence in a relationship
    identity: str = ""  # numbers of documents and accounts
    minors: str = ""  # where children are, their trouble and custody


TOPICS = tuple(each.name for each in fields(PrivacyWords) if each.name not in ("requests", "pointing"))


@cache
def topics_named(names: str) -> tuple[str, ...]:
    """The topics of a list such as "health, money". Raises InvalidInput for an unknown one."""
    found = tuple(filter(None, (each.strip() for each in names.split(","))))
    if unknown := [each for each in found if each not in TOPICS]:
        raise unknown_name("sensitive topic", unknown[0], TOPICS)
    return found


def asks_for_privacy(text: str) -> bool:
    """Whether a text asks that others not learn what it speaks of."""
    return _finds("requests", _lowered(text))


def asks_for_earlier_privacy(text: str) -> bool:
    """Whether a text only asks for privacy, of what was said before: "keep that between us"."""
    lowered = _lowered(text)
    short = len(lowered.split()) <= _SHORT_WORDS and len(lowered) <= 100
    return short and asks_for_privacy(text) and _finds("pointing", lowered)


def sensitive_topics(text: str, wanted: Collection[str]) -> tuple[str, ...]:
    """Those of the topics that a text speaks of."""
    lowered = _lowered(text)
    asked = [each for each in TOPICS if each in wanted and (each != "identity" or _DIGIT.search(lowered))]
    return tuple(topic for topic in asked if _finds(topic, lowered))


def _lowered(text: str) -> str:
    return text[:_READ_CHARACTERS].lower().replace("’", "'")


def _finds(field: str, lowered: str) -> bool:
    return _pattern(field, ascii=lowered.isascii()).search(lowered) is not None


@cache
def _pattern(field: str, *, ascii: bool) -> re.Pattern[str]:
    """The alternatives of all languages, or of those that ASCII can write; whole words where they have spaces."""
    from omoide.language.registry import languages

    known = [
        each for each in languages() if each.privacy and not (ascii and _NO_ASCII.fullmatch(each.privacy.requests))
    ]
    spaced, other = (
        "|".join(
            filter(None, (_LINE_BREAK.sub("", getattr(each.privacy, field)) for each in known if each.spaced == has))
        )
        for has in (True, False)
    )
    return re.compile(rf"\b(?<!')(?:{spaced or _NEVER})(?!\w)|{other or _NEVER}")
