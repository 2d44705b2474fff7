"""The briefing before a task: what works, what fails, how it is done and how it went before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omoide.recall.context_pack import PackCategory, PackExtras, PackWriter, fit_to_budget
from omoide.recall.pack_markdown import PackSection, line_ids
from omoide.recall.results import Hit, Recall, RecallTrace

_PATTERNS = PackCategory("What works", 0.3, lambda hit: hit.kind == "pattern")
_MISTAKES = PackCategory("Mistakes to avoid", 0.25, lambda hit: hit.kind == "antipattern")
_HOW_TO = PackCategory("How to", 0.15, lambda hit: hit.kind in ("skill", "procedure"))
_PREFERENCES = PackCategory("Preferences", 0.05, lambda hit: hit.kind == "preference")
_SUCCEEDED = PackCategory("Went well before", 0.15, lambda hit: _outcome(hit) == "success")
_FAILED = PackCategory("Failed before", 0.1, lambda hit: _outcome(hit) == "failure")
_OTHER = PackCategory("Known", 0.0, lambda hit: True)  # some recipes find facts and notes too
_CATEGORIES = (_PATTERNS, _MISTAKES, _HOW_TO, _PREFERENCES, _SUCCEEDED, _FAILED, _OTHER)
# Share of the best score among mistakes. Mistakes of other work share a word or two with the task (.17 to .23 of the
# best), mistakes of the same work in other words about a third.
_MISTAKE_FLOOR = 0.26


@dataclass(frozen=True, slots=True, repr=False)
class Briefing:
    """What is known that helps with a task: all hits, best first, the same hits by category, and Markdown.

    It may be empty: nothing similar was done before.
    """

    goal: str
    hits: tuple[Hit, ...]
    patterns: tuple[Hit, ...]
    mistakes: tuple[Hit, ...]
    skills: tuple[Hit, ...]  # and procedures; `hit.node.steps` are their steps
    preferences: tuple[Hit, ...]
    successes: tuple[Hit, ...]
    failures: tuple[Hit, ...]
    markdown: str  # for the prompt: fenced as data, within the budget
    tokens: int
    budget: int
    sections: tuple[PackSection, ...]
    trace: RecallTrace

    @property
    def ids(self) -> list[int]:
        """The ids of the memories in the Markdown, in order."""
        return line_ids(self.sections)

    def __repr__(self) -> str:
        return f"Briefing({self.goal!r}, {len(self.hits)} hits, {self.tokens} of {self.budget} tokens)"

    def __str__(self) -> str:
        return self.markdown


def task_question(goal: str, action_type: str | None, files: Sequence[str]) -> str:
    """The question for a task: its goal, its type and its files."""
    return " ".join([goal, *([action_type] if action_type else []), *files])


def brief_task(goal: str, found: Recall, limit: int, budget: int, writer: PackWriter) -> Briefing:
    """Keep the best `limit` hits of each category, and write those that fit the budget as Markdown."""
    trace = found.trace
    with trace.stage("brief") as notes:
        least = found.query.recipe.pack_floor * max((hit.score for hit in found.hits), default=0.0)
        by = {category.title: _best(found.hits, category, least, limit) for category in _CATEGORIES}
        kept = {hit.id for hits in by.values() for hit in hits}
        hits = tuple(hit for hit in found.hits if hit.id in kept)
        fitted = fit_to_budget(hits, PackExtras(), budget, writer, _CATEGORIES)
        trace.dropped |= fitted.left_out
        notes.append(f"{len(hits)} kept, {fitted.tokens} of {budget} tokens")
    return Briefing(
        goal=goal,
        hits=hits,
        patterns=by[_PATTERNS.title],
        mistakes=by[_MISTAKES.title],
        skills=by[_HOW_TO.title],
        preferences=by[_PREFERENCES.title],
        successes=by[_SUCCEEDED.title],
        failures=by[_FAILED.title],
        markdown=fitted.markdown,
        tokens=fitted.tokens,
        budget=budget,
        sections=fitted.sections,
        trace=trace,
    )


def _best(hits: Sequence[Hit], category: PackCategory, least: float, limit: int) -> tuple[Hit, ...]:
    own = [hit for hit in hits if hit.score >= least and _category(hit) is category]
    if category is _MISTAKES and own:
        own = [hit for hit in own if hit.score >= _MISTAKE_FLOOR * max(each.score for each in own)]
    return tuple(own[:limit])


def _category(hit: Hit) -> PackCategory:
    return next(category for category in _CATEGORIES if category.takes(hit))


def _outcome(hit: Hit) -> str | None:
    outcome = hit.node.attributes.get("outcome") if hit.kind == "episode" else None
    return None if outcome is None else str(outcome)
