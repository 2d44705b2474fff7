"""Compares Omoide with other systems in one run: same turns, vectors and questions; quality and speed.

    python bench/compare.py                                  1k, 10k and 100k turns, each system up to its limit
    python bench/compare.py --sizes 1000 --systems omoide anchor
    python bench/compare.py --systems omoide anchor --part speed     the table of what a recall costs beside the anchor
    python bench/compare.py --million                        1M, for those that can

Every system runs in its own process and measures its own CPU time, with as many BLAS threads as are the default: what
spins while it waits is CPU time too. One process builds the store,
another opens it and answers. The systems take turns, twenty questions at a time, so that a busy minute affects them
all. Vectors are precomputed; embedding is not measured. Questions are made from turns, so the relevant turn is known.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import results
from metrics import mean, ndcg_at, quantile, recall_at
from peer_process import PeerNotRun, PeerProcess, interpreter_of
from peers import NAMES, about
from synthetic_turns import asked_of, turns
from synthetic_vectors import Space

K = 10
QUESTIONS = 200
ROUND = 20
WARM = 5
BUILD_SECONDS = 240.0  # a slower system is reported as not run
ASK_SECONDS = 20.0  # of CPU time; a slow system gets fewer questions
MILLION = ("omoide", "anchor", "txtai", "chroma")
MILLION_SECONDS = 3_600.0


@dataclass(frozen=True, slots=True)
class SizeRun:
    """One size: its files, the correct answers, the time limit of a build, and systems that gave up with the reason."""

    size: int
    folder: Path
    peers: Path
    truth: Sequence[int]
    seconds: float
    given_up: dict[str, str]

    def start(self, name: str) -> PeerProcess:
        with open(self.folder / f"{name}.log", "ab") as log:
            return PeerProcess(name, interpreter_of(name, about(name).REQUIRES, self.peers), log)


@dataclass(slots=True)
class Entry:
    """One system at one size during its measurement."""

    name: str
    folder: Path
    figures: dict[str, Any]
    process: PeerProcess | None = None
    questions: int = QUESTIONS
    ms: list[float] = field(default_factory=list)
    found: list[list[int]] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--systems", nargs="+", default=list(NAMES), choices=NAMES)
    parser.add_argument("--million", action="store_true", help="1,000,000 turns, for the systems that can")
    parser.add_argument("--peers", type=Path, default=Path(".peers"), help="where the peers' environments are")
    parser.add_argument("--results", type=Path, default=results.FILE)
    parser.add_argument("--part", default="runs", choices=("runs", "speed"), help="where the figures are kept")
    args = parser.parse_args()
    sizes, systems, seconds = args.sizes, args.systems, BUILD_SECONDS
    if args.million:
        sizes, systems, seconds = [1_000_000], [each for each in MILLION if each in systems], MILLION_SECONDS
    for runs in compare(sizes, systems, args.peers, seconds):
        _show(runs)
        keep(runs, args.results, args.part)


def keep(runs: Sequence[dict[str, Any]], file: Path, part: str = "runs") -> None:
    """Replaces the figures of the same system and size."""
    known = {(run["system"], run["size"]): run for run in results.load(file).get(part, [])}
    known |= {(run["system"], run["size"]): run for run in runs}
    order = sorted(known.values(), key=lambda run: (NAMES.index(run["system"]), run["size"]))
    results.save(file, **{part: order})


def compare(
    sizes: Sequence[int], systems: Sequence[str], peers: Path, seconds: float = BUILD_SECONDS
) -> Iterator[list[dict[str, Any]]]:
    """Returns the figures of all systems, size by size."""
    given_up: dict[str, str] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            truth = write_inputs(size, Path(folder))
            yield list(_measure(SizeRun(size, Path(folder), peers, truth, seconds, given_up), systems))


def write_inputs(size: int, folder: Path) -> list[int]:
    """Writes turns, vectors and questions to files for all workers. Returns the position of each question's answer."""
    _say(f"{size:,} turns: drawing them")
    told = list(turns(size))
    places = np.random.default_rng(8).integers(0, size, QUESTIONS)
    asked = asked_of([told[place]["text"] for place in places])
    at = told[-1]["at"].isoformat()
    _write(folder / "turns.jsonl", [{**turn, "at": turn["at"].isoformat()} for turn in told])
    _write(folder / "questions.jsonl", [{"text": text, "at": at} for text in asked])
    space = Space.seeded()
    rows = space.turns(size, folder / "vectors.npy")
    np.save(folder / "asked.npy", space.questions(np.asarray(rows[places])))
    return [int(place) for place in places]


