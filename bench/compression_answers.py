"""Measures which answers survive compression: of the gold answers of a session, those that stand in its short form.

    python bench/compression_answers.py FOLDER            every life (JSON, see the lives benchmark) in a folder
    python bench/compression_answers.py FOLDER tomas amara --show

A question counts for a session if one of its turns answers it; a gold item counts if one of its turns contains it. The
short forms are those of maintenance without a language model: `compressed` (a quarter to half of the tokens),
`summary` (of the session, 60 to 120 tokens) and `distilled` (one or two sentences).
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from omoide.language.extractive_summary import SpokenTurn, brief_summary, summarize
from omoide.language.tokens import estimate
from omoide.maintain.compress import compressed_budget, distilled_budget
from omoide.maintain.summaries import SESSION_TOKENS

FORMS: dict[str, Callable[[Sequence[SpokenTurn], int], str]] = {
    "compressed": lambda turns, size: summarize(turns, compressed_budget(size), 2 * compressed_budget(size)).text,
    "summary": lambda turns, size: summarize(turns, SESSION_TOKENS, 2 * SESSION_TOKENS).text,
    "distilled": lambda turns, size: brief_summary(turns, distilled_budget(size)).text,
}


def spoken(session: dict[str, Any]) -> list[SpokenTurn]:
    return [
        SpokenTurn(role, text) for pair in session["turns"] for role, text in zip(("user", "agent"), pair, strict=True)
    ]


def answers(life: dict[str, Any]) -> Iterator[tuple[str, Callable[[str], bool]]]:
    """What each question and each gold item asks of a text."""
    for each in life["ask"]:
        if each["good"]:
            pattern = re.compile(each["good"], re.I)
            yield each["q"], partial(_matches, pattern)
    for each in life["gold"]:
        ways = [[part.lower() for part in way] for way in each["any"]]
        yield each["what"], partial(_has_fragments, ways)


def _matches(pattern: re.Pattern[str], text: str) -> bool:
    return any(map(pattern.search, text.splitlines()))


def _has_fragments(ways: list[list[str]], text: str) -> bool:
    return any(all(part in text.lower() for part in way) for way in ways)


def measure(life: dict[str, Any], show: bool = False) -> dict[str, tuple[int, int, float]]:
    """For each form: answers that stand in it, answers that stood in the turns, tokens per token of the turns."""
    wanted = list(answers(life))
    found = {form: [0, 0, 0] for form in FORMS}
    whole = 0
    for session in life["sessions"]:
        turns = spoken(session)
        size = sum(estimate(turn.text) for turn in turns)
        whole += size
        held = [(what, holds) for what, holds in wanted if any(holds(turn.text) for turn in turns)]
        for form, shorten in FORMS.items():
            text = shorten(turns, size)
            kept = [what for what, holds in held if holds(text)]
            found[form][0] += len(kept)
            found[form][1] += len(held)
            found[form][2] += estimate(text)
            if show and form == "compressed":
                print(f"── {session['id']} ({size} → {estimate(text)} tokens)\n{text}")
                print(*(f"   lost: {what}" for what, _ in held if what not in kept), sep="\n")
    return {form: (kept, held, tokens / whole) for form, (kept, held, tokens) in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("lives", nargs="*")
    parser.add_argument("--show", action="store_true", help="print each short form and what it lost")
    given = parser.parse_args()
    files = [given.folder / f"{name}.json" for name in given.lives] or sorted(given.folder.glob("*.json"))
    total = {form: [0, 0] for form in FORMS}
    for file in files:
        found = measure(json.loads(file.read_text("utf-8")), given.show)
        for form, (kept, held, _) in found.items():
            total[form][0] += kept
            total[form][1] += held
        shown = [f"{form} {kept / held:.2f} ({share:.0%})" for form, (kept, held, share) in found.items()]
        print(f"{file.stem:10}", *shown, sep="  ")
    print(f"{'all':10}", *(f"{form} {kept / held:.2f} of {held}" for form, (kept, held) in total.items()), sep="  ")


if __name__ == "__main__":
    main()
