"""Synthetic conversations with realistic statistics: Zipf-distributed words, short turns, sessions. Seeded."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

_START = datetime(2024, 1, 1, 8, tzinfo=UTC)
_VOCABULARY = 30_000
_TURNS_PER_SESSION = 20
_SYLLABLES = """
    ba be bi bo bu da de di do du fa fe ga go ha he ka ki ko la le li lo ma me mi mo na ne no
    pa pe po ra re ri ro sa se so ta te ti to va vi wa we zo
""".split()


def vocabulary(seed: int = 1) -> list[str]:
    """Returns distinct words of two to five syllables, the most frequent first."""
    chance = random.Random(seed)
    words: dict[str, None] = {}
    while len(words) < _VOCABULARY:
        words["".join(chance.choices(_SYLLABLES, k=chance.choice((2, 2, 3, 3, 4, 5))))] = None
    return list(words)


def turns(count: int, seed: int = 2) -> Iterator[dict[str, Any]]:
    """Yields turns of 5 to 40 words, twenty per session, one minute apart."""
    chance = random.Random(seed)
    words = vocabulary()
    weights = [1 / (rank + 10) for rank in range(len(words))]
    total = 0.0
    cumulative = [total := total + weight for weight in weights]
    for number in range(count):
        text = " ".join(chance.choices(words, cum_weights=cumulative, k=chance.randint(5, 40)))
        session = number // _TURNS_PER_SESSION
        yield {
            "text": text.capitalize() + ".",
            "role": "user" if number % 2 == 0 else "agent",
            "speaker": "Anna" if number % 2 == 0 else None,
            "session": f"s{session}",
            "at": _START + timedelta(hours=6 * session, minutes=number % _TURNS_PER_SESSION),
        }


def questions(count: int, seed: int = 3) -> list[str]:
    """Returns questions of four to eight words from the same distribution."""
    chance = random.Random(seed)
    words = vocabulary()
    weights = [1 / (rank + 30) for rank in range(len(words))]
    return [" ".join(chance.choices(words, weights=weights, k=chance.randint(4, 8))) + "?" for _ in range(count)]


def asked_of(texts: list[str], seed: int = 7) -> list[str]:
    """Returns a question for each text: two of its words and three unrelated ones.

    With 100,000 turns, words alone find 60 %, the noisy vector alone 40 %; both are needed.
    """
    chance = random.Random(seed)
    words = vocabulary()
    weights = [1 / (place + 30) for place in range(len(words))]
    asked = []
    for text in texts:
        told = chance.sample(text.lower().rstrip(".").split(), 2)
        beside = chance.choices(words, weights=weights, k=3)
        asked.append(" ".join(chance.sample([*told, *beside], 5)) + "?")
    return asked
