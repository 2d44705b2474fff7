"""Asks the questions of whole lives on their last day, and again after years of nights.

    python bench/lives_nights.py --data FOLDER [life ...] --years 10

A life is a JSON file of sessions and questions, as in lives_baselines.py, whose columns are used. A night of
maintenance follows every day of the life, then twenty more days, then every sixth day, and then one day in forty.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from life.moving_clock import MovingClock
from lives_baselines import MARKED, first_match, summary
from omoide import Memory

BUDGET = 800  # tokens


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lives", nargs="*")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--years", type=float, default=10)
    args = parser.parse_args()
    for path in [args.data / f"{name}.json" for name in args.lives] or sorted(args.data.glob("*.json")):
        life = json.loads(path.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            for years, figures in asked(life, Path(folder) / "life.db", args.years):
                shown = "  ".join(f"{name} {value:.2f}" for name, value in figures.items())
                print(f"{path.stem:10} after {years:4.1f} years: {shown}", flush=True)


def asked(life: dict[str, Any], path: Path, years: float) -> Iterator[tuple[float, dict[str, float]]]:
    """The figures on the last day of a life, and after that many years."""
    clock = MovingClock(_moment(life["sessions"][0]["at"]))
    end = _moment(life["now"])
    with Memory(path, clock=clock) as memory:
        _live(memory, clock, life, end)
        yield 0.0, summary(_answers(memory, life))
        for day in _nights_after(end, years):
            _night(memory, clock, day)
        memory.flush()
        clock.put(end + timedelta(days=365.25 * years))
        yield years, summary(_answers(memory, life))


def _live(memory: Memory, clock: MovingClock, life: dict[str, Any], end: datetime) -> None:
    day = _moment(life["sessions"][0]["at"])
    for session in life["sessions"]:
        start = _moment(session["at"])
        while day.date() < start.date():
            _night(memory, clock, day)
            day += timedelta(days=1)
        for number, (said, reply) in enumerate(session["turns"]):
            at = start + timedelta(minutes=2 * number)
            clock.put(at)
            memory.observe(said, role="user", session=session["id"], at=at)
            memory.observe(reply, role="agent", session=session["id"], at=at + timedelta(seconds=20))
        memory.end(session["id"])
        memory.learn()
        memory.flush()
    while day.date() < end.date():
        _night(memory, clock, day)
        day += timedelta(days=1)
    clock.put(end)


def _nights_after(end: datetime, years: float) -> Iterator[datetime]:
    day, count = end, 0
    while day < end + timedelta(days=365.25 * years):
        yield day
        count += 1
        day += timedelta(days=1 if count < 20 else 6 if count < 40 else 40)


def _night(memory: Memory, clock: MovingClock, day: datetime) -> None:
    clock.put(day.replace(hour=3, minute=10) + timedelta(days=1))
    memory.maintain()


def _answers(memory: Memory, life: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for each in life["ask"]:
        pack = memory.context(each["q"], budget=BUDGET)
        lines = [line for line in pack.markdown.splitlines() if line.startswith("- ")]
        rows.append(
            {
                "good": first_match(each["good"], lines),
                "bad": first_match(each["bad"], ["" if MARKED.search(line) else line for line in lines]),
                "hit": first_match(each["good"], memory.recall(each["q"], limit=3).texts),
                "tokens": pack.tokens,
                "answerable": each["good"] is not None,
                "changes": bool(each["bad"]),
            }
        )
    return rows


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


if __name__ == "__main__":
    main()
