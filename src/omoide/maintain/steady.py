"""Whether the clock can be believed: what takes away by age must not act on a jump of it."""

from __future__ import annotations

from dataclasses import dataclass

from omoide.clock import DAY
from omoide.store import Store

_LEAP = 7 * DAY  # further than this from the last run the clock, or we, may have slept or jumped: wait a day
_LATER = DAY * 5 // 6  # a day later, as far as a schedule keeps it: clocks change, machines wake up late
_BACK = 31 * DAY  # between two runs of a clock that was set back: what went too far ahead once is not stuck for years
_MARK = "steady"


@dataclass(frozen=True, slots=True)
class Seen:
    """When the last run was that believed the clock, and what the clock said when it was last not believed."""

    ran_at: int | None = None
    sighting: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether to act, why not, and what to remember."""

    ok: bool
    why: str
    seen: Seen


def judged(seen: Seen, now: int, newest: int | None) -> Verdict:
    """Pure. Time goes on from the last run, or, before the first, from the newest thing that was recorded.

    A clock that stands before that, or far beyond it, is only noted. If it has gone on from there at the next look,
    by a day at least, the time has really passed; if it has returned, nothing has happened.
    """
    last = seen.ran_at if seen.ran_at is not None else newest
    if last is None or last <= now <= last + _LEAP:
        return Verdict(True, "the clock goes on", Seen(now))
    if seen.sighting is not None and seen.sighting <= now <= seen.sighting + _pause(last, seen.sighting):
        if now - seen.sighting >= _LATER:
            return Verdict(True, "the clock stood elsewhere and has gone on from there for a day", Seen(now))
        return Verdict(False, "the clock has jumped less than a day ago; nothing is taken away yet", seen)
    since = "the last run" if seen.ran_at is not None else "the newest memory"
    what = f"the clock stands before {since}" if now < last else f"more than {_LEAP // DAY} days since {since}"
    return Verdict(
        False, f"{what}; nothing is taken away unless the next run is at least a day later", Seen(seen.ran_at, now)
    )


def _pause(last: int, sighting: int) -> int:
    """How long after a sighting the next one may be to bear it out. Who runs once a month sees a month pass each time:
    as long as it was before, and a week more. Two wrong clocks in a row seldom agree as well as that."""
    return _LEAP + (sighting - last if sighting > last else _BACK)


def steady(store: Store, now: int, *, dry_run: bool = False) -> Verdict:
    """Asked once at the start of a run; remembers what it saw, unless the run is only for show."""
    held = store.bookmark(_MARK)
    verdict = judged(Seen(*held) if held else Seen(), now, store.newest_recorded())
    if not dry_run and (held is None or Seen(*held) != verdict.seen):
        store.put_bookmark(_MARK, [verdict.seen.ran_at, verdict.seen.sighting])
    return verdict
