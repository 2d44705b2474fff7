"""Draws the chart of docs/explanation/benchmarks.md as SVG: cost by size on log scales, and quality beside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from peers import NAMES, about

Run = dict[str, Any]
WIDTH, HEIGHT = 960, 470
_TOP, _BOTTOM = 70, 400
_STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .title { font-size: 14px; font-weight: 600; fill: #1f2328 }
  .grid { stroke: #d8dee4; stroke-width: 1 }
  .peer { stroke: #8c959f; fill: #8c959f }
  .anchor { stroke: #1f2328; fill: #1f2328 }
  .omoide { stroke: #0969da; fill: #0969da; stroke-width: 3 }
  path { fill: none !important; stroke-width: 1.5 }
  .vectors { stroke-dasharray: 4 3 }
  text.omoide { fill: #0969da; font-weight: 600; stroke: none }
  text.anchor { fill: #1f2328; stroke: none }
  text.peer { fill: #57606a; stroke: none }
  @media (prefers-color-scheme: dark) {
    text, text.peer { fill: #9198a1 }
    .title, text.anchor { fill: #f0f6fc }
    .grid { stroke: #30363d }
    .peer { stroke: #7d8590; fill: #7d8590 }
    .anchor { stroke: #f0f6fc; fill: #f0f6fc }
    .omoide { stroke: #4493f8; fill: #4493f8 }
    text.omoide { fill: #4493f8 }
  }
"""


def drawn(runs: Sequence[Run]) -> str:
    """Returns two panels: growth on the left, the largest size that every system reached on the right."""
    measured = [run for run in runs if "p50_ms" in run]
    label = "CPU time of a search by size of the store, and recall beside it, for Omoide and its peers"
    return _svg(label, [*_growth(measured), *_beside(measured)])


def growth(rows: Sequence[Run]) -> str:
    """Returns two panels over the number of turns in one memory: the cost of a recall and the size of the file."""
    panels = (
        ("recall_ms", "CPU ms of one recall, by turns", 60, 400),
        ("mb", "MB of the file, by turns", 560, 900),
    )
    parts = [part for panel in panels for part in _over_turns(rows, *panel)]
    return _svg("CPU time of a recall and size of the file, by turns in the memory", parts)


