"""Learning across sessions: procedures from repeated actions, and summaries of entities from their facts."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from omoide.clock import to_micros
from omoide.domain import Draft, Entity, Fact, Node, Procedure
from omoide.domain.kinds import step_text
from omoide.domain.node import least_trusted, validate_attributes
from omoide.errors import Busy, CannotWrite, Closed, OmoideError, error_text
from omoide.language import tokens
from omoide.learn.learning_context import NORMAL_IMPORTANCE, LearningReport
from omoide.store import ErasedContentError, LearningTransaction, Store, UnsummarisedEntity

MIN_STEPS = 3
MIN_REPETITIONS = 3
HABIT_DAYS = 14
_HABIT_CONFIDENCE = 0.6  # observed, never stated
_MAX_STEPS = 12  # longer sequences are a day's work, not a procedure
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ObservedAction:
    """One action and the session or task in which it was done."""

    id: int
    text: str
    run: str


@dataclass(frozen=True, slots=True)
class Habit:
    """The steps as worded the last time, and the action ids of each repetition."""

    steps: tuple[str, ...]
    repetitions: tuple[tuple[int, ...], ...]


def find_habits(actions: Sequence[ObservedAction]) -> list[Habit]:
    """The longest action sequences that were repeated often enough. `actions` are in order of time."""
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
    """Sequences of this length that occur often enough without overlap."""
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
    """The text without numbers, case and extra whitespace, by which actions are compared."""
    return " ".join(_NUMBER.sub("#", text.casefold()).split())


def _subsequences(shape: tuple[str, ...]) -> set[tuple[str, ...]]:
    """A sequence and all of its subsequences, which are not learned again."""
    return {shape[i:j] for i in range(len(shape)) for j in range(i + MIN_STEPS, len(shape) + 1)}


def learn_habits(store: Store, decay_rate: float) -> LearningReport:
    """Learn habits of the last two weeks. A habit that is already known gains evidence."""
    found = find_habits([ObservedAction(*each) for each in store.learning.recent_actions(HABIT_DAYS)])
    return (
        store.learning.conclude(lambda transaction: _save_habits(transaction, found, decay_rate))
        if found
        else LearningReport()
    )


def _save_habits(transaction: LearningTransaction, found: Sequence[Habit], decay_rate: float) -> LearningReport:
    report = LearningReport()
    known = {_step_shapes(each.steps): each for each in transaction.procedures(past=True)}
    for habit in found:
        held = known.get(_step_shapes(habit.steps))
        episodes = transaction.episodes([id for repetition in habit.repetitions for id in repetition])
        sources = [(each.id, each.text) for each in episodes.values()]
        if held is None:
            try:
                node = transaction.add(_draft_procedure(habit, list(episodes.values()), decay_rate), *sources)
            except ErasedContentError:
                continue
            report.add("learned", "procedure", node.text, node.id, f"done {len(habit.repetitions)} times")
        elif held.state == "live" and transaction.reaffirm(held, sources[0], _HABIT_CONFIDENCE, *sources[1:]):
            report.add("confirmed", "procedure", held.text, held.id, f"done {len(habit.repetitions)} times")
    return report


def _draft_procedure(habit: Habit, episodes: Sequence[Node], decay_rate: float) -> Draft:
    """A procedure as private and sensitive as the most restricted of its actions."""
    last = max(episodes, key=lambda each: each.event_at)
    text = "Done in this order: " + ", then ".join(habit.steps)
    attributes = {"name": f"{habit.steps[0]} … {habit.steps[-1]}", "steps": list(habit.steps)}
    return Draft(
        kind="procedure",
        text=text,
        event_at=to_micros(last.event_at),
        origin=least_trusted(each.origin for each in episodes),
        source_type="observed",
        attributes=validate_attributes(Procedure, attributes),
        importance=NORMAL_IMPORTANCE,
        confidence=_HABIT_CONFIDENCE,
        decay_rate=Procedure.first_decay_rate(decay_rate),
        token_count=tokens.estimate(text),
        sensitive=any(each.sensitive for each in episodes),
        audience="shared" if all(each.audience == "shared" for each in episodes) else "private",
        key=hashlib.blake2b(json.dumps(["habit", *_step_shapes(habit.steps)]).encode(), digest_size=16).digest(),
    )


def _step_shapes(steps: Sequence[object]) -> tuple[str, ...]:
    return tuple(action_shape(step_text(step)) for step in steps)


# ── entity summaries ──


DescribeEntity = Callable[[Entity, Sequence[Node]], str | None]

_PREDICATE_ORDER = (
    "sister_of brother_of mother_of father_of wife_of husband_of spouse_of daughter_of son_of friend_of boss_of "
    "colleague_of works_as works_at lives_in located_in deployed_on"
).split()  # facts that say who or what it is come first
_NAME_PREDICATES = frozenset({"name", "called", "nickname"})  # the summary starts with the name
_PASSING_FORMS = frozenset({"plan", "event"})  # not who or what it is, and soon over
_FACTS_PER_SENTENCE = 3
_MAX_FACT_CHARACTERS = 120  # longer facts are left out


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
        """The report of each batch, after it was stored. An entity that fails is set aside for a while."""
        more = True
        while more:
            try:
                found, report = store.derive(partial(self._summarize_batch, store, self.batch))
            except (Busy, CannotWrite, Closed):
                raise
            except Exception:  # one of them fails: each for itself
                found, report = self._one_by_one(store)
            yield report
            more = self.describe is None and found == self.batch

    def _one_by_one(self, store: Store) -> tuple[int, LearningReport]:
        report = LearningReport()
        for number in range(self.batch):
            first = store.learning.unsummarised_entities(self.min_mentions, 1)
            if not first:
                return number, report
            try:
                report.join(store.derive(partial(self._summarize_batch, store, 1))[1])
            except (Busy, CannotWrite, Closed):
                raise
            except Exception as error:
                _set_aside(store, first[0], error, report)
        return self.batch, report

    def _summarize_batch(self, store: Store, most: int) -> tuple[int, LearningReport]:
        found, report = store.learning.unsummarised_entities(self.min_mentions, most), LearningReport()
        if summaries := self._summarize(found, report):
            store.learning.conclude(partial(_save_summaries, summaries=summaries))
        return len(found), report

    def _summarize(
        self, found: Sequence[UnsummarisedEntity], report: LearningReport
    ) -> list[tuple[UnsummarisedEntity, str | None]]:
        summaries: list[tuple[UnsummarisedEntity, str | None]] = []
        for each in found:
            try:
                facts = [fact for fact in each.facts if fact.attributes.get("form") not in _PASSING_FORMS]
                summary = (self.describe or summarize_entity)(each.entity, facts) if facts else None
            except OmoideError as error:  # the entity stays without a summary until the next run
                report.notes.append(f"no summary of {each.entity.name}: {error}")
                break
            summaries.append((each, summary))
            if summary is not None:
                report.add("learned", "summary", summary, why=f"of {each.entity.name}")
        return summaries


def _set_aside(store: Store, each: UnsummarisedEntity, error: Exception, report: LearningReport) -> None:
    """The next batches go on without it until its pause is over."""
    item = f"entity {each.entity.id}"
    report.failed[item] = error_text(error)
    store.maintenance.set_aside("enrich", item, report.failed[item])


def _save_summaries(
    transaction: LearningTransaction, *, summaries: Sequence[tuple[UnsummarisedEntity, str | None]]
) -> None:
    for each, summary in summaries:
        transaction.set_entity_summary(each.entity.id, summary, [fact.id for fact in each.facts])


def summarize_entity(entity: Entity, facts: Sequence[Node]) -> str | None:
    """A summary made of the words of the facts: "Anna is Otto's sister, works as a nurse and lives in Denver."."""
    names = sorted((entity.name, *entity.aliases, "User"), key=len, reverse=True)
    ranked = sorted((each for each in facts if isinstance(each, Fact)), key=_fact_order)
    phrases = [
        rest
        for each in ranked
        if each.predicate and each.predicate not in _NAME_PREDICATES and (rest := _predicate_text(each.text, names))
    ]
    parts = [phrases[start : start + _FACTS_PER_SENTENCE] for start in (0, _FACTS_PER_SENTENCE)]
    return " ".join(f"{entity.name} {_join_with_and(part)}." for part in parts if part) or None


def _fact_order(fact: Fact) -> tuple[int, float, int]:
    place = _PREDICATE_ORDER.index(fact.predicate) if fact.predicate in _PREDICATE_ORDER else len(_PREDICATE_ORDER)
    return place, -fact.confidence, fact.id


def _predicate_text(text: str, names: Sequence[str]) -> str | None:
    """The text of a fact after the name of its subject, which may follow a relation: "Otto's sister Anna"."""
    patterns = (re.compile(rf"(?:[\w'’]+ ){{0,4}}?{re.escape(name)} (.+)", re.DOTALL) for name in names)
    found = next((match[1] for pattern in patterns if (match := pattern.fullmatch(text))), "")
    return found.rstrip(" .!") if len(found) <= _MAX_FACT_CHARACTERS and "\n" not in found else None


def _join_with_and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
