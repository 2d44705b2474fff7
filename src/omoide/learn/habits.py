"""What is done again and again in the same order is a procedure, though nobody taught it (Kira-L)."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from omoide.clock import to_micros
from omoide.domain import Draft, Node, Procedure
from omoide.domain.node import validate_attributes
from omoide.language import tokens
from omoide.learn.learning_context import NORMAL_IMPORTANCE, LearningReport
from omoide.store import ErasedContentError, LearningTransaction, Store

MIN_STEPS = 3
MIN_REPETITIONS = 3
HABIT_DAYS = 14
_MAX_STEPS = 12  # a longer run is a day's work, not a procedure
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ObservedAction:
    """One thing that was done, and in which session or task."""

    id: int
    text: str
    run: str


@dataclass(frozen=True, slots=True)
class Habit:
    """Steps in the words of the last time, and the actions that bear them out, one row for each time."""

    steps: tuple[str, ...]
    times: tuple[tuple[int, ...], ...]


def find_habits(actions: Sequence[ObservedAction]) -> list[Habit]:
    """The longest sequences of actions that were done often enough; `actions` are in order of time."""
    runs: dict[str, list[ObservedAction]] = defaultdict(list)
    for action in actions:
        runs[action.run].append(action)
    found: list[Habit] = []
    covered: set[tuple[str, ...]] = set()
    for length in range(_MAX_STEPS, MIN_STEPS - 1, -1):
        for shape, times in sorted(_repeated_sequences(list(runs.values()), length).items()):
            if shape in covered or len(set(shape)) < MIN_STEPS:
                continue
            found.append(Habit(tuple(each.text for each in times[-1]), tuple(tuple(a.id for a in t) for t in times)))
            covered |= _subsequences(shape)
    return found


def _repeated_sequences(
    runs: list[list[ObservedAction]], length: int
) -> dict[tuple[str, ...], list[list[ObservedAction]]]:
    """Sequences of this length that occur often enough without overlapping themselves."""
    seen: dict[tuple[str, ...], list[list[ObservedAction]]] = defaultdict(list)
    free: dict[tuple[str, ...], int] = {}
    for number, run in enumerate(runs):
        for start in range(len(run) - length + 1):
            window = run[start : start + length]
            steps = tuple(action_shape(action.text) for action in window)
            place = number * 1_000_000 + start
            if free.get(steps, -1) <= place:
                seen[steps].append(window)
                free[steps] = place + length
    return {shape: times for shape, times in seen.items() if len(times) >= MIN_REPETITIONS}


def action_shape(text: str) -> str:
    """What makes two actions the same: the words, not the numbers, the case or the blanks."""
    return " ".join(_NUMBER.sub("#", text.casefold()).split())


def _subsequences(shape: tuple[str, ...]) -> set[tuple[str, ...]]:
    """A sequence and everything inside it: who has the whole does not need the half."""
    return {shape[i:j] for i in range(len(shape)) for j in range(i + MIN_STEPS, len(shape) + 1)}


# What was done again and again → procedures that nobody taught, borne out by the actions themselves.


_HABIT_CONFIDENCE = 0.6  # Kira-L: observed, never said


def learn_habits(store: Store, decay_rate: float) -> LearningReport:
    """Looks at the last fortnight. What is seen again is evidence for what is held; nothing new writes nothing."""
    found = find_habits([ObservedAction(*each) for each in store.learning.recent_actions(HABIT_DAYS)])
    return store.learning.transact(lambda pen: _save_habits(pen, found, decay_rate)) if found else LearningReport()


def _save_habits(pen: LearningTransaction, found: Sequence[Habit], decay_rate: float) -> LearningReport:
    report = LearningReport()
    known = {_step_shapes(each.steps): each for each in pen.procedures(past=True)}  # the latest of the same steps
    for habit in found:
        held = known.get(_step_shapes(habit.steps))
        episodes = pen.episodes([id for time in habit.times for id in time])
        sources = [(each.id, each.text) for each in episodes.values()]
        if held is None:
            try:
                node = pen.add(_draft_procedure(habit, list(episodes.values()), decay_rate), *sources)
            except ErasedContentError:
                continue
            report.add("learned", "procedure", node.text, node.id, f"done {len(habit.times)} times")
        elif held.state == "live" and _add_evidence(pen, held, sources):
            report.add("confirmed", "procedure", held.text, held.id, f"done {len(habit.times)} times")
    return report  # one that gave way to another version is not brought back by what was done before


def _add_evidence(pen: LearningTransaction, held: Procedure, sources: Sequence[tuple[int, str]]) -> bool:
    first, *others = sources
    return pen.support(held, first, _HABIT_CONFIDENCE, *others)


def _draft_procedure(habit: Habit, episodes: Sequence[Node], decay_rate: float) -> Draft:
    """Carries the lowest of what its actions carry."""
    last = max(episodes, key=lambda each: each.event_at)
    text = "Done in this order: " + ", then ".join(habit.steps)
    attributes = {"name": f"{habit.steps[0]} … {habit.steps[-1]}", "steps": list(habit.steps)}
    return Draft(
        kind="procedure",
        text=text,
        event_at=to_micros(last.event_at),
        origin="agent" if any(each.origin == "agent" for each in episodes) else "user",
        source_type="observed",
        attributes=validate_attributes(Procedure, attributes),
        importance=NORMAL_IMPORTANCE,
        confidence=_HABIT_CONFIDENCE,
        decay_rate=decay_rate if Procedure.initial_decay_rate is None else Procedure.initial_decay_rate,
        token_count=tokens.estimate(text),
        sensitive=any(each.sensitive for each in episodes),
        audience="shared" if all(each.audience == "shared" for each in episodes) else "private",
        key=hashlib.blake2b(json.dumps(["habit", *_step_shapes(habit.steps)]).encode(), digest_size=16).digest(),
    )


def _step_shapes(steps: Sequence[object]) -> tuple[str, ...]:
    return tuple(action_shape(str(step)) for step in steps)
