"""Which known entity a name means: by name or alias, bare form, then likeness; rather none than a wrong one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from omoide.layers.entity import name_key

_LEGAL = re.compile(r"\b(inc|ltd|llc|gmbh|ag|corp|corporation|co|company|sa|srl|plc|limited)$")
_ALIKE = 92.0  # of 100; "Anthropic" and "Antropic" are alike, "Anna" and "Ann" are two people
_LONG_ENOUGH = 7  # letters: in a short name one letter tells two people apart


def bare(name: str) -> str:
    """Without article, legal form and at-sign: "The Acme Corp." and "Acme" are one company."""
    key = name_key(name)
    key = key.removeprefix("the ")
    return _LEGAL.sub("", key).strip() or key


def same_thing(name: str, names: Mapping[str, tuple[int, ...]]) -> int | None:
    """The entity that goes by a name, exactly, barely or nearly; None when it is new or cannot be told."""
    for wanted in (name_key(name), bare(name)):
        if found := names.get(wanted):
            return found[0] if len(found) == 1 else None
    by_bare = {id for key, ids in names.items() if bare(key) == bare(name) for id in ids}
    if by_bare:
        return by_bare.pop() if len(by_bare) == 1 else None
    return _nearly(name_key(name), names)


def _nearly(key: str, names: Mapping[str, tuple[int, ...]]) -> int | None:
    if len(key) < _LONG_ENOUGH or any(letter.isdigit() for letter in key):
        return None  # "GPT 4" and "GPT 5" are alike and not the same
    from rapidfuzz import fuzz

    near = {
        id
        for known, ids in names.items()
        if len(known) >= _LONG_ENOUGH
        and known[0] == key[0]
        and len(known.split()) == len(key.split())
        and not any(letter.isdigit() for letter in known)
        and fuzz.ratio(key, known) >= _ALIKE
        for id in ids
    }
    return near.pop() if len(near) == 1 else None
