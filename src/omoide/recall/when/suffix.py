"""What may follow a moment and change it: "18th December for ten days", "Thanksgiving in three years"."""

from __future__ import annotations

from .amount import Amount, amount
from .calendar import unit
from .combine import Hit, Reader
from .pattern import Pattern, fixed, narrow
from .span import Span, rank


def suffix(reader: Reader, found: Pattern, at: int) -> Hit:
    """The moment with its suffix, or as it was."""
    link = reader.word(at)
    hit = amount(reader, at + 1) if link in {"for", "in"} else None
    if hit is None:
        return found, at
    changed = lasting(reader, found, hit[0]) if link == "for" else _years_on(reader, found, hit[0])
    return (found, at) if changed is None else (changed, hit[1])


def lasting(reader: Reader, found: Pattern, length: Amount) -> Pattern | None:
    span = found.place(reader.now, reader.prefer)
    if span is None:
        return None
    last = unit(length.move(span.start, 1), span.grain)
    return fixed(Span(span.start, last.end, span.grain), "rel", "range")


def _years_on(reader: Reader, found: Pattern, length: Amount) -> Pattern | None:
    if found.fixed is not None or rank(length.grain) < rank("year"):
        return None
    return narrow(fixed(unit(length.move(reader.now, 1), "year"), "year"), found)
