"""Applies claims and opinions of a proposal: adds, confirms, replaces or ends facts and opinions."""

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

NAME_PREDICATE = "name"  # states what the user is called
_PERMANENT_ENDINGS = frozenset({"has_pet"})  # "Rex died last month" also ends a fact stated since then


def apply_claim(context: LearningContext, item: Claim) -> None:
    episode, source = context.source(item.quote)
    transaction, report, words = context.transaction, context.report, item.quote.words
    if item.predicate == NAME_PREDICATE and item.subject in (USER, context.segment.owner):
        if context.owner is not None and _name_is_denied(context.owner.name, episode.text):
            item = replace(item, source_type="corrected")
        else:
            entities.introduce_user(context, item, episode)
    if (subject := context.find_entity(item.subject)) is not None:  # "I" also mentions the user
        transaction.mention(episode.id, [subject.id])
    since = (item.valid_until if item.negated else item.valid_from) or episode.event_at
    held = transaction.facts(context.names_of(item.subject), competing_predicates(item.predicate))
    match conflict.decide_conflict(item, held, since, episode.event_at):
        case conflict.AddFact():
            context.add(draft_fact(context, item, episode), source)
        case conflict.ConfirmFact(held=fact):
            context.confirm(fact, source, item.confidence)
        case conflict.ReplaceFacts(held=facts):
            first, *others = facts
            starts = [conflict.known_since(fact) for fact in facts if conflict.has_stated_start(fact)]
            if item.source_type != "corrected" and starts and (latest := max(starts)) > since:
                since, item = latest, replace(item, valid_from=latest)  # the new fact cannot start before the old one
            context.supersede(first, draft_fact(context, item, episode), source, to_micros(since))
            for other in others:
                transaction.end_validity(other.id, to_micros(since))
        case conflict.AddPastFact(held=fact):
            until = to_micros(conflict.known_since(fact))
            node = transaction.add(draft_fact(context, item, episode, until), source)
            context.not_current.add((episode.id, name_key(item.object)))
            report.add("learned", "fact", item.text, node.id, f"was so before [id:{fact.id}]")
        case conflict.EndFacts(held=facts):
            for fact in facts:
                entities.end_fact(context, fact, to_micros(since), words)
        case conflict.MarkContradiction(held=fact):
            node = transaction.add(draft_fact(context, item, episode), source)
            transaction.link(node.id, fact.id, "contradicts", confidence=item.confidence)
            context.not_current.add((episode.id, name_key(item.object)))
            report.add("contradicted", "fact", f"{item.text} ↔ {fact.text}", node.id, words)
        case conflict.NoChange(why=why):
            report.add("refused", "fact", words, None, why)


def draft_fact(context: LearningContext, item: Claim, episode: Node, until: int | None = None) -> Draft:
    subject = context.find_entity(item.subject)
    attributes = {
        "subject": subject.name if subject else item.subject,
        "predicate": item.predicate,
        "object": item.object,
    }
    since = to_micros(item.valid_from or episode.event_at)
    ends = until if item.valid_until is None else to_micros(item.valid_until)
    draft = context.draft(
        "fact", item.text, episode, attributes, item.confidence, item.source_type, since=since, until=ends
    )
    start_unknown = item.valid_from is None and ends is not None and ends < since
    return replace(draft, valid_from=None) if start_unknown else draft


def apply_opinion(context: LearningContext, item: StatedOpinion) -> None:
    episode, source = context.source(item.quote)
    holder = context.find_entity(item.holder)
    attributes = {"holder": holder.name if holder else item.holder, "about": item.about}
    draft = context.draft("opinion", item.text, episode, attributes, item.confidence, "stated")
    names = context.names_of(item.holder)
    held = context.transaction.opinions(names, item.about)
    if held and _opinion_text(held[0].text, names) == _opinion_text(item.text, names):
        context.confirm(held[0], source, item.confidence)
    elif held and held[0].event_at <= episode.event_at:
        context.supersede(held[0], draft, source)
    else:
        context.add(draft, source)


def _opinion_text(text: str, holders: Sequence[str]) -> str:
    """An opinion without its holder, who is "User" until the name is known."""
    names = sorted(("User", *holders), key=len, reverse=True)
    return next((text[len(name) :] for name in names if text.startswith(f"{name} ")), text).strip(" .").casefold()


def _name_is_denied(name: str, text: str) -> bool:
    """Whether the text takes a name back ("Tim, not Tom"); "call me Tim" only adds one."""
    return re.search(rf"\b(?:not|isn't|no longer)\s+(?:\w+\s+)?{re.escape(name)}\b", text, re.IGNORECASE) is not None


def is_over(context: LearningContext, item: Claim) -> bool:
    """Whether a claim had ended before its turn."""
    said = context.episodes[item.quote.episode].event_at
    return item.valid_until is not None and item.valid_until <= said


def apply_past_claim(context: LearningContext, item: Claim) -> None:
    """Apply a claim that is over: end or confirm the stored fact, or add a fact of the past."""
    until = item.valid_until
    if until is None:
        return
    episode, source = context.source(item.quote)
    held = [
        fact
        for fact in context.transaction.facts(context.names_of(item.subject), (item.predicate,))
        if name_key(fact.object or "") == name_key(item.object)
    ]
    for fact in held:
        if fact.valid_until is None and _claim_ends_fact(fact, item, until, episode.event_at):
            when = to_micros(max(until, conflict.known_since(fact)) if conflict.has_stated_start(fact) else until)
            entities.end_fact(context, fact, when, item.quote.words)
            return
    known = next((fact for fact in held if _already_covered(fact, item, until)), None)
    if known is not None:
        context.confirm(known, source, item.confidence)
        return
    context.not_current.add((episode.id, name_key(item.object)))
    context.add(draft_fact(context, item, episode, to_micros(until)), source)


def _claim_ends_fact(fact: Fact, item: Claim, until: datetime, said: datetime) -> bool:
    """Whether a past claim ends a stored fact: "I left Acme last month" does, unless the fact began again since."""
    if fact.event_at > said:
        return False
    if item.negated or item.predicate in _PERMANENT_ENDINGS:
        return conflict.ends_fact(fact, item.predicate, until, said)
    return conflict.known_since(fact) < until and max(fact.event_at, fact.confirmed_at or fact.event_at) < until


def _already_covered(fact: Fact, item: Claim, until: datetime) -> bool:
    """Whether a stored fact already covers the period of a claim."""
    start = fact.valid_from or until
    return start <= (item.valid_from or until) and (fact.valid_until is None or fact.valid_until >= until)
