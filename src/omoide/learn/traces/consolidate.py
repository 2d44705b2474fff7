"""Traces → patterns and mistakes to avoid: one transaction a cluster, with the marks of its traces."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from omoide import tokens
from omoide.clock import moment
from omoide.layers import Draft, Node, kind_of
from omoide.layers.attribute import validated
from omoide.learn.habit import shape
from omoide.learn.report import Report
from omoide.learn.scene import NOTABLE
from omoide.learn.traces.antipattern import antipattern, found_by, trigger
from omoide.learn.traces.cluster import placed
from omoide.learn.traces.house import House
from omoide.learn.traces.likeness import overlap, stems
from omoide.learn.traces.mistake import Mistake, is_same, mistakes
from omoide.learn.traces.pattern import LEAST_CONFIDENCE, Lesson, pattern
from omoide.store import Filter, Forgotten, Pen, Rewording, Store, Trace

_LATEST = 5_000  # traces that new ones are compared with: what is older was consolidated by then
_MEMBERS = 50  # of a cluster: the latest of very many
_TWINS = 0.7  # of the words of two approaches: one pattern, found in two clusters
_SAME_GOALS = 0.3  # of the words that most goals of each have: the same way of doing something else is no evidence
_MOST_TAGS = 60  # of a mistake: the goals and files that it is found by
_UNBORNE = 0.5  # the most that is believed of a pattern that its cluster has outgrown


def consolidate(store: Store, decay_rate: float) -> Report:
    """Learns from the traces that were not learned from yet. Doing it again changes nothing."""
    report = Report()
    if not store.unlearned_traces():
        return report
    traces = store.traces(_LATEST)
    cluster_of = placed(traces)
    groups: dict[int, list[Trace]] = defaultdict(list)
    for trace in traces:
        groups[trace.cluster if trace.cluster is not None else cluster_of[trace.id]].append(trace)
    known = _Known(store, {trace.id: trace for trace in traces}, House(groups), decay_rate)
    for cluster, members in groups.items():
        new = [trace for trace in members if trace.id in cluster_of]
        if new:
            apply = _Lessons(known, members[-_MEMBERS:], new)
            done = store.learn_cluster(cluster, [trace.id for trace in new], apply)
            report.join(done or Report())
    return report


class _Known:
    """What all clusters of a run share: every trace that was read, and the lessons that are held."""

    def __init__(self, store: Store, traces: Mapping[int, Trace], house: House, decay_rate: float) -> None:
        self.traces = traces
        self.house = house
        self.decay_rate = decay_rate
        self.patterns: dict[int, tuple[object, frozenset[str]]] = {}
        self.mistakes: dict[str, list[int]] = defaultdict(list)  # by the type of their error
        for kind in ("antipattern", "pattern"):
            for node in store.nodes(sorted(store.matching(Filter(kinds=(kind,)), _LATEST))).values():
                self.hold(node)

    def hold(self, node: Node) -> None:
        if node.kind == "pattern":
            self.patterns[node.id] = (_labels(node), _approach(node.attributes))
        else:
            self.mistakes[shape(str(node.attributes.get("what_fails") or ""))].append(node.id)


@dataclass(slots=True)
class _Lessons:
    """Called with the pen of the transaction in which the traces are marked."""

    known: _Known
    members: Sequence[Trace]  # of the cluster, old and new
    new: Sequence[Trace]
    report: Report = field(default_factory=Report)

    def __call__(self, pen: Pen) -> Report:
        self.report = Report()
        self._pattern(pen)
        for trace in self.new:
            for mistake in mistakes(trace):
                self._mistake(pen, mistake)
        return self.report

    # ── patterns ──────────────────────────────────────────────────────────────────────────────────────────────

    def _pattern(self, pen: Pen) -> None:
        found = self._make(self.members)
        held = pen.learned_from([each.id for each in self.members], "pattern")
        if held:
            standing = pen.standing(held[-1].id)
            if standing is not None:  # one that was archived or forgotten is not brought back
                self._more(pen, standing, self._members_of(pen, standing))
        elif found is not None and found.confidence >= LEAST_CONFIDENCE:
            twin = self._twin(pen, found)
            if twin is not None:
                self._more(pen, twin, self._members_of(pen, twin))
                return
            try:
                node = pen.add(self._draft(pen, "pattern", found), *((each.id, each.goal) for each in found.sources))
            except Forgotten:
                return
            self.known.hold(node)
            self.report.add("learned", "pattern", node.text, node.id, f"in {len(found.sources)} traces")

    def _make(self, members: Sequence[Trace]) -> Lesson | None:
        return pattern(members, self.known.house)

    def _members_of(self, pen: Pen, held: Node) -> list[Trace]:
        """All whose words a pattern may be made of: those it rests on, and those of this cluster."""
        ids = dict.fromkeys((*pen.sources(held.id), *(each.id for each in self.members)))
        found = (self.known.traces.get(id) for id in ids)
        return sorted((each for each in found if each is not None), key=lambda each: each.number)[-_MEMBERS:]

    def _twin(self, pen: Pen, found: Lesson) -> Node | None:
        """A pattern that says the same of the same work, learned from another cluster."""
        own, labels = _approach(found.attributes), self.members[0].labels
        goals = _core(found.sources)
        for id, (theirs, words) in self.known.patterns.items():
            if theirs == labels and overlap(own, words) >= _TWINS:
                held = pen.standing(id)
                if held is None or held.kind != "pattern" or _labels(held) != labels:
                    continue
                sources = [self.known.traces[each] for each in pen.sources(id) if each in self.known.traces]
                if overlap(goals, _core(sources)) >= _SAME_GOALS:
                    return held
        return None

    # ── mistakes ──────────────────────────────────────────────────────────────────────────────────────────────

    def _mistake(self, pen: Pen, mistake: Mistake) -> None:
        draft = self._draft(pen, "antipattern", self._told([mistake]), *mistake.shape)
        held = self._told_before(pen, mistake)
        if held is None:
            try:
                node = pen.add(draft, self._source(mistake))
            except Forgotten:  # on request: it is not learned again
                return
            # With a known key it is the one that was learned elsewhere
            self._bind(pen, node, mistake)
            self.known.hold(node)
            if pen.sources(node.id) == [mistake.trace.id]:
                self.report.add("learned", "antipattern", node.text, node.id, mistake.trace.goal)
                return
            held = pen.standing(node.id)
        if held is not None:
            pen.rests_on(held.id, self._source(mistake))
            self._bind(pen, held, mistake)
            met = self._met(pen, held, mistake)
            self._renew(pen, held, self._told(met), f"met {len(met)} times")

    @staticmethod
    def _bind(pen: Pen, node: Node, mistake: Mistake) -> None:
        """Whoever meets the error again is told, without asking."""
        met = trigger(mistake)
        if met is not None:
            pen.bind(node.id, met)

    def _told(self, met: Sequence[Mistake]) -> Lesson:
        return antipattern(met, self.known.house.is_accident(met[0]))

    def _told_before(self, pen: Pen, mistake: Mistake) -> Node | None:
        """The same mistake as it was learned from this cluster; or from any, where the task is like no other and the
        message tells it apart. A kind of work keeps a lesson of its own: one for many kinds is hard to find by any."""
        near = [each.id for each in pen.learned_from([each.id for each in self.members], "antipattern")]
        alone = len(self.members) == 1 and trigger(mistake) is not None
        far = self.known.mistakes.get(shape(mistake.type), ()) if alone else ()
        for id in dict.fromkeys((*near, *far)):
            standing = pen.standing(id)
            held = pen.episodes([id]).get(id)
            if standing is None or held is None or (id not in near and _labels(standing) != mistake.trace.labels):
                continue
            told = held.attributes
            if is_same(mistake, told["what_fails"], told["why"], told["prevention"]):
                return standing
        return None

    def _met(self, pen: Pen, held: Node, mistake: Mistake) -> list[Mistake]:
        """Everybody's account of a mistake, the first of them first."""
        told = held.attributes
        accounts = [
            each
            for id in sorted({*pen.sources(held.id), mistake.trace.id})
            if (trace := self.known.traces.get(id)) is not None
            for each in mistakes(trace)
            if is_same(each, told["what_fails"], told["why"], told["prevention"])
        ]
        own = (told["what_fails"], told["why"], told["prevention"])
        accounts.sort(key=lambda each: (each.type, each.message, each.resolution) != own)
        return accounts[-_MEMBERS:] if len(accounts) > _MEMBERS else accounts or [mistake]

    @staticmethod
    def _source(mistake: Mistake) -> tuple[int, str]:
        return mistake.trace.id, mistake.words

    # ── both ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _more(self, pen: Pen, held: Node, members: Sequence[Trace]) -> None:
        """More evidence for a pattern instead of a twin of it; or less, where the cluster has outgrown it."""
        found = self._make(members)
        if found is None:
            if held.source_type == _SOURCE and held.confirmed_at is None and held.confidence > _UNBORNE:
                pen.taught(held.id, Rewording(), {"confidence": _UNBORNE})
            return
        new = [each for each in found.sources if pen.rests_on(held.id, (each.id, each.goal))]
        if new:
            self._renew(pen, held, found, f"in {len(found.sources)} traces")

    def _renew(self, pen: Pen, held: Node, found: Lesson, why: str) -> None:
        """Worth and words follow the evidence; words that a person chose stay."""
        edited = held.kind not in ("pattern", "antipattern") or pen.is_edited(held.id) or held.source_type != _SOURCE
        fields = {name: value for name, value in held.attributes.items() if value not in (None, ())}
        if not edited:
            fields |= {name: value for name, value in found.attributes.items() if name in ("conditions", "category")}
            if held.kind == "pattern":
                fields |= found.attributes
        if held.kind == "pattern":
            fields |= {"usage_count": int(fields.get("usage_count", 0)) + 1, "last_used": moment(pen.now).isoformat()}
        sure = held.confidence if held.confirmed_at is not None else found.confidence
        tags = self._found_by(held, found)
        size = tokens.estimate(found.text)
        words = Rewording(tags=tags) if edited else Rewording(text=found.text, token_count=size, tags=tags)
        values = {"attributes": validated(kind_of(held.kind), fields), "confidence": sure}
        pen.taught(held.id, words, values)
        self.report.add("confirmed", held.kind, held.text, held.id, why)

    def _found_by(self, held: Node, found: Lesson) -> Sequence[str] | None:
        """A mistake that somebody else worded is found by the goals and files of all who met it, too."""
        if held.kind != "antipattern" or held.source_type == _SOURCE or len(held.tags) >= _MOST_TAGS:
            return None
        new = found_by(found.sources) if found.belongs else ()
        return [*held.tags, *(each for each in new if each not in held.tags and each not in held.text)]

    def _draft(self, pen: Pen, kind: str, found: Lesson, *key: str) -> Draft:
        """Carries the labels of its traces, which are the same for all of a cluster."""
        origin, sensitive, audience = self.members[0].labels
        born = kind_of(kind).decay_rate_at_birth
        own = key or (str(self.members[0].id),)
        return Draft(
            kind=kind,
            text=found.text,
            event_at=pen.now,
            origin=origin,
            source_type=_SOURCE,
            attributes=validated(kind_of(kind), found.attributes),
            importance=NOTABLE,
            confidence=found.confidence,
            decay_rate=self.known.decay_rate if born is None else born,
            token_count=tokens.estimate(found.text),
            sensitive=sensitive,
            audience=audience,
            key=_key(kind, origin, str(sensitive), audience, *own),
        )


_SOURCE = "consolidation"


def _labels(node: Node) -> tuple[str, bool, str]:
    return node.origin, node.sensitive, node.audience


def _approach(attributes: Mapping[str, Any]) -> frozenset[str]:
    """What a pattern says to do and not to do."""
    return stems(attributes.get("correct_approach") or "", attributes.get("incorrect_approach") or "")


def _core(traces: Sequence[Trace]) -> frozenset[str]:
    """The words that at least half of the goals have: what is wanted, without what it is wanted for."""
    counts = Counter(word for each in traces for word in stems(each.goal))
    return frozenset(word for word, count in counts.items() if 2 * count >= len(traces))


def _key(*parts: str) -> bytes:
    """The same lesson from the same traces is one node, however often it is applied."""
    return hashlib.blake2b(json.dumps(["traces", *parts]).encode(), digest_size=16).digest()
