"""Applies entity mentions and relations of a proposal, and settles the facts of merged entities."""

from __future__ import annotations

from omoide.clock import to_micros
from omoide.domain import Fact, Node
from omoide.domain.entity import name_key
from omoide.learn import conflict
from omoide.learn.conflict import SINGLE_VALUED, competing_predicates
from omoide.learn.learning_context import LearningContext
from omoide.learn.proposal import USER, Claim, EntityMention, Quote, SourceType, StatedRelation
from omoide.store import EntityProfile, MergeSettlement

_RELATION_NAMES = {"lives_in": "located_in"}  # predicates whose relation has another name


def save_mention(context: LearningContext, item: EntityMention) -> None:
    known = context.find_entity(item.name)
    name = known.name if known is not None else item.name
    aliases = tuple(dict.fromkeys((*item.aliases, *([item.name] if name != item.name else []))))
    description = item.description if known is None else None
    episode, _ = context.source(item.quote)
    at = to_micros(episode.event_at)
    entity = context.transaction.save_entity(
        EntityProfile(name=name, type=item.type, aliases=aliases, description=description, seen_at=at)
    )
    context.add_names(entity)
    context.transaction.mention(episode.id, [entity.id])
    if known is None:
        context.report.add("learned", "entity", f"{entity.name} ({entity.type})", why=item.quote.words)


def introduce_user(context: LearningContext, claim: Claim, episode: Node) -> None:
    """Store the name that the user gives for themselves. A later name becomes an alias."""
    other = context.find_entity(claim.object)
    if context.owner is not None and other is not None and other.id != context.owner.id:
        return  # another person has this name
    name, aliases = (context.owner.name, (claim.object,)) if context.owner is not None else (claim.object, ())
    at = to_micros(episode.event_at)
    entity = context.transaction.save_entity(
        EntityProfile(name=name, type="person", aliases=aliases, importance=10, seen_at=at)
    )
    context.add_names(entity)
    context.transaction.mention(episode.id, [entity.id])
    context.transaction.set_session_user(context.segment.session_id, entity.id)
    if context.owner is None:
        context.transaction.assign_unnamed_facts(USER, entity.id)
    context.owner = entity


def apply_renames(context: LearningContext) -> None:
    """Rename entities whose name fact was just superseded."""
    for entry in context.report.entries:
        if entry.verb == "superseded" and entry.kind == "fact" and entry.id is not None:
            context.transaction.apply_name_correction(entry.id)


def end_fact(context: LearningContext, node: Node, until: int, words: str) -> None:
    """End a node and, for a fact, the relation that it states. `words` are the quote that ends it."""
    context.end(node, until, words)
    if isinstance(node, Fact):
        end_relation(context, node, until)


def end_relation(context: LearningContext, fact: Fact, until: int) -> None:
    source, target = context.find_entity(fact.subject or ""), context.find_entity(fact.object or "")
    if source is not None and target is not None:
        for type in sorted(relation_types(fact)):
            context.transaction.end_relations(source.id, type, until, target.id)


def relation_types(fact: Fact) -> set[str]:
    """The types under which the relation of a fact may be stored."""
    return {fact.predicate, _RELATION_NAMES.get(fact.predicate, fact.predicate)} if fact.predicate else set()


def add_relation(context: LearningContext, item: StatedRelation) -> None:
    source, target = context.find_entity(item.source), context.find_entity(item.target)
    if source is None or target is None or source.id == target.id:
        return
    if (item.quote.episode, name_key(item.target)) in context.not_current:
        return  # a past or disputed fact does not change the current relation
    if item.type in SINGLE_VALUED:
        context.transaction.end_relations(source.id, item.type, context.transaction.now)
    context.transaction.relate(source.id, item.type, target.id, item.confidence, item.quote.episode)
    context.report.add("linked", "relation", f"{source.name} {item.type} {target.name}", why=item.quote.words)


def settle_merge(merge: MergeSettlement) -> None:
    """Resolve conflicts between the facts of two merged entities, in the order in which they were stated."""
    kept, gone = merge.facts()
    held: dict[bool, list[Fact]] = {True: [], False: []}
    sides = [(fact, True) for fact in kept] + [(fact, False) for fact in gone]
    for fact, stays in sorted(sides, key=lambda each: (each[0].event_at, each[0].id)):
        if not fact.subject or not fact.predicate or fact.object is None:
            continue
        if _settle_fact(merge, fact, held[not stays]):
            held[stays].append(fact)


def _settle_fact(merge: MergeSettlement, new: Fact, held: list[Fact]) -> bool:
    """Settle one fact against the earlier facts of the other entity. Returns whether it is still valid."""
    near = [fact for fact in held if fact.predicate in competing_predicates(new.predicate or "")]
    match conflict.decide_conflict(_claim_from_fact(new), near, conflict.known_since(new), new.event_at):
        case conflict.ReplaceFacts(held=facts):
            for old in facts:
                until = max(to_micros(conflict.known_since(new)), to_micros(conflict.known_since(old)))
                merge.replace_fact(new, old, until)
                merge.end_relation(relation_types(old), old.object or "", until)
                held.remove(old)
        case conflict.AddPastFact(held=fact):
            merge.mark_past(new, to_micros(conflict.known_since(fact)))
            return False
        case conflict.MarkContradiction(held=fact):
            merge.mark_contradiction(new, fact)
    return True


def _claim_from_fact(fact: Fact) -> Claim:
    source: SourceType = "inferred"
    match fact.source_type:
        case "stated" | "observed" | "corrected":
            source = fact.source_type
    return Claim(
        subject=fact.subject or "",
        predicate=fact.predicate or "",
        object=fact.object or "",
        text=fact.text,
        quote=Quote(fact.id, fact.text),
        confidence=fact.confidence,
        source_type=source,
        valid_from=fact.valid_from,
        valid_until=fact.valid_until,
    )
