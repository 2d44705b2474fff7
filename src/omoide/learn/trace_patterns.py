"""Learns patterns and anti-patterns from task traces, one transaction per cluster of similar tasks."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from omoide.clock import to_datetime
from omoide.domain import Draft, Node, kind_of
from omoide.domain.node import validate_attributes
from omoide.language import tokens
from omoide.learn.across_sessions import action_shape
from omoide.learn.learning_context import NORMAL_IMPORTANCE, LearningReport
from omoide.learn.trace_lessons import (
    MIN_PATTERN_CONFIDENCE,
    TraceLesson,
    error_trigger,
    make_antipattern,
    make_pattern,
    search_tags,
)
from omoide.learn.trace_similarity import (
    TaskError,
    TaskStatistics,
    assign_clusters,
    content_stems,
    matches_lesson,
    resolved_errors,
    word_overlap,
)
from omoide.store import ErasedContentError, LearningTransaction, NodeFilter, Store, TaskTrace, TextChange

_MAX_TRACES = 5_000  # the latest traces, with which new ones are compared
_MAX_MEMBERS = 50  # the latest members of a cluster
_DUPLICATE_OVERLAP = 0.7  # of the words of two approaches that make them one pattern
_GOAL_OVERLAP = 0.3  # of the common goal words that two duplicate patterns must share
_MAX_TAGS = 60  # goals and files by which an anti-pattern is found
_UNSUPPORTED_CONFIDENCE = 0.5  # at most, for a pattern that its cluster no longer supports


def consolidate_traces(store: Store, decay_rate: float) -> LearningReport:
    """Learn from traces that were not learned from yet. Running it again changes nothing."""
    report = LearningReport()
    store.derive(lambda: _consolidate(store, decay_rate, report))
    return report


def _consolidate(store: Store, decay_rate: float, report: LearningReport) -> None:
    if not store.learning.unlearned_trace_count():
        return
    traces = store.learning.read_traces(_MAX_TRACES)
    cluster_of = assign_clusters(traces)
    groups: dict[int, list[TaskTrace]] = defaultdict(list)
    for trace in traces:
        groups[trace.cluster if trace.cluster is not None else cluster_of[trace.id]].append(trace)
    known = _KnownLessons(store, {trace.id: trace for trace in traces}, TaskStatistics(groups), decay_rate)
    for cluster, members in groups.items():
        new = [trace for trace in members if trace.id in cluster_of]
        if new:
            apply = _ClusterLearner(known, members[-_MAX_MEMBERS:], new)
            done = store.learning.learn_cluster(cluster, [trace.id for trace in new], apply)
            report.join(done or LearningReport())


class _KnownLessons:
    """What all clusters of a run share: the traces and the stored lessons."""

    def __init__(
        self, store: Store, traces: Mapping[int, TaskTrace], statistics: TaskStatistics, decay_rate: float
    ) -> None:
        self.traces = traces
        self.statistics = statistics
        self.decay_rate = decay_rate
        self.patterns: dict[int, tuple[object, frozenset[str]]] = {}
        self.antipatterns: dict[str, list[int]] = defaultdict(list)  # by error type
        for kind in ("antipattern", "pattern"):
            for node in store.nodes.fetch(
                sorted(store.search.matching(NodeFilter(kinds=(kind,)), _MAX_TRACES))
            ).values():
                self.hold(node)

    def hold(self, node: Node) -> None:
        if node.kind == "pattern":
            self.patterns[node.id] = (_labels(node), _approach_words(node.attributes))
        else:
            self.antipatterns[action_shape(str(node.attributes.get("what_fails") or ""))].append(node.id)


@dataclass(slots=True)
class _ClusterLearner:
    """Learns from one cluster. Called with the transaction in which its traces are marked as learned."""

    known: _KnownLessons
    members: Sequence[TaskTrace]  # of the cluster, old and new
    new: Sequence[TaskTrace]
    report: LearningReport = field(default_factory=LearningReport)

    def __call__(self, transaction: LearningTransaction) -> LearningReport:
        self.report = LearningReport()
        self._learn_pattern(transaction)
        for trace in self.new:
            for error in resolved_errors(trace):
                self._learn_antipattern(transaction, error)
        return self.report

    # ── patterns ──

    def _learn_pattern(self, transaction: LearningTransaction) -> None:
        found = self._make_pattern(self.members)
        held = self._held_pattern(transaction.learned_from([each.id for each in self.members], "pattern"), found)
        if held is not None:
            current = transaction.current_version(held.id)
            if current is not None:  # an archived one comes back, since the work recurs; an erased one does not
                self._add_evidence(transaction, current, self._members_of(transaction, current))
        elif found is not None and found.confidence >= MIN_PATTERN_CONFIDENCE:
            duplicate = self._find_duplicate(transaction, found)
            if duplicate is not None:
                self._add_evidence(transaction, duplicate, self._members_of(transaction, duplicate))
                return
            try:
                node = transaction.add(
                    self._draft(transaction, "pattern", found), *((each.id, each.goal) for each in found.sources)
                )
            except ErasedContentError:
                return
            self.known.hold(node)
            self.report.add("learned", "pattern", node.text, node.id, f"in {len(found.sources)} traces")

    @staticmethod
    def _held_pattern(held: Sequence[Node], found: TraceLesson | None) -> Node | None:
        """The pattern learned from this cluster, or of those that were told about it the one that says the same."""
        learned = [each for each in held if each.source_type == _SOURCE_TYPE]
        if learned or len(held) < 2:
            return (learned or [*held])[-1] if held else None
        own = _approach_words(found.attributes) if found is not None else frozenset()
        fits = [(word_overlap(own, _approach_words(each.attributes)), each) for each in held]
        best = max(fits, key=lambda each: each[0])
        return best[1] if best[0] >= _DUPLICATE_OVERLAP else None

    def _make_pattern(self, members: Sequence[TaskTrace]) -> TraceLesson | None:
        return make_pattern(members, self.known.statistics)

    def _members_of(self, transaction: LearningTransaction, held: Node) -> list[TaskTrace]:
        """The traces that support a pattern: its sources and the members of this cluster."""
        ids = dict.fromkeys((*transaction.sources(held.id), *(each.id for each in self.members)))
        found = (self.known.traces.get(id) for id in ids)
        return sorted((each for each in found if each is not None), key=lambda each: each.number)[-_MAX_MEMBERS:]

    def _find_duplicate(self, transaction: LearningTransaction, found: TraceLesson) -> Node | None:
        """The same pattern for the same goals, learned from another cluster."""
        own, labels = _approach_words(found.attributes), self.members[0].labels
        goals = _goal_words(found.sources)
        for id, (theirs, words) in self.known.patterns.items():
            if theirs == labels and word_overlap(own, words) >= _DUPLICATE_OVERLAP:
                held = transaction.current_version(id)
                if held is None or held.kind != "pattern" or _labels(held) != labels:
                    continue
                sources = [self.known.traces[each] for each in transaction.sources(id) if each in self.known.traces]
                if word_overlap(goals, _goal_words(sources)) >= _GOAL_OVERLAP:
                    return held
        return None

    # ── anti-patterns ──

    def _learn_antipattern(self, transaction: LearningTransaction, error: TaskError) -> None:
        draft = self._draft(transaction, "antipattern", self._make_antipattern([error]), *error.shape)
        held = self._find_antipattern(transaction, error)
        if held is None:
            try:
                node = transaction.add(draft, self._source(error))
            except ErasedContentError:  # erased on request: it is not learned again
                return
            # an existing key returns the node that was learned elsewhere
            self._bind(transaction, node, error)
            self.known.hold(node)
            if transaction.sources(node.id) == [error.trace.id]:
                self.report.add("learned", "antipattern", node.text, node.id, error.trace.goal)
                return
            held = transaction.current_version(node.id)
        if held is not None:
            transaction.add_evidence(held.id, self._source(error))
            self._bind(transaction, held, error)
            met = self._occurrences(transaction, held, error)
            self._update(transaction, held, self._make_antipattern(met), f"met {len(met)} times")

    @staticmethod
    def _bind(transaction: LearningTransaction, node: Node, error: TaskError) -> None:
        """Bind the lesson to its error, so that it is shown when the error occurs again."""
        met = error_trigger(error)
        if met is not None:
            transaction.bind(node.id, met)

    def _make_antipattern(self, met: Sequence[TaskError]) -> TraceLesson:
        return make_antipattern(met, self.known.statistics.is_incidental(met[0]))

    def _find_antipattern(self, transaction: LearningTransaction, error: TaskError) -> Node | None:
        """The stored lesson about the same error from this cluster.

        For a task without similar ones, lessons of all clusters count if the error message is specific.
        """
        near = [each.id for each in transaction.learned_from([each.id for each in self.members], "antipattern")]
        alone = len(self.members) == 1 and error_trigger(error) is not None
        far = self.known.antipatterns.get(action_shape(error.type), ()) if alone else ()
        for id in dict.fromkeys((*near, *far)):
            current = transaction.current_version(id)
            held = transaction.episodes([id]).get(id)
            if current is None or held is None or (id not in near and _labels(current) != error.trace.labels):
                continue
            told = held.attributes
            if matches_lesson(error, told["what_fails"], told["why"], told["prevention"]):
                return current
        return None

    def _occurrences(self, transaction: LearningTransaction, held: Node, error: TaskError) -> list[TaskError]:
        """All occurrences of an error in the source traces, those worded like the lesson first."""
        told = held.attributes
        occurrences = [
            each
            for id in sorted({*transaction.sources(held.id), error.trace.id})
            if (trace := self.known.traces.get(id)) is not None
            for each in resolved_errors(trace)
            if matches_lesson(each, told["what_fails"], told["why"], told["prevention"])
        ]
        own = (told["what_fails"], told["why"], told["prevention"])
        occurrences.sort(key=lambda each: (each.type, each.message, each.resolution) != own)
        return occurrences[-_MAX_MEMBERS:] if len(occurrences) > _MAX_MEMBERS else occurrences or [error]

    @staticmethod
    def _source(error: TaskError) -> tuple[int, str]:
        return error.trace.id, error.words

    # ── both kinds ──

    def _add_evidence(self, transaction: LearningTransaction, held: Node, members: Sequence[TaskTrace]) -> None:
        """Add evidence to a stored pattern, or lower its confidence if the cluster no longer supports it."""
        found = self._make_pattern(members)
        if found is None:
            if (
                held.source_type == _SOURCE_TYPE
                and held.confirmed_at is None
                and held.confidence > _UNSUPPORTED_CONFIDENCE
            ):
                transaction.update(held.id, TextChange(), {"confidence": _UNSUPPORTED_CONFIDENCE})
            return
        new = [each for each in found.sources if transaction.add_evidence(held.id, (each.id, each.goal))]
        if new:
            self._update(transaction, held, found, f"in {len(found.sources)} traces")

    def _update(self, transaction: LearningTransaction, held: Node, found: TraceLesson, why: str) -> None:
        """Update confidence and text of a lesson. Text that a person edited stays."""
        edited = (
            held.kind not in ("pattern", "antipattern")
            or transaction.is_edited(held.id)
            or held.source_type != _SOURCE_TYPE
        )
        fields = {name: value for name, value in held.attributes.items() if value not in (None, ())}
        if not edited:
            fields |= {name: value for name, value in found.attributes.items() if name in ("conditions", "category")}
            if held.kind == "pattern":
                fields |= found.attributes
        if held.kind == "pattern":
            fields |= {
                "usage_count": int(fields.get("usage_count", 0)) + 1,
                "last_used": to_datetime(transaction.now).isoformat(),
            }
        sure = held.confidence if held.confirmed_at is not None else found.confidence
        tags = self._found_by(held, found)
        size = tokens.estimate(found.text)
        words = TextChange(tags=tags) if edited else TextChange(text=found.text, token_count=size, tags=tags)
        values = {"attributes": validate_attributes(kind_of(held.kind), fields), "confidence": sure}
        transaction.update(held.id, words, values)
        self.report.add("confirmed", held.kind, held.text, held.id, why)

    def _found_by(self, held: Node, found: TraceLesson) -> Sequence[str] | None:
        """Tags of an anti-pattern that was not learned from traces, with goals and files of the traces that met it."""
        if held.kind != "antipattern" or held.source_type == _SOURCE_TYPE or len(held.tags) >= _MAX_TAGS:
            return None
        new = search_tags(found.sources) if found.is_specific else ()
        return [*held.tags, *(each for each in new if each not in held.tags and each not in held.text)]

    def _draft(self, transaction: LearningTransaction, kind: str, found: TraceLesson, *key: str) -> Draft:
        """A draft with the labels of its traces, which are the same within a cluster."""
        origin, sensitive, audience = self.members[0].labels
        own = key or (str(self.members[0].id),)
        return Draft(
            kind=kind,
            text=found.text,
            event_at=transaction.now,
            origin=origin,
            source_type=_SOURCE_TYPE,
            attributes=validate_attributes(kind_of(kind), found.attributes),
            importance=NORMAL_IMPORTANCE,
            confidence=found.confidence,
            decay_rate=kind_of(kind).first_decay_rate(self.known.decay_rate),
            token_count=tokens.estimate(found.text),
            sensitive=sensitive,
            audience=audience,
            key=_lesson_key(kind, origin, str(sensitive), audience, *own),
        )


_SOURCE_TYPE = "consolidation"


def _labels(node: Node) -> tuple[str, bool, str]:
    return node.origin, node.sensitive, node.audience


def _approach_words(attributes: Mapping[str, Any]) -> frozenset[str]:
    """The words of the correct and the incorrect approach of a pattern."""
    return content_stems(attributes.get("correct_approach") or "", attributes.get("incorrect_approach") or "")


def _goal_words(traces: Sequence[TaskTrace]) -> frozenset[str]:
    """The words that occur in at least half of the goals."""
    counts = Counter(word for each in traces for word in content_stems(each.goal))
    return frozenset(word for word, count in counts.items() if 2 * count >= len(traces))


def _lesson_key(*parts: str) -> bytes:
    """The idempotency key of a lesson."""
    return hashlib.blake2b(json.dumps(["traces", *parts]).encode(), digest_size=16).digest()
