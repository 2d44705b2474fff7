"""Whether the clock can be believed: what takes away by age must not act on a jump of it."""

from __future__ import annotations

from dataclasses import dataclass

from omoide.clock import DAY
from omoide.store import Store

_LARGEST_GAP = 7 * DAY  # further than this from the last run the clock, or we, may have slept or jumped: wait a day
_NEARLY_A_DAY = DAY * 5 // 6  # a day later, as far as a schedule keeps it: clocks change, machines wake up late
_LONGEST_SETBACK = (
    31 * DAY
)  # between two runs of a clock that was set back: what went too far ahead once is not stuck for years
_CURSOR = "steady"


@dataclass(frozen=True, slots=True)
class ClockSightings:
    """When the last run was that believed the clock, and what the clock said when it was last not believed."""

    ran_at: int | None = None
    sighting: int | None = None


@dataclass(frozen=True, slots=True)
class ClockVerdict:
    """Whether to act, why not, and what to remember."""

    ok: bool
    why: str
    seen: ClockSightings


def judge_clock(seen: ClockSightings, now: int, newest: int | None) -> ClockVerdict:
    """Pure. Time goes on from the last run, or, before the first, from the newest thing that was recorded.

    A clock that stands before that, or far beyond it, is only noted. If it has gone on from there at the next look,
    by a day at least, the time has really passed; if it has returned, nothing has happened.
    """
    last = seen.ran_at if seen.ran_at is not None else newest
    if last is None or last <= now <= last + _LARGEST_GAP:
        return ClockVerdict(True, "the clock goes on", ClockSightings(now))
    if seen.sighting is not None and seen.sighting <= now <= seen.sighting + _confirmation_window(last, seen.sighting):
        if now - seen.sighting >= _NEARLY_A_DAY:
            return ClockVerdict(
                True, "the clock stood elsewhere and has gone on from there for a day", ClockSightings(now)
            )
        return ClockVerdict(False, "the clock has jumped less than a day ago; nothing is taken away yet", seen)
    since = "the last run" if seen.ran_at is not None else "the newest memory"
    what = f"the clock stands before {since}" if now < last else f"more than {_LARGEST_GAP // DAY} days since {since}"
    return ClockVerdict(
        False,
        f"{what}; nothing is taken away unless the next run is at least a day later",
        ClockSightings(seen.ran_at, now),
    )


def _confirmation_window(last: int, sighting: int) -> int:
    """How long after a sighting the next one may be to bear it out. Who runs once a month sees a month pass each time:
    as long as it was before, and a week more. Two wrong clocks in a row seldom agree as well as that."""
    return _LARGEST_GAP + (sighting - last if sighting > last else _LONGEST_SETBACK)


def check_clock(store: Store, now: int, *, dry_run: bool = False) -> ClockVerdict:
    """Asked once at the start of a run; remembers what it saw, unless the run is only for show."""
    held = store.bookmark(_CURSOR)
    verdict = judge_clock(ClockSightings(*held) if held else ClockSightings(), now, store.newest_recorded())
    if not dry_run and (held is None or ClockSightings(*held) != verdict.seen):
        store.put_bookmark(_CURSOR, [verdict.seen.ran_at, verdict.seen.sighting])
    return verdict
