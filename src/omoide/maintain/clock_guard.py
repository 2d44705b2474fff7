"""Decides whether the clock can be trusted, so that jobs which act on age do nothing after a clock jump."""

from __future__ import annotations

from dataclasses import dataclass

from omoide.clock import DAY
from omoide.store import Store

_LARGEST_GAP = 7 * DAY  # after a longer gap the machine may have slept or the clock may have jumped: wait a day
_NEARLY_A_DAY = DAY * 5 // 6  # schedules drift: clocks change and machines wake up late
_LONGEST_SETBACK = 31 * DAY  # allowed gap between two runs of a clock that was set back
_CURSOR = "clock_guard"


@dataclass(frozen=True, slots=True)
class ClockSightings:
    """`ran_at`: the last run that trusted the clock. `sighting`: the clock when it was last not trusted."""

    ran_at: int | None = None
    sighting: int | None = None


@dataclass(frozen=True, slots=True)
class ClockVerdict:
    """Whether to act, the reason, and what to remember for the next run."""

    ok: bool
    why: str
    sightings: ClockSightings


def judge_clock(sightings: ClockSightings, now: int, newest: int | None) -> ClockVerdict:
    """Compares the clock with the last run, or before the first run with the newest memory. Has no side effects.

    A clock before that time, or far after it, is only recorded. If it has moved on by at least a day at the next run,
    the time has really passed; if it has returned, nothing happened.
    """
    last = sightings.ran_at if sightings.ran_at is not None else newest
    if last is None or last <= now <= last + _LARGEST_GAP:
        return ClockVerdict(True, "the clock is plausible", ClockSightings(now))
    if sightings.sighting is not None and sightings.sighting <= now <= sightings.sighting + _confirmation_window(
        last, sightings.sighting
    ):
        if now - sightings.sighting >= _NEARLY_A_DAY:
            return ClockVerdict(True, "the clock jumped and has advanced normally for a day since", ClockSightings(now))
        return ClockVerdict(
            False, "the clock jumped less than a day ago; nothing is archived or deleted yet", sightings
        )
    since = "the last run" if sightings.ran_at is not None else "the newest memory"
    what = f"the clock is before {since}" if now < last else f"more than {_LARGEST_GAP // DAY} days since {since}"
    return ClockVerdict(
        False,
        f"{what}; nothing is archived or deleted unless the next run is at least a day later",
        ClockSightings(sightings.ran_at, now),
    )


def _confirmation_window(last: int, sighting: int) -> int:
    """How long after a sighting the next run may confirm it: the gap before the sighting plus a week.

    A file maintained once a month sees a month pass each time. Two wrong clocks in a row rarely agree that well.
    """
    return _LARGEST_GAP + (sighting - last if sighting > last else _LONGEST_SETBACK)


def check_clock(store: Store, now: int, *, dry_run: bool = False) -> ClockVerdict:
    """Judges the clock at the start of a run and remembers the result, except in a dry run."""
    held = store.maintenance.get_cursor(_CURSOR)
    verdict = judge_clock(ClockSightings(*held) if held else ClockSightings(), now, store.retention.newest_recorded())
    if not dry_run and (held is None or ClockSightings(*held) != verdict.sightings):
        store.maintenance.set_cursor(_CURSOR, [verdict.sightings.ran_at, verdict.sightings.sighting])
    return verdict
