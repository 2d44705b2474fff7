"""Measures precision and recall of the learning rules on labelled sentences, and their speed.

    python bench/learning_accuracy.py                  the figures
    python bench/learning_accuracy.py --show           also every disagreement
    python bench/learning_accuracy.py --data FOLDER    also learning from a conversation of your own (its docs.jsonl)

Precision is the share of proposed facts that are right, recall the share of labelled facts that were proposed. All sets
are regression tests today, since rules or labels were changed after looking at them:

- `sentences` was written before the rules, which were tuned on it; `heldout` after them, with seven labels corrected.
- `blind` and `second` contain mostly misleading sentences, labelled before the first run (first precision .289, .857).
- `third` contains errors that an independent reader found (first precision .229, recall .143).
- `fourth` contains an independent reviewer's blind set, and for every rule ten or more sentences it must not match.
- `fifth` was written together with the rules that it covers.
- `sixth` contains errors that another blind reader found; on that reader's own 310 sentences the rules first had
  precision .948 and recall .273.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import apsw

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.learn.labelled import AT, compare, samples

from evaluation_data import documents, turn
from omoide import Memory
from omoide.learn.proposal import ConversationTurn, LearningConversation
from omoide.learn.rules import RuleExtractor

READ = 10_000  # turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="every disagreement")
    parser.add_argument("--data", type=Path, help="a folder with docs.jsonl (bench/evaluation_data.py)")
    args = parser.parse_args()
    if args.data:  # first, since peak memory is measured per process
        with tempfile.TemporaryDirectory() as folder:
            conversation(args.data, Path(folder) / "memory.db")
    for name in ("sentences", "heldout", "blind", "second", "third", "fourth", "fifth", "sixth"):
        judged = list(samples(f"{name}.txt"))
        found = compare(RuleExtractor(), judged)
        print(f"{name:<10} {len(judged):>4} samples   precision {found.precision:.3f}   recall {found.recall:.3f}")
        if args.show:
            print(*(f"  wrong   {each}" for each in found.wrong), sep="\n")
            print(*(f"  missed  {each}" for each in found.missed), sep="\n")
    print(f"pace       {pace():,.0f} turns a CPU second")


def pace() -> float:
    """Returns turns per second; each turn has four labelled sentences."""
    texts = [
        sample.conversation.turns[-1].text for name in ("sentences", "heldout") for sample in samples(f"{name}.txt")
    ]
    said = ["\n".join(texts[(7 * number + step) % len(texts)] for step in range(4)) for number in range(READ)]
    read = tuple(ConversationTurn(id=number, text=text, role="user", at=AT) for number, text in enumerate(said, 1))
    start = time.process_time()
    for first in range(0, READ, 50):
        RuleExtractor().extract(LearningConversation(session=str(first), turns=read[first : first + 50]))
    return READ / (time.process_time() - start)


def conversation(data: Path, path: Path) -> None:
    """Learns from all sessions at once, which is the longest possible run."""
    turns = [turn(doc) for doc in documents(data)]
    with Memory(path, embedder=None) as memory:
        for first in range(0, len(turns), 500):
            memory.observe_many(turns[first : first + 500])
        for session in dict.fromkeys(each["session"] for each in turns):
            memory.end(session)
        before, wall, cpu = _resident(), time.perf_counter(), time.process_time()
        report = memory.learn()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        peak = _resident() - before
        print(f"{data.name}: {report.turns:,} turns of {len(report.sessions):,} sessions")
        print(f"took       {wall:.1f} s, {cpu:.1f} s of CPU, {report.turns / wall:,.0f} turns a second")
        print(f"memory     {peak / 1024:+.0f} MiB at its peak")
        kinds = Counter((entry.verb, entry.kind) for entry in report.entries)
        print(*(f"  {count:>6,} {verb} {kind}" for (verb, kind), count in kinds.most_common()), sep="\n")
        print(f"failed     {len(report.failed)}")
        held = _held(path)
        again = memory.learn()
        print(
            f"again      {len(again.entries)} entries, the file {'is the same' if _held(path) == held else 'DIFFERS'}"
        )


def _held(path: Path) -> bytes:
    """Returns every row of every table except write marks."""
    db = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    rows = hashlib.blake2b()
    for table in tables:
        if table != "write_mark":
            for row in db.execute(f'SELECT * FROM "{table}"'):
                rows.update(repr(row).encode())
    db.close()
    return rows.digest()


def _resident() -> int:
    """Returns the peak memory of this process in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
