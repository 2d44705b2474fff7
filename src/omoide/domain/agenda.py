"""An agenda: what is known of coming and past days, as entries and as an iCalendar file (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Literal

AgendaState = Literal["coming", "past", "moved", "cancelled"]
_LINE_BYTES = 74  # of a line in the file; longer ones continue on the next after a space


@dataclass(frozen=True, slots=True)
class AgendaEntry:
    """One time that a memory speaks of. Times are in the zone of the reader."""

    id: int  # of the memory
    begins: datetime
    ends: datetime
    text: str
    words: str  # the phrase that names the time
    state: AgendaState
    kind: str
    said_at: datetime
    session: str | None
    sources: tuple[int, ...] = ()  # the turns that it was learned from
    replaced_by: int | None = None  # the memory that moved or cancelled it
    moved_to: datetime | None = None

    @property
    def is_whole_day(self) -> bool:
        return self.begins.time() == self.ends.time() == time()

    @property
    def when(self) -> str:
        """2026-09-26 (Sat), 2026-09-26 (Sat) 09:40, or the first and the last day."""
        last = self.ends - timedelta(microseconds=1)
        if self.begins.date() == last.date():
            return f"{self.begins:%Y-%m-%d (%a)}" if self.is_whole_day else f"{self.begins:%Y-%m-%d (%a) %H:%M}"
        return f"{self.begins:%Y-%m-%d} to {last:%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class Agenda:
    """The entries of a span of time, by their start."""

    since: datetime
    until: datetime
    entries: tuple[AgendaEntry, ...]

    def __iter__(self) -> Iterator[AgendaEntry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def icalendar(self) -> str:
        """The entries as an iCalendar file, for calendar programs. Moved entries are left out: their successors are
        listed at their new time."""
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Omoide//agenda//EN"]
        for entry in self.entries:
            if entry.state != "moved":
                lines += _event(entry)
        lines.append("END:VCALENDAR")
        return "".join(part + "\r\n" for line in lines for part in _folded(line))


def _event(entry: AgendaEntry) -> list[str]:
    sources = ", ".join(map(str, entry.sources or (entry.id,)))
    return [
        "BEGIN:VEVENT",
        f"UID:{entry.id}-{entry.begins.astimezone(UTC):%Y%m%dT%H%M%SZ}@omoide",
        f"DTSTAMP:{entry.said_at.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        *_span(entry),
        f"SUMMARY:{_escaped(entry.text)}",
        f"DESCRIPTION:{_escaped(f'“{entry.words}”, memory {sources}')}",
        f"STATUS:{'CANCELLED' if entry.state == 'cancelled' else 'CONFIRMED'}",
        "END:VEVENT",
    ]


def _span(entry: AgendaEntry) -> Iterable[str]:
    if entry.is_whole_day:
        return f"DTSTART;VALUE=DATE:{entry.begins:%Y%m%d}", f"DTEND;VALUE=DATE:{entry.ends:%Y%m%d}"
    moments = entry.begins.astimezone(UTC), entry.ends.astimezone(UTC)
    return f"DTSTART:{moments[0]:%Y%m%dT%H%M%SZ}", f"DTEND:{moments[1]:%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    for sign in "\\;,":
        text = text.replace(sign, "\\" + sign)
    return "\\n".join(text.splitlines())


def _folded(line: str) -> Iterator[str]:
    """A line in parts of at most 75 bytes, never in the middle of a character."""
    part, size = "", 0
    for sign in line:
        if size + len(sign.encode()) > _LINE_BYTES:
            yield part
            part, size = " ", 1
        part += sign
        size += len(sign.encode())
    yield part