def _svg(label: str, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
    return "\n".join([head, f"<style>{_STYLE}</style>", *parts, "</svg>\n"])


def _over_turns(rows: Sequence[Run], figure: str, title: str, left: float, right: float) -> list[str]:
    turns, values = [row["turns"] for row in rows], [row[figure] for row in rows]
    low, high = _decades(values)
    x, y = _log(min(turns), max(turns), left, right), _log(low, high, _BOTTOM, _TOP)
    points = [(x(row["turns"]), y(row[figure])) for row in rows]
    labels = [
        _text(at, height + 20, f"{value:,.0f}" if value >= 100 else f"{value:.3g}", "omoide", "middle")
        for (at, height), value in zip(points, values, strict=True)
    ]
    ticks = [_text(x(each), _BOTTOM + 20, _short(round(each)), anchor="middle") for each in turns]
    return [
        _text(left - 40, 30, title, "title"),
        *_rows(low, high, y, left, right),
        *ticks,
        *_drawn_line(points),
        *labels,
    ]


def _drawn_line(points: Sequence[tuple[float, float]], kind: str = "omoide", dashed: str = "") -> list[str]:
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dots = [f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in points]
    return [f'<path class="{kind}{dashed}" d="{path}"/>', *dots]


def _growth(runs: Sequence[Run]) -> list[str]:
    left, right = 60, 400
    sizes = [run["size"] for run in runs]
    x = _log(min(sizes), max(sizes), left, right)
    low, high = _decades([run["p50_ms"] for run in runs])
    y = _log(low, high, _BOTTOM, _TOP)
    out = [_text(left - 40, 30, "CPU ms of one search, p50, by turns kept", "title"), *_rows(low, high, y, left, right)]
    out += [_text(x(size), _BOTTOM + 20, _short(size), anchor="middle") for size in sorted(set(sizes))]
    ends = []
    for name in reversed(NAMES):  # Omoide on top
        points = [(x(run["size"]), y(run["p50_ms"])) for run in runs if run["system"] == name]
        if points:
            out += _line(name, points)
            ends.append((name, points[-1]))
    early = [end for end in ends if end[1][0] < right - 1]
    out += [_text(x, y - 9, _name(name), _class(name), "middle") for name, (x, y) in early]
    return out + _labels([end for end in ends if end not in early])


def _beside(runs: Sequence[Run]) -> list[str]:
    """One row per system, fastest first: quality and cost."""
    left, right = 725, 890
    size = max((size for size in {run["size"] for run in runs} if _complete(runs, size)), default=runs[0]["size"])
    here = sorted((run for run in runs if run["size"] == size), key=lambda run: run["p50_ms"])
    floor = math.floor(10 * min(run["recall"] for run in here)) / 10
    x, step = _linear(floor, 1.0, left, right), (_BOTTOM - _TOP) / len(here)
    out = [
        _text(575, 30, f"R@10 and CPU ms, {size:,} turns", "title"),
        *(_text(x(each), _BOTTOM + 20, f"{each:.1f}", anchor="middle") for each in (floor, 1.0)),
    ]
    for row, run in enumerate(here):
        y, kind = _TOP + step * (row + 0.5), _class(run["system"])
        out += [
            f'<line class="grid" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>',
            f'<circle class="{kind}" cx="{x(run["recall"]):.1f}" cy="{y:.1f}" r="5"/>',
            _text(left - 12, y + 4, _name(run["system"]), kind, "end"),
            _text(right + 60, y + 4, f"{run['p50_ms']:.3g} ms", kind, "end"),
        ]
    return out


def _complete(runs: Sequence[Run], size: int) -> bool:
    return {run["system"] for run in runs if run["size"] == size} == {run["system"] for run in runs}


def _line(name: str, points: Sequence[tuple[float, float]]) -> list[str]:
    dashed = " vectors" if about(name).FINDS_BY.startswith("vectors") else ""
    return _drawn_line(points, _class(name), dashed)


def _labels(ends: Sequence[tuple[str, tuple[float, float]]]) -> list[str]:
    """Places a label at the end of each line and moves labels that would overlap."""
    out, last = [], -math.inf
    for name, (x, y) in sorted(ends, key=lambda end: end[1][1]):
        last = max(y, last + 14)
        out.append(_text(x + 8, last + 4, _name(name), _class(name)))
    return out


def _name(name: str) -> str:
    """Returns the title without emphasis and explanation."""
    return about(name).TITLE.replace("*", "").split(",")[0].split(" (")[0]


def _class(name: str) -> str:
    return name if name in ("omoide", "anchor") else "peer"


def _rows(low: float, high: float, y: Callable[[float], float], left: float, right: float) -> list[str]:
    powers = range(round(math.log10(low)), round(math.log10(high)) + 1)
    return [part for power in powers for part in _row(y(10.0**power), f"{10**power:g}", left, right)]


def _row(y: float, label: str, left: float, right: float) -> list[str]:
    line = f'<line class="grid" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
    return [line, _text(left - 8, y + 4, label, anchor="end")]


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _decades(values: Sequence[float]) -> tuple[float, float]:
    return 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)))


def _log(low: float, high: float, start: float, stop: float) -> Callable[[float], float]:
    scale = _linear(math.log10(low), math.log10(high), start, stop)
    return lambda value: scale(math.log10(value))


def _linear(low: float, high: float, start: float, stop: float) -> Callable[[float], float]:
    span = high - low or 1.0
    return lambda value: start + (stop - start) * (value - low) / span


def _short(size: int) -> str:
    return f"{size // 1_000_000}M" if size >= 1_000_000 else f"{size // 1_000}k" if size >= 1_000 else str(size)


if __name__ == "__main__":
    import results

    print(drawn(results.load()["runs"]))
