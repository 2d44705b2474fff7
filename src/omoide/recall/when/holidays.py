"""Days with names: those that stand still, those tied to a weekday, to Easter or to the moon."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta

from .calendar import easter, nth_weekday, orthodox_easter
from .moon import Days, autumn, chinese_new_year, diwali, hanukkah, islamic, passover
from .pattern import Pattern, yearly
from .span import Span, add, clamp

MON, TUE, WED, THU, FRI, SAT, SUN = range(7)


def _one(day: Callable[[int], date], length: int = 1) -> Days:
    return lambda year: [(day(year), length)]


def _on(month: int, day: int, length: int = 1) -> Days:
    return _one(lambda year: date(year, month, day), length)


def _nth(n: int, weekday: int, month: int, plus: int = 0, length: int = 1) -> Days:
    return _one(lambda year: nth_weekday(year, month, weekday, n) + timedelta(days=plus), length)


def _easter(plus: int, length: int = 1) -> Days:
    return _one(lambda year: easter(year) + timedelta(days=plus), length)


def _orthodox(plus: int, length: int = 1) -> Days:
    return _one(lambda year: orthodox_easter(year) + timedelta(days=plus), length)


def _workday(day: date) -> date:
    """The same day, or the Monday after a weekend."""
    return day + timedelta(days=max(7 - day.weekday(), 0) if day.weekday() > FRI else 0)


def _kings(day: date) -> date:
    """The same day, or the Saturday before a Sunday."""
    return day - timedelta(days=day.weekday() == SUN)


_NAMED: dict[str, Days] = {
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


# Sky and sighting disagree by a day, and these days begin on the evening before.
_LUNAR: dict[str, Days] = {
    "purim": passover(-30),
    "passover, pesach": passover(0, 8),
    "lag baomer, lag b'omer": passover(33),
    "shavuot, feast of weeks": passover(50, 2),
    "tisha b'av, tish'a b'av": passover(112),
    "rosh hashanah, rosh hashana, rosh hashanna, jewish new year": autumn(0, 2),
    "yom kippur, day of atonement": autumn(9),
    "sukkot, feast of tabernacles": autumn(14, 7),
    "shemini atzeret": autumn(21),
    "simchat torah": autumn(22),
    "hanukkah, chanukah, hanukah, festival of lights": hanukkah,
    "islamic new year, hijri new year": islamic(1, 1),
    "ashura, day of ashura": islamic(1, 10),
    "mawlid": islamic(3, 12),
    "isra and mi'raj, the prophet ascension, prophet ascension": islamic(7, 27),
    "ramadan, ramadhan": islamic(9, 1, 30),
    "laylat al - qadr, night of power": islamic(9, 27),
    "eid al - fitr, eid ul - fitr, eid": islamic(10, 1),
    "eid al - adha, id ul - adha, eid ul - adha, bakr id, sacrifice feast": islamic(12, 10),
    "chinese new year, chinese new year day, lunar new year, lunar new year day": chinese_new_year,
    "chinese lunar new year, chinese lunar new year day, tet": chinese_new_year,
    "dhanteras, dhanatrayodashi": diwali(-2),
    "choti diwali, kali chaudas, naraka chaturdashi": diwali(-1),
    "diwali, deepavali": diwali(0),
    "bhai dooj": diwali(2),
}


def _pattern(days: Days, slack: timedelta = timedelta(0)) -> Pattern:
    def of_year(year: int) -> Iterable[Span]:
        try:
            found = days(year)
        except (ValueError, OverflowError):  # a year without it, or at the edge of the calendar
            return
        for first, length in found:
            start = clamp(datetime(first.year, first.month, first.day))
            yield Span(start, add(start, timedelta(days=length)), "day", slack)

    return yearly("day", "holiday", of_year)


def _names(entries: dict[str, Days], slack: timedelta = timedelta(0)) -> dict[str, Pattern]:
    return {name.strip(): _pattern(days, slack) for names, days in entries.items() for name in names.split(",")}


HOLIDAYS: dict[str, Pattern] = _names(_NAMED) | _names(_LUNAR, timedelta(days=1))
HOLIDAYS["holidays"] = replace(HOLIDAYS["the holidays"], weak=True)  # only where a preposition makes it a time
