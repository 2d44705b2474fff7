"""Writes the figures of bench/results.json between the markers of docs/explanation/benchmarks.md, and draws its chart.

python bench/benchmarks_page.py
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import benchmarks_chart
import results
from peers import NAMES, about

DOCS = Path(__file__).resolve().parent.parent / "docs" / "explanation"
Run = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=results.FILE)
    parser.add_argument("--page", type=Path, default=DOCS / "benchmarks.md")
    parser.add_argument("--picture", type=Path, default=DOCS / "benchmarks.svg")
    args = parser.parse_args()
    found, text = results.load(args.results), args.page.read_text("utf-8")
    for name, made in (
        ("bench", compared(found.get("runs", []))),
        ("speed", speed(found.get("speed", []))),
        ("omoide", alone(found)),
        ("peers-quality", quality(found.get("quality", {}))),
        ("ablation", ablation(found.get("ablation", {}))),
        ("archived", archived(found.get("archived", {}))),
        ("growth", growth(found.get("growth", []))),
    ):
        text = filled(text, name, made) if made else text
    args.page.write_text(text, "utf-8")
    if found.get("runs"):
        args.picture.write_text(benchmarks_chart.drawn(found["runs"]), "utf-8")
    if found.get("growth"):
        args.picture.with_name("growth.svg").write_text(benchmarks_chart.growth(found["growth"]), "utf-8")


def filled(text: str, name: str, made: Sequence[str]) -> str:
    """Replaces the text between the two markers of this name. A page without them is returned unchanged."""
    start, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
    body = "\n".join([start, *made, end])
    return re.sub(f"{re.escape(start)}.*?{re.escape(end)}", lambda _: body, text, flags=re.S)


def compared(runs: Sequence[Run]) -> list[str]:
    """One table per size: quality, cost, and the cost relative to the baseline."""
    lines = []
    for size in sorted({run["size"] for run in runs}):
        rows = {run["system"]: run for run in runs if run["size"] == size}
        anchor = rows.get("anchor", {}).get("p50_ms")
        lines += ["", f"**{size:,} turns**", "", *_HEAD]
        lines += [_row(name, rows[name], anchor) for name in NAMES if name in rows]
    versions = [f"{about(name).TITLE} {version}" for name, version in _versions(runs).items() if about(name).REQUIRES]
    return [*lines[1:], *(["", "Versions: " + "; ".join(versions) + "."] if versions else [])]


_AIMS = {1_000: 4.5, 10_000: 1.2, 100_000: 0.32}  # a recall by Omoide ÷ a search by the anchor


def speed(runs: Sequence[Run]) -> list[str]:
    """What a recall costs beside the same search by the anchor, and the first one after opening."""
    if not runs:
        return []
    head = "memories | Omoide, CPU ms p50 | p95 | anchor, p50 | ratio | aim | first recall, s | R@10, Omoide / anchor"
    lines = [f"| {head} |", "|---" * 8 + "|"]
    for size in sorted({run["size"] for run in runs}):
        ours, theirs = (
            {run["system"]: run for run in runs if run["size"] == size}[name] for name in ("omoide", "anchor")
        )
        lines.append(
            f"| {size:,} | {ours['p50_ms']:.2f} | {ours['p95_ms']:.2f} | {theirs['p50_ms']:.2f} "
            f"| {ours['p50_ms'] / theirs['p50_ms']:.2f} | {_AIMS.get(size, '')} | {ours['open_ms'] / 1000:.2f} "
            f"| {_share(ours['recall'])} / {_share(theirs['recall'])} |"
        )
    return lines


_COLUMNS = (
    "", "finds by", "R@10", "NDCG@10", "search p50, CPU ms", "p95", "÷ anchor", "build, CPU ms a turn",
    "memory, bytes a turn", "disk, bytes a turn",
)  # fmt: skip
_HEAD = ["| " + " | ".join(_COLUMNS) + " |", "|---" * len(_COLUMNS) + "|"]


def _row(name: str, run: Run, anchor: float | None) -> str:
    title = about(name).TITLE
    if "not_run" in run:
        return f"| {title} | {about(name).FINDS_BY} | not run: {run['not_run']} | | | | | | | |"
    ratio = f"{run['p50_ms'] / anchor:.2f}" if anchor else ""
    fewer = f" ({run['asked']} questions)" if run["asked"] < 200 else ""
    cells = [
        *(title, about(name).FINDS_BY, _share(run["recall"]), _share(run["ndcg"])),
        *(f"{run['p50_ms']:.2f}{fewer}", f"{run['p95_ms']:.2f}", ratio, f"{run['build_ms']:.2f}"),
        *(f"{run['rss']:,.0f}", f"{run['disk']:,.0f}"),
    ]
    return "| " + " | ".join(cells) + " |"


def _versions(runs: Sequence[Run]) -> dict[str, str]:
    return {run["system"]: run["version"] for run in runs if "version" in run}


def alone(found: dict[str, Any]) -> list[str]:
    if "omoide" not in found:
        return []
    from concurrent_writers import writers_summary
    from speed import table

    lines = ["```text", *table(found["omoide"]), "", found.get("embedder", ""), "```"]
    if writers := found.get("writers"):
        lines += [
            "",
            f"{writers_summary(writers)}; a durable `observe` took {writers['p50_ms']:.0f} ms at the median, "
            f"{writers['p95_ms']:.0f} ms at p95, {writers['longest_ms']:,.0f} ms at the longest (wall time).",
        ]
    return lines


def quality(tasks: dict[str, dict[str, Run]]) -> list[str]:
    if not tasks:
        return []
    shown = [name for name in NAMES if any(name in rows for rows in tasks.values())]
    lines = ["| task | " + " | ".join(about(name).TITLE for name in shown) + " |", "|---" * (len(shown) + 1) + "|"]
    for task, rows in tasks.items():
        best = max((row["recall"] for row in rows.values() if "recall" in row), default=0.0)
        lines.append(f"| {task} | " + " | ".join(_pair(rows.get(name, {}), best) for name in shown) + " |")
    return lines


def _pair(row: Run, best: float) -> str:
    if "recall" not in row:
        return f"not run: {row['not_run']}" if "not_run" in row else ""
    recall = _share(row["recall"])
    return f"{f'**{recall}**' if row['recall'] == best else recall} / {_share(row['ndcg'])}"


def ablation(found: dict[str, Any]) -> list[str]:
    """R@10 / NDCG@10 of the whole recipe, and the change in points without each part."""
    tasks = found.get("tasks", {})
    if not tasks:
        return []
    base = found["base"]
    labels = list(dict.fromkeys(label for rows in tasks.values() for label in rows))
    lines = ["| without | " + " | ".join(tasks) + " | mean |", "|---" * (len(tasks) + 2) + "|"]
    for label in labels:
        rows = [(tasks[task].get(label), tasks[task][base]) for task in tasks]
        if label == base:
            cells = [f"{_share(whole['recall'])} / {_share(whole['ndcg'])}" for _, whole in rows]
        else:
            cells = [_points(row, whole) for row, whole in rows]
        lines.append(
            f"| {'nothing' if label == base else label} | " + " | ".join([*cells, _mean(rows, label == base)]) + " |"
        )
    sampled = found.get("questions")
    return [*lines, *(["", f"At most {sampled} questions of each conversation."] if sampled else [])]


def archived(found: dict[str, Any]) -> list[str]:
    """R@10 while everything is live and while everything is archived, and the cost of a recall."""
    if not found:
        return []
    lines = ["| R@10 | questions | all live | all archived |", "|---|---|---|---|"]
    lines += [
        f"| {task} | {row['n']} | {_share(row['live'])} | {_share(row['archived'])} |"
        for task, row in sorted(found["found"].items())
    ]
    if cost := found.get("cost"):
        ratio = cost["archived_ms"] / cost["live_ms"]
        lines += [
            "",
            f"A recall over {cost['turns']:,} turns costs {cost['live_ms']:.1f} ms CPU while all are live and "
            f"{cost['archived_ms']:.1f} ms while 90 % are archived: {ratio:.2f} times as much.",
        ]
    return lines


def growth(rows: Sequence[Run]) -> list[str]:
    """What a recall costs and how large the file is, by turns in one memory."""
    head = ["| turns | recall, ms | file, MB |", "|---:|---:|---:|"]
    lines = [f"| {row['turns']:,.0f} | {row['recall_ms']:.1f} | {row['mb']:,.1f} |" for row in rows]
    return [*head, *lines] if rows else []


def _mean(rows: Sequence[tuple[Run | None, Run]], whole: bool) -> str:
    full = [(row, base) for row, base in rows if row is not None]
    mean = {key: sum(row[key] for row, _ in full) / len(full) for key in ("recall", "ndcg")}
    if whole:
        return f"{_share(mean['recall'])} / {_share(mean['ndcg'])}"
    return _points(mean, {key: sum(base[key] for _, base in full) / len(full) for key in ("recall", "ndcg")})


def _points(row: Run | None, base: Run) -> str:
    if row is None:
        return ""
    moved = [round(100 * (row[key] - base[key]), 1) for key in ("recall", "ndcg")]
    return " / ".join("0" if not each else f"{each:+.1f}".replace("-", "−") for each in moved)


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


if __name__ == "__main__":
    main()
