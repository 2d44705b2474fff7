"""Learning from sessions: read, propose, write the proposal down, then apply it whole together with its done-mark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from omoide.errors import Closed, OmoideError
from omoide.layers import Node
from omoide.learn import journal, things, traces
from omoide.learn.apply import apply
from omoide.learn.echoed import unechoed
from omoide.learn.enrich import Enrichment
from omoide.learn.ground import Refusal, grounded
from omoide.learn.practice import practise
from omoide.learn.proposal import Conversation, Extractor, Proposal, Turn
from omoide.learn.report import Report
from omoide.learn.scene import Scene
from omoide.store import Lesson, Store

STRETCH = 200  # episodes read, proposed and applied at once: memory stays flat and a crash costs little

Progress = Callable[[str, int], None]
"""Hears the session and how many turns were just learned from. It may raise Closed, and learning ends there."""


@dataclass(frozen=True, slots=True)
class Teacher:
    """All that learning needs."""

    store: Store
    extractor: Extractor
    decay_rate: float
    enrichment: Enrichment
    stretch: int = STRETCH

    def learn(self, sessions: Iterable[str], progress: Progress | None = None) -> Report:
        """Each session by itself: one that fails stays pending and says why, the others go on.

        Then what shows only over several of them: habits, what traces of tasks have in common, and what there is to say
        of those spoken of often.
        """
        report = Report()
        for name in sessions:
            try:
                self._session(name, report, progress)
            except Closed:
                raise  # nobody's failure: what is left is learned the next time
            except OmoideError as error:
                self.store.learning_failed(name, str(error))
                report.failed[name] = str(error)
        report.join(practise(self.store, self.decay_rate))
        report.join(traces.consolidate(self.store, self.decay_rate))
        report.join(self.enrichment.run(self.store))
        return report

    def _session(self, name: str, report: Report, progress: Progress | None) -> None:
        more = True
        while more:
            lesson = self.store.lesson(name, self.stretch)
            report.join(self._learn(lesson))
            if progress:
                progress(name, len(lesson.episodes) - lesson.fresh)
            more = lesson.more

    def _learn(self, lesson: Lesson) -> Report:
        proposal, refused = self._proposed(lesson)
        applied = self.store.apply_lesson(lesson, lambda pen: _applied(Scene(pen, lesson, self.decay_rate), proposal))
        report = applied or Report()  # nothing to tell when another process was faster
        report.sessions.append(lesson.session)
        report.turns = len(lesson.episodes) - lesson.fresh
        report.notes += proposal.notes
        for each in refused:
            report.add("refused", type(each.item).__name__.lower(), each.item.quote.words, None, each.reason)
        return report

    def _proposed(self, lesson: Lesson) -> tuple[Proposal, Sequence[Refusal]]:
        """What was written down by a run that did not finish, or a new proposal, written down now."""
        if len(lesson.episodes) == lesson.fresh:
            return Proposal(), ()
        if (kept := self.store.journaled(lesson)) is not None:
            return journal.load(kept), ()
        conversation = unechoed(conversation_of(lesson), self.store.worded)
        found = grounded(conversation, self.extractor.extract(conversation))
        self.store.propose(lesson, self.extractor.name, journal.dump(found.proposal))
        kept = self.store.journaled(lesson)  # ours, that of a process that was faster, or applied by it already
        return Proposal() if kept is None else journal.load(kept), found.refused


def _applied(scene: Scene, proposal: Proposal) -> Report:
    report = apply(scene, proposal)
    things.rename(scene)
    return report


def conversation_of(lesson: Lesson) -> Conversation:
    return Conversation(
        session=lesson.session,
        turns=tuple(turn_of(each) for each in lesson.episodes),
        fresh=lesson.fresh,
        owner=lesson.owner,
    )


def turn_of(node: Node) -> Turn:
    return Turn(
        id=node.id,
        text=node.text,
        role=node.role or node.origin,
        at=node.event_at,
        speaker=node.speaker,
        type=node.attributes.get("type", "conversation"),
        origin=node.origin,
        outcome=node.attributes.get("outcome"),
    )
