"""Learns from every conversation that is over: what is not learned yet must not be made shorter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omoide.domain import Node
from omoide.errors import ModelFailed, OmoideError
from omoide.language.text import shorten
from omoide.learn import learner
from omoide.learn.entity_summaries import summarize_entity
from omoide.learn.grounding import ground_proposal
from omoide.learn.learner import turn_from_node
from omoide.learn.learning_context import LearningReport
from omoide.learn.narrative import narrative_sentence, write_narrative
from omoide.learn.proposal import CausalLink, Conversation, Proposal
from omoide.learn.rules.agent_turns import causes_in
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob
from omoide.maintain.summary_text import BY_RULES, segments


def _learn_sessions(upkeep: JobContext) -> Iterator[JobStep]:
    """One conversation at a time. One that fails stays pending, and is told of once the others are done. What will be
    learned nobody knows before it is: a dry run names the conversations, and the run names them too."""
    failed: dict[str, str] = {}
    for name in upkeep.store.pending_sessions():
        step = JobStep("learned from", "session", name, None, "it is over and was not learned from")
        if upkeep.dry_run:
            yield step
            continue
        report = learner.learn_sessions(upkeep.store, upkeep.settings, upkeep.language_model, [name])
        failed |= report.failed
        if name not in report.failed:
            yield step
        for entry in report.entries:
            yield JobStep(entry.verb, entry.kind, entry.text, entry.id, entry.why)
    if failed:
        name, why = next(iter(failed.items()))
        raise ModelFailed(f"{len(failed)} conversations stay pending; {name}: {why}")


LEARN_JOB = MaintenanceJob("learn", "learns from every conversation that is over", _learn_sessions)


# A sentence or two about those who are spoken of often, out of what is known of them.


_ALL_ENTITIES = 1_000_000


def _describe_entities(upkeep: JobContext) -> Iterator[JobStep]:
    if upkeep.dry_run:
        yield from _enrich_preview(upkeep)
        return
    for report in learner.entity_summarizer(upkeep.settings, upkeep.language_model).batches(upkeep.store):
        yield from _enrich_steps(report)


ENRICH_JOB = MaintenanceJob("enrich", "people and things that are spoken of often get a summary", _describe_entities)


def _enrich_steps(report: LearningReport) -> Iterator[JobStep]:
    for entry in report.entries:
        yield JobStep("enriched", "entity", entry.text, None, entry.why)
    for note in report.notes:
        yield JobStep("kept", "entity", note, None, "the next run tries again")


def _enrich_preview(upkeep: JobContext) -> Iterator[JobStep]:
    """A dry run asks no model."""
    settings, model = upkeep.settings, upkeep.language_model
    most = _ALL_ENTITIES if model is None else max(1, settings.entity_enrichment_batch_size)
    by = "" if model is None else f"; {model.name} would be asked"
    for each in upkeep.store.untold(settings.entity_enrichment_min_mentions, most):
        if each.facts and (summary := summarize_entity(each.entity, each.facts)) is not None:
            yield JobStep("enriched", "entity", summary, None, f"of {each.entity.name}{by}")


# Which turn brought about the next: consecutive turns that nobody has looked at, each of them once.


_CAUSES_CURSOR = "causes"  # the last turn that was looked at
_TURNS_PER_BATCH = 200  # turns read and linked in one transaction


@dataclass(frozen=True, slots=True)
class _FoundCause:
    cause: CausalLink
    by: str


def _link_causes(upkeep: JobContext) -> Iterator[JobStep]:
    """Rules read all turns. A model is asked about those outside of any session alone: of the others it was asked when
    they were learned from, and asking twice costs twice."""
    store = upkeep.store
    waiting = _unread_turns(upkeep)
    for start in range(0, len(waiting), _TURNS_PER_BATCH):
        ids = waiting[start : start + _TURNS_PER_BATCH]
        found = _find_causes(upkeep, ids)
        known = store.causal_links(ids)
        fresh = [each for each in found if (each.cause.cause, each.cause.effect) not in known]
        if not upkeep.dry_run:
            links = [(e.cause.cause, e.cause.effect, e.cause.confidence, e.cause.quote.words) for e in fresh]
            store.link_causes(links, _CAUSES_CURSOR, max(ids))
        for each in fresh:
            text = f"[id:{each.cause.cause}] → [id:{each.cause.effect}]"
            yield JobStep("linked", "cause", text, None, f"{each.cause.quote.words}, {each.by}")


CAUSES_JOB = MaintenanceJob("causes", "turns that brought about one another are linked", _link_causes)


def _unread_turns(upkeep: JobContext) -> list[int]:
    return [id for id, _ in upkeep.store.turn_moments(upkeep.store.mark(_CAUSES_CURSOR))]


def _find_causes(upkeep: JobContext, ids: Sequence[int]) -> list[_FoundCause]:
    held = upkeep.store.nodes(ids)
    sessions: dict[str | None, list[Node]] = {}
    for id in ids:
        sessions.setdefault(held[id].session, []).append(held[id])
    found: list[_FoundCause] = []
    for session, nodes in sessions.items():
        if session is None:
            in_order = sorted(nodes, key=lambda node: (node.event_at, node.id))
            for stretch in segments(in_order):
                found += _causes_in_conversation(upkeep, _conversation_of("", stretch, 0))
        else:
            before = upkeep.store.turn_before(nodes[0].id)
            found += _causes_in_conversation(upkeep, _conversation_of(session, [*before, *nodes], len(before)))
    return sorted(found, key=lambda each: (each.cause.quote.episode, each.cause.cause))


def _conversation_of(session: str, nodes: Sequence[Node], fresh: int) -> Conversation:
    return Conversation(session=session, turns=tuple(turn_from_node(node) for node in nodes), fresh=fresh)


def _causes_in_conversation(upkeep: JobContext, conversation: Conversation) -> list[_FoundCause]:
    most = upkeep.settings.causal_inference_batch_size
    proposed = tuple(causes_in(conversation.turns, conversation.fresh))[:most]
    by_rules = [
        _FoundCause(cause, BY_RULES)
        for cause in ground_proposal(conversation, Proposal(causes=proposed)).proposal.causes
    ]
    model = upkeep.language_model
    if model is None or upkeep.dry_run or conversation.session or len(conversation.turns) < 2:
        return by_rules
    from omoide.learn.model.causes import find_causes

    try:
        heard = find_causes(model, conversation, repairs=upkeep.settings.llm_repairs, most=most)
    except OmoideError as error:
        return [_FoundCause(each.cause, f"{BY_RULES}, since {str(error).partition(';')[0]}") for each in by_rules]
    told = {(each.cause, each.effect) for each in heard.good}
    others = [each for each in by_rules if (each.cause.cause, each.cause.effect) not in told]
    return [*(_FoundCause(cause, f"by {model.name}") for cause in heard.good), *others]


# A session that ended without a word about it gets its narrative: one sentence about where things stood.


def _narrate_sessions(upkeep: JobContext) -> Iterator[JobStep]:
    store = upkeep.store
    for session in store.unnarrated_sessions():
        if upkeep.dry_run:
            found = store.nodes(store.unnarrated(session))
            told = narrative_sentence([found[id] for id in sorted(found)])
            if told is not None:
                yield JobStep("narrated", "narrative", shorten(told.text, 120), None, session)
            continue
        node = write_narrative(store, session, upkeep.language_model, repairs=upkeep.settings.llm_repairs)
        if node is not None:
            yield JobStep("narrated", "narrative", shorten(node.text, 120), node.id, session)


NARRATIVES_JOB = MaintenanceJob(
    "narratives", "sessions that are over get the sentence that answers: where was I?", _narrate_sessions
)
