"""Claims and judgements of a proposal → facts and opinions, with what they do to those that are held."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from omoide.clock import micros
from omoide.layers import Draft, Node
from omoide.layers.entity import name_key
from omoide.learn import conflict, things
from omoide.learn.predicates import rivals
from omoide.learn.proposal import USER, Claim, Judgement
from omoide.learn.scene import Scene

NAMING = "name"  # the predicate by which the user says what they are called


def claim(scene: Scene, item: Claim) -> None:
    episode, source = scene.source(item.quote)
    pen, report, words = scene.pen, scene.report, item.quote.words
    if item.predicate == NAMING and item.subject in (USER, scene.lesson.owner):
        if scene.owner is not None and _ruled_out(scene.owner.name, episode.text):
            item = replace(item, source_type="corrected")
        else:
            things.introduce(scene, item, episode)
    if (subject := scene.known(item.subject)) is not None:  # "I" names nobody, and speaks of somebody all the same
        pen.mention(episode.id, [subject.id], micros(episode.event_at))
    since = (item.valid_until if item.negated else item.valid_from) or episode.event_at
    held = pen.facts(scene.called(item.subject), rivals(item.predicate))
    match conflict.decide(item, held, since, episode.event_at):
        case conflict.Adds():
            node = pen.add(fact_of(scene, item, episode), source)
            report.add("learned", "fact", item.text, node.id, words)
        case conflict.Confirms(held=fact):
            pen.support(fact, source, item.confidence)
            report.add("confirmed", "fact", fact.text, fact.id, words)
        case conflict.Replaces(held=facts):
            first, *others = facts
            begun = [conflict.begun(fact) for fact in facts if conflict.is_dated(fact)]
            if item.source_type != "corrected" and begun and (late := max(begun)) > since:
                since, item = late, replace(item, valid_from=late)  # "last month", but the old one began after that
            node = pen.supersede(first.id, fact_of(scene, item, episode), source, micros(since))
            for other in others:
                pen.close(other.id, micros(since))
            report.add("superseded", "fact", f"{first.text} → {item.text}", node.id, words)
        case conflict.Precedes(held=fact):
            until = micros(conflict.begun(fact))
            node = pen.add(fact_of(scene, item, episode, until), source)
            scene.unsettled.add((episode.id, name_key(item.object)))
            report.add("learned", "fact", item.text, node.id, f"was so before [id:{fact.id}]")
        case conflict.Ends(held=facts):
            for fact in facts:
                pen.close(fact.id, micros(since))
                things.part(scene, fact, micros(since))
                report.add("ended", "fact", fact.text, fact.id, words)
        case conflict.Contradicts(held=fact):
            node = pen.add(fact_of(scene, item, episode), source)
            pen.link(node.id, fact.id, "contradicts", confidence=item.confidence)
            scene.unsettled.add((episode.id, name_key(item.object)))
            report.add("contradicted", "fact", f"{item.text} ↔ {fact.text}", node.id, words)
        case conflict.Nothing(why=why):
            report.add("refused", "fact", words, None, why)  # what was heard: "no longer" was our guess


def fact_of(scene: Scene, item: Claim, episode: Node, until: int | None = None) -> Draft:
    subject = scene.known(item.subject)
    attributes = {
        "subject": subject.name if subject else item.subject,
        "predicate": item.predicate,
        "object": item.object,
    }
    since = micros(item.valid_from or episode.event_at)
    ends = until if item.valid_until is None else micros(item.valid_until)
    draft = scene.draft(
        "fact", item.text, episode, attributes, item.confidence, item.source_type, since=since, until=ends
    )
    unknown = item.valid_from is None and ends is not None and ends < since  # over before it was heard of
    return replace(draft, valid_from=None) if unknown else draft


def judgement(scene: Scene, item: Judgement) -> None:
    episode, source = scene.source(item.quote)
    pen, report, words = scene.pen, scene.report, item.quote.words
    holder = scene.known(item.holder)
    attributes = {"holder": holder.name if holder else item.holder, "about": item.about}
    draft = scene.draft("opinion", item.text, episode, attributes, item.confidence, "stated")
    called = scene.called(item.holder)
    held = pen.opinions(called, item.about)
    if held and _thought(held[0].text, called) == _thought(item.text, called):
        pen.support(held[0], source, item.confidence)
        report.add("confirmed", "opinion", held[0].text, held[0].id, words)
    elif held and held[0].event_at <= episode.event_at:
        node = pen.supersede(held[0].id, draft, source)
        report.add("superseded", "opinion", f"{held[0].text} → {item.text}", node.id, words)
    else:
        node = pen.add(draft, source)
        report.add("learned", "opinion", item.text, node.id, words)


def _thought(text: str, holders: Sequence[str]) -> str:
    """An opinion without whose it is: before their name was known it was the user's."""
    names = sorted(("User", *holders), key=len, reverse=True)
    return next((text[len(name) :] for name in names if text.startswith(f"{name} ")), text).strip(" .").casefold()


def _ruled_out(name: str, text: str) -> bool:
    """ "Tim, not Tom" takes a name back; "call me Tim" is one more."""
    return re.search(rf"\b(?:not|isn't|no longer)\s+(?:\w+\s+)?{re.escape(name)}\b", text, re.IGNORECASE) is not None
