"""Learning from sessions: read, propose, write the proposal down, then apply it whole together with its done-mark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from omoide.domain import Node
from omoide.errors import Closed, OmoideError
from omoide.learn import entities, traces
from omoide.learn import proposal as proposal_module
from omoide.learn.apply import apply_items
from omoide.learn.echo_filter import blank_echoes
from omoide.learn.entity_summaries import DescribeEntity, EntitySummarizer
from omoide.learn.grounding import RefusedItem, ground_proposal
from omoide.learn.habits import learn_habits
from omoide.learn.learning_context import LearningContext, LearningReport
from omoide.learn.proposal import Conversation, ConversationTurn, EntityMention, Extractor, Proposal, collect_proposal
from omoide.learn.rules import RuleExtractor
from omoide.providers.protocols import LanguageModel
from omoide.settings import Settings
from omoide.store import Store, UnlearnedSegment

SEGMENT_TURNS = 200  # episodes read, proposed and applied at once: memory stays flat and a crash costs little

LearnProgress = Callable[[str, int], None]
"""Hears the session and how many turns were just learned from. It may raise Closed, and learning ends there."""


@dataclass(frozen=True, slots=True)
class Learner:
    """All that learning needs."""

    store: Store
    extractor: Extractor
    decay_rate: float
    enrichment: EntitySummarizer
    stretch: int = SEGMENT_TURNS

    def learn(self, sessions: Iterable[str], progress: LearnProgress | None = None) -> LearningReport:
        """Each session by itself: one that fails stays pending and says why, the others go on.

        Then what shows only over several of them: habits, what traces of tasks have in common, and what there is to say
        of those spoken of often.
        """
        report = LearningReport()
        for name in sessions:
            try:
                self._session(name, report, progress)
            except Closed:
                raise  # nobody's failure: what is left is learned the next time
            except OmoideError as error:
                self.store.learning_failed(name, str(error))
                report.failed[name] = str(error)
        report.join(learn_habits(self.store, self.decay_rate))
        report.join(traces.consolidate_traces(self.store, self.decay_rate))
        report.join(self.enrichment.run(self.store))
        return report

    def _session(self, name: str, report: LearningReport, progress: LearnProgress | None) -> None:
        more = True
        while more:
            lesson = self.store.lesson(name, self.stretch)
            report.join(self._learn(lesson))
            if progress:
                progress(name, len(lesson.episodes) - lesson.fresh)
            more = lesson.more

    def _learn(self, lesson: UnlearnedSegment) -> LearningReport:
        proposal, refused = self._proposed(lesson)
        applied = self.store.apply_lesson(
            lesson, lambda pen: _apply_proposal(LearningContext(pen, lesson, self.decay_rate), proposal)
        )
        report = applied or LearningReport()  # nothing to tell when another process was faster
        report.sessions.append(lesson.session)
        report.turns = len(lesson.episodes) - lesson.fresh
        report.notes += proposal.notes
        for each in refused:
            report.add("refused", type(each.item).__name__.lower(), each.item.quote.words, None, each.reason)
        return report

    def _proposed(self, lesson: UnlearnedSegment) -> tuple[Proposal, Sequence[RefusedItem]]:
        """What was written down by a run that did not finish, or a new proposal, written down now."""
        if len(lesson.episodes) == lesson.fresh:
            return Proposal(), ()
        if (kept := self.store.journaled(lesson)) is not None:
            return proposal_module.load_proposal(kept), ()
        conversation = blank_echoes(conversation_from_lesson(lesson), self.store.worded)
        found = ground_proposal(conversation, self.extractor.extract(conversation))
        self.store.propose(lesson, self.extractor.name, proposal_module.dump_proposal(found.proposal))
        kept = self.store.journaled(lesson)  # ours, that of a process that was faster, or applied by it already
        return Proposal() if kept is None else proposal_module.load_proposal(kept), found.refused


def _apply_proposal(scene: LearningContext, proposal: Proposal) -> LearningReport:
    report = apply_items(scene, proposal)
    entities.apply_renames(scene)
    return report


def conversation_from_lesson(lesson: UnlearnedSegment) -> Conversation:
    return Conversation(
        session=lesson.session,
        turns=tuple(turn_from_node(each) for each in lesson.episodes),
        fresh=lesson.fresh,
        owner=lesson.owner,
    )


def turn_from_node(node: Node) -> ConversationTurn:
    return ConversationTurn(
        id=node.id,
        text=node.text,
        role=node.role or node.origin,
        at=node.event_at,
        speaker=node.speaker,
        type=node.attributes.get("type", "conversation"),
        origin=node.origin,
        outcome=node.attributes.get("outcome"),
    )


# A run of learning as the settings want it: by rules, and by a language model where there is one.


def learn_sessions(
    store: Store,
    settings: Settings,
    model: LanguageModel | None,
    sessions: Iterable[str],
    progress: LearnProgress | None = None,
    stretch: int = SEGMENT_TURNS,
) -> LearningReport:
    told = entity_summarizer(settings, model)
    return Learner(store, choose_extractor(settings, model), settings.decay_rate_default, told, stretch).learn(
        sessions, progress
    )


def choose_extractor(settings: Settings, model: LanguageModel | None) -> Extractor:
    """What reads a conversation, as the settings want it."""
    rules = RuleExtractor(settings.causal_inference_batch_size)
    if model is None:
        return rules
    from omoide.learn.model.extractor import ModelExtractor

    return CombinedExtractor(ModelExtractor.of(model, settings), rules)


def entity_summarizer(settings: Settings, model: LanguageModel | None) -> EntitySummarizer:
    batch = max(1, settings.entity_enrichment_batch_size)
    described = None if model is None else _model_description(settings, model)
    return EntitySummarizer(settings.entity_enrichment_min_mentions, batch, described)


def _model_description(settings: Settings, model: LanguageModel) -> DescribeEntity:
    from omoide.learn.model.summaries import describe_entity

    return lambda entity, facts: describe_entity(
        model, entity.name, entity.type, [fact.text for fact in facts], repairs=settings.llm_repairs
    )


# Two extractors, one proposal: the first speaks, the second adds what the first left out.


@dataclass(frozen=True, slots=True)
class CombinedExtractor:
    """A kind of thing in a turn is the first one's to tell, where it tells any of it.

    Both would word the same wish or how-to in two ways, and it would be learned twice.
    """

    first: Extractor
    second: Extractor

    @property
    def name(self) -> str:
        return f"{self.first.name} + {self.second.name}"

    def extract(self, conversation: Conversation) -> Proposal:
        """Fails where the first one fails: half of what there is to learn would pass for all of it."""
        first, second = self.first.extract(conversation), self.second.extract(conversation)
        told = {(type(item), item.quote.episode) for item in first}
        others = [
            item for item in second if isinstance(item, EntityMention) or (type(item), item.quote.episode) not in told
        ]
        return collect_proposal([*first, *others], (*first.notes, *second.notes))
