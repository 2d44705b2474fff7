"""Learns from sessions: read, ground, journal, then apply the proposal in one transaction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import groupby, islice

from omoide.clock import to_micros
from omoide.domain import Fact, Node
from omoide.domain.entity import name_key
from omoide.domain.node import said_at
from omoide.domain.slots import PEOPLE_SLOTS, may_be_one_person
from omoide.errors import Busy, CannotWrite, Closed, error_text
from omoide.learn import apply_corrections, learning_context
from omoide.learn.across_sessions import EntitySummarizer, learn_habits
from omoide.learn.apply_corrections import apply_statement
from omoide.learn.grounding import blank_echoes, ground_proposal
from omoide.learn.learning_context import LearningContext, LearningReport
from omoide.learn.proposal import (
    USER,
    CausalLink,
    ConversationTurn,
    EntityMention,
    Extractor,
    LearningConversation,
    Proposal,
    ProposalItem,
    Quote,
    Refusal,
    Statement,
    UserCorrection,
    dump_proposal,
    load_proposal,
)
from omoide.learn.statements import StatementExtractor
from omoide.learn.statements.corrections import causes_in, find_corrections, replacements_in
from omoide.learn.statements.judge import Judge
from omoide.learn.trace_patterns import consolidate_traces
from omoide.providers.protocols import LanguageModel
from omoide.settings import Settings
from omoide.store import EntityProfile, LearningTransaction, Store, UnlearnedSegment

SEGMENT_TURNS = 200  # turns read, proposed and applied at once: bounds memory use and the loss of a crash
_CLAIM_TIMEOUT = 900.0  # seconds: several answers of a slow model

LearnProgress = Callable[[str, int], None]
"""Called with the session and the number of turns just learned from. It may raise Closed to stop learning."""


def learn_sessions(
    store: Store,
    settings: Settings,
    model: LanguageModel | None,
    sessions: Iterable[str],
    progress: LearnProgress | None = None,
    segment_turns: int = SEGMENT_TURNS,
) -> LearningReport:
    """Learn from sessions by reading, and with a language model if there is one."""
    learner = Learner(
        store,
        choose_extractor(settings, model),
        settings.decay_rate_default,
        entity_summarizer(settings, model),
        segment_turns,
        settings.time_zone,
        _CLAIM_TIMEOUT if model else 0.0,
    )
    return learner.learn(sessions, progress)


def choose_extractor(settings: Settings, model: LanguageModel | None) -> Extractor:
    statements = StatementExtractor(Judge().score, settings.learn_threshold)
    reading = ReadingExtractor(statements, settings.causal_inference_batch_size)
    if model is None:
        return reading
    from omoide.learn.model.extractor import ModelExtractor
    from omoide.learn.model.statement_check import CombinedExtractor

    return CombinedExtractor(reading, ModelExtractor.of(model, settings))


def entity_summarizer(settings: Settings, model: LanguageModel | None) -> EntitySummarizer:
    batch = max(1, settings.entity_enrichment_batch_size)
    if model is None:
        return EntitySummarizer(settings.entity_enrichment_min_mentions, batch)
    from omoide.learn.model.summaries import describe_entity

    return EntitySummarizer(
        settings.entity_enrichment_min_mentions,
        batch,
        lambda entity, facts: describe_entity(
            model, entity.name, entity.type, [fact.text for fact in facts], repairs=settings.llm_repairs
        ),
    )


@dataclass(frozen=True, slots=True)
class Learner:
    """Learns from sessions with one extractor."""

    store: Store
    extractor: Extractor
    decay_rate: float
    summarizer: EntitySummarizer
    segment_turns: int = SEGMENT_TURNS
    zone: str = ""  # of the speakers; empty: the zone in which each turn was observed
    claim_timeout: float = 0.0  # seconds to wait for another learner of the same session; 0: sessions are not claimed

    def learn(self, sessions: Iterable[str], progress: LearnProgress | None = None) -> LearningReport:
        """Learn from each session, then across sessions: habits, task traces and entity summaries.

        A session that fails stays pending with its error; the others are still learned from.
        """
        report = LearningReport()
        for name in sessions:
            try:
                self._learn_session(name, report, progress)
            except (Closed, Busy, CannotWrite):
                raise  # not a failure of the session: the rest is learned next time
            except Exception as error:  # one session must not keep the others from being learned from
                report.failed[name] = error_text(error)
                self.store.learning.mark_failed(name, report.failed[name])
        self._attempt(report, "habits", lambda: self.store.derive(lambda: learn_habits(self.store, self.decay_rate)))
        self._attempt(report, "task traces", lambda: consolidate_traces(self.store, self.decay_rate))
        self._attempt(report, "entity summaries", lambda: self.summarizer.run(self.store))
        return report

    def _attempt(self, report: LearningReport, part: str, work: Callable[[], LearningReport]) -> None:
        """What fails across sessions is reported by its name and leaves the other parts alone."""
        try:
            report.join(work())
        except (Closed, Busy, CannotWrite):
            raise
        except Exception as error:
            report.failed[part] = error_text(error)

    def _learn_session(self, name: str, report: LearningReport, progress: LearnProgress | None) -> None:
        asked = _AskedExtractor(self.extractor)
        more = True
        while more:
            segment, found = self.store.derive(lambda: self._learn_next(name, asked))
            report.join(found)
            if progress:
                progress(name, len(segment.episodes) - segment.fresh)
            more = segment.more

    def _learn_next(self, name: str, asked: _AskedExtractor) -> tuple[UnlearnedSegment, LearningReport]:
        segment = self.store.learning.next_segment(name, self.segment_turns)
        with self.store.learning.claimed(segment, self.claim_timeout) if self.claim_timeout else nullcontext():
            if self.claim_timeout:  # another learner may have learned it meanwhile
                segment = self.store.learning.next_segment(name, self.segment_turns)
            return segment, self._learn_segment(segment, asked)

    def _learn_segment(self, segment: UnlearnedSegment, asked: _AskedExtractor) -> LearningReport:
        proposal, refused = self._journaled_proposal(segment, asked)

        def apply(transaction: LearningTransaction) -> LearningReport:
            context = LearningContext(transaction, segment, self.decay_rate)
            apply_items(context, proposal)
            transaction.note_refusals(
                (each.quote.episode, each.kind, each.text, each.reason)
                for each in proposal.refused
                if each.quote.episode in context.episodes
            )
            learning_context.apply_renames(context)
            return context.report

        report = (
            self.store.learning.apply_segment(segment, apply) or LearningReport()
        )  # None: another process applied it
        report.sessions.append(segment.session)
        report.turns = len(segment.episodes) - segment.fresh
        report.notes += proposal.notes
        for each in refused:
            report.add("refused", each.kind, each.quote.words, None, each.reason)
        return report

    def _journaled_proposal(
        self, segment: UnlearnedSegment, asked: _AskedExtractor
    ) -> tuple[Proposal, Sequence[Refusal]]:
        """The proposal in the journal from an unfinished run, or a new one that is journaled now."""
        if len(segment.episodes) == segment.fresh:
            return Proposal(), ()
        if (journaled := self._saved_proposal(segment)) is not None:
            return journaled, ()
        times = self.store.times.of_nodes([each.id for each in segment.episodes])
        at = {each.id: said_at(each, self.zone, times.get(each.id, ())) for each in segment.episodes}
        told = conversation_from_segment(segment)
        told = replace(told, turns=tuple(replace(each, at=at[each.id]) for each in told.turns))
        conversation = blank_echoes(told, self.store.learning.rewordings)
        found = ground_proposal(conversation, asked.extract(conversation))
        whole = replace(found.proposal, refused=(*found.proposal.refused, *found.refused))
        self.store.learning.save_proposal(segment, self.extractor.name, dump_proposal(whole))
        journaled = self._saved_proposal(segment)  # may be another process's; None if that one already applied it
        return journaled or Proposal(), found.refused

    def _saved_proposal(self, segment: UnlearnedSegment) -> Proposal | None:
        """The proposal in the journal; one that quotes a turn which is gone is deleted."""
        if (saved := self.store.learning.saved_proposal(segment)) is None:
            return None
        proposal, turns = load_proposal(saved), {each.id for each in segment.episodes}
        if all(item.quote.episode in turns for item in proposal):
            return proposal
        self.store.learning.discard_proposal(segment)
        return None


@dataclass(slots=True)
class _AskedExtractor:
    """Asks an extractor once about the same conversation: learning begins again when something else was erased."""

    extractor: Extractor
    last: tuple[LearningConversation, Proposal] | None = None

    def extract(self, conversation: LearningConversation) -> Proposal:
        if self.last is None or self.last[0] != conversation:
            self.last = conversation, self.extractor.extract(conversation)
        return self.last[1]


def conversation_from_segment(segment: UnlearnedSegment) -> LearningConversation:
    return LearningConversation(
        session=segment.session,
        turns=tuple(turn_from_node(each) for each in segment.episodes),
        fresh=segment.fresh,
        owner=segment.owner,
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


# Proposes everything that reading finds without a language model: statements, corrections, replacements, causes.


_SHORT = 50  # characters: "Not Tom, but Tim" is only a correction


@dataclass(frozen=True, slots=True)
class ReadingExtractor:
    """Finds what people state, what the user corrects, and which turn brought about the next."""

    statements: StatementExtractor
    most_causes: int
    name: str = "statements"

    def extract(self, conversation: LearningConversation) -> Proposal:
        stated = self.statements.extract(conversation)
        found = find_corrections(conversation)
        replaced = list(replacements_in(conversation))
        replacing = [each for each in replaced if isinstance(each, UserCorrection)]
        lasting = {each.quote.episode for each in replacing}  # "use pnpm, not npm" sets no earlier turn right
        corrections = [each for each in found.corrections if each.quote.episode not in lasting]
        wanted = [_united(each, stated.statements) for each in replaced if isinstance(each, Statement)]
        correcting = [*(each.quote for each in (*replacing, *corrections) if not each.lasting), *found.denials]
        kept = [
            each
            for each in stated.statements
            if not any(_is_part(each, one) for one in wanted)
            and not (each.slot is None and _is_short(each) and any(_overlap(each.quote, one) for one in correcting))
        ]
        return replace(
            stated,
            statements=(*kept, *wanted, *found.ends),
            corrections=(*replacing, *corrections),
            causes=tuple(islice(causes_in(conversation.turns, conversation.fresh), self.most_causes)),
            notes=(*stated.notes, *found.notes),
        )


def _united(item: Statement, stated: Sequence[Statement]) -> Statement:
    """What is wanted instead of something else, with the scope and exceptions that reading finds for it."""
    for each in stated:
        if each.form == item.form == "instruction" and _overlap(each.quote, item.quote):
            return replace(item, quote=each.quote, scope=each.scope, exceptions=each.exceptions)
    return item


def _is_part(one: Statement, other: Statement) -> bool:
    return (one.slot is None or one.form == "instruction") and _overlap(one.quote, other.quote)


def _is_short(item: Statement) -> bool:
    return len(item.quote.words) <= _SHORT


def _overlap(one: Quote, other: Quote) -> bool:
    return one.episode == other.episode and (one.words in other.words or other.words in one.words)


# Applies a grounded proposal to the store within one transaction.


def apply_items(context: LearningContext, proposal: Proposal) -> None:
    """Apply all items turn by turn, so the result does not depend on how a session is split into segments.

    Within a turn, entities come first because facts refer to them.
    """
    stated = {item.quote.episode for item in proposal if isinstance(item, Statement)}
    corrections = {
        (item.quote.episode, name_key(item.right or "")): item for item in proposal if isinstance(item, UserCorrection)
    }
    for item in _told_apart(context, proposal):
        try:
            with context.transaction.isolated():
                if isinstance(item, UserCorrection) and item.whole:
                    apply_corrections.retract_turn(context, item)
                elif isinstance(item, UserCorrection):
                    # "use pnpm, not npm" is also a preference and takes effect as one
                    apply_corrections.apply_correction(context, item, elsewhere=item.quote.episode in stated)
                elif not (isinstance(item, EntityMention) and _is_rename(context, corrections, item)):
                    _apply_item(context, item)
        except learning_context.ITEM_ERRORS as error:
            context.refuse(item, error)


def _told_apart(context: LearningContext, proposal: Proposal) -> Iterator[ProposalItem]:
    """The items turn by turn. Whom a name means is decided once the turns before are applied."""
    ordered = sorted(proposal, key=lambda item: item.quote.episode)
    for _, items in groupby(ordered, key=lambda item: item.quote.episode):
        yield from tell_apart(context, list(items))


def _is_rename(
    context: LearningContext, corrections: Mapping[tuple[int, str], UserCorrection], item: EntityMention
) -> bool:
    """Whether the mention is the user's corrected name ("Tim, not Tom") and not a new person."""
    correction = corrections.get((item.quote.episode, name_key(item.name)))
    owner = context.owner
    return correction is not None and owner is not None and name_key(correction.wrong or "") == name_key(owner.name)


