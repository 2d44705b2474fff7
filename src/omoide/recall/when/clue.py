"""What a question says about time: the door's types."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from .amount import Amount, distant
from .calendar import DAY, midnight, shift, unit
from .span import EARLIEST, LATEST, Grain, Span, add

End = Literal["first", "latest"]
Side = Literal["before", "after", "around"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words that were understood: `question[start:end] == text`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Dated:
    """A stretch of calendar time: "last Tuesday", "between May 8th and June 9th"."""

    span: Span
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class SessionsAgo:
    """Sessions counted back from the latest one that is over, which is 1; 0 is the one going on."""

    nearest: int
    farthest: int
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class SessionNumbers:
    """Sessions counted from the first, which is 1."""

    first: int
    last: int
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Anchored:
    """Time told from an event that only memory can date: "two weeks before the move".

    The caller looks `event` up, and `resolve` says which stretch is meant. `length` is a distance ("two
    weeks"), `unit` a whole unit right beside the event ("the day after"); with neither the stretch is open,
    or the event's own day.
    """

    event: str
    side: Side
    phrase: Phrase
    length: Amount | None = None
    unit: Grain | None = None

    def resolve(self, moment: datetime) -> Span:
        zone, here = moment.tzinfo, moment.replace(tzinfo=None)
        return self._stretch(here).located(zone)

    def _stretch(self, here: datetime) -> Span:
        sign = -1 if self.side == "before" else 1
        day = unit(here, "day")
        if self.length is not None:
            there = distant(here, self.length, sign, point=False)
            # Counted from an event people are exact to the day or two, not to the month.
            exact = unit(self.length.move(here, sign), "day")
            wide = there.end - there.start > 8 * DAY
            return Span(add(exact.start, -3 * DAY), add(exact.end, 3 * DAY), "day", 7 * DAY) if wide else there
        if self.unit is not None:
            ends = (shift(day.start, -1, self.unit), day.start) if sign < 0 else (day.end, shift(day.end, 1, self.unit))
            return Span(*ends, self.unit, DAY)
        match self.side:
            case "before":
                return Span(EARLIEST, max(here, add(EARLIEST, DAY)), "day", DAY)
            case "after":
                return Span(min(here, add(LATEST, -DAY)), LATEST, "day", DAY)
            case _:
                return replace(day, start=add(midnight(here), -DAY), end=add(day.end, DAY), slack=3 * DAY)


@dataclass(frozen=True, slots=True)
class Extreme:
    """ "The first time", "the latest", "most recently": the end of a row, whatever the row is."""

    end: End
    phrase: Phrase


Clue = Dated | SessionsAgo | SessionNumbers | Anchored | Extreme


@dataclass(frozen=True, slots=True)
class When:
    """Every clue of a question, in its order, and what else it asks about.

    Several clues are alternatives of equal weight unless they name different things (a session and a month).
    """

    clues: tuple[Clue, ...]
    content: tuple[str, ...]  # the words that carry meaning and are no part of a clue

    @property
    def pure(self) -> bool:
        """Only time is asked ("what did we do last Tuesday?"): the clues may filter, else they favour.

        The end of a row is no time: it needs a row of things to be the end of.
        """
        return not self.content and not all(isinstance(clue, Extreme) for clue in self.clues)

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(clue.span for clue in self.clues if isinstance(clue, Dated))
