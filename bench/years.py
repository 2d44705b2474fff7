"""Simulates thirty years in one memory with a simulated clock: growth, correct answers, retention.

    python bench/years.py                       thirty years; some ten minutes of CPU
    python bench/years.py --years 1 --show      one year, and every answer that was not right
    python bench/years.py --page                only writes the page and its chart from the last result

A seeded generator (bench/life) produces the life, so the truth is known at every moment. The embedder hashes spelling
and uses no model.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import results
from life import years_page
from life.monthly_figures import history_coverage, monthly_row, not_verbatim
from life.simulation import LifeSimulation

FILE = Path(__file__).resolve().parent / "results-years.json"
MONTH = 30.4375  # days
MEMORY = Path("/dev/shm")  # ten thousand syncs to a disk would take an hour


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--years", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="what was answered wrongly, and what the nights did")
    parser.add_argument("--page", action="store_true", help="only the page and the picture")
    parser.add_argument("--results", type=Path, default=FILE)
    args = parser.parse_args()
    if not args.page:
        folder = Path(tempfile.mkdtemp(prefix="years-", dir=MEMORY if MEMORY.is_dir() else None))
        try:
            live(folder / "life.db", args.years, args.seed, args.results, show=args.show)
        finally:
            shutil.rmtree(folder)
    years_page.write(results.load(args.results))


def live(path: Path, years: int, seed: int, into: Path, *, show: bool = False) -> dict[str, Any]:
    """Runs the simulation, prints one line per month, and saves the result by year."""
    living = LifeSimulation(path, seed)
    months: list[dict[str, Any]] = []
    unhealthy: list[str] = []
    for day in living.days(round(years * 365.25)):
        if int((day.number + 1) / MONTH) <= len(months):
            continue
        living.memory.flush()
        months.append(monthly_row(living, day.at + timedelta(days=1, hours=6), len(months)))
        print(_line(months[-1]), flush=True)
        if show:
            print(*(f"    {each}" for each in months[-1]["wrong"]), sep="\n")
        if len(months) % 12 == 0:
            unhealthy += [
                f"{day.at:%Y-%m-%d} {each.check}: {each.detail}" for each in living.memory.admin.doctor() if not each.ok
            ]
            results.save(into, **_result(living, months, unhealthy))
    result = _result(living, months, unhealthy) | {"whole": _whole(living)}
    results.save(into, **result)
    living.close()
    return result


def _result(living: LifeSimulation, months: list[dict[str, Any]], unhealthy: list[str]) -> dict[str, Any]:
    return {
        "seed": living.seed,
        "months": months,
        "nights": dict(Counter(living.nights).most_common()),
        "nights_run": living.nights_run,
        "unhealthy": unhealthy,
        "troubles": living.troubles,
    }


def _whole(living: LifeSimulation) -> dict[str, Any]:
    """Checks every turn and every ended value at the end."""
    told, total = history_coverage(living)
    return {"not_verbatim": not_verbatim(living, sorted(living.told)), "history": [told, total]}


def _line(at: dict[str, Any]) -> str:
    return (
        f"{at['at']}  {at['turns']:>6,} turns  {at['live']:>6,} live  {at['archived']:>6,} archived  "
        f"{at['bytes'] / 1e6:6.1f} MB  recall {at['recall_ms']:5.1f} ms  night {at['night_ms']:4.0f} ms  "
        f"facts {_share(at['facts'])}  everyday {_share(at['everyday'])}  then {_share(at['past'])}  "
        f"lost {at['lost'] + at['not_verbatim']}"
    )


def _share(verdicts: dict[str, int]) -> str:
    return f"{verdicts.get('right', 0)}/{sum(verdicts.values())}"


if __name__ == "__main__":
    main()
