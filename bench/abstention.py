"""Measures how well `Recall.probability` separates answerable from unanswerable questions (AUC).

    python bench/abstention.py DATA                    every task folder below DATA
    python bench/abstention.py DATA locomo-turn …      some of them

A task is a folder with docs.jsonl {id, corpus, session, seq, timestamp, speaker, text} and queries.jsonl {id, corpus,
text, asked_at, category, relevant, max_seq?}. Three kinds of questions are asked of each corpus: its own with
evidence; its own without evidence or of an unanswerable category (near misses written by people); and questions of
other task families in the same kind of script, or else of the other corpora of the task. Questions about a time only
are not counted, and questions of `*-time` tasks are never used as foreign ones. Also prints how often each kind got an
empty answer.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from omoide import Memory
from omoide.language.text import has_unspaced_script

_UNANSWERABLE = {"adversarial", "abstention"}
_FOREIGN = 100  # questions per corpus
_MOST_FOREIGN = 400  # questions per task
_LONGEST_FOREIGN = 300  # characters

Row = dict[str, Any]


@dataclass
class Asked:
    """The probabilities of one kind of question, and how many got an empty answer."""

    told: list[float] = field(default_factory=list)
    empty: int = 0

    @property
    def silent(self) -> float:
        return self.empty / len(self.told) if self.told else math.nan


def read(folder: Path, name: str) -> list[Row]:
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]


def moment(text: str | None) -> datetime | None:
    when = datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None
    return when if when is None or when.tzinfo else when.replace(tzinfo=UTC)


def turn(doc: Row) -> Row:
    role = "agent" if doc["speaker"] in ("assistant", "AI", "Assistant") else "user"
    at = moment(doc["timestamp"])
    return {"text": doc["text"], "role": role, "speaker": doc["speaker"], "session": doc["session"], "at": at}


def ask(memory: Memory, query: Row, into: Asked) -> None:
    found = memory.recall(query["text"], at=moment(query.get("asked_at")), limit=50)
    if found.probability is not None:
        into.told.append(found.probability)
        into.empty += not found.hits


def kind(query: Row) -> str:
    return "unanswerable" if not query["relevant"] or query["category"] in _UNANSWERABLE else "answerable"


def run(folder: Path, strangers: Sequence[Row], open_memory: Callable[[Path], Memory]) -> dict[str, Asked]:
    result: dict[str, Asked] = defaultdict(Asked)
    corpora: dict[str, list[Row]] = defaultdict(list)
    for doc in sorted(read(folder, "docs.jsonl"), key=lambda doc: doc["seq"]):
        corpora[doc["corpus"]].append(doc)
    own: dict[str, list[Row]] = defaultdict(list)
    for query in read(folder, "queries.jsonl"):
        own[query["corpus"]].append(query)
    chooser = random.Random(0)
    for corpus, docs in corpora.items():
        with tempfile.TemporaryDirectory() as place:
            memory, position = open_memory(Path(place) / "bench.db"), 0
            for query in sorted(own[corpus], key=lambda query: query.get("max_seq") or math.inf):
                upto = query.get("max_seq") or math.inf
                batch = [doc for doc in docs[position:] if doc["seq"] < upto]
                if batch:
                    memory.observe_many(map(turn, batch))
                    memory.flush()
                    position += len(batch)
                ask(memory, query, result[kind(query)])
            others = [query for query in strangers if query["corpus"] != corpus]
            for query in chooser.sample(others, min(len(others), _FOREIGN, _MOST_FOREIGN // len(corpora))):
                ask(memory, {"text": query["text"]}, result["foreign"])
            memory.close()
    return result


def foreign(task: str, everybody: Mapping[str, Sequence[Row]]) -> list[Row]:
    """Returns questions that were not written for this task."""
    script = has_unspaced_script(everybody[task][0]["text"])
    found = [
        query
        for other, queries in sorted(everybody.items())
        for query in queries
        if _family(other) not in (_family(task), "time")
        and len(query["text"]) <= _LONGEST_FOREIGN
        and has_unspaced_script(query["text"]) == script
    ]
    return found or list(everybody[task])


def _family(task: str) -> str:
    return "time" if task.endswith("-time") else task.split("-")[0]


def auc(yes: Iterable[float], no: Sequence[float]) -> float:
    """Returns how often an answerable question gets the higher probability of the two."""
    wins = [(a > b) + 0.5 * (a == b) for a in yes for b in no]
    return sum(wins) / len(wins) if wins else math.nan


def main(open_memory: Callable[[Path], Memory] = Memory) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("tasks", nargs="*")
    given = parser.parse_args()
    tasks = given.tasks or sorted(path.parent.name for path in given.data.glob("*/queries.jsonl"))
    everybody = {path.parent.name: read(path.parent, path.name) for path in given.data.glob("*/queries.jsonl")}
    print(f"{'task':20} {'n':>5} {'AUC foreign':>12} {'AUC own':>9}   silent: answerable  unanswerable  foreign")
    for task in tasks:
        strangers = foreign(task, everybody)
        asked = run(given.data / task, strangers, open_memory)
        yes, no, other = asked["answerable"], asked["unanswerable"], asked["foreign"]
        print(
            f"{task:20} {len(yes.told):5} {auc(yes.told, other.told):12.3f} {auc(yes.told, no.told):9.3f}"
            f"   {yes.silent:18.3f} {no.silent:13.3f} {other.silent:8.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
