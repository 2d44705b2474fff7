"""What is told as over: it becomes a fact of its own time, or ends what was held, and never touches what is so now."""

from __future__ import annotations

from datetime import datetime

from omoide.clock import micros
from omoide.layers import Fact
from omoide.layers.entity import name_key
from omoide.learn import conflict, facts, things
from omoide.learn.proposal import Claim
from omoide.learn.scene import Scene

_FOR_GOOD = frozenset({"has_pet"})  # "Rex died last month": what is told of the past ends what is held today


def is_over(scene: Scene, item: Claim) -> bool:
    """Whether a claim says when it ended, and that lies behind the turn."""
    said = scene.episodes[item.quote.episode].event_at
    return item.valid_until is not None and item.valid_until <= said


def claim(scene: Scene, item: Claim) -> None:
    """For a claim that is over: what is held of the same ends, or is confirmed, or the past is added beside it."""
    until = item.valid_until
    if until is None:
        return
    episode, source = scene.source(item.quote)
    held = [
        fact
        for fact in scene.pen.facts(scene.called(item.subject), (item.predicate,))
        if name_key(fact.object or "") == name_key(item.object)
    ]
    for fact in held:
        if fact.valid_until is None and _ends(fact, item, until, episode.event_at):
            when = micros(max(until, conflict.begun(fact)) if conflict.is_dated(fact) else until)
            scene.pen.close(fact.id, when)
            things.part(scene, fact, when)
            scene.report.add("ended", "fact", fact.text, fact.id, item.quote.words)
            return
    known = next((fact for fact in held if _covers(fact, item, until)), None)
    if known is not None:
        scene.pen.support(known, source, item.confidence)
        scene.report.add("confirmed", "fact", known.text, known.id, item.quote.words)
        return
    scene.unsettled.add((episode.id, name_key(item.object)))
    node = scene.pen.add(facts.fact_of(scene, item, episode, micros(until)), source)
    scene.report.add("learned", "fact", item.text, node.id, item.quote.words)


def _ends(fact: Fact, item: Claim, until: datetime, said: datetime) -> bool:
    """ "I left Acme last month" ends what was said of it before, also within that month; not what began again since."""
    if fact.event_at > said:
        return False
    if item.negated or item.predicate in _FOR_GOOD:
        return conflict.ends(fact, item.predicate, until, said)
    return conflict.begun(fact) < until and max(fact.event_at, fact.confirmed_at or fact.event_at) < until


def _covers(fact: Fact, item: Claim, until: datetime) -> bool:
    """It was so in that time already, as far as we know."""
    begun = fact.valid_from or until
    return begun <= (item.valid_from or until) and (fact.valid_until is None or fact.valid_until >= until)
