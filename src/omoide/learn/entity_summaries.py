"""Summarises entities from their facts, with a language model if there is one."""

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
).split()  # facts that say who or what it is come first
_NAME_PREDICATES = frozenset({"name", "called", "nickname"})  # the summary starts with the name
_FACTS_PER_SENTENCE = 3
_MAX_FACT_CHARACTERS = 400  # longer facts are left out


@dataclass(frozen=True, slots=True)
class EntitySummarizer:
    """Which entities are summarised, how many at once, and how."""

    min_mentions: int
    batch: int
    describe: DescribeEntity | None = None  # None: by rules, until every entity has a summary

    def run(self, store: Store) -> LearningReport:
        report = LearningReport()
        for batch in self.batches(store):
            report.join(batch)
        return report

    def batches(self, store: Store) -> Iterator[LearningReport]:
        """The report of each batch, after it was stored."""
        while found := store.learning.unsummarised_entities(self.min_mentions, self.batch):
            report = LearningReport()
            summaries = self._summarize(found, report)
            if summaries:
                store.learning.transact(partial(_save_summaries, summaries=summaries))
            yield report
            if self.describe is not None or len(found) < self.batch:
                break

    def _summarize(
        self, found: Sequence[UnsummarisedEntity], report: LearningReport
    ) -> list[tuple[UnsummarisedEntity, str | None]]:
        summaries: list[tuple[UnsummarisedEntity, str | None]] = []
        for each in found:
            try:
                summary = (self.describe or summarize_entity)(each.entity, each.facts) if each.facts else None
            except OmoideError as error:  # the entity stays without a summary until the next run
                report.notes.append(f"no summary of {each.entity.name}: {error}")
                break
            summaries.append((each, summary))
            if summary is not None:
                report.add("learned", "summary", summary, why=f"of {each.entity.name}")
        return summaries


def _save_summaries(
    transaction: LearningTransaction, *, summaries: Sequence[tuple[UnsummarisedEntity, str | None]]
) -> None:
    for each, summary in summaries:
        transaction.set_entity_summary(each.entity.id, summary, [fact.id for fact in each.facts])


def summarize_entity(entity: Entity, facts: Sequence[Node]) -> str | None:
    """A summary made of the words of the facts: "Anna is Otto's sister, works as a nurse and lives in Denver."."""
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
    """The text of a fact after the name of its subject."""
    found = next((text[len(name) + 1 :] for name in names if text.startswith(f"{name} ")), "")
    return found.rstrip(" .!") if len(found) <= _MAX_FACT_CHARACTERS and "\n" not in found else None


def _join_with_and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
