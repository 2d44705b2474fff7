"""What was done again and again → procedures that nobody taught, borne out by the actions themselves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from omoide import tokens
from omoide.clock import micros
from omoide.layers import Draft, Node, Procedure
from omoide.layers.attribute import validated
from omoide.learn.habit import DAYS, Action, Habit, habits, shape
from omoide.learn.report import Report
from omoide.learn.scene import NOTABLE
from omoide.store import Forgotten, Pen, Store

_CONFIDENCE = 0.6  # Kira-L: observed, never said


def practise(store: Store, decay_rate: float) -> Report:
    """Looks at the last fortnight. What is seen again is evidence for what is held; nothing new writes nothing."""
    found = habits([Action(*each) for each in store.actions(DAYS)])
    return store.teach(lambda pen: _learn(pen, found, decay_rate)) if found else Report()


def _learn(pen: Pen, found: Sequence[Habit], decay_rate: float) -> Report:
    report = Report()
    known = {_steps(each.steps): each for each in pen.procedures(past=True)}  # the latest of the same steps
    for habit in found:
        held = known.get(_steps(habit.steps))
        episodes = pen.episodes([id for time in habit.times for id in time])
        sources = [(each.id, each.text) for each in episodes.values()]
        if held is None:
            try:
                node = pen.add(_draft(habit, list(episodes.values()), decay_rate), *sources)
            except Forgotten:
                continue
            report.add("learned", "procedure", node.text, node.id, f"done {len(habit.times)} times")
        elif held.state == "live" and _more(pen, held, sources):
            report.add("confirmed", "procedure", held.text, held.id, f"done {len(habit.times)} times")
    return report  # one that gave way to another version is not brought back by what was done before


def _more(pen: Pen, held: Procedure, sources: Sequence[tuple[int, str]]) -> bool:
    first, *others = sources
    return pen.support(held, first, _CONFIDENCE, *others)


def _draft(habit: Habit, episodes: Sequence[Node], decay_rate: float) -> Draft:
    """Carries the lowest of what its actions carry."""
    last = max(episodes, key=lambda each: each.event_at)
    text = "Done in this order: " + ", then ".join(habit.steps)
    attributes = {"name": f"{habit.steps[0]} … {habit.steps[-1]}", "steps": list(habit.steps)}
    return Draft(
        kind="procedure",
        text=text,
        event_at=micros(last.event_at),
        origin="agent" if any(each.origin == "agent" for each in episodes) else "user",
        source_type="observed",
        attributes=validated(Procedure, attributes),
        importance=NOTABLE,
        confidence=_CONFIDENCE,
        decay_rate=decay_rate if Procedure.decay_rate_at_birth is None else Procedure.decay_rate_at_birth,
        token_count=tokens.estimate(text),
        sensitive=any(each.sensitive for each in episodes),
        audience="shared" if all(each.audience == "shared" for each in episodes) else "private",
        key=hashlib.blake2b(json.dumps(["habit", *_steps(habit.steps)]).encode(), digest_size=16).digest(),
    )


def _steps(steps: Sequence[object]) -> tuple[str, ...]:
    return tuple(shape(str(step)) for step in steps)
