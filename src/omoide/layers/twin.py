"""Whether two memories are one thing said twice, and what becomes of them: pure, and rather no than a wrong yes."""

from __future__ import annotations

import re
from typing import Any

from omoide.layers.attribute import validated
from omoide.layers.node import Node, is_data

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# Words that hold a sentence together; two sentences that differ in nothing else say the same.
_FILLER = frozenset(
    """
    a an the this that these those is are was were be been being am do does did has have had will would
    of to in on at for with from by as and it its their his her my your our i you he she they we me him them us
    der die das ein eine ist sind und zu von mit im el la los las un una es son y de con le les des du est et en
    o os um uma é são e
    """.split()
)
# Words that turn a sentence round or bind it: they must be the same in both.
_TURNING = frozenset(
    """
    not no never none nothing nobody without cannot neither nor hardly rarely seldom unless if except but only stop
    stopped longer avoid false instead before after nicht kein keine keinen nie niemals ohne nur nunca ni sin sólo solo
    não nem sem ne pas jamais sans rien
    """.split()
)


def same_words(text: str) -> str:
    """A text as it is compared: without case, spacing and the marks at its ends."""
    return " ".join(text.casefold().split()).strip(" .!,;:…\"'“”")


def may_be_one(one: Node, other: Node) -> bool:
    """Whether nothing beside the words keeps two memories apart: labels, whose word it is, time, their own fields."""
    return (
        _labels(one) == _labels(other)
        and one.id != other.id
        and one.state == "live"
        and _agree(one.speaker, other.speaker)
        and _agree(one.details, other.details)
        and all(_agree(value, other.said[name]) for name, value in one.said.items())
    )


def covers(kept: Node, other: Node) -> bool:
    """Whether the kept one says all that the other says: the same words, or the same fields, or its words and more."""
    if same_words(kept.text) == same_words(other.text):
        return True
    if _numbers(kept.text) != _numbers(other.text) or _turns(kept.text) != _turns(other.text):
        return False
    return (kept.pinned and other.pinned) or _within(_content(other.text), _content(kept.text))


def united(kept: Node, other: Node) -> dict[str, Any]:
    """The kept one's own fields, with what only the other knew and with both their counts."""
    fields = {name: other.said[name] if value in (None, ()) else value for name, value in kept.said.items()}
    for name in kept.tallies:
        fields[name] = _together(getattr(kept, name), getattr(other, name))
    return validated(type(kept), fields)


def _together(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    if isinstance(one, int):
        return one + other
    return max(one, other) if isinstance(one, float) else _later(one, other)


def _later(one: str, other: str) -> str:
    """Of two moments the later; of anything else the first."""
    return max(one, other) if one[:1].isdigit() and other[:1].isdigit() else one


def _labels(node: Node) -> tuple[object, ...]:
    trust = "data" if is_data(node.origin) else node.origin
    return node.kind, node.state, node.sensitive, node.audience, trust, node.valid_until


def _agree(one: Any, other: Any) -> bool:
    """Equal, or one of them says nothing."""
    if one in (None, ()) or other in (None, ()):
        return True
    return bool(_plain(one) == _plain(other))


def _plain(value: Any) -> Any:
    return same_words(value) if isinstance(value, str) else value


def _words(text: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(text.casefold())]


def _numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d+(?:[.,:]\d+)*", text))


def _turns(text: str) -> list[str]:
    return sorted("not" if word.endswith("n't") else word for word in _words(text) if _is_turning(word))


def _is_turning(word: str) -> bool:
    return word in _TURNING or word.endswith("n't")


def _content(text: str) -> list[str]:
    return [word for word in _words(text) if word not in _FILLER]


def _within(part: list[str], whole: list[str]) -> bool:
    """Whether all words of the one stand in the other, in the same order: who manages whom is not for us to turn."""
    rest = iter(whole)
    return bool(part) and all(word in rest for word in part)
