"""Two people who are no longer a couple: what was held of them ends, also where nobody is named."""

from __future__ import annotations

from omoide.clock import micros
from omoide.layers import Fact
from omoide.layers.entity import name_key
from omoide.learn import things
from omoide.learn.proposal import Claim
from omoide.learn.scene import Scene

PARTNER_OF = "partner_of"
_COUPLES = tuple(f"{kin}_of" for kin in "partner girlfriend boyfriend wife husband spouse fiance fiancee".split())
_TOGETHER = frozenset({"married", "engaged", "in a relationship"})


def parts(item: Claim) -> bool:
    return item.negated and item.predicate == PARTNER_OF


def part_ways(scene: Scene, item: Claim) -> None:
    """ "We broke up": with the one partner that is known. "Tom and I broke up": with Tom, and with nobody else."""
    episode, _ = scene.source(item.quote)
    until = micros(item.valid_until or episode.event_at)
    ended = _partners(scene, item)
    if len({name_key(fact.subject or "") for fact in ended}) > 1:
        scene.report.add("refused", "fact", item.text, None, "more than one partner is known")
        return
    status = [
        fact
        for fact in scene.pen.facts(scene.called(item.object), ("marital_status",))
        if fact.object in _TOGETHER and fact.valid_until is None
    ]
    for fact in (*ended, *status):
        scene.pen.close(fact.id, until)
        things.part(scene, fact, until)
        scene.report.add("ended", "fact", fact.text, fact.id, item.quote.words)
    if not ended and not status:
        scene.report.add("refused", "fact", item.text, None, "nothing of the kind was known")


def _partners(scene: Scene, item: Claim) -> list[Fact]:
    unnamed = item.subject == item.object
    whose = {name_key(name) for name in scene.called(item.object)}
    names = [name for _, _, name in scene.pen.names()] if unnamed else scene.called(item.subject)
    held = scene.pen.facts(tuple(names), _COUPLES)
    return [fact for fact in held if name_key(fact.object or "") in whose and fact.valid_until is None]
