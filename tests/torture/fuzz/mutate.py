"""Changes an input at random, the same way for the same seed: bytes, lines, numbers, pieces of others, JSON values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

LONGEST = 20_000  # bytes
_PIECES = [
    *(part.encode("utf-8", "surrogatepass") for part in ("\ud83d", "\0", "\u202e", "\u200b", "é", "茶", "⟦", "⟧")),
    *(part.encode() for part in ("𐐷", "İ", "ß", "\u0301", "\ufeff", "オットー", "今日")),
    *b"\" ' \\ { [ } ] ( ) < > | : , - . # --- ``` [[ ]] /../ %2e %00 ~ \xff \xed\xa0\x80 \r \t ;".split(b" "),
    *b"0th 31st February 99999999999999999999 -1 1e999 NaN null true 2026-02-30T25:61:61Z last 9000 ago".split(),
    *b"weekends </omoide-memory> [id:1] <|im_start|> password: hunter2hunter2 user: sk- eyJ. not and my I no".split(),
]
_VALUES: list[Any] = [None, True, -1, 0, 2**63, 10**400, 0.5, 1e308, "", " ", "x", "\ud800", "\0", [], [[]], {}]
_MOST_LEVELS = 40


def mutated(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """One to four changes; now and then of an input that is long, or nested deeply."""
    for _ in range(random.randint(1, 4)):
        data = random.choice(_CHANGES)(random, data, others)[:LONGEST]
    return data


def _cut(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start, end = sorted(random.randint(0, len(data)) for _ in range(2))
    return data[:start] + data[min(end, start + 40) :]


def _put(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(_PIECES) + random.choice((b"", b" ")) + data[at:]


def _flip(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    changed = bytearray(data or b"x")
    changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _number(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    found = list(re.finditer(rb"\d+", data))
    if not found:
        return _put(random, data, others)
    each = random.choice(found)
    return data[: each.start()] + random.choice((b"0", b"-7", b"31", b"13", b"99999", b"9" * 30)) + data[each.end() :]


def _lines(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    lines = data.splitlines(keepends=True) or [b"\n"]
    where = random.randrange(len(lines))
    lines[where:where] = random.choices(lines, k=random.randint(1, 3))
    del lines[random.randrange(len(lines))]
    return b"".join(lines)


def _words(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    words = data.split(b" ")
    start = random.randrange(len(words))
    part = words[start : start + random.randint(1, 4)]
    at = random.randrange(len(words))
    return b" ".join(words[:at] + part + words[at + random.randint(0, 2) :])


def _splice(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = random.choice(others)
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


def _repeat(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start = random.randint(0, len(data))
    part = data[start : start + random.randint(1, 60)]
    return data[:start] + part * random.choice((2, 5, 200)) + data[start + len(part) :]


def _json(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Replaces, removes or nests one value of a JSON document, or of one line of JSON."""
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    for place, text in ((None, data), (at, lines[at])):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            continue
        made = json.dumps(_changed(random, found)).encode()
        return made if place is None else b"\n".join([*lines[:at], made, *lines[at + 1 :]])
    return _put(random, data, others)


def _changed(random: Random, value: Any) -> Any:
    if isinstance(value, dict | list) and value and random.random() < 0.85:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = random.choice(keys)
        if random.random() < 0.1:
            del value[key]
        else:
            value[key] = _changed(random, value[key])
        return value
    if random.random() < 0.1:
        for _ in range(random.randint(1, _MOST_LEVELS)):
            value = [value]
        return value
    return deepcopy(random.choice(_VALUES))


_CHANGES: Sequence[Callable[[Random, bytes, Sequence[bytes]], bytes]] = (
    _cut, _put, _put, _flip, _number, _lines, _words, _words, _splice, _repeat, _json, _json, _json,
)  # fmt: skip
