"""People and things of a proposal → entities and relations."""

from __future__ import annotations

from omoide.clock import to_micros
from omoide.domain import Fact, Node
from omoide.domain.entity import name_key
from omoide.learn import conflict
from omoide.learn.conflict import SINGLE_VALUED, competing_predicates
from omoide.learn.learning_context import LearningContext
from omoide.learn.proposal import USER, Claim, EntityMention, Quote, SourceType, StatedRelation
from omoide.store import EntityProfile, MergeSettlement

_RELATION_NAMES = {"lives_in": "located_in"}  # facts whose relation goes by another name


def save_mention(scene: LearningContext, item: EntityMention) -> None:
    known = scene.known(item.name)
    name = known.name if known is not None else item.name
    aliases = tuple(dict.fromkeys((*item.aliases, *([item.name] if name != item.name else []))))
    description = item.description if known is None else None
    episode, _ = scene.source(item.quote)
    at = to_micros(episode.event_at)
    entity = scene.pen.save_entity(
        EntityProfile(name=name, type=item.type, aliases=aliases, description=description, seen_at=at)
    )
    scene.meet(entity)
    scene.pen.mention(episode.id, [entity.id], at)
    if known is None:
        scene.report.add("learned", "entity", f"{entity.name} ({entity.type})", why=item.quote.words)


def introduce_user(scene: LearningContext, claim: Claim, episode: Node) -> None:
    """The user says what they are called: from now on "I" is this person. Another name later is one more of theirs."""
    other = scene.known(claim.object)
    if scene.owner is not None and other is not None and other.id != scene.owner.id:
        return  # somebody else is called so
    called, aliases = (scene.owner.name, (claim.object,)) if scene.owner is not None else (claim.object, ())
    at = to_micros(episode.event_at)
    entity = scene.pen.save_entity(
        EntityProfile(name=called, type="person", aliases=aliases, importance=10, seen_at=at)
    )
    scene.meet(entity)
    scene.pen.mention(episode.id, [entity.id], at)
    scene.pen.owned_by(scene.lesson.session_id, entity.id)
    if scene.owner is None:
        scene.pen.adopt(USER, entity.id)
    scene.owner = entity


def apply_renames(scene: LearningContext) -> None:
    """Whose name was corrected by what was just learned is called so."""
    for entry in scene.report.entries:
        if entry.verb == "superseded" and entry.kind == "fact" and entry.id is not None:
            scene.pen.follow_name(entry.id)


def end_relation(scene: LearningContext, fact: Fact, until: int) -> None:
    """The relation that came of a fact ends with it."""
    source, target = scene.known(fact.subject or ""), scene.known(fact.object or "")
    if source is not None and target is not None:
        for type in sorted(relation_types(fact)):
            scene.pen.unrelate(source.id, type, until, target.id)


def relation_types(fact: Fact) -> set[str]:
    """Under which types the relation of a fact may stand."""
    return {fact.predicate, _RELATION_NAMES.get(fact.predicate, fact.predicate)} if fact.predicate else set()


def add_relation(scene: LearningContext, item: StatedRelation) -> None:
    source, target = scene.known(item.source), scene.known(item.target)
    if source is None or target is None or source.id == target.id:
        return
    if (item.quote.episode, name_key(item.target)) in scene.unsettled:
        return  # the fact it comes from is past or disputed: what holds today stays
    if item.type in SINGLE_VALUED:
        scene.pen.unrelate(source.id, item.type, scene.pen.now)
    scene.pen.relate(source.id, item.type, target.id, item.confidence, item.quote.episode)
    scene.report.add("linked", "relation", f"{source.name} {item.type} {target.name}", why=item.quote.words)


# What two entities say against each other once they are one: decided like any claim, or kept and marked.


def settle_merge(union: MergeSettlement) -> None:
    """Each fact, in the order in which they were said, against those of the other that were said before it."""
    kept, gone = union.facts()
    held: dict[bool, list[Fact]] = {True: [], False: []}
    sides = [(fact, True) for fact in kept] + [(fact, False) for fact in gone]
    for fact, stays in sorted(sides, key=lambda each: (each[0].event_at, each[0].id)):
        if not fact.subject or not fact.predicate or fact.object is None:
            continue
        if _settle_fact(union, fact, held[not stays]):
            held[stays].append(fact)


def _settle_fact(union: MergeSettlement, new: Fact, held: list[Fact]) -> bool:
    """Whether the fact still holds."""
    near = [fact for fact in held if fact.predicate in competing_predicates(new.predicate or "")]
    match conflict.decide_conflict(_claim_from_fact(new), near, conflict.known_since(new), new.event_at):
        case conflict.ReplaceFacts(held=facts):
            for old in facts:
                until = max(to_micros(conflict.known_since(new)), to_micros(conflict.known_since(old)))
                union.supersedes(new, old, until)
                union.part(relation_types(old), old.object or "", until)
                held.remove(old)
        case conflict.AddPastFact(held=fact):
            union.is_past(new, to_micros(conflict.known_since(fact)))
            return False
        case conflict.MarkContradiction(held=fact):
            union.contradicts(new, fact)
        case _:  # the same of both, or nothing against it
            pass
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
