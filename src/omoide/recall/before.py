"""Before a task: what works, what fails, how it is done and how it went before, for the prompt of whoever does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from omoide.recall.fit import Candidates, Category, Counter, Section, fit
from omoide.recall.hit import Hit, Recall
from omoide.recall.inject import CLOSE, OPEN, markdown
from omoide.recall.pack import without_last
from omoide.recall.trace import Trace

_PATTERNS = Category("What works", 0.3, lambda hit: hit.kind == "pattern")
_MISTAKES = Category("Mistakes to avoid", 0.25, lambda hit: hit.kind == "antipattern")
_HOW_TO = Category("How to", 0.15, lambda hit: hit.kind in ("skill", "procedure"))
_WISHES = Category("Preferences", 0.05, lambda hit: hit.kind == "preference")
_WELL = Category("Went well before", 0.15, lambda hit: _ended(hit) == "success")
_BADLY = Category("Failed before", 0.1, lambda hit: _ended(hit) == "failure")
_ELSE = Category("Known", 0.0, lambda hit: True)  # Loki's recipe finds facts and notes too
# Of the best score among mistakes: those of other work share a word or two (.17 to .23 of the best), those of the same
# work that are worded differently a third.
_LEAST_MISTAKE = 0.26
_CATEGORIES = (_PATTERNS, _MISTAKES, _HOW_TO, _WISHES, _WELL, _BADLY, _ELSE)


@dataclass(frozen=True, slots=True)
class Briefing:
    """What memory has to say before a task. `hits` are all of it, best first; the others are the same by what they are.

    An empty one is an answer: nothing like it was done before.
    """

    goal: str
    hits: tuple[Hit, ...]
    patterns: tuple[Hit, ...]
    mistakes: tuple[Hit, ...]
    skills: tuple[Hit, ...]  # and procedures; `hit.node.steps` are their steps
    preferences: tuple[Hit, ...]
    successes: tuple[Hit, ...]
    failures: tuple[Hit, ...]
    markdown: str  # for the prompt: quoted as data, within the budget
    tokens: int
    budget: int
    sections: tuple[Section, ...]
    trace: Trace

    @property
    def ids(self) -> list[int]:
        """What stands in the markdown, in its order."""
        return [line.id for section in self.sections for line in section.lines if line.id is not None]


def asked(goal: str, action_type: str | None, files: Sequence[str]) -> str:
    """One question out of all that is known of a task: lessons are found by goal, message and files."""
    return " ".join([goal, *([action_type] if action_type else []), *files])


def brief(goal: str, found: Recall, limit: int, budget: int, now: datetime, count: Counter, floor: float) -> Briefing:
    """The best of each section, and those that fit the budget as markdown."""
    trace = found.trace
    with trace.stage("brief") as notes:
        least = floor * max((hit.score for hit in found.hits), default=0.0)
        by = {category.title: _best(found.hits, category, least, limit) for category in _CATEGORIES}
        kept = {hit.id for hits in by.values() for hit in hits}
        hits = tuple(hit for hit in found.hits if hit.id in kept)
        room = budget - count(f"{OPEN}\n{CLOSE}\n")
        sections, left_out = fit(Candidates((), hits, (), found.query.terms), room, now, count, _CATEGORIES)
        text = markdown(sections)
        while sections and count(text) > budget:
            sections = without_last(sections, left_out)
            text = markdown(sections)
        trace.dropped |= left_out
        tokens = count(text)
        notes.append(f"{len(hits)} kept, {tokens} of {budget} tokens")
    return Briefing(
        goal=goal,
        hits=hits,
        patterns=by[_PATTERNS.title],
        mistakes=by[_MISTAKES.title],
        skills=by[_HOW_TO.title],
        preferences=by[_WISHES.title],
        successes=by[_WELL.title],
        failures=by[_BADLY.title],
        markdown=text,
        tokens=tokens,
        budget=budget,
        sections=tuple(sections),
        trace=trace,
    )


def _best(hits: Sequence[Hit], category: Category, least: float, limit: int) -> tuple[Hit, ...]:
    own = [hit for hit in hits if hit.score >= least and _category(hit) is category]
    if category is _MISTAKES and own:
        own = [hit for hit in own if hit.score >= _LEAST_MISTAKE * max(each.score for each in own)]
    return tuple(hit for _, hit in zip(range(limit), own, strict=False))


def _category(hit: Hit) -> Category:
    return next(category for category in _CATEGORIES if category.takes(hit))


def _ended(hit: Hit) -> str | None:
    outcome = hit.node.attributes.get("outcome") if hit.kind == "episode" else None
    return None if outcome is None else str(outcome)
