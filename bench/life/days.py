"""Generates days: most with one or two conversations. The same seed gives the same life."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from life import vocabulary
from life.ground_truth import GroundTruth
from life.vocabulary import Trait

START = datetime(2030, 1, 1, tzinfo=UTC)
TALKS = 0.25  # share of days with conversations
QUIET = 0.04  # share of weeks without any
YEAR = 365.25  # days


@dataclass(frozen=True, slots=True)
class Conversation:
    """One session: its name, and its turns as observe() takes them."""

    name: str
    turns: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Day:
    """The conversations of one day."""

    number: int
    at: datetime
    talks: tuple[Conversation, ...] = ()


@dataclass(slots=True)
class Life:
    """Generates one day at a time; `truth` is the ground truth of the last day."""

    seed: int = 1
    truth: GroundTruth = field(default_factory=GroundTruth)
    traits: tuple[Trait, ...] = field(default_factory=vocabulary.traits)
    _due: dict[str, float] = field(default_factory=dict)  # the day of the next change of a trait
    _errands: list[str] = field(default_factory=list)

    def days(self, count: int) -> Iterator[Day]:
        chance = random.Random(self.seed)
        for number, trait in enumerate(self.traits):  # most traits are mentioned in the first weeks
            self._due[trait.name] = 1.0 + 3 * number
        quiet = False
        for number in range(count):
            at = START + timedelta(days=number)
            if number % 7 == 0:
                quiet = chance.random() < QUIET and number > 30
            yield Day(number, at, () if quiet else tuple(self._talks(number, at, chance)))

    def _talks(self, number: int, day: datetime, chance: random.Random) -> Iterator[Conversation]:
        if number == 0:
            yield _talk(
                day, 9, ["user: My name is Otto.", "user: My birthday is on May 3rd.", "agent: Nice to meet you!"]
            )
        elif chance.random() < TALKS:
            hour = chance.randrange(6, 21)
            yield _talk(day, hour, [*self._said(number, day + timedelta(hours=hour), chance)])
            if chance.random() < 0.06:
                yield _trace(day, min(22, hour + 1), chance)

    def _said(self, number: int, at: datetime, chance: random.Random) -> Iterator[str]:
        yield f"user: {_filled(chance.choice(vocabulary.SMALL_TALK), chance)}"
        due = [trait for trait in self.traits if self._due[trait.name] <= number]
        for trait in due[:2]:
            yield f"user: {self._changed(trait, number, at, chance)}"
            yield f"agent: {chance.choice(vocabulary.REPLIES)}"
        roll = chance.random()
        if roll < 0.22:
            yield from self._again(at, chance)
        elif roll < 0.42:
            asked, answer = chance.choice(vocabulary.QUESTIONS)
            yield f"user: {_filled(asked, chance)}"
            if answer is not None:
                yield f"agent: {_filled(answer, chance)}"
        elif roll < 0.55:
            yield self._errand(chance)
        elif roll < 0.62:
            yield f"user: {_filled(chance.choice(vocabulary.STRAY), chance)}"
        elif roll < 0.66:
            yield f"user: {chance.choice(['I love', 'I really enjoy', 'I hate'])} {chance.choice(vocabulary.HOBBIES)}."
        else:
            yield f"agent: {chance.choice(vocabulary.REPLIES)}"
        for _ in range(chance.choice((0, 0, 1, 1, 2))):
            yield f"user: {_filled(chance.choice(vocabulary.SMALL_TALK), chance)}"

    def _changed(self, trait: Trait, number: int, at: datetime, chance: random.Random) -> str:
        """Changes a trait and mentions the change, since a memory can only know what was said."""
        now = self.truth.at(trait, at)
        if now is not None and trait.ends:
            self.truth.ended(trait, at)
            self._due[trait.name] = number + chance.expovariate(1 / (trait.apart * YEAR))
            return chance.choice(trait.ends).format(v=now)
        fresh = [value for value in trait.values if value not in self.truth.ever(trait)]
        value = chance.choice(fresh or [value for value in trait.values if value != now])
        self.truth.told(trait, value, at)
        self._due[trait.name] = number + max(60, chance.gauss(trait.years, trait.years / 3) * YEAR)
        forms = trait.replaced if now is not None and trait.replaced else trait.told
        return chance.choice(forms).format(v=value, old=now)

    def _again(self, at: datetime, chance: random.Random) -> Iterator[str]:
        """Repeats an earlier statement in passing."""
        held = [(trait, value) for trait in self.traits if (value := self.truth.at(trait, at)) is not None]
        if held:
            trait, value = chance.choice(held)
            self.truth.again(trait, at)
            yield f"user: {chance.choice(trait.again).format(v=value)}"

    def _errand(self, chance: random.Random) -> str:
        if self._errands and chance.random() < 0.6:
            verb, _, rest = self._errands.pop(0).partition(" ")
            return f"user: I {vocabulary.DONE[verb]} {rest}."
        errand = chance.choice([each for each in vocabulary.ERRANDS if each not in self._errands] or vocabulary.ERRANDS)
        self._errands.append(errand)
        return f"user: I need to {errand} this week."


def _talk(day: datetime, hour: int, lines: list[str]) -> Conversation:
    turns = []
    for number, line in enumerate(lines):
        role, _, text = line.partition(": ")
        at = day + timedelta(hours=hour, seconds=40 * number)
        turns.append({"text": text, "role": role, "at": at, **({"speaker": "Otto"} if role == "user" else {})})
    return Conversation(f"{day:%Y-%m-%d}", tuple(turns))


def _trace(day: datetime, hour: int, chance: random.Random) -> Conversation:
    """A task of an agent: actions and outcome."""
    task, at = f"deploy {day:%y%m%d}", day + timedelta(hours=hour)
    ok = chance.random() < 0.8
    said = (
        ("agent", "action", "Run the tests of Lantern", None),
        ("tool:shell", "action", f"{chance.randrange(80, 400)} passed in {chance.randrange(3, 60)} s", "success"),
        ("agent", "action", "Deploy Lantern", None),
        (
            "tool:shell",
            "action",
            "Deployed" if ok else "error: the host did not answer",
            "success" if ok else "failure",
        ),
    )
    turns = [
        {
            "text": text,
            "role": role,
            "type": type,
            "outcome": outcome,
            "task": task,
            "at": at + timedelta(seconds=20 * n),
        }
        for n, (role, type, text, outcome) in enumerate(said)
    ]
    return Conversation(f"{day:%Y-%m-%d} {task}", tuple(turns))


def _filled(line: str, chance: random.Random) -> str:
    thing, weather = chance.choice(vocabulary.THINGS), chance.choice(vocabulary.WEATHER)
    return line.format(
        weather=weather,
        weather_=weather.removeprefix("a "),
        food=chance.choice(vocabulary.FOODS),
        show=chance.choice(vocabulary.SHOWS),
        thing=thing,
        thing_=thing[:1].upper() + thing[1:],
        mood=chance.choice(vocabulary.MOODS),
        minutes=chance.randrange(2, 60),
        city=chance.choice(vocabulary.CITIES),
        firm=chance.choice(vocabulary.FIRMS),
    )
