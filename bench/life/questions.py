"""Asks a memory about its owner and judges the answers: right, stale or missing."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from life.ground_truth import GroundTruth
from life.vocabulary import Trait
from omoide import Memory

KNOWN = ("fact", "preference")
_OTHERS = re.compile(r"\b(?:Ana|Tom|Malik|Ruth|Lantern)\b")


def judge(trait: Trait, truth: GroundTruth, moment: datetime, texts: Iterable[str]) -> str:
    """By the first answer that names any value the trait ever had; where nothing is so, none may be named but the last
    one, as having ended. That something ended before is neither right nor wrong."""
    ever, wanted = truth.ever(trait), truth.at(trait, moment)
    for text in texts:
        if not about(trait.who, text):
            continue
        told = named(ever, _without_ends(trait, text))
        if wanted is None and truth.last(trait, moment) in named(ever, text) - told:
            return "right"
        if told:
            return "right" if wanted in told else "stale"
    return "right" if wanted is None else "missing"


def named(ever: set[str], text: str) -> set[str]:
    return {value for value in ever if re.search(rf"\b{re.escape(value)}\b", text)}


def _without_ends(trait: Trait, text: str) -> str:
    """Returns the text without sentences that say that something ended, as spoken or in the third person."""
    for value in trait.values:
        for end in trait.ends:
            spoken = end.format(v=value).rstrip(".")
            for form in (spoken, _in_third_person(spoken)):
                text = text.replace(form, "")
    return text


def _in_third_person(spoken: str) -> str:
    for mine, theirs in (("I'm", "Otto is"), ("My", "Otto's"), ("I", "Otto")):
        spoken = re.sub(rf"\b{mine}\b", theirs, spoken)
    return spoken


def about(who: str, text: str) -> bool:
    return _OTHERS.search(text) is None if who == "me" else who in text


def ask_all(
    memory: Memory,
    traits: Iterable[Trait],
    truth: GroundTruth,
    moment: datetime,
    *,
    past: bool = False,
    known: bool = True,
) -> tuple[Counter[str], list[float], list[str]]:
    """Returns the verdicts, CPU milliseconds of each recall, and wrong answers. With `past`, as of that moment."""
    verdicts: Counter[str] = Counter()
    took, wrong = [], []
    for trait in traits:
        if not truth.knowable(trait, moment) or (past and truth.at(trait, moment) is None):
            continue
        begun = time.thread_time()
        found = memory.recall(
            trait.asked, at=moment, limit=5, kinds=KNOWN if known else (), as_of=moment if past else None
        )
        took.append(1e3 * (time.thread_time() - begun))
        verdict = judge(trait, truth, moment, found.texts)
        verdicts[verdict] += 1
        if verdict != "right":
            wrong.append(f"{verdict}: {trait.asked} {truth.at(trait, moment)} — {found.texts[:3]}")
    return verdicts, took, wrong
