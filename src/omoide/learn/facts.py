"""Claims and judgements of a proposal → facts and opinions, with what they do to those that are held."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from omoide.clock import to_micros
from omoide.domain import Draft, Fact, Node
from omoide.domain.entity import name_key
from omoide.learn import conflict, entities
from omoide.learn.conflict import competing_predicates
from omoide.learn.learning_context import LearningContext
from omoide.learn.proposal import USER, Claim, StatedOpinion

NAME_PREDICATE = "name"  # the predicate by which the user says what they are called


def apply_claim(scene: LearningContext, item: Claim) -> None:
    episode, source = scene.source(item.quote)
    pen, report, words = scene.pen, scene.report, item.quote.words
    if item.predicate == NAME_PREDICATE and item.subject in (USER, scene.lesson.owner):
        if scene.owner is not None and _name_is_denied(scene.owner.name, episode.text):
            item = replace(item, source_type="corrected")
        else:
            entities.introduce_user(scene, item, episode)
    if (subject := scene.known(item.subject)) is not None:  # "I" names nobody, and speaks of somebody all the same
        pen.mention(episode.id, [subject.id], to_micros(episode.event_at))
    since = (item.valid_until if item.negated else item.valid_from) or episode.event_at
    held = pen.facts(scene.called(item.subject), competing_predicates(item.predicate))
    match conflict.decide_conflict(item, held, since, episode.event_at):
        case conflict.AddFact():
            node = pen.add(draft_fact(scene, item, episode), source)
            report.add("learned", "fact", item.text, node.id, words)
        case conflict.ConfirmFact(held=fact):
            pen.support(fact, source, item.confidence)
            report.add("confirmed", "fact", fact.text, fact.id, words)
        case conflict.ReplaceFacts(held=facts):
            first, *others = facts
            begun = [conflict.known_since(fact) for fact in facts if conflict.has_stated_start(fact)]
            if item.source_type != "corrected" and begun and (late := max(begun)) > since:
                since, item = late, replace(item, valid_from=late)  # "last month", but the old one began after that
            node = pen.supersede(first.id, draft_fact(scene, item, episode), source, to_micros(since))
            for other in others:
                pen.close(other.id, to_micros(since))
            report.add("superseded", "fact", f"{first.text} → {item.text}", node.id, words)
        case conflict.AddPastFact(held=fact):
            until = to_micros(conflict.known_since(fact))
            node = pen.add(draft_fact(scene, item, episode, until), source)
            scene.unsettled.add((episode.id, name_key(item.object)))
            report.add("learned", "fact", item.text, node.id, f"was so before [id:{fact.id}]")
        case conflict.EndFacts(held=facts):
            for fact in facts:
                pen.close(fact.id, to_micros(since))
                entities.end_relation(scene, fact, to_micros(since))
                report.add("ended", "fact", fact.text, fact.id, words)
        case conflict.MarkContradiction(held=fact):
            node = pen.add(draft_fact(scene, item, episode), source)
            pen.link(node.id, fact.id, "contradicts", confidence=item.confidence)
            scene.unsettled.add((episode.id, name_key(item.object)))
            report.add("contradicted", "fact", f"{item.text} ↔ {fact.text}", node.id, words)
        case conflict.NoChange(why=why):
            report.add("refused", "fact", words, None, why)  # what was heard: "no longer" was our guess


def draft_fact(scene: LearningContext, item: Claim, episode: Node, until: int | None = None) -> Draft:
    subject = scene.known(item.subject)
    attributes = {
        "subject": subject.name if subject else item.subject,
        "predicate": item.predicate,
        "object": item.object,
    }
    since = to_micros(item.valid_from or episode.event_at)
    ends = until if item.valid_until is None else to_micros(item.valid_until)
    draft = scene.draft(
        "fact", item.text, episode, attributes, item.confidence, item.source_type, since=since, until=ends
    )
    unknown = item.valid_from is None and ends is not None and ends < since  # over before it was heard of
    return replace(draft, valid_from=None) if unknown else draft


def apply_opinion(scene: LearningContext, item: StatedOpinion) -> None:
    episode, source = scene.source(item.quote)
    pen, report, words = scene.pen, scene.report, item.quote.words
    holder = scene.known(item.holder)
    attributes = {"holder": holder.name if holder else item.holder, "about": item.about}
    draft = scene.draft("opinion", item.text, episode, attributes, item.confidence, "stated")
    called = scene.called(item.holder)
    held = pen.opinions(called, item.about)
    if held and _opinion_text(held[0].text, called) == _opinion_text(item.text, called):
        pen.support(held[0], source, item.confidence)
        report.add("confirmed", "opinion", held[0].text, held[0].id, words)
    elif held and held[0].event_at <= episode.event_at:
        node = pen.supersede(held[0].id, draft, source)
        report.add("superseded", "opinion", f"{held[0].text} → {item.text}", node.id, words)
    else:
        node = pen.add(draft, source)
        report.add("learned", "opinion", item.text, node.id, words)


def _opinion_text(text: str, holders: Sequence[str]) -> str:
    """An opinion without whose it is: before their name was known it was the user's."""
    names = sorted(("User", *holders), key=len, reverse=True)
    return next((text[len(name) :] for name in names if text.startswith(f"{name} ")), text).strip(" .").casefold()