def _measure(race: SizeRun, systems: Sequence[str]) -> Iterator[dict[str, Any]]:
    entries = [Entry(name, race.folder / name, {"system": name, "size": race.size}) for name in systems]
    for entry in entries:
        with _reported(entry, race):
            if entry.name in race.given_up:
                raise PeerNotRun(race.given_up[entry.name])
            if race.seconds == BUILD_SECONDS and race.size > about(entry.name).LARGEST:
                raise PeerNotRun(f"asked up to {about(entry.name).LARGEST:,}")
            _build(entry, race)
    _ask_in_turn([entry for entry in entries if "not_run" not in entry.figures], race)
    for entry in entries:
        if entry.process is not None:
            entry.process.end()
        if "not_run" not in entry.figures:
            entry.figures |= _figures(entry, race.truth)
        yield entry.figures


def _build(entry: Entry, race: SizeRun) -> None:
    _say(f"{race.size:,} turns: {entry.name} builds")
    process = race.start(entry.name)
    try:
        opened = process.order("open", folder=str(entry.folder), inputs=str(race.folder))
        built = process.order("build", race.seconds, first=0, last=race.size)
        closed = process.order("close")
    finally:
        process.end()
    entry.figures |= {
        "version": opened["version"],
        "build_ms": 1000 * built["cpu"] / race.size,
        "disk": closed["disk"] / race.size,
    }


def _ask_in_turn(entries: Sequence[Entry], race: SizeRun) -> None:
    """Opens the stores and asks each system twenty questions, then the next twenty."""
    for entry in entries:
        with _reported(entry, race):
            _open(entry, race)
    for first in range(0, QUESTIONS, ROUND):
        _say(f"{race.size:,} turns: questions {first + 1} to {first + ROUND}")
        for entry in entries:
            if first < entry.questions and entry.process is not None and "not_run" not in entry.figures:
                with _reported(entry, race):
                    answer = entry.process.order("ask", first=first, last=min(first + ROUND, entry.questions), k=K)
                    entry.ms += answer["ms"]
                    entry.found += answer["found"]


def _open(entry: Entry, race: SizeRun) -> None:
    """Opens a store in a new process. A few warm-up questions decide how many fit into the time limit."""
    _say(f"{race.size:,} turns: {entry.name} opens")
    entry.process = race.start(entry.name)
    opened = entry.process.order("open", folder=str(entry.folder), inputs=str(race.folder))
    warm = entry.process.order("ask", first=0, last=WARM, k=K)
    entry.questions = min(QUESTIONS, max(ROUND, int(ASK_SECONDS * 1000 / max(warm["ms"][1:]))))
    entry.figures |= {
        "open_ms": 1000 * opened["cpu"] + warm["ms"][0],
        "rss": warm["rss"] / race.size,
        "empty_rss": opened["empty"],
    }


def _figures(entry: Entry, truth: Sequence[int]) -> dict[str, Any]:
    pairs = list(zip(entry.found, truth, strict=False))
    return {
        "p50_ms": quantile(entry.ms, 0.5),
        "p95_ms": quantile(entry.ms, 0.95),
        "recall": mean(recall_at(K, found, [place]) for found, place in pairs),
        "ndcg": mean(ndcg_at(K, found, [place]) for found, place in pairs),
        "asked": len(entry.ms),
    }


@contextmanager
def _reported(entry: Entry, race: SizeRun) -> Iterator[None]:
    """Records the reason why a system could not run, for this size and all larger ones."""
    try:
        yield
    except PeerNotRun as reason:
        entry.figures["not_run"] = str(reason)
        if not str(reason).startswith("asked up to"):
            race.given_up[entry.name] = str(reason)


def _write(file: Path, rows: Sequence[dict[str, Any]]) -> None:
    with open(file, "w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _show(runs: Sequence[dict[str, Any]]) -> None:
    for run in runs:
        if "not_run" in run:
            print(f"{run['system']:12}{run['size']:>10,}  not run: {run['not_run']}")
        else:
            print(
                f"{run['system']:12}{run['size']:>10,}  search {run['p50_ms']:8.2f} ms p50 {run['p95_ms']:8.2f} p95"
                f"  R@10 {run['recall']:.3f}  build {run['build_ms']:6.2f} ms  {run['rss']:7,.0f} B RSS"
                f"  {run['disk']:7,.0f} B disk"
            )
    sys.stdout.flush()


_BEGAN = time.monotonic()


def _say(what: str) -> None:
    print(f"[{time.monotonic() - _BEGAN:5.0f} s] {what} …", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
