"""Writes the figures of a simulated life into docs/explanation/thirty-years.md and draws its chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks_page import filled
from life import years_chart
from metrics import mean, quantile

DOCS = Path(__file__).resolve().parent.parent.parent / "docs" / "explanation"
Month = dict[str, Any]
_ASKED = {"facts": "what is so now, of facts", "everyday": "what is so now, of everything", "past": "what was so then"}


def write(
    result: dict[str, Any], page: Path = DOCS / "thirty-years.md", drawing: Path = DOCS / "thirty-years.svg"
) -> None:
    """Writes the page; a page without markers is left unchanged."""
    years = by_year(result["months"])
    text = page.read_text("utf-8")
    for name, made in (("years", table(years)), ("kept", kept(result)), ("nights", nights(result))):
        text = filled(text, name, made)
    page.write_text(text, "utf-8")
    shares = {name: [_right(year, name) for year in years] for name in ("facts", "everyday", "past")}
    cost = {"recall": latency(years), "night": night_cost(years)}
    drawing.write_text(years_chart.drawn(result, shares, cost), "utf-8")


def by_year(months: Sequence[Month]) -> list[list[Month]]:
    return [list(months[first : first + 12]) for first in range(0, len(months), 12)]


def latency(years: Sequence[Sequence[Month]]) -> list[float]:
    """Returns the median of the months of a year, relative to the first year."""
    medians = [quantile((each["recall_ms"] for each in year), 0.5) for year in years]
    return [each / medians[0] for each in medians]


def night_cost(years: Sequence[Sequence[Month]]) -> list[float]:
    """Returns the CPU of a night of each year, relative to the first year."""
    ends = [(year[-1]["night_ms"] * year[-1]["nights"], year[-1]["nights"]) for year in years]
    spans = pairwise([(0.0, 0), *ends])
    means = [(after - before) / max(1, nights - earlier) for (before, earlier), (after, nights) in spans]
    return [each / means[0] for each in means]


def table(years: Sequence[Sequence[Month]]) -> list[str]:
    ratios, night, chosen = latency(years), night_cost(years), {1, 2, 5, 10, 15, 20, 25, 30, len(years)}
    head = "| year | turns told | in use | archived | entities | MB | recall | night | facts | everyday | then |"
    rows = [
        f"| {number} | {year[-1]['turns']:,} | {year[-1]['live']:,} | {year[-1]['archived']:,} "
        f"| {year[-1]['entities']:,} | {year[-1]['bytes'] / 1e6:.1f} "
        f"| {ratios[number - 1]:.2f} × | {night[number - 1]:.2f} × "
        f"| {_percent(year, 'facts')} | {_percent(year, 'everyday')} | {_percent(year, 'past')} |"
        for number, year in enumerate(years, 1)
        if number in chosen
    ]
    months = sum(map(len, years))
    return [
        f"{months // 12} years and {months % 12} months were lived for this page.",
        "",
        head,
        "|" + "---|" * 11,
        *rows,
    ]


def kept(result: dict[str, Any]) -> list[str]:
    """Returns the requirements and whether they held."""
    months, last = result["months"], result["months"][-1]
    whole = result.get("whole", {})
    sampled = sum(each["not_verbatim"] for each in months)
    lines = [
        f"- {last['turns']:,} turns of {last['words']:,} words were told and not forgotten; "
        + (
            f"at the end {whole['not_verbatim']:,} of them were not shown word by word."
            if whole
            else f"of 50 looked at each month {sampled:,} were not shown word by word."
        ),
        f"- {last['erased']:,} ids were erased on request; ids that nothing accounts for: "
        f"{max(each['lost'] for each in months):,} in any month.",
        *(f"- Asked {told}: {_verdicts(months, name)}." for name, told in _ASKED.items()),
        f"- Old turns looked for by their own words, as said or told shorter: {_verdicts(months, 'archive')}.",
    ]
    if whole:
        told, total = whole["history"]
        lines.append(f"- Of {total:,} values that are over, `history` of their entity still tells {told:,}.")
    lines.append(f"- The doctor was asked once a year and found {_or_nothing(result['unhealthy'])}.")
    lines.append(f"- Jobs or erasures that did not end well: {_or_nothing(result['troubles'])}.")
    return lines


def nights(result: dict[str, Any]) -> list[str]:
    done = result["nights"]
    listed = ", ".join(f"{name.replace(': ', ' ')} {times:,}" for name, times in done.items())
    last = mean(each["night_ms"] for each in result["months"][-1:])
    return [f"{result['nights_run']:,} nights, {last:.0f} ms of CPU each on average: {listed}."]


def _or_nothing(found: Sequence[str]) -> str:
    return "; ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "") if found else "nothing"


def _verdicts(months: Sequence[Month], name: str) -> str:
    counted: Counter[str] = Counter()
    for each in months:
        counted.update(each[name])
    return ", ".join(f"{times:,} {verdict}" for verdict, times in counted.most_common())


def _right(year: Sequence[Month], name: str) -> float:
    total = sum(sum(each[name].values()) for each in year)
    return sum(each[name].get("right", 0) for each in year) / total if total else 0.0


def _percent(year: Sequence[Month], name: str) -> str:
    return f"{100 * _right(year, name):.0f} %"
