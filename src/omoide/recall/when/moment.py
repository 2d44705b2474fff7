"""One moment said in several words: dates, clock times and relative words side by side, each narrowing the
others.
"""

from __future__ import annotations

from .clock import clock, time_of_day
from .combine import Hit, Reader, Rule, either, inner, maybe, seq, word
from .compounds import compounds
from .dates import date
from .number import plain
from .pattern import Pattern, together
from .relative import earlier, relative
from .suffix import suffix

_JOINS = 7
_connect: Rule = maybe(
    seq(
        maybe(word(",")),
        maybe(word("of", "in", "on", "at", "@", "for", "during", "from", "'", "’", "t")),
        maybe(word("the")),
    )
)
moment: Rule = inner(lambda: _moment)
_primary: Rule = either(date, time_of_day, relative, earlier, compounds(moment))
moment.first = None if _primary.first is None or plain.first is None else _primary.first | plain.first


def _hour(reader: Reader, at: int) -> Hit | None:
    """The eight of "eight tonight": a number that becomes an hour in company."""
    hit = plain(reader, at)
    if hit is None or hit[0].value not in range(1, 25):
        return None
    found = clock(int(hit[0].value), weak=True)
    return None if found is None else (found, hit[1])


def _moment(reader: Reader, at: int) -> Hit | None:
    """As many primaries as fit together: "Fri, Jul 18, 2014 at 7 pm"."""
    hit = _primary(reader, at)
    best = None if hit is None else _extend(reader, *hit)
    if hit is None or hit[0].weak:
        hour = _hour(reader, at)
        joined = None if hour is None else _extend(reader, *hour)
        if joined is not None and "part" in joined[0].kinds and (best is None or joined[1] > best[1]):
            best = joined
    return best


def _extend(reader: Reader, first: Pattern, at: int) -> Hit:
    found, parts = first, [first]
    for _ in range(_JOINS):
        more = _next(reader, found, at)
        if more is None:
            break
        joined = together([*parts, more[0]])
        if joined is None:
            break
        parts.append(more[0])
        found, at = joined, more[1]
    return suffix(reader, found, at)


def _next(reader: Reader, found: Pattern, at: int) -> Hit | None:
    step = _connect(reader, at)
    start = at if step is None else step[1]
    more = _primary(reader, start)
    if more is None and "part" in found.kinds and reader.word(start - 1) in {"at", "@"}:
        return _hour(reader, start)
    return more
