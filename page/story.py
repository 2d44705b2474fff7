"""Writes the file that the screenshots show: the story of the demo, with a month before and a week after it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from omoide import Memory
from omoide.clock import to_micros
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
        ("user", "The dentist is on {dentist} at 10:00."),
        ("user", "The release of Kira is on {release}."),
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
        ("user", "The dentist moved to {moved} at 14:00."),
        ("user", "Marisol moved to Porto."),
        ("user", "My key is sk-proj-4f9aKd82hGq7Lm3xVb6Yt1Wc0Rz5Ns8Ue2Pj and it must stay secret."),
        ("agent", "I did not keep the key."),
    ]),
    (8, "thursday", [
        ("user", "I start my German course on {course} in the evening."),
        ("user", "The Kira team uses Linear for tickets."),
    ]),
]  # fmt: skip

TASKS = [
    ("Release Kira to Vercel", "failure"),
    ("Release the Kira preview to Vercel", "failure"),
    ("Release Kira 1.1 to Vercel with the variables set", "success"),
    ("Release Kira 1.2 to Vercel", "success"),
    ("Move the tickets of Kira to Linear", "success"),
]


def write(path: Path) -> None:
    """Writes the story into a new file. Its last day is yesterday, and dates that are told lie ahead of that."""
    today = datetime.now(UTC).replace(hour=9, minute=30, second=0, microsecond=0)
    begin = today - timedelta(days=9)
    ahead = {"dentist": 4, "moved": 11, "release": 17, "course": 23}
    dates = {name: f"{today + timedelta(days=days):%-d %B}" for name, days in ahead.items()}
    clock = MovingClock()
    with Memory(path, clock=clock) as memory:
        for days, session, turns in EARLIER:
            _tell(memory, clock, begin + timedelta(days=days), session, turns, dates)
        _work(memory)
        for number, (session, turns) in enumerate(demo.DAYS.items()):
            _tell(memory, clock, begin + timedelta(days=number), session, turns, dates)
        for days, session, turns in LATER:
            _tell(memory, clock, begin + timedelta(days=days), session, turns, dates)
        memory.flush()
        memory.maintain()


class MovingClock:
    """The time of the story."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        self.now += 1_000
        return self.now


def _tell(
    memory: Memory, clock: MovingClock, at: datetime, session: str, turns: list[tuple[str, str]], dates: dict[str, str]
) -> None:
    for minute, (role, text) in enumerate(turns):
        then = at + timedelta(minutes=3 * minute)
        clock.now = to_micros(then)
        memory.observe(text.format(**dates), role=role, session=session, at=then)
    memory.end(session)
    memory.learn()


def _work(memory: Memory) -> None:
    """A few tasks, some of which went wrong in the same way."""
    for number, (goal, outcome) in enumerate(TASKS):
        failed = [
            {"type": "build", "message": "Missing environment variable API_URL", "resolution": "Set API_URL first"}
        ]
        memory.tasks.record(
            goal,
            outcome,
            agent="kira-dev",
            type="release",
            errors=failed if outcome == "failure" else [],
            actions=[{"action": "pnpm test"}, {"action": "vercel --prod"}],
            key=f"task {number}",
        )
    memory.tasks.learn()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
