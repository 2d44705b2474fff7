"""Measures task memory on synthetic traces of known families: clustering, and retrieval of the right lesson.

    python bench/task_memory.py                   500 traces, by words and by embedders; then the speed at 100k nodes
    python bench/task_memory.py --no-speed        without the large store
    python bench/task_memory.py --seed 8          other traces of the same families

Purity is the share of traces in clusters of two or more that belong to the most frequent family of their cluster. A
question counts as answered when a pattern or mistake of its family is among the first five of the briefing; its wording
occurs in no trace.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import apsw  # noqa: E402 — after the threads are set

from metrics import cpu, quantile  # noqa: E402
from omoide import Memory  # noqa: E402
from task_families import COMPONENTS, FAMILIES, FOREIGN, NOISE, Family  # noqa: E402

TRACES = 500
NOISY = 68
ASKED = 10  # questions per family
LARGE = 100_000
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Quality:
    """Results on one set of traces."""

    traces: int
    clusters: int
    purity: float
    covered: float  # share of traces in a cluster of two or more
    lessons: int
    found: dict[str, float]
    silent: float  # share of unrelated goals with an empty briefing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--no-speed", action="store_true")
    args = parser.parse_args()
    for name, embedder in _embedders():
        with tempfile.TemporaryDirectory() as folder:
            quality = measured(Path(folder) / "tasks.db", embedder, args.seed)
        print(f"{name}: {quality.traces} traces, {len(FAMILIES)} families, {quality.lessons} lessons")
        print(f"  clusters {quality.clusters}   purity {quality.purity:.3f}   of the families {quality.covered:.3f}")
        for way, share in quality.found.items():
            print(f"  right lesson among the first five, {way:<28} {share:.3f}")
        print(f"  nothing said to goals of another world {'':<24} {quality.silent:.3f}")
    if not args.no_speed:
        speed()


def _embedders() -> Iterator[tuple[str, Any]]:
    from omoide.providers import minilm
    from omoide.providers.hashing import HashingEmbedder

    yield "words alone", None
    yield "hashing", HashingEmbedder()
    if minilm.is_available():
        yield "all-MiniLM-L6-v2", minilm.MiniLM()


def measured(
    path: Path, embedder: Any, seed: int, traces: int = TRACES, noisy: int = NOISY, asked: int = ASKED
) -> Quality:
    """Records, learns and asks."""
    with Memory(path, embedder=embedder) as memory:
        labels = record(memory, seed, traces, noisy)
        memory.flush()
        memory.tasks.learn()
        memory.flush()
        clusters = _clusters(path)
        sizes = {cluster: ids for cluster, ids in clusters.items() if len(ids) > 1}
        pure = sum(Counter(labels[id] for id in ids).most_common(1)[0][1] for ids in sizes.values())
        together = sum(len(ids) for ids in sizes.values())
        own = [id for id, label in labels.items() if not label.startswith("noise")]
        covered = sum(1 for ids in sizes.values() for id in ids if not labels[id].startswith("noise"))
        lessons = _lessons(path, labels)
        ways: dict[str, Row] = {"goal alone": {}, "goal, type and files": {"full": True}}
        if embedder is not None:  # two of its three arms need an embedder
            ways["loki, goal alone"] = {"recipe": "loki"}
        put = list(questions(seed, asked))
        found = {way: _found(memory, lessons, put, **how) for way, how in ways.items()}
        silent = sum(not memory.before_task(goal).hits for goal in FOREIGN) / len(FOREIGN)
    return Quality(len(labels), len(sizes), pure / max(1, together), covered / len(own), len(lessons), found, silent)


def record(memory: Memory, seed: int, traces: int = TRACES, noisy: int = NOISY) -> dict[int, str]:
    """Records the traces in random order. Returns the family of each."""
    chance = random.Random(seed)
    rows = [_trace(chance, FAMILIES[n % len(FAMILIES)]) for n in range(traces - noisy)]
    rows += [_noise(chance, number) for number in range(noisy)]
    chance.shuffle(rows)
    return {memory.tasks.record(**{k: v for k, v in row.items() if k != "family"}).id: row["family"] for row in rows}


def _trace(chance: random.Random, family: Family) -> Row:
    x = chance.choice(COMPONENTS)
    files = [file.format(x=x) for file in family.files if chance.random() < 0.7] or [family.files[0].format(x=x)]
    error = {"type": family.error, "message": chance.choice(family.messages)}
    fixed = chance.random() < 0.8
    if fixed:
        error["resolution"] = chance.choice(family.fixes)
    actions = [each for each in family.actions if chance.random() < 0.85] or list(family.actions)
    return {
        "family": family.name,
        "goal": chance.choice(family.goals).format(x=x),
        "outcome": "success" if fixed or chance.random() < 0.3 else "failure",
        "type": family.type if chance.random() < 0.7 else None,
        "files": files,
        "actions": [{"t": 10 * number, "action": each} for number, each in enumerate(actions)],
        "errors": [error] if chance.random() < 0.85 else [],
        "seconds": chance.randrange(20, 900),
    }


def _noise(chance: random.Random, number: int) -> Row:
    """Returns unrelated tasks with the same components, files and symptoms."""
    x, other = chance.choice(COMPONENTS), chance.choice(FAMILIES)
    errors = [{"type": other.error, "message": chance.choice(other.messages)}] if chance.random() < 0.2 else []
    return {
        "family": f"noise {number % len(NOISE)}",
        "goal": NOISE[number % len(NOISE)].format(x=x),
        "outcome": chance.choice(("success", "failure", "partial")),
        "type": chance.choice(("chore", "docs", None)),
        "files": [chance.choice(other.files).format(x=x)] if chance.random() < 0.5 else [],
        "actions": [{"t": 0, "action": chance.choice(("read_file", "edit_file", "run_test"))}],
        "errors": errors,
        "seconds": chance.randrange(20, 900),
    }


def questions(seed: int, asked: int = ASKED) -> Iterator[tuple[Family, str, str]]:
    """Returns (family, goal in a new wording, component)."""
    chance = random.Random(seed + 1)
    for family in FAMILIES:
        for number in range(asked):
            x = chance.choice(COMPONENTS)
            yield family, family.asked[number % len(family.asked)].format(x=x), x


def _found(
    memory: Memory,
    lessons: dict[int, str],
    put: Sequence[tuple[Family, str, str]],
    full: bool = False,
    recipe: str = "before_task",
) -> float:
    hits = []
    for family, goal, x in put:
        more: Row = {"action_type": family.type, "files": [family.files[0].format(x=x)]} if full else {}
        briefing = memory.before_task(goal, recipe=recipe, **more)
        hits.append(any(lessons.get(hit.id) == family.name for hit in briefing.hits[:5]))
    return sum(hits) / len(hits)


def _clusters(path: Path) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for cluster, id in _rows(path, "SELECT cluster, node_id FROM task WHERE cluster IS NOT NULL"):
        found[cluster].append(id)
    return found


def _lessons(path: Path, labels: dict[int, str]) -> dict[int, str]:
    """Returns the family of each pattern and mistake: that of most of its sources."""
    sources: dict[int, list[str]] = defaultdict(list)
    sql = """
        SELECT edge.source_id, edge.target_id
        FROM edge
        JOIN node ON node.id = edge.source_id
        WHERE edge.type = 'derived_from' AND node.kind IN ('pattern', 'antipattern') AND node.state = 'live'
    """
    for lesson, trace in _rows(path, sql):
        sources[lesson].append(labels[trace])
    return {lesson: Counter(families).most_common(1)[0][0] for lesson, families in sources.items()}


def _rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    db = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)
    found = list(db.execute(sql))
    db.close()
    return found


def speed(size: int = LARGE) -> None:
    """Measures the CPU time of a briefing in a large store against an everyday recall, with free vectors."""
    from speed import BATCH, SeededEmbedder
    from synthetic_turns import questions as asked_of_talk
    from synthetic_turns import turns

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.db"
        told = list(turns(size))
        with Memory(path, embedder=None) as memory:
            for first in range(0, size, BATCH):
                memory.observe_many(told[first : first + BATCH])
            record(memory, 7)
            memory.tasks.learn()
        with Memory(path, embedder=SeededEmbedder()) as memory:
            memory.flush()
            goals = [goal for _, goal, _ in questions(7)][:100]
            talk = asked_of_talk(100)
            memory.before_task(goals[0])
            memory.recall(talk[0])
            ways: dict[str, Sequence[Any]] = {
                "recall, everyday": [partial(memory.recall, text) for text in talk],
                "recall of a goal, everyday": [partial(memory.recall, goal) for goal in goals],
                "before_task": [partial(memory.before_task, goal) for goal in goals],
                "before_task, loki": [partial(memory.before_task, goal, recipe="loki") for goal in goals],
            }
            times = {way: sorted(1000 * cpu(work) for work in works) for way, works in ways.items()}
    plain = quantile(times["recall, everyday"], 0.5)
    print(f"at {size:,} nodes and {TRACES} traces, CPU ms")
    for way, found in times.items():
        p50, p95 = quantile(found, 0.5), quantile(found, 0.95)
        print(f"  {way:<28} p50 {p50:6.2f}   p95 {p95:6.2f}   {p50 / plain:.2f} x a recall")


if __name__ == "__main__":
    main()
