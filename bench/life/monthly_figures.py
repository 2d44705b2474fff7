"""Figures of one month: counts, bytes, correct answers, cost of a question."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from datetime import datetime
from typing import Any

from life.days import START
from life.questions import ask_all
from life.simulation import LifeSimulation
from metrics import quantile
from omoide.history import Version

SHOWN = 50  # turns compared verbatim each month; all at the end


def monthly_row(living: LifeSimulation, moment: datetime, number: int) -> dict[str, Any]:
    """One line of the result; `moment` is the morning on which it is drawn. A sixth of all questions in turn."""
    memory, truth, traits = living.memory, living.life.truth, living.life.traits[number % 6 :: 6]
    chance = random.Random(f"{moment:%Y%m%d}")
    facts, _, stale_facts = ask_all(memory, traits, truth, moment)
    everyday, took, _ = ask_all(memory, traits, truth, moment, known=False)
    past = START + chance.uniform(0.05, 0.95) * (moment - START)
    then, _, _ = ask_all(memory, traits, truth, past.replace(hour=12), past=True)
    stats, account = memory.stats(), memory.admin.id_states()
    return {
        "at": f"{moment:%Y-%m-%d}",
        "turns": len(living.told),
        "words": sum(len(each.text.split()) for each in living.told.values()),
        "live": account.live,
        "superseded": account.superseded,
        "archived": account.archived,
        "withdrawn": account.withdrawn,
        "erased": account.erased,
        "lost": account.lost,
        "kinds": stats.by_kind,
        "entities": stats.entities,
        "tokens": stats.tokens,
        "bytes": os.path.getsize(memory.path),
        "facts": dict(facts),
        "everyday": dict(everyday),
        "past": dict(then),
        "archive": _found_in_archive(living, chance),
        "not_verbatim": not_verbatim(living, chance.sample(sorted(living.told), min(SHOWN, len(living.told)))),
        "recall_ms": quantile(took, 0.5),
        "night_ms": 1e3 * living.night_cpu / max(1, living.nights_run),
        "nights": living.nights_run,
        "wrong": stale_facts[:8],
    }


def not_verbatim(living: LifeSimulation, ids: list[int]) -> int:
    """Returns how many of these turns are not returned verbatim."""
    return sum(living.memory.get(id).text != living.told[id].text for id in ids)


def _found_in_archive(living: LifeSimulation, chance: random.Random) -> dict[str, int]:
    """Whether an old turn, mostly archived, is found by its own words: itself, or the memory that tells it shorter."""
    found: Counter[str] = Counter()
    for id in chance.sample(sorted(living.told), min(3, len(living.told))):
        told = living.told[id]
        if len(re.findall(r"\w+", told.text)) < 4:  # greetings repeat often
            continue
        recall = living.memory.recall(told.text, limit=10)
        shorter = recall.trace.dropped.get(id, "").startswith("told shorter by")
        found["found" if shorter or any(told.text in text for text in recall.texts) else "missed"] += 1
    return dict(found)


def history_coverage(living: LifeSimulation) -> tuple[int, int]:
    """Of all values that are over and were not forgotten, how many does the history of their entity, or of what is
    wished for now, still tell."""
    told = total = 0
    truth = living.life.truth
    for trait in living.life.traits:
        name = "Otto" if trait.who == "me" else trait.who
        versions = [each for each in living.memory.history(name) if isinstance(each, Version)]
        for hit in living.memory.recall(trait.asked, limit=3, kinds=["preference"]):
            versions += living.memory.history(hit.id)
        texts = " ".join(each.node.text for each in versions)
        for span in truth.spans.get(trait.name, ()):
            if span.until is not None and truth.knowable(trait, span.since):
                total += 1
                told += span.value in texts
    return told, total
