"""Holidays by name: on fixed dates, tied to a weekday or to Easter, and those that follow the moon (calculated)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta
from math import radians, sin

from omoide.language.time.calendar import TimeSpan, add_clamped, clamp_moment, easter, nth_weekday, orthodox_easter
from omoide.language.time.pattern import TimePattern, yearly_pattern

HolidayDates = Callable[[int], list[tuple[date, int]]]  # of a year: each first day and how many days it lasts

_HEBREW_EPOCH = -1373427  # counted as date.toordinal does
_ISLAMIC_EPOCH = 227015


def _molad(year: int) -> int:
    """Days from the Hebrew epoch to the mean new moon of a year, never on a Sunday, Wednesday or Friday."""
    months = (235 * year - 234) // 19
    days = 29 * months + (12084 + 13753 * months) // 25920
    return days + 1 if 3 * (days + 1) % 7 < 3 else days


def _rosh_hashanah(hebrew: int) -> date:
    before, here, after = _molad(hebrew - 1), _molad(hebrew), _molad(hebrew + 1)
    late = 2 if after - here == 356 else 1 if here - before == 382 else 0
    return date.fromordinal(_HEBREW_EPOCH + here + late)


def days_from_rosh_hashanah(plus: int, length: int = 1) -> HolidayDates:
    """A holiday `plus` days from Rosh Hashanah. Jewish days begin in the evening, so the eve is included."""
    return lambda year: [(_rosh_hashanah(year + 3761) + timedelta(days=plus - 1), length + 1)]


def days_from_passover(plus: int, length: int = 1) -> HolidayDates:
    """A holiday `plus` days from Passover, which is 163 days before the next Rosh Hashanah."""
    return days_from_rosh_hashanah(plus - 163, length)


def hanukkah(year: int) -> list[tuple[date, int]]:
    """The 25th of Kislev; the month before it has 29 or 30 days."""
    first = _rosh_hashanah(year + 3761)
    long_month = (_rosh_hashanah(year + 3762) - first).days in {355, 385}
    return [(first + timedelta(days=83 + long_month - 1), 9)]


def islamic_date(month: int, day: int, length: int = 1) -> HolidayDates:
    """A holiday by the tabular calendar, which may be a day off: months begin when the moon is seen."""

    def of_year(year: int) -> list[tuple[date, int]]:
        near = (year - 622) * 33 // 32
        found = [_hijri(near + k, month, day) for k in (-1, 0, 1, 2) if near + k > 0]
        return [(one, length) for one in found if one.year == year]

    return of_year


def _hijri(year: int, month: int, day: int) -> date:
    months = 29 * (month - 1) + (6 * month - 1) // 11
    return date.fromordinal(_ISLAMIC_EPOCH - 1 + (year - 1) * 354 + (3 + 11 * year) // 30 + months + day)


def new_moon(after: date) -> datetime:
    """Return the first new moon from this day on, in UTC, accurate to a quarter of an hour (Meeus, main terms)."""
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
    """The new moon between January 21st and February 20th, in Beijing time."""
    return [((new_moon(date(year, 1, 21)) + timedelta(hours=8)).date(), 1)]


def days_from_diwali(plus: int, length: int = 1) -> HolidayDates:
    """A holiday `plus` days from the last evening before the new moon while the sun is in Libra."""

    def of_year(year: int) -> list[tuple[date, int]]:
        evening = new_moon(date(year, 10, 17)) - timedelta(hours=13)
        return [(evening.date() + timedelta(days=plus), length)]

    return of_year


MON, TUE, WED, THU, FRI, SAT, SUN = range(7)


def _one(day: Callable[[int], date], length: int = 1) -> HolidayDates:
    return lambda year: [(day(year), length)]


def _on(month: int, day: int, length: int = 1) -> HolidayDates:
    return _one(lambda year: date(year, month, day), length)


def _nth(n: int, weekday: int, month: int, plus: int = 0, length: int = 1) -> HolidayDates:
    return _one(lambda year: nth_weekday(year, month, weekday, n) + timedelta(days=plus), length)


def _easter(plus: int, length: int = 1) -> HolidayDates:
    return _one(lambda year: easter(year) + timedelta(days=plus), length)


def _orthodox(plus: int, length: int = 1) -> HolidayDates:
    return _one(lambda year: orthodox_easter(year) + timedelta(days=plus), length)


def _workday(day: date) -> date:
    """The same day, or the Monday after a weekend."""
    return day + timedelta(days=max(7 - day.weekday(), 0) if day.weekday() > FRI else 0)


def _kings(day: date) -> date:
    """The same day, or the Saturday before a Sunday."""
    return day - timedelta(days=day.weekday() == SUN)


_NAMED: dict[str, HolidayDates] = {
    "new year, new year day, new years, new years day": _on(1, 1),
    "new year eve, new years eve, nye, silvester": _on(12, 31),
    "epiphany, three kings day": _on(1, 6),
    "orthodox christmas": _on(1, 7),
    "groundhog day, groundhogs day": _on(2, 2),
    "valentine day, valentines day, valentine, valentines, saint valentine day": _on(2, 14),
    "leap day": _one(lambda year: date(year, 2, 29)),  # other years have none: date() refuses
    "women day, international women day, womens day": _on(3, 8),
    "pi day": _on(3, 14),
    "st patrick day, st . patrick day, saint patrick day, st patricks day, st paddy day": _on(3, 17),
    "april fools, april fools day, april fool, april fool day, all fools day": _on(4, 1),
    "earth day": _on(4, 22),
    "anzac day": _on(4, 25),
    "may day, labour day, international workers day, workers day": _on(5, 1),
    "star wars day": _on(5, 4),
    "cinco de mayo": _on(5, 5),
    "juneteenth": _on(6, 19),
    "midsummer, midsummer day": _on(6, 24),
    "canada day": _on(7, 1),
    "independence day, fourth of july, 4 th of july": _on(7, 4),
    "bastille day": _on(7, 14),
    "assumption day": _on(8, 15),
    "halloween, hallowe'en, all hallows eve": _on(10, 31),
    "all saints day, all saints": _on(11, 1),
    "all souls day, day of the dead": _on(11, 2),
    "guy fawkes night, guy fawkes day, bonfire night": _on(11, 5),
    "veterans day, armistice day, remembrance day": _on(11, 11),
    "st nicholas day, saint nicholas day": _on(12, 6),
    "christmas eve, xmas eve": _on(12, 24),
    "christmas, christmas day, xmas, xmas day": _on(12, 25),
    "boxing day": _on(12, 26),
    "kwanzaa": _on(12, 26, 7),
    "the holidays, holiday season, christmas holidays, christmas break": _on(12, 20, 14),
    "mlk day, martin luther king day, martin luther kings day, civil rights day": _nth(3, MON, 1),
    "super bowl, super bowl sunday": _one(lambda year: nth_weekday(year, 2, SUN, 2 if year >= 2022 else 1)),
    "presidents day, president day, washington birthday": _nth(3, MON, 2),
    "mother day, mothers day": _nth(2, SUN, 5),
    "memorial day": _nth(-1, MON, 5),
    "father day, fathers day": _nth(3, SUN, 6),
    "labor day": _nth(1, MON, 9),
    "columbus day, indigenous peoples day, canadian thanksgiving": _nth(2, MON, 10),
    "oktoberfest": _nth(1, SUN, 10, -15, 16),
    "boss day, bosses day, bosss day": _one(lambda year: _workday(date(year, 10, 16))),
    "election day, us election": _nth(1, MON, 11, 1),
    "thanksgiving, thanksgiving day": _nth(4, THU, 11),
    "black friday": _nth(4, THU, 11, 1),
    "small business saturday": _nth(4, THU, 11, 2),
    "cyber monday": _nth(4, THU, 11, 4),
    "giving tuesday": _nth(4, THU, 11, 5),
    "king day, kings day, koningsdag": _one(lambda year: _kings(date(year, 4, 27))),
    "carnival, carnival monday, rosenmontag, shrove monday": _easter(-48),
    "mardi gras, shrove tuesday, pancake day, pancake tuesday, fat tuesday": _easter(-47),
    "ash wednesday": _easter(-46),
    "lent": _easter(-46, 46),
    "palm sunday, branch sunday": _easter(-7),
    "holy week": _easter(-7, 7),
    "maundy thursday, holy thursday": _easter(-3),
    "good friday, great friday, holy friday": _easter(-2),
    "holy saturday, easter saturday": _easter(-1),
    "easter, easter sunday, easter day": _easter(0),
    "easter monday, easter mon": _easter(1),
    "easter weekend": _easter(-2, 4),
    "ascension, ascension day, ascension thursday": _easter(39),
    "pentecost, whit sunday, white sunday, whitsun": _easter(49),
    "whit monday, pentecost monday": _easter(50),
    "trinity sunday": _easter(56),
    "corpus christi": _easter(60),
    "lazarus saturday": _orthodox(-8),
    "orthodox palm sunday": _orthodox(-7),
    "orthodox good friday, orthodox great friday": _orthodox(-2),
    "orthodox easter, orthodox easter sunday": _orthodox(0),
    "orthodox easter monday": _orthodox(1),
}


# Calculation and sighting differ by up to a day, and these days begin on the evening before.
_LUNAR: dict[str, HolidayDates] = {
    "purim": days_from_passover(-30),
    "passover, pesach": days_from_passover(0, 8),
    "lag baomer, lag b'omer": days_from_passover(33),
    "shavuot, feast of weeks": days_from_passover(50, 2),
    "tisha b'av, tish'a b'av": days_from_passover(112),
    "rosh hashanah, rosh hashana, rosh hashanna, jewish new year": days_from_rosh_hashanah(0, 2),
    "yom kippur, day of atonement": days_from_rosh_hashanah(9),
    "sukkot, feast of tabernacles": days_from_rosh_hashanah(14, 7),
    "shemini atzeret": days_from_rosh_hashanah(21),
    "simchat torah": days_from_rosh_hashanah(22),
    "hanukkah, chanukah, hanukah, festival of lights": hanukkah,
    "islamic new year, hijri new year": islamic_date(1, 1),
    "ashura, day of ashura": islamic_date(1, 10),
    "mawlid": islamic_date(3, 12),
    "isra and mi'raj, the prophet ascension, prophet ascension": islamic_date(7, 27),
    "ramadan, ramadhan": islamic_date(9, 1, 30),
    "laylat al - qadr, night of power": islamic_date(9, 27),
    "eid al - fitr, eid ul - fitr, eid": islamic_date(10, 1),
    "eid al - adha, id ul - adha, eid ul - adha, bakr id, sacrifice feast": islamic_date(12, 10),
    "chinese new year, chinese new year day, lunar new year, lunar new year day": chinese_new_year,
    "chinese lunar new year, chinese lunar new year day, tet": chinese_new_year,
    "dhanteras, dhanatrayodashi": days_from_diwali(-2),
    "choti diwali, kali chaudas, naraka chaturdashi": days_from_diwali(-1),
    "diwali, deepavali": days_from_diwali(0),
    "bhai dooj": days_from_diwali(2),
}


def _pattern(days: HolidayDates, slack: timedelta = timedelta(0)) -> TimePattern:
    def of_year(year: int) -> Iterable[TimeSpan]:
        try:
            found = days(year)
        except (ValueError, OverflowError):  # a year without it, or at the edge of the calendar
            return
        for first, length in found:
            start = clamp_moment(datetime(first.year, first.month, first.day))
            yield TimeSpan(start, add_clamped(start, timedelta(days=length)), "day", slack)

    return yearly_pattern("day", "holiday", of_year)


def _names(entries: dict[str, HolidayDates], slack: timedelta = timedelta(0)) -> dict[str, TimePattern]:
    return {name.strip(): _pattern(days, slack) for names, days in entries.items() for name in names.split(",")}


HOLIDAYS: dict[str, TimePattern] = _names(_NAMED) | _names(_LUNAR, timedelta(days=1))
HOLIDAYS["holidays"] = replace(HOLIDAYS["the holidays"], ambiguous=True)  # only where a preposition makes it a time
