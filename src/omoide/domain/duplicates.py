"""Detects duplicate memories and merges their attributes. In doubt, two memories are not duplicates."""

from __future__ import annotations

import re
from typing import Any

from omoide.domain.node import Node, is_data_origin, validate_attributes
from omoide.language.registry import words_of
from omoide.language.text import singular

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ARTICLES = frozenset(("a", "an", "the"))  # English only: "die" is a content word in other languages
_AMOUNTS = frozenset(("few", "little"))  # "little" and "a little" differ in meaning
_END_MARKS = " .!,;:…\"'“”"


def normalize_wording(text: str) -> str:
    """A text without extra whitespace, outer punctuation and the case of its first letter.

    Other capitals stay because they can distinguish texts: "Otto is in IT" is not "Otto is in it".
    """
    bare = " ".join(text.split()).lstrip(" \"'“”").rstrip(_END_MARKS)
    return bare[:1].lower() + bare[1:]


def may_be_duplicates(one: Node, other: Node) -> bool:
    """Whether two memories agree in everything but their text: labels, speaker, time and attributes."""
    return (
        _labels(one) == _labels(other)
        and one.id != other.id
        and one.state == "live"
        and _compatible(one.speaker, other.speaker)
        and _compatible(one.details, other.details)
        and all(_compatible(value, other.content_attributes[name]) for name, value in one.content_attributes.items())
    )


def says_the_same(kept: Node, other: Node) -> bool:
    """Whether two memories have the same content words, or are structured and have the same attributes.

    Extra words are not allowed, since one word can change the meaning (former, half, maybe).
    """
    if normalize_wording(kept.text) == normalize_wording(other.text):
        return True
    if kept.is_structured and other.is_structured:
        return all(of(kept.text) == of(other.text) for of in (_numbers, _meaning_changing_words))
    return bool(_content_words(kept.text)) and _content_words(kept.text) == _content_words(other.text)


def merged_attributes(kept: Node, other: Node) -> dict[str, Any]:
    """The attributes of the kept memory, completed from the other one, with counters added up."""
    fields = {
        name: other.content_attributes[name] if value in (None, ()) else value
        for name, value in kept.content_attributes.items()
    }
    for name in kept.counter_fields:
        fields[name] = _combine_counts(getattr(kept, name), getattr(other, name))
    return validate_attributes(type(kept), fields)


def _combine_counts(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    if isinstance(one, int):
        return one + other
    return max(one, other) if isinstance(one, float) else _later(one, other)


def _later(one: str, other: str) -> str:
    """The later of two timestamps; otherwise the first value."""
    return max(one, other) if one[:1].isdigit() and other[:1].isdigit() else one


def _labels(node: Node) -> tuple[object, ...]:
    trust = "data" if is_data_origin(node.origin) else node.origin
    return node.kind, node.state, node.sensitive, node.audience, trust, node.valid_until


def _compatible(one: Any, other: Any) -> bool:
    """Equal, or one of them is empty."""
    if one in (None, ()) or other in (None, ()):
        return True
    return bool(_normalized(one) == _normalized(other))


def _normalized(value: Any) -> Any:
    return normalize_wording(value) if isinstance(value, str) else value


def _words(text: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(text.casefold())]


def _numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d+(?:[.,:]\d+)*", text))


def _meaning_changing_words(text: str) -> list[str]:
    words = ("not" if word.endswith("n't") else word for word in _words(text))
    return sorted(word for word in words if word == "not" or word in words_of("negations"))


def _content_words(text: str) -> list[str]:
    """The words without articles and endings, in order, since order matters (who manages whom)."""
    words = [word.rstrip(_END_MARKS) for word in normalize_wording(text).split()]
    following = [*words[1:], ""]
    kept = [word for word, after in zip(words, following, strict=True) if word not in _ARTICLES or after in _AMOUNTS]
    return [*kept[:1], *map(singular, kept[1:])]  # the first may be a name: Adams is not Adam
