"""
How far the rules agree with labelled sentences, and how fast they read. python bench/learning.py the
figures python bench/learning.py --show and every disagreement `sentences` was written before the rules
and the rules were then tuned on it; `heldout` was written after them, in another mood. Precision is the
share of what was proposed that is right, recall the share of what is there that was proposed.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.learn.labelled import AT, compare, samples

from omoide.learn.proposal import Conversation, Turn
from omoide.learn.rules import Rules

READ = 10_000  # turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="every disagreement")
    args = parser.parse_args()
    for name in ("sentences", "heldout"):
        judged = list(samples(f"{name}.txt"))
        found = compare(Rules(), judged)
        print(f"{name:<10} {len(judged):>4} samples   precision {found.precision:.3f}   recall {found.recall:.3f}")
        if args.show:
            print(*(f"  wrong   {each}" for each in found.wrong), sep="\n")
            print(*(f"  missed  {each}" for each in found.missed), sep="\n")
    print(f"pace       {pace():,.0f} turns a CPU second")


def pace() -> float:
    """Turns of four sentences each, drawn from the labelled ones."""
    texts = [
        sample.conversation.turns[-1].text for name in ("sentences", "heldout") for sample in samples(f"{name}.txt")
    ]
    said = ["\n".join(texts[(7 * number + step) % len(texts)] for step in range(4)) for number in range(READ)]
    read = tuple(Turn(id=number, text=text, role="user", at=AT) for number, text in enumerate(said, 1))
    start = time.process_time()
    for first in range(0, READ, 50):
        Rules().extract(Conversation(session=str(first), turns=read[first : first + 50]))
    return READ / (time.process_time() - start)


if __name__ == "__main__":
    main()