def _apply_item(context: LearningContext, item: ProposalItem) -> None:
    match item:
        case EntityMention():
            if not item.existing_only or context.find_entity(item.name) is not None:
                learning_context.save_mention(context, item)
        case Statement():
            apply_statement(context, item)
        case CausalLink():
            _apply_cause(context, item)


def _apply_cause(context: LearningContext, item: CausalLink) -> None:
    if item.cause != item.effect and {item.cause, item.effect} <= set(context.episodes):
        context.transaction.link(
            item.cause, item.effect, "causal", confidence=item.confidence, evidence=[item.quote.words]
        )
        context.report.add("linked", "cause", f"[id:{item.cause}] → [id:{item.effect}]", why=item.quote.words)


# ── people of one name: a colleague Maria and an aunt Maria are two, by their relation to the user ──

_ROLE = re.compile(r"['’]s (\w[\w-]*)\W*$")  # "Maria is Priya's aunt"


def tell_apart(context: LearningContext, items: Sequence[ProposalItem]) -> list[ProposalItem]:
    """The items of one turn, with the full name of whoever has a namesake: "Maria (aunt)"."""
    related = [item for item in items if isinstance(item, Statement) and _relates_to_user(context, item)]
    meant = {name_key(item.value or ""): _person_meant(context, item) for item in related}
    named = {item.subject for item in items if isinstance(item, Statement) and item.subject != USER}
    for name in named:
        if name_key(name) not in meant and (latest := _latest_in_session(context, name)) is not None:
            meant[name_key(name)] = latest
    changed = {key: name for key, name in meant.items() if name_key(name) != key}
    return [_renamed(item, changed) for item in items] if changed else list(items)


