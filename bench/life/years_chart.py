"""Draws the chart of docs/explanation/thirty-years.md as SVG: four panels over the years."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

WIDTH, HEIGHT = 960, 560
_WIDE, _HIGH = 370, 170  # of a panel
_PLACES = ((60, 60), (540, 60), (60, 330), (540, 330))
_STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .title { font-size: 14px; font-weight: 600; fill: #1f2328 }
  .grid { stroke: #d8dee4; stroke-width: 1 }
  path { fill: none; stroke-width: 2 }
  .a { stroke: #0969da } .b { stroke: #8c959f } .c { stroke: #1f2328; stroke-dasharray: 4 3 }
  text.a { fill: #0969da; stroke: none; font-weight: 600 }
  text.b { fill: #57606a; stroke: none }
  text.c { fill: #1f2328; stroke: none }
  @media (prefers-color-scheme: dark) {
    text, text.b { fill: #9198a1 }
    .title, text.c { fill: #f0f6fc }
    .grid { stroke: #30363d }
    .a { stroke: #4493f8 } .b { stroke: #7d8590 } .c { stroke: #f0f6fc }
    text.a { fill: #4493f8 }
  }
"""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a panel, from the first year to the last."""

    name: str
    values: Sequence[float]
    kind: str


def drawn(result: dict[str, Any], shares: Mapping[str, Sequence[float]], cost: Mapping[str, Sequence[float]]) -> str:
    """Growth above; cost of a question and share of right answers below, by year."""
    months = result["months"]
    years = len(months) / 12
    nodes = [
        Line("in use", [each["live"] for each in months], "a"),
        Line("archived", [each["archived"] for each in months], "b"),
        Line("turns told", [each["turns"] for each in months], "c"),
    ]
    size = [Line("MB", [each["bytes"] / 1e6 for each in months], "a")]
    times = [Line(name, values, kind) for (name, values), kind in zip(cost.items(), "ab", strict=False)]
    right = [Line(name, [100 * each for each in shares[name]], kind) for name, kind in zip(shares, "abc", strict=False)]
    panels = (
        _panel(0, "Memories", nodes, years),
        _panel(1, "File, MB", size, years),
        _panel(2, "CPU of a recall and of a night, first year = 1", times, years),
        _panel(3, "Right answers, %", right, years, top=100.0),
    )
    label = "Growth of memories, file size, recall cost and right answers over the simulated years"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">',
            f"<style>{_STYLE}</style>",
            *(part for panel in panels for part in panel),
            "</svg>\n",
        ]
    )


def _panel(place: int, title: str, lines: Sequence[Line], years: float, top: float | None = None) -> list[str]:
    left, above = _PLACES[place]
    high = _nice(max(max(line.values) for line in lines)) if top is None else top
    out = [_text(left - 30, above - 22, title, "title")]
    for share in (0, 0.5, 1):
        y = above + _HIGH * (1 - share)
        out.append(f'<line class="grid" x1="{left}" x2="{left + _WIDE - 80}" y1="{y:.1f}" y2="{y:.1f}"/>')
        out.append(_text(left - 6, y + 4, f"{high * share:,.10g}", anchor="end"))
    out += [
        _text(left + (_WIDE - 80) * share, above + _HIGH + 18, f"{years * share:.3g} y", anchor="middle")
        for share in (0, 0.5, 1)
    ]
    ends: list[float] = []
    for line in sorted(lines, key=lambda each: -each.values[-1]):
        points = [
            (left + (_WIDE - 80) * number / max(1, len(line.values) - 1), above + _HIGH * (1 - value / high))
            for number, value in enumerate(line.values)
        ]
        out.append(f'<path class="{line.kind}" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in points)}"/>')
        ends.append(max(points[-1][1], ends[-1] + 14 if ends else 0.0))
        out.append(_text(points[-1][0] + 6, ends[-1] + 4, line.name, line.kind))
    return out


def _nice(value: float) -> float:
    """Returns the next 1, 2 or 5 times a power of ten."""
    power = 1.0
    while power < value:
        power *= 10
    while power / 10 >= value:
        power /= 10
    return next(power / part for part in (5, 4, 2, 1) if power / part >= value)


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