def _name_is_denied(name: str, text: str) -> bool:
    """ "Tim, not Tom" takes a name back; "call me Tim" is one more."""
    return re.search(rf"\b(?:not|isn't|no longer)\s+(?:\w+\s+)?{re.escape(name)}\b", text, re.IGNORECASE) is not None


# What is told as over: it becomes a fact of its own time, or ends what was held, and never touches what is so now.


_PERMANENT_ENDINGS = frozenset({"has_pet"})  # "Rex died last month": what is told of the past ends what is held today


def is_over(scene: LearningContext, item: Claim) -> bool:
    """Whether a claim says when it ended, and that lies behind the turn."""
    said = scene.episodes[item.quote.episode].event_at
    return item.valid_until is not None and item.valid_until <= said


def apply_past_claim(scene: LearningContext, item: Claim) -> None:
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
        if fact.valid_until is None and _claim_ends_fact(fact, item, until, episode.event_at):
            when = to_micros(max(until, conflict.known_since(fact)) if conflict.has_stated_start(fact) else until)
            scene.pen.close(fact.id, when)
            entities.end_relation(scene, fact, when)
            scene.report.add("ended", "fact", fact.text, fact.id, item.quote.words)
            return
    known = next((fact for fact in held if _already_covered(fact, item, until)), None)
    if known is not None:
        scene.pen.support(known, source, item.confidence)
        scene.report.add("confirmed", "fact", known.text, known.id, item.quote.words)
        return
    scene.unsettled.add((episode.id, name_key(item.object)))
    node = scene.pen.add(draft_fact(scene, item, episode, to_micros(until)), source)
    scene.report.add("learned", "fact", item.text, node.id, item.quote.words)


def _claim_ends_fact(fact: Fact, item: Claim, until: datetime, said: datetime) -> bool:
    """ "I left Acme last month" ends what was said of it before, also within that month; not what began again since."""
    if fact.event_at > said:
        return False
    if item.negated or item.predicate in _PERMANENT_ENDINGS:
        return conflict.ends_fact(fact, item.predicate, until, said)
    return conflict.known_since(fact) < until and max(fact.event_at, fact.confirmed_at or fact.event_at) < until


def _already_covered(fact: Fact, item: Claim, until: datetime) -> bool:
    """It was so in that time already, as far as we know."""
    begun = fact.valid_from or until
    return begun <= (item.valid_from or until) and (fact.valid_until is None or fact.valid_until >= until)
