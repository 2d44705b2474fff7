"""ULIDs: ids that sort by time and stay the same when a node moves to another file.

Written here because the packages that offer ULIDs add 80 ms of import time to every start.
"""

from __future__ import annotations

import os
from collections.abc import Callable

UlidFactory = Callable[[int], str]
"""Returns a new ULID for a record written at this time in microseconds."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = [a + b for a in _ALPHABET for b in _ALPHABET]  # encodes ten bits at a time, half the steps of five
_MAX_MILLIS = (1 << 48) - 1


def new_ulid(at: int) -> str:
    """Returns a ULID: 48 bits of milliseconds and 80 random bits in Crockford's base 32."""
    millis = min(max(at // 1000, 0), _MAX_MILLIS)
    return encode_ulid(millis << 80 | int.from_bytes(os.urandom(10), "big"))


def encode_ulid(value: int) -> str:
    """Returns the 26 characters of a 128-bit number."""
    return "".join(_PAIRS[(value >> shift) & 1023] for shift in range(120, -1, -10))
