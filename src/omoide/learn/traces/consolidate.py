"""Traces → patterns and mistakes to avoid: one transaction a cluster, with the marks of its traces."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from omoide import tokens
from omoide.clock import moment
from omoide.layers import Draft, Node, kind_of
from omoide.layers.attribute import validated
from omoide.learn.report import Report
from omoide.learn.scene import NOTABLE
from omoide.learn.traces.antipattern import Mistake, antipattern, is_same, mistakes, trigger
from omoide.learn.traces.cluster import placed
from omoide.learn.traces.likeness import overlap, stems
from omoide.learn.traces.pattern import LEAST_CONFIDENCE, Lesson, pattern
from omoide.store import Filter, Forgotten, Pen, Rewording, Store, Trace

_LATEST = 5_000  # traces that new ones are compared with: what is older was consolidated by then
_MEMBERS = 50  # of a cluster: the latest of very many
_TWINS = 0.7  # of the words of two approaches: one pattern, found in two clusters


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
    known = _Known(store, {trace.id: trace for trace in traces}, decay_rate)
    for cluster, members in groups.items():
        new = [trace for trace in members if trace.id in cluster_of]
        if new:
            apply = _Lessons(known, members[-_MEMBERS:], new)
            done = store.learn_cluster(cluster, [trace.id for trace in new], apply)
            report.join(done or Report())
    return report


class _Known:
    """What all clusters of a run share: every trace that was read, and the patterns that are held."""

    def __init__(self, store: Store, traces: Mapping[int, Trace], decay_rate: float) -> None:
        self.traces = traces
        self.decay_rate = decay_rate
        ids = store.matching(Filter(kinds=("pattern",)), _LATEST)
        self.patterns: dict[int, tuple[object, frozenset[str]]] = {
            node.id: (_labels(node), _approach(node.attributes)) for node in store.nodes(ids).values()
        }


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
        found = pattern(self.members)
        held = pen.learned_from([each.id for each in self.members], "pattern")
        if held:
            standing = pen.standing(held[-1].id)
            if standing is not None:  # one that was archived or forgotten is not brought back
                self._more(pen, standing, self._members_of(pen, standing), pattern)
        elif found is not None and found.confidence >= LEAST_CONFIDENCE:
            twin = self._twin(pen, found)
            if twin is not None:
                self._more(pen, twin, self._members_of(pen, twin), pattern)
                return
            try:
                node = pen.add(self._draft(pen, "pattern", found), *((each.id, each.goal) for each in self.members))
            except Forgotten:
                return
            self.known.patterns[node.id] = (_labels(node), _approach(found.attributes))
            self.report.add("learned", "pattern", node.text, node.id, f"in {len(self.members)} traces")

    def _members_of(self, pen: Pen, held: Node) -> list[Trace]:
        """All whose words a pattern may be made of: those it rests on, and those of this cluster."""
        ids = dict.fromkeys((*pen.sources(held.id), *(each.id for each in self.members)))
        found = (self.known.traces.get(id) for id in ids)
        return sorted((each for each in found if each is not None), key=lambda each: each.number)[-_MEMBERS:]

    def _twin(self, pen: Pen, found: Lesson) -> Node | None:
        """A pattern that says the same, learned from another cluster."""
        own, labels = _approach(found.attributes), self.members[0].labels
        for id, (theirs, words) in self.known.patterns.items():
            if theirs == labels and overlap(own, words) >= _TWINS:
                held = pen.standing(id)
                if held is not None and held.kind == "pattern" and _labels(held) == labels:
                    return held
        return None

    # ── mistakes ──────────────────────────────────────────────────────────────────────────────────────────────

    def _mistake(self, pen: Pen, mistake: Mistake) -> None:
        draft = self._draft(pen, "antipattern", antipattern([mistake]), *mistake.shape)
        held = self._told_before(pen, mistake)
        if held is None:
            try:
                node = pen.add(draft, self._source(mistake))
            except Forgotten:  # on request: it is not learned again
                return
            # With a known key it is the one that was learned elsewhere
            self._bind(pen, node, mistake)
            if pen.sources(node.id) == [mistake.trace.id]:
                self.report.add("learned", "antipattern", node.text, node.id, mistake.trace.goal)
                return
            held = pen.standing(node.id)
        if held is not None:
            pen.rests_on(held.id, self._source(mistake))
            self._bind(pen, held, mistake)
            met = self._met(pen, held, mistake)
            self._renew(pen, held, antipattern(met), f"met {len(met)} times")

    @staticmethod
    def _bind(pen: Pen, node: Node, mistake: Mistake) -> None:
        """Whoever meets the error again is told, without asking."""
        met = trigger(mistake)
        if met is not None:
            pen.bind(node.id, met)

    def _told_before(self, pen: Pen, mistake: Mistake) -> Node | None:
        for held in pen.learned_from([each.id for each in self.members], "antipattern"):
            told = held.attributes
            standing = pen.standing(held.id)
            if standing and is_same(mistake, told["what_fails"], told["why"], told["prevention"]):
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
        return mistake.trace.id, ": ".join(part for part in (mistake.type, mistake.message) if part)

    # ── both ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _more(self, pen: Pen, held: Node, members: Sequence[Trace], make: Any) -> None:
        """More evidence for a pattern instead of a twin of it."""
        new = [each for each in members if pen.rests_on(held.id, (each.id, each.goal))]
        found = make(members)
        if new and found is not None:
            self._renew(pen, held, found, f"in {len(members)} traces")

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
        words = Rewording() if edited else Rewording(text=found.text, token_count=tokens.estimate(found.text))
        values = {"attributes": validated(kind_of(held.kind), fields), "confidence": sure}
        pen.taught(held.id, words, values)
        self.report.add("confirmed", held.kind, held.text, held.id, why)

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


def _key(*parts: str) -> bytes:
    """The same lesson from the same traces is one node, however often it is applied."""
    return hashlib.blake2b(json.dumps(["traces", *parts]).encode(), digest_size=16).digest()
