"""Before a task: what works, what fails, how it is done and how it went before, for the prompt of whoever does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from omoide.recall.context_pack import (
    FENCE_CLOSE,
    FENCE_OPEN,
    CountTokens,
    PackCandidates,
    PackCategory,
    PackSection,
    fit_to_budget,
    pack_markdown,
    without_last_line,
)
from omoide.recall.results import Hit, Recall
from omoide.recall.trace import RecallTrace

_PATTERNS = PackCategory("What works", 0.3, lambda hit: hit.kind == "pattern")
_MISTAKES = PackCategory("Mistakes to avoid", 0.25, lambda hit: hit.kind == "antipattern")
_HOW_TO = PackCategory("How to", 0.15, lambda hit: hit.kind in ("skill", "procedure"))
_PREFERENCES = PackCategory("Preferences", 0.05, lambda hit: hit.kind == "preference")
_SUCCEEDED = PackCategory("Went well before", 0.15, lambda hit: _outcome(hit) == "success")
_FAILED = PackCategory("Failed before", 0.1, lambda hit: _outcome(hit) == "failure")
_OTHER = PackCategory("Known", 0.0, lambda hit: True)  # Loki's recipe finds facts and notes too
# Of the best score among mistakes: those of other work share a word or two (.17 to .23 of the best), those of the same
# work that are worded differently a third.
_MISTAKE_FLOOR = 0.26
_CATEGORIES = (_PATTERNS, _MISTAKES, _HOW_TO, _PREFERENCES, _SUCCEEDED, _FAILED, _OTHER)


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
    sections: tuple[PackSection, ...]
    trace: RecallTrace

    @property
    def ids(self) -> list[int]:
        """What stands in the markdown, in its order."""
        return [line.id for section in self.sections for line in section.lines if line.id is not None]


def task_question(goal: str, action_type: str | None, files: Sequence[str]) -> str:
    """One question out of all that is known of a task: lessons are found by goal, message and files."""
    return " ".join([goal, *([action_type] if action_type else []), *files])


def brief_task(
    goal: str, found: Recall, limit: int, budget: int, now: datetime, count: CountTokens, floor: float
) -> Briefing:
    """The best of each section, and those that fit the budget as markdown."""
    trace = found.trace
    with trace.stage("brief") as notes:
        least = floor * max((hit.score for hit in found.hits), default=0.0)
        by = {category.title: _best(found.hits, category, least, limit) for category in _CATEGORIES}
        kept = {hit.id for hits in by.values() for hit in hits}
        hits = tuple(hit for hit in found.hits if hit.id in kept)
        room = budget - count(f"{FENCE_OPEN}\n{FENCE_CLOSE}\n")
        sections, left_out = fit_to_budget(
            PackCandidates((), hits, (), found.query.terms), room, now, count, _CATEGORIES
        )
        text = pack_markdown(sections)
        while sections and count(text) > budget:
            sections = without_last_line(sections, left_out)
            text = pack_markdown(sections)
        trace.dropped |= left_out
        tokens = count(text)
        notes.append(f"{len(hits)} kept, {tokens} of {budget} tokens")
    return Briefing(
        goal=goal,
        hits=hits,
        patterns=by[_PATTERNS.title],
        mistakes=by[_MISTAKES.title],
        skills=by[_HOW_TO.title],
        preferences=by[_PREFERENCES.title],
        successes=by[_SUCCEEDED.title],
        failures=by[_FAILED.title],
        markdown=text,
        tokens=tokens,
        budget=budget,
        sections=tuple(sections),
        trace=trace,
    )


def _best(hits: Sequence[Hit], category: PackCategory, least: float, limit: int) -> tuple[Hit, ...]:
    own = [hit for hit in hits if hit.score >= least and _category(hit) is category]
    if category is _MISTAKES and own:
        own = [hit for hit in own if hit.score >= _MISTAKE_FLOOR * max(each.score for each in own)]
    return tuple(hit for _, hit in zip(range(limit), own, strict=False))


def _category(hit: Hit) -> PackCategory:
    return next(category for category in _CATEGORIES if category.takes(hit))


def _outcome(hit: Hit) -> str | None:
    outcome = hit.node.attributes.get("outcome") if hit.kind == "episode" else None
    return None if outcome is None else str(outcome)
