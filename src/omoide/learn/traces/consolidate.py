"""Traces → patterns and mistakes to avoid: one transaction a cluster, with the marks of its traces."""

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
from omoide.learn.habits import action_shape
from omoide.learn.learning_context import NORMAL_IMPORTANCE, LearningReport
from omoide.learn.traces.lessons import (
    MIN_PATTERN_CONFIDENCE,
    TraceLesson,
    error_trigger,
    make_antipattern,
    make_pattern,
    search_tags,
)
from omoide.learn.traces.similarity import assign_clusters, content_stems, word_overlap
from omoide.learn.traces.task_errors import TaskError, TaskStatistics, matches_lesson, resolved_errors
from omoide.store import ErasedContentError, LearningTransaction, NodeFilter, Store, TaskTrace, TextChange

_MAX_TRACES = 5_000  # traces that new ones are compared with: what is older was consolidated by then
_MAX_MEMBERS = 50  # of a cluster: the latest of very many
_DUPLICATE_OVERLAP = 0.7  # of the words of two approaches: one pattern, found in two clusters
_GOAL_OVERLAP = 0.3  # of the words that most goals of each have: the same way of doing something else is no evidence
_MAX_TAGS = 60  # of a mistake: the goals and files that it is found by
_UNSUPPORTED_CONFIDENCE = 0.5  # the most that is believed of a pattern that its cluster has outgrown


def consolidate_traces(store: Store, decay_rate: float) -> LearningReport:
    """Learns from the traces that were not learned from yet. Doing it again changes nothing."""
    report = LearningReport()
    if not store.learning.unlearned_trace_count():
        return report
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
    return report


class _KnownLessons:
    """What all clusters of a run share: every trace that was read, and the lessons that are held."""

    def __init__(self, store: Store, traces: Mapping[int, TaskTrace], house: TaskStatistics, decay_rate: float) -> None:
        self.traces = traces
        self.house = house
        self.decay_rate = decay_rate
        self.patterns: dict[int, tuple[object, frozenset[str]]] = {}
        self.mistakes: dict[str, list[int]] = defaultdict(list)  # by the type of their error
        for kind in ("antipattern", "pattern"):
            for node in store.nodes.fetch(
                sorted(store.search.matching(NodeFilter(kinds=(kind,)), _MAX_TRACES))
            ).values():
                self.hold(node)

    def hold(self, node: Node) -> None:
        if node.kind == "pattern":
            self.patterns[node.id] = (_labels(node), _approach_words(node.attributes))
        else:
            self.mistakes[action_shape(str(node.attributes.get("what_fails") or ""))].append(node.id)


