"""What is known of an entity in a sentence or two: out of its facts, by a model where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from omoide.domain import Entity, Fact, Node
from omoide.errors import OmoideError
from omoide.learn.learning_context import LearningReport
from omoide.store import LearningTransaction, Store, UnsummarisedEntity

DescribeEntity = Callable[[Entity, Sequence[Node]], str | None]

_PREDICATE_ORDER = (
    "sister_of brother_of mother_of father_of wife_of husband_of spouse_of daughter_of son_of friend_of boss_of "
    "colleague_of works_as works_at lives_in located_in deployed_on"
).split()  # what says who or what it is
_NAME_PREDICATES = frozenset({"name", "called", "nickname"})  # the summary begins with the name
_FACTS_PER_SENTENCE = 3  # facts
_MAX_FACT_CHARACTERS = 400  # characters of a fact: a longer one is no part of a sentence


@dataclass(frozen=True, slots=True)
class EntitySummarizer:
    """Who gets a summary, how many at once, and by what means."""

    least_mentions: int
    batch: int
    describe: DescribeEntity | None = None  # none: the rules, which cost nothing, go on until all have one

    def run(self, store: Store) -> LearningReport:
        report = LearningReport()
        for batch in self.batches(store):
            report.join(batch)
        return report

    def batches(self, store: Store) -> Iterator[LearningReport]:
        """What was told, each time after it was written."""
        while found := store.learning.unsummarised_entities(self.least_mentions, self.batch):
            report = LearningReport()
            told = self._told(found, report)
            if told:
                store.learning.transact(partial(_save_summaries, told=told))
            yield report
            if self.describe is not None or len(found) < self.batch:
                break

    def _told(
        self, found: Sequence[UnsummarisedEntity], report: LearningReport
    ) -> list[tuple[UnsummarisedEntity, str | None]]:
        told: list[tuple[UnsummarisedEntity, str | None]] = []
        for each in found:
            try:
                summary = (self.describe or summarize_entity)(each.entity, each.facts) if each.facts else None
            except OmoideError as error:  # it has none until the next run
                report.notes.append(f"no summary of {each.entity.name}: {error}")
                break
            told.append((each, summary))
            if summary is not None:
                report.add("learned", "summary", summary, why=f"of {each.entity.name}")
        return told


def _save_summaries(pen: LearningTransaction, *, told: Sequence[tuple[UnsummarisedEntity, str | None]]) -> None:
    for each, summary in told:
        pen.tell(each.entity.id, summary, [fact.id for fact in each.facts])


def summarize_entity(entity: Entity, facts: Sequence[Node]) -> str | None:
    """ "Anna is Otto's sister, works as a nurse and lives in Denver.": the words of the facts and no others."""
    names = sorted((entity.name, *entity.aliases, "User"), key=len, reverse=True)
    ranked = sorted((each for each in facts if isinstance(each, Fact)), key=_fact_order)
    said = [
        rest
        for each in ranked
        if each.predicate not in _NAME_PREDICATES and (rest := _predicate_text(each.text, names))
    ]
    parts = [said[start : start + _FACTS_PER_SENTENCE] for start in (0, _FACTS_PER_SENTENCE)]
    return " ".join(f"{entity.name} {_join_with_and(part)}." for part in parts if part) or None


def _fact_order(fact: Fact) -> tuple[int, float, int]:
    place = _PREDICATE_ORDER.index(fact.predicate) if fact.predicate in _PREDICATE_ORDER else len(_PREDICATE_ORDER)
    return place, -fact.confidence, fact.id


def _predicate_text(text: str, names: Sequence[str]) -> str | None:
    """What a fact says after the name of its subject."""
    found = next((text[len(name) + 1 :] for name in names if text.startswith(f"{name} ")), "")
    return found.rstrip(" .!") if len(found) <= _MAX_FACT_CHARACTERS and "\n" not in found else None


def _join_with_and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