def _relates_to_user(context: LearningContext, item: Statement) -> bool:
    owner = context.owner.name if context.owner else USER
    return item.slot in PEOPLE_SLOTS and bool(item.value) and item.subject in (USER, owner)


def _person_meant(context: LearningContext, item: Statement) -> str:
    """The name of the person that a relation names; a new one if the known person of this name cannot be meant."""
    name = item.value or ""
    facts = _relations_of(context, name)
    fitting = [fact for fact in facts if may_be_one_person(fact.predicate or "", item.slot or "")]
    if fitting:
        return fitting[0].object or name
    if not facts:
        return name
    found = _ROLE.search(item.text)
    role = found[1] if found else item.slot
    full = f"{name} ({role})"
    at = context.episodes[item.quote.episode].event_at
    entity = context.transaction.save_entity(
        EntityProfile(name=full, type="person", aliases=(f"{role} {name}",), seen_at=to_micros(at))
    )
    context.add_names(entity)
    return full


def _latest_in_session(context: LearningContext, name: str) -> str | None:
    """Whom a name meant when this session last said who that is."""
    facts = _relations_of(context, name)
    if len({fact.object for fact in facts}) < 2:
        return None
    here = [fact for fact in facts if fact.session == context.segment.session]
    return here[0].object if here else None


def _relations_of(context: LearningContext, name: str) -> list[Fact]:
    """What is known of the user's relations to people of a name, newest first."""
    facts = context.transaction.facts(context.names_of(USER), sorted(PEOPLE_SLOTS))
    return [fact for fact in facts if name_key((fact.object or "").partition(" (")[0]) == name_key(name)]


def _renamed(item: ProposalItem, names: dict[str, str]) -> ProposalItem:
    match item:
        case Statement():
            value = names.get(name_key(item.value or ""), item.value)
            return replace(item, subject=names.get(name_key(item.subject), item.subject), value=value)
        case EntityMention():
            return replace(item, name=names.get(name_key(item.name), item.name))
    return item
