"""People and things of a proposal → entities and relations."""

from __future__ import annotations

from omoide.clock import micros
from omoide.layers import Fact, Node
from omoide.layers.entity import name_key
from omoide.learn.predicates import SINGLE
from omoide.learn.proposal import USER, Claim, Mentioned, Relating
from omoide.learn.scene import Scene
from omoide.store import Profile

_RELATED_BY = {"lives_in": "located_in"}  # facts whose relation goes by another name


def mention(scene: Scene, item: Mentioned) -> None:
    known = scene.known(item.name)
    name = known.name if known is not None else item.name
    aliases = tuple(dict.fromkeys((*item.aliases, *([item.name] if name != item.name else []))))
    description = item.description if known is None else None
    episode, _ = scene.source(item.quote)
    at = micros(episode.event_at)
    entity = scene.pen.save_entity(
        Profile(name=name, type=item.type, aliases=aliases, description=description, seen_at=at)
    )
    scene.meet(entity)
    scene.pen.mention(episode.id, [entity.id], at)
    if known is None:
        scene.report.add("learned", "entity", f"{entity.name} ({entity.type})", why=item.quote.words)


def introduce(scene: Scene, claim: Claim, episode: Node) -> None:
    """The user says what they are called: from now on "I" is this person. Another name later is one more of theirs."""
    other = scene.known(claim.object)
    if scene.owner is not None and other is not None and other.id != scene.owner.id:
        return  # somebody else is called so
    called, aliases = (scene.owner.name, (claim.object,)) if scene.owner is not None else (claim.object, ())
    at = micros(episode.event_at)
    entity = scene.pen.save_entity(Profile(name=called, type="person", aliases=aliases, importance=10, seen_at=at))
    scene.meet(entity)
    scene.pen.mention(episode.id, [entity.id], at)
    scene.pen.owned_by(scene.lesson.session_id, entity.id)
    if scene.owner is None:
        scene.pen.adopt(USER, entity.id)
    scene.owner = entity


def rename(scene: Scene) -> None:
    """Whose name was corrected by what was just learned is called so."""
    for entry in scene.report.entries:
        if entry.verb == "superseded" and entry.kind == "fact" and entry.id is not None:
            scene.pen.follow_name(entry.id)


def part(scene: Scene, fact: Fact, until: int) -> None:
    """The relation that came of a fact ends with it."""
    source, target = scene.known(fact.subject or ""), scene.known(fact.object or "")
    if source is not None and target is not None:
        for type in sorted(relation_types(fact)):
            scene.pen.unrelate(source.id, type, until, target.id)


def relation_types(fact: Fact) -> set[str]:
    """Under which types the relation of a fact may stand."""
    return {fact.predicate, _RELATED_BY.get(fact.predicate, fact.predicate)} if fact.predicate else set()


def relate(scene: Scene, item: Relating) -> None:
    source, target = scene.known(item.source), scene.known(item.target)
    if source is None or target is None or source.id == target.id:
        return
    if (item.quote.episode, name_key(item.target)) in scene.unsettled:
        return  # the fact it comes from is past or disputed: what holds today stays
    if item.type in SINGLE:
        scene.pen.unrelate(source.id, item.type, scene.pen.now)
    scene.pen.relate(source.id, item.type, target.id, item.confidence, item.quote.episode)
    scene.report.add("linked", "relation", f"{source.name} {item.type} {target.name}", why=item.quote.words)
