"""Holidays that follow the moon: Jewish, Islamic, Chinese, Hindu. Arithmetic, no tables to run out of."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from math import radians, sin

Days = Callable[[int], list[tuple[date, int]]]  # of a year: each first day and how many days it lasts

_HEBREW_EPOCH = -1373427  # counted as date.toordinal does
_ISLAMIC_EPOCH = 227015


def _molad(year: int) -> int:
    """Days from the Hebrew epoch to the mean new moon of a year, never a Sunday, Wednesday or Friday."""
    months = (235 * year - 234) // 19
    days = 29 * months + (12084 + 13753 * months) // 25920
    return days + 1 if 3 * (days + 1) % 7 < 3 else days


def _rosh_hashanah(hebrew: int) -> date:
    before, here, after = _molad(hebrew - 1), _molad(hebrew), _molad(hebrew + 1)
    late = 2 if after - here == 356 else 1 if here - before == 382 else 0
    return date.fromordinal(_HEBREW_EPOCH + here + late)


def autumn(plus: int, length: int = 1) -> Days:
    """So many days from Rosh Hashanah. Jewish days begin in the evening, so the eve belongs to each."""
    return lambda year: [(_rosh_hashanah(year + 3761) + timedelta(days=plus - 1), length + 1)]


def passover(plus: int, length: int = 1) -> Days:
    """So many days from Passover, which is 163 days before the next Rosh Hashanah."""
    return autumn(plus - 163, length)


def hanukkah(year: int) -> list[tuple[date, int]]:
    """The 25th of Kislev; the month before it has 29 or 30 days."""
    first = _rosh_hashanah(year + 3761)
    long_month = (_rosh_hashanah(year + 3762) - first).days in {355, 385}
    return [(first + timedelta(days=83 + long_month - 1), 9)]


def islamic(month: int, day: int, length: int = 1) -> Days:
    """By the tabular calendar: a day off at times, since months begin when the moon is seen."""

    def of_year(year: int) -> list[tuple[date, int]]:
        near = (year - 622) * 33 // 32
        found = [_hijri(near + k, month, day) for k in (-1, 0, 1, 2) if near + k > 0]
        return [(one, length) for one in found if one.year == year]

    return of_year


def _hijri(year: int, month: int, day: int) -> date:
    months = 29 * (month - 1) + (6 * month - 1) // 11
    return date.fromordinal(_ISLAMIC_EPOCH - 1 + (year - 1) * 354 + (3 + 11 * year) // 30 + months + day)


def new_moon(after: date) -> datetime:
    """The first new moon from this day on, UTC, to a quarter of an hour (Meeus, main terms)."""
    k = int((after.toordinal() - 730125) / 29.530588861) - 1  # counted from the new moon of January 6th, 2000
    while True:
        t = k / 1236.85
        sun = radians(2.5534 + 29.1053567 * k)
        moon = radians(201.5643 + 385.81693528 * k + 0.0107582 * t * t)
        node = radians(160.7108 + 390.67050284 * k)
        days = 5.59766 - 0.0008 + 29.530588861 * k + 0.00015437 * t * t  # from 2000-01-01; the clock's drift off
        days += -0.4072 * sin(moon) + 0.17241 * sin(sun) + 0.01608 * sin(2 * moon) + 0.01039 * sin(2 * node)
        days += 0.00739 * sin(moon - sun) - 0.00514 * sin(moon + sun) + 0.00208 * sin(2 * sun)
        found = datetime(2000, 1, 1) + timedelta(days=days)
        if found.date() >= after:
            return found
        k += 1


def chinese_new_year(year: int) -> list[tuple[date, int]]:
    """The new moon between January 21st and February 20th, by the clock of Beijing."""
    return [((new_moon(date(year, 1, 21)) + timedelta(hours=8)).date(), 1)]


def diwali(plus: int, length: int = 1) -> Days:
    """So many days from the evening that is wholly before the new moon of the sun's stay in Libra."""

    def of_year(year: int) -> list[tuple[date, int]]:
        evening = new_moon(date(year, 10, 17)) - timedelta(hours=13)
        return [(evening.date() + timedelta(days=plus), length)]

    return of_year