@dataclass(slots=True)
class _ClusterLearner:
    """Called with the transaction of the transaction in which the traces are marked."""

    known: _KnownLessons
    members: Sequence[TaskTrace]  # of the cluster, old and new
    new: Sequence[TaskTrace]
    report: LearningReport = field(default_factory=LearningReport)

    def __call__(self, transaction: LearningTransaction) -> LearningReport:
        self.report = LearningReport()
        self._pattern(transaction)
        for trace in self.new:
            for mistake in resolved_errors(trace):
                self._mistake(transaction, mistake)
        return self.report

    # ── patterns ──────────────────────────────────────────────────────────────────────────────────────────────

    def _pattern(self, transaction: LearningTransaction) -> None:
        found = self._make(self.members)
        held = transaction.learned_from([each.id for each in self.members], "pattern")
        if held:
            standing = transaction.live_version(held[-1].id)
            if standing is not None:  # one that was archived or forgotten is not brought back
                self._more(transaction, standing, self._members_of(transaction, standing))
        elif found is not None and found.confidence >= MIN_PATTERN_CONFIDENCE:
            twin = self._twin(transaction, found)
            if twin is not None:
                self._more(transaction, twin, self._members_of(transaction, twin))
                return
            try:
                node = transaction.add(
                    self._draft(transaction, "pattern", found), *((each.id, each.goal) for each in found.sources)
                )
            except ErasedContentError:
                return
            self.known.hold(node)
            self.report.add("learned", "pattern", node.text, node.id, f"in {len(found.sources)} traces")

    def _make(self, members: Sequence[TaskTrace]) -> TraceLesson | None:
        return make_pattern(members, self.known.house)

    def _members_of(self, transaction: LearningTransaction, held: Node) -> list[TaskTrace]:
        """All whose words a pattern may be made of: those it rests on, and those of this cluster."""
        ids = dict.fromkeys((*transaction.sources(held.id), *(each.id for each in self.members)))
        found = (self.known.traces.get(id) for id in ids)
        return sorted((each for each in found if each is not None), key=lambda each: each.number)[-_MAX_MEMBERS:]

    def _twin(self, transaction: LearningTransaction, found: TraceLesson) -> Node | None:
        """A pattern that says the same of the same work, learned from another cluster."""
        own, labels = _approach_words(found.attributes), self.members[0].labels
        goals = _goal_words(found.sources)
        for id, (theirs, words) in self.known.patterns.items():
            if theirs == labels and word_overlap(own, words) >= _DUPLICATE_OVERLAP:
                held = transaction.live_version(id)
                if held is None or held.kind != "pattern" or _labels(held) != labels:
                    continue
                sources = [self.known.traces[each] for each in transaction.sources(id) if each in self.known.traces]
                if word_overlap(goals, _goal_words(sources)) >= _GOAL_OVERLAP:
                    return held
        return None

    # ── mistakes ──────────────────────────────────────────────────────────────────────────────────────────────

    def _mistake(self, transaction: LearningTransaction, mistake: TaskError) -> None:
        draft = self._draft(transaction, "antipattern", self._told([mistake]), *mistake.shape)
        held = self._told_before(transaction, mistake)
        if held is None:
            try:
                node = transaction.add(draft, self._source(mistake))
            except ErasedContentError:  # on request: it is not learned again
                return
            # With a known key it is the one that was learned elsewhere
            self._bind(transaction, node, mistake)
            self.known.hold(node)
            if transaction.sources(node.id) == [mistake.trace.id]:
                self.report.add("learned", "antipattern", node.text, node.id, mistake.trace.goal)
                return
            held = transaction.live_version(node.id)
        if held is not None:
            transaction.add_evidence(held.id, self._source(mistake))
            self._bind(transaction, held, mistake)
            met = self._met(transaction, held, mistake)
            self._renew(transaction, held, self._told(met), f"met {len(met)} times")

    @staticmethod
    def _bind(transaction: LearningTransaction, node: Node, mistake: TaskError) -> None:
        """Whoever meets the error again is told, without asking."""
        met = error_trigger(mistake)
        if met is not None:
            transaction.bind(node.id, met)

    def _told(self, met: Sequence[TaskError]) -> TraceLesson:
        return make_antipattern(met, self.known.house.is_accident(met[0]))

    def _told_before(self, transaction: LearningTransaction, mistake: TaskError) -> Node | None:
        """The same mistake as it was learned from this cluster; or from any, where the task is like no other and the
        message tells it apart. A kind of work keeps a lesson of its own: one for many kinds is hard to find by any."""
        near = [each.id for each in transaction.learned_from([each.id for each in self.members], "antipattern")]
        alone = len(self.members) == 1 and error_trigger(mistake) is not None
        far = self.known.mistakes.get(action_shape(mistake.type), ()) if alone else ()
        for id in dict.fromkeys((*near, *far)):
            standing = transaction.live_version(id)
            held = transaction.episodes([id]).get(id)
            if standing is None or held is None or (id not in near and _labels(standing) != mistake.trace.labels):
                continue
            told = held.attributes
            if matches_lesson(mistake, told["what_fails"], told["why"], told["prevention"]):
                return standing
        return None

    def _met(self, transaction: LearningTransaction, held: Node, mistake: TaskError) -> list[TaskError]:
        """Everybody's account of a mistake, the first of them first."""
        told = held.attributes
        accounts = [
            each
            for id in sorted({*transaction.sources(held.id), mistake.trace.id})
            if (trace := self.known.traces.get(id)) is not None
            for each in resolved_errors(trace)
            if matches_lesson(each, told["what_fails"], told["why"], told["prevention"])
        ]
        own = (told["what_fails"], told["why"], told["prevention"])
        accounts.sort(key=lambda each: (each.type, each.message, each.resolution) != own)
        return accounts[-_MAX_MEMBERS:] if len(accounts) > _MAX_MEMBERS else accounts or [mistake]

    @staticmethod
    def _source(mistake: TaskError) -> tuple[int, str]:
        return mistake.trace.id, mistake.words

    # ── both ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _more(self, transaction: LearningTransaction, held: Node, members: Sequence[TaskTrace]) -> None:
        """More evidence for a pattern instead of a twin of it; or less, where the cluster has outgrown it."""
        found = self._make(members)
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
            self._renew(transaction, held, found, f"in {len(found.sources)} traces")

    def _renew(self, transaction: LearningTransaction, held: Node, found: TraceLesson, why: str) -> None:
        """Worth and words follow the evidence; words that a person chose stay."""
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
        """A mistake that somebody else worded is found by the goals and files of all who met it, too."""
        if held.kind != "antipattern" or held.source_type == _SOURCE_TYPE or len(held.tags) >= _MAX_TAGS:
            return None
        new = search_tags(found.sources) if found.belongs else ()
        return [*held.tags, *(each for each in new if each not in held.tags and each not in held.text)]

    def _draft(self, transaction: LearningTransaction, kind: str, found: TraceLesson, *key: str) -> Draft:
        """Carries the labels of its traces, which are the same for all of a cluster."""
        origin, sensitive, audience = self.members[0].labels
        born = kind_of(kind).initial_decay_rate
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
            decay_rate=self.known.decay_rate if born is None else born,
            token_count=tokens.estimate(found.text),
            sensitive=sensitive,
            audience=audience,
            key=_lesson_key(kind, origin, str(sensitive), audience, *own),
        )


_SOURCE_TYPE = "consolidation"


def _labels(node: Node) -> tuple[str, bool, str]:
    return node.origin, node.sensitive, node.audience


def _approach_words(attributes: Mapping[str, Any]) -> frozenset[str]:
    """What a pattern says to do and not to do."""
    return content_stems(attributes.get("correct_approach") or "", attributes.get("incorrect_approach") or "")


def _goal_words(traces: Sequence[TaskTrace]) -> frozenset[str]:
    """The words that at least half of the goals have: what is wanted, without what it is wanted for."""
    counts = Counter(word for each in traces for word in content_stems(each.goal))
    return frozenset(word for word, count in counts.items() if 2 * count >= len(traces))


def _lesson_key(*parts: str) -> bytes:
    """The same lesson from the same traces is one node, however often it is applied."""
    return hashlib.blake2b(json.dumps(["traces", *parts]).encode(), digest_size=16).digest()
