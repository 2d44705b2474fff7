"""Whose a message is that cannot be read: the id of a request, from how it begins or how it ends.

A client that is answered without the id waits for ever. Python's clients write it first, those in JavaScript last.
"""

from __future__ import annotations

import json
import re
from typing import Any

NEAR = 4096  # bytes at either end that are looked at: an id is short

_TEXT = rb'"(?:[^"\\]|\\.)*"'
_ID = rb'"id"\s*:\s*(' + _TEXT + rb"|-?\d{1,18})\s*"
_PLAIN = rb'\s*"(?:jsonrpc|method)"\s*:\s*' + _TEXT + rb"\s*"  # what may stand between it and the end, or the start
_FIRST = re.compile(rb"\s*\{(?:" + _PLAIN + rb",)*\s*" + _ID + rb"[,}]")
_LAST = re.compile(rb"[,{]\s*" + _ID + rb"(?:," + _PLAIN + rb")*\}\s*$")


def id_in(head: bytes, tail: bytes) -> str | int | None:
    """None where neither end tells it."""
    found = _FIRST.match(head[:NEAR]) or _LAST.search(tail[-NEAR:])
    try:
        id: Any = json.loads(found[1]) if found else None
    except ValueError:
        return None
    return id if isinstance(id, str | int) else None
