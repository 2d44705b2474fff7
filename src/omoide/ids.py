"""ULIDs: ids that sort by time and stay the same when a node moves to another file.

Written here because it is fifteen lines and the packages that offer it cost 80 ms of import on every start.
"""

from __future__ import annotations

import os
from collections.abc import Callable

UlidFactory = Callable[[int], str]
"""A new ULID for something recorded at that many microseconds."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = [a + b for a in _ALPHABET for b in _ALPHABET]  # ten bits at a time: half the steps of five
_MAX_MILLIS = (1 << 48) - 1


def new_ulid(at: int) -> str:
    """48 bits of milliseconds, 80 bits of chance, in Crockford's base 32."""
    millis = min(max(at // 1000, 0), _MAX_MILLIS)
    return encode_ulid(millis << 80 | int.from_bytes(os.urandom(10), "big"))


def encode_ulid(value: int) -> str:
    """The 26 characters of a 128-bit number."""
    return "".join(_PAIRS[(value >> shift) & 1023] for shift in range(120, -1, -10))
