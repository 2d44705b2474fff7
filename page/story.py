"""Writes the file that the screenshots show: the story of the demo, with a month before and a week after it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from omoide import Memory
from omoide.interfaces.cli import demo

EARLIER = [
    (-34, "january-plans", [
        ("user", "My sister Ana is a nurse at the Charité in Berlin."),
        ("user", "I want to learn German this year. Ana speaks it already."),
        ("agent", "Shall I look for a course?"),
        ("user", "Yes please. I prefer short answers, by the way."),
    ]),
    (-27, "kira-start", [
        ("user", "We are building Kira, an app for plant care, at Acme. Marisol is my manager."),
        ("user", "Kira is written in TypeScript and uses PostgreSQL."),
        ("agent", "Noted: TypeScript and PostgreSQL."),
        ("user", "Marisol lives in Lisbon and works remotely."),
    ]),
    (-16, "release-week", [
        ("user", "The dentist is on 26 February at 10:00."),
        ("user", "The release of Kira is on 3 March."),
        ("agent", "Both are on the agenda."),
    ]),
    (-9, "cooking", [
        ("user", "I am vegetarian, and I love lentils."),
        ("user", "I am allergic to peanuts."),
        ("agent", "No meat and no peanuts then."),
    ]),
]  # fmt: skip
LATER = [
    (5, "monday-again", [
        ("user", "The dentist moved to 4 March at 14:00."),
        ("user", "Marisol moved to Porto."),
        ("user", "My key is sk-proj-4f9aKd82hGq7Lm3xVb6Yt1Wc0Rz5Ns8Ue2Pj and it must stay secret."),
        ("agent", "I did not keep the key."),
    ]),
    (8, "thursday", [
        ("user", "I start my German course on 2 March in the evening."),
        ("user", "The Kira team uses Linear for tickets."),
    ]),
]  # fmt: skip


def write(path: Path) -> None:
    """Writes the story into a new file."""
    now = datetime.now(UTC).replace(hour=9, minute=30, second=0, microsecond=0)
    shift = now - timedelta(days=10) - demo.MONDAY
    with Memory(path) as memory:
        for part in (EARLIER, None, LATER):
            for days, session, turns in part or []:
                _tell(memory, demo.MONDAY + shift + timedelta(days=days), session, turns)
            if part is None:
                for number, (session, turns) in enumerate(demo.DAYS.items()):
                    _tell(memory, demo.MONDAY + shift + timedelta(days=number), session, turns)
        memory.flush()


def _tell(memory: Memory, at: datetime, session: str, turns: list[tuple[str, str]]) -> None:
    for minute, (role, text) in enumerate(turns):
        memory.observe(text, role=role, session=session, at=at + timedelta(minutes=3 * minute))
    memory.end(session)
    memory.learn()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
