"""What was blanked while a turn was read is put back from its words: nothing is kept with a hole in it."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any, TypeVar

from omoide.learn.proposal import Item, Quote
from omoide.learn.rules.mask import GAP

_RUN = re.compile(f"{GAP}+")
_CONTEXT = 12  # characters before a hole by which its place is found again
_LONGEST = 80  # characters of a hole: more is somebody's text or code, not a word in the speaker's own sentence

T = TypeVar("T", bound=Item)


class Blank(Exception):
    """It cannot be told what stood there."""


def unmasked(item: T, text: str) -> T:
    """The item in the words of its turn. Raises Blank where a part of it is too long, or stands nowhere there."""
    changed = {}
    for field in fields(item):
        value = getattr(item, field.name)
        if field.name != "quote" and (whole := _whole(value, text)) != value:
            changed[field.name] = whole
    return replace(item, **changed) if changed else item


def _whole(value: Any, text: str) -> Any:
    if isinstance(value, tuple):
        return tuple(_whole(each, text) for each in value)
    if not isinstance(value, str) or isinstance(value, Quote) or GAP not in value:
        return value
    while (hole := _RUN.search(value)) is not None:
        value = value[: hole.start()] + _stood(value, hole, text) + value[hole.end() :]
    return value


def _stood(value: str, hole: re.Match[str], text: str) -> str:
    before = value[max(0, hole.start() - _CONTEXT) : hole.start()]
    size = hole.end() - hole.start()
    found = re.search(f"{re.escape(before)}(.{{{size}}})", text, re.IGNORECASE) if before.strip() else None
    if found is None or size > _LONGEST or GAP in found[1]:
        raise Blank
    return found[1]
