"""Several things in a row: "pizza, sushi and tacos" is three, "complex, dark shows" is not two."""

from __future__ import annotations

import re
from collections.abc import Callable

Reader = Callable[[str], tuple[str, ...]]

_BETWEEN = re.compile(r"\s*,\s*(?:and |or )?|\s+and\s+|\s+&\s+|\s+und\s+|\s+y\s+|\s+e\s+", re.IGNORECASE)
_LAST = re.compile(r"\b(?:and|or|und|y|e)\b|&", re.IGNORECASE)
_ONE = re.compile(
    r"rock and roll|mac and cheese|fish and chips|peanut butter and jelly|drum and bass|black and white|arts and crafts"
    r"|food and wine|dungeons and dragons",
    re.IGNORECASE,
)
# A word that waits for its noun: after it a comma parts adjectives, not things.
_WAITS = re.compile(
    r"(?:\w(?:ic|al|ous|ful|ive|less|able|ible|ish|ed)|unique|complex|rich|dark|small|big|new|old|good"
    r"|great|nice|cool|warm"
    r"|soft|hard|simple|easy|fresh|spicy|light|bold|bright|strong|sweet|cozy|healthy|funny|sunny|quiet"
    r"|loud|long|short|deep"
    r"|fast|slow|hot|cold|crisp|raw|local|different|various)$",
    re.IGNORECASE,
)


def each(rest: str, read: Reader) -> tuple[str, ...]:
    """Every item that can be read; the first that cannot ends the row."""
    found: dict[str, None] = {}
    for part, waits in _parts(rest):
        items = () if waits else read(part)
        if not items:
            break
        found |= dict.fromkeys(items)
        if len(part.split()) > len(items[0].split()) + 1:
            break  # words left over belong to another verb, and so does what follows them
    return tuple(found)


def _parts(rest: str) -> list[tuple[str, bool]]:
    """The items with whether a noun is still to come. "And" names the last one; without it only the first is sure."""
    if _ONE.match(rest):
        return [(rest, False)]
    gaps = list(_BETWEEN.finditer(rest))
    last = next((number for number, gap in enumerate(gaps) if _LAST.search(gap[0])), None)
    bounds = [0, *(gap.end() for gap in gaps)]
    ends = [*(gap.start() for gap in gaps), len(rest)]
    count = 1 if last is None else min(last + 2, 8)
    parts = []
    for number in range(count):
        part = rest[bounds[number] : ends[number]].strip()
        comma = number < len(gaps) and "," in gaps[number][0] and number + 1 >= count
        parts.append((part, comma and bool(_WAITS.search(part))))
    return parts
