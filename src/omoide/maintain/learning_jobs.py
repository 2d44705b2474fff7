"""Jobs that learn: from ended sessions, entity summaries, causal links, session narratives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from omoide.clock import to_micros
from omoide.domain import Node
from omoide.errors import ModelFailed, OmoideError
from omoide.language.text import shorten
from omoide.learn import learner
from omoide.learn.across_sessions import summarize_entity
from omoide.learn.grounding import ground_proposal
from omoide.learn.learner import turn_from_node
from omoide.learn.learning_context import LearningReport
from omoide.learn.narrative import narrative_sentence, write_narrative
from omoide.learn.proposal import CausalLink, LearningConversation, Proposal
from omoide.learn.statements.corrections import causes_in
from omoide.maintain.job import SET_ASIDE, JobContext, JobStep, MaintenanceJob, for_each, in_halves
from omoide.maintain.summary_text import BY_RULES, segments
from omoide.store import SetAside


def _learn_sessions(context: JobContext) -> Iterator[JobStep]:
    """Learns from one ended session at a time. A failing session stays pending and is reported after the others.

    A dry run only names the sessions: what they teach is unknown before they are read.
    """
    again = _reopen_turns(context)
    names = context.store.learning.pending_sessions()
    yield from for_each(context, LEARN_JOB.name, names, "session {}".format, partial(_learn_session, context))
    left = {each.item: each.failures for each in context.store.maintenance.list_set_aside(LEARN_JOB.name)}
    for turn in again:
        if left.get(turn.item) == turn.failures:  # it was read again and did not fail
            context.store.maintenance.take_back(LEARN_JOB.name, turn.item)


def _learn_session(context: JobContext, name: str) -> Iterator[JobStep]:
    step = JobStep("learned from", "session", name, None, "it ended and was not learned from yet")
    if context.dry_run:
        yield step
        return
    report = learner.learn_sessions(context.store, context.settings, context.language_model, [name])
    if name not in report.failed:
        yield step
    for entry in report.entries:
        yield JobStep(entry.verb, entry.kind, entry.text, entry.id, entry.why)
    if name in report.failed:
        raise ModelFailed("; ".join(f"{part}: {why}" for part, why in report.failed.items()))


def _reopen_turns(context: JobContext) -> list[SetAside]:
    """Lets learning read turns again of which something could not be learned, once their pause is over."""
    if context.dry_run:
        return []
    found = context.store.maintenance.list_set_aside(LEARN_JOB.name)
    due = [each for each in found if each.item.startswith("turn ") and to_micros(each.retry_at) <= context.now]
    for each in due:
        context.store.learning.reopen_turn(int(each.item.removeprefix("turn ")))
    return due


LEARN_JOB = MaintenanceJob("learn", "learns from every ended session", _learn_sessions)


_ALL_ENTITIES = 1_000_000


def _describe_entities(context: JobContext) -> Iterator[JobStep]:
    """Writes a short summary of entities that are mentioned often, from the facts about them."""
    if context.dry_run:
        yield from _enrich_preview(context)
        return
    for report in learner.entity_summarizer(context.settings, context.language_model).batches(context.store):
        yield from _enrich_steps(report)


ENRICH_JOB = MaintenanceJob("enrich", "summarises people and things that are mentioned often", _describe_entities)


def _enrich_steps(report: LearningReport) -> Iterator[JobStep]:
    for entry in report.entries:
        yield JobStep("enriched", "entity", entry.text, None, entry.why)
    for item, why in report.failed.items():
        yield JobStep(SET_ASIDE, "entity", item.removeprefix("entity "), None, why)
    for note in report.notes:
        yield JobStep("kept", "entity", note, None, "the next run tries again")


def _enrich_preview(context: JobContext) -> Iterator[JobStep]:
    """The summaries by rules: a dry run asks no model."""
    settings, model = context.settings, context.language_model
    most = _ALL_ENTITIES if model is None else max(1, settings.entity_enrichment_batch_size)
    by = "" if model is None else f"; {model.name} would be asked"
    for each in context.store.learning.unsummarised_entities(settings.entity_enrichment_min_mentions, most):
        if each.facts and (summary := summarize_entity(each.entity, each.facts)) is not None:
            yield JobStep("enriched", "entity", summary, None, f"of {each.entity.name}{by}")


_CAUSES_CURSOR = "causes"  # the last turn that was read
_TURNS_PER_BATCH = 200  # turns read and linked per transaction


@dataclass(frozen=True, slots=True)
class _FoundCause:
    cause: CausalLink
    by: str


def _link_causes(context: JobContext) -> Iterator[JobStep]:
    """Links turns that caused one another. Rules read all turns; a model reads only turns outside of sessions, because
    it has already seen the others when their session was learned from."""
    store = context.store
    waiting = [id for id, _ in store.summaries.turn_times(store.maintenance.job_cursor(_CAUSES_CURSOR))]
    aside = [each.item.removeprefix("memory ") for each in store.maintenance.list_set_aside(CAUSES_JOB.name)]
    parts = [waiting[start : start + _TURNS_PER_BATCH] for start in range(0, len(waiting), _TURNS_PER_BATCH)]
    for ids in [*([int(id)] for id in aside), *parts]:
        for step in in_halves(context, CAUSES_JOB.name, ids, "memory", partial(_link_turns, context)):
            yield step
            if step.id is not None and not context.dry_run:  # set aside: the cursor passes it
                _move_causes_cursor(context, step.id)


def _link_turns(context: JobContext, ids: Sequence[int]) -> Iterator[JobStep]:
    for each in context.store.derive(partial(_link_batch, context, ids)):
        text = f"[id:{each.cause.cause}] → [id:{each.cause.effect}]"
        yield JobStep("linked", "cause", text, None, f"{each.cause.quote.words}, {each.by}")


def _move_causes_cursor(context: JobContext, upto: int) -> None:
    if upto > context.store.maintenance.job_cursor(_CAUSES_CURSOR):
        context.store.maintenance.set_job_cursor(_CAUSES_CURSOR, upto)


def _link_batch(context: JobContext, ids: Sequence[int]) -> list[_FoundCause]:
    store = context.store
    found, known = _find_causes(context, ids), store.summaries.causal_links(ids)
    fresh = [each for each in found if (each.cause.cause, each.cause.effect) not in known]
    if not context.dry_run:
        links = [(e.cause.cause, e.cause.effect, e.cause.confidence, e.cause.quote.words) for e in fresh]
        upto = max(store.maintenance.job_cursor(_CAUSES_CURSOR), *ids)
        store.summaries.link_causes_upto(links, _CAUSES_CURSOR, upto)
    return fresh


CAUSES_JOB = MaintenanceJob("causes", "links turns that caused one another", _link_causes)


def _find_causes(context: JobContext, ids: Sequence[int]) -> list[_FoundCause]:
    sessions: dict[str | None, list[Node]] = {}
    held = context.store.nodes.fetch(ids)
    for node in (held[id] for id in ids if id in held):
        sessions.setdefault(node.session, []).append(node)
    found: list[_FoundCause] = []
    for session, nodes in sessions.items():
        if session is None:
            in_order = sorted(nodes, key=lambda node: (node.event_at, node.id))
            for segment in segments(in_order):
                found += _causes_in_conversation(context, _conversation_of("", segment, 0))
        else:
            before = context.store.summaries.turn_before(nodes[0].id)
            found += _causes_in_conversation(context, _conversation_of(session, [*before, *nodes], len(before)))
    return sorted(found, key=lambda each: (each.cause.quote.episode, each.cause.cause))


def _conversation_of(session: str, nodes: Sequence[Node], fresh: int) -> LearningConversation:
    return LearningConversation(session=session, turns=tuple(turn_from_node(node) for node in nodes), fresh=fresh)


def _causes_in_conversation(context: JobContext, conversation: LearningConversation) -> list[_FoundCause]:
    most = context.settings.causal_inference_batch_size
    proposed = tuple(causes_in(conversation.turns, conversation.fresh))[:most]
    by_rules = [
        _FoundCause(cause, BY_RULES)
        for cause in ground_proposal(conversation, Proposal(causes=proposed)).proposal.causes
    ]
    model = context.language_model
    if model is None or context.dry_run or conversation.session or len(conversation.turns) < 2:
        return by_rules
    from omoide.learn.model.extractor import find_causes

    try:
        answer = find_causes(model, conversation, repairs=context.settings.llm_repairs, limit=most)
    except OmoideError as error:
        return [_FoundCause(each.cause, f"{BY_RULES}, since {str(error).partition(';')[0]}") for each in by_rules]
    known_pairs = {(each.cause, each.effect) for each in answer.accepted}
    others = [each for each in by_rules if (each.cause.cause, each.cause.effect) not in known_pairs]
    return [*(_FoundCause(cause, f"by {model.name}") for cause in answer.accepted), *others]


def _narrate_sessions(context: JobContext) -> Iterator[JobStep]:
    """Gives sessions that ended without a narrative one sentence about where things stood."""
    names = context.store.narratives.unnarrated_sessions()
    return for_each(context, NARRATIVES_JOB.name, names, "session {}".format, partial(_narrate_session, context))


def _narrate_session(context: JobContext, session: str) -> Iterator[JobStep]:
    store = context.store
    if context.dry_run:
        found = store.nodes.fetch(store.narratives.unnarrated(session))
        sentence = narrative_sentence([found[id] for id in sorted(found)])
        if sentence is not None:
            yield JobStep("narrated", "narrative", shorten(sentence.text, 120), None, session)
        return
    node = write_narrative(store, session, context.language_model, repairs=context.settings.llm_repairs)
    if node is not None:
        yield JobStep("narrated", "narrative", shorten(node.text, 120), node.id, session)


NARRATIVES_JOB = MaintenanceJob("narratives", "writes a narrative sentence for each ended session", _narrate_sessions)
