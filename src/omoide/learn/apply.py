"""Applies a grounded proposal to the store within one transaction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from omoide.clock import to_micros
from omoide.domain import Draft, Fact, Node
from omoide.domain.entity import name_key
from omoide.learn import conflict, instructions, learning_context
from omoide.learn.apply_statements import NAME_PREDICATE, apply_statement, name_is_denied
from omoide.learn.conflict import PLACE_PREDICATES, competing_predicates
from omoide.learn.learning_context import LearningContext
from omoide.learn.namesakes import tell_apart
from omoide.learn.proposal import (
    USER,
    CausalLink,
    Claim,
    EntityMention,
    Proposal,
    ProposalItem,
    StatedOpinion,
    StatedPreference,
    StatedRelation,
    Statement,
    TaughtProcedure,
    UserCorrection,
)
from omoide.learn.rules import preference_topics
from omoide.learn.rules.known_words import same_place

_USER_PREFIX = re.compile(r"^(?:The user|User)('s)?(?= )")


def apply_items(context: LearningContext, proposal: Proposal) -> None:
    """Apply all items turn by turn, so the result does not depend on how a session is split into segments.

    Within a turn, entities come first because facts refer to them.
    """
    stated = {
        item.quote.episode
        for item in proposal
        if isinstance(item, Statement | Claim | StatedPreference | TaughtProcedure)
    }
    corrections = {
        (item.quote.episode, name_key(item.right or "")): item for item in proposal if isinstance(item, UserCorrection)
    }
    for item in _told_apart(context, proposal):
        try:
            with context.transaction.isolated():
                if isinstance(item, UserCorrection) and item.whole:
                    instructions.retract_turn(context, item)
                elif isinstance(item, UserCorrection):
                    # "use pnpm, not npm" is also a preference and takes effect as one
                    instructions.apply_correction(context, item, elsewhere=item.quote.episode in stated)
                elif not (isinstance(item, EntityMention) and _is_rename(context, corrections, item)):
                    _apply_item(context, item)
        except learning_context.ITEM_ERRORS as error:
            context.refuse(item, error)


def _told_apart(context: LearningContext, proposal: Proposal) -> Iterator[ProposalItem]:
    """The items turn by turn. Whom a name means is decided once the turns before are applied."""
    ordered = sorted(proposal, key=lambda item: item.quote.episode)
    for _, items in groupby(ordered, key=lambda item: item.quote.episode):
        yield from tell_apart(context, list(items))


def _is_rename(
    context: LearningContext, corrections: Mapping[tuple[int, str], UserCorrection], item: EntityMention
) -> bool:
    """Whether the mention is the user's corrected name ("Tim, not Tom") and not a new person."""
    correction = corrections.get((item.quote.episode, name_key(item.name)))
    owner = context.owner
    return correction is not None and owner is not None and name_key(correction.wrong or "") == name_key(owner.name)


def _apply_item(context: LearningContext, item: ProposalItem) -> None:
    item = _with_user_name(context, item)
    match item:
        case EntityMention():
            item = normalize_town(context, item)
            if not item.existing_only or context.find_entity(item.name) is not None:
                learning_context.save_mention(context, item)
        case Statement():
            apply_statement(context, item)
        case Claim():
            _apply_claim_item(context, item)
        case StatedOpinion():
            apply_opinion(context, item)
        case StatedRelation():
            learning_context.add_relation(context, item)
        case StatedPreference():
            instructions.apply_preference(context, item)
        case TaughtProcedure():
            instructions.apply_procedure(context, item)
        case CausalLink():
            _apply_cause(context, item)


def _with_user_name(context: LearningContext, item: ProposalItem) -> ProposalItem:
    """Replace "User" at the start of an item's text with the user's name once it is known."""
    owner = context.owner
    states_name = (isinstance(item, Claim) and item.predicate == NAME_PREDICATE) or (
        isinstance(item, Statement) and item.slot == NAME_PREDICATE
    )
    if owner is None or states_name or not isinstance(item, Statement | Claim | StatedOpinion | StatedPreference):
        return item
    return replace(item, text=_USER_PREFIX.sub(lambda found: owner.name + (found[1] or ""), item.text))


def _apply_claim_item(context: LearningContext, item: Claim) -> None:
    item = normalize_place(context, item)
    if is_separation(item):
        end_partnership(context, item)
    elif is_pet_death(item):
        end_pet(context, item)
    elif ends_unnamed(item):
        end_unnamed(context, item)
    elif moved := find_moved_item(context, item):
        replace_storage_place(context, item, moved)
    elif is_over(context, item):
        apply_past_claim(context, item)
    else:
        apply_claim(context, item)
    if item.negated:
        instructions.end_given_up_preferences(context, item)
    else:
        end_replaced_tool(context, item)
        end_job(context, item)


def _apply_cause(context: LearningContext, item: CausalLink) -> None:
    if item.cause != item.effect and {item.cause, item.effect} <= set(context.episodes):
        context.transaction.link(
            item.cause, item.effect, "causal", confidence=item.confidence, evidence=[item.quote.words]
        )
        context.report.add("linked", "cause", f"[id:{item.cause}] → [id:{item.effect}]", why=item.quote.words)


# ── facts and opinions ──


_PERMANENT_ENDINGS = frozenset({"has_pet"})  # "Rex died last month" also ends a fact stated since then


def apply_claim(context: LearningContext, item: Claim) -> None:
    episode, source = context.source(item.quote)
    transaction, report, words = context.transaction, context.report, item.quote.words
    if item.predicate == NAME_PREDICATE and item.subject in (USER, context.segment.owner):
        if context.owner is not None and name_is_denied(context.owner.name, episode.text):
            item = replace(item, source_type="corrected")
        else:
            learning_context.introduce_user(context, item.object, episode)
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
                learning_context.end_fact(context, fact, to_micros(since), words)
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


def is_over(context: LearningContext, item: Claim) -> bool:
    """Whether a claim had ended before its turn."""
    stated_at = context.episodes[item.quote.episode].event_at
    return item.valid_until is not None and item.valid_until <= stated_at


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
            learning_context.end_fact(context, fact, when, item.quote.words)
            return
    known = next((fact for fact in held if _already_covered(fact, item, until)), None)
    if known is not None:
        context.confirm(known, source, item.confidence)
        return
    context.not_current.add((episode.id, name_key(item.object)))
    context.add(draft_fact(context, item, episode, to_micros(until)), source)


def _claim_ends_fact(fact: Fact, item: Claim, until: datetime, stated_at: datetime) -> bool:
    """Whether a past claim ends a stored fact: "I left Acme last month" does, unless the fact began again since."""
    if fact.event_at > stated_at:
        return False
    if item.negated or item.predicate in _PERMANENT_ENDINGS:
        return conflict.ends_fact(fact, item.predicate, until, stated_at)
    return conflict.known_since(fact) < until and max(fact.event_at, fact.confirmed_at or fact.event_at) < until


def _already_covered(fact: Fact, item: Claim, until: datetime) -> bool:
    """Whether a stored fact already covers the period of a claim."""
    start = fact.valid_from or until
    return start <= (item.valid_from or until) and (fact.valid_until is None or fact.valid_until >= until)


# ── facts that a claim makes obsolete without naming them ──


_PLAN_PREDICATE = "plans"
_REMEMBER_PREDICATE = "asked_to_remember"
_STORAGE_PLACE = re.compile(
    r"(?P<what>(?:the|my|our) [^,;]{2,60}?) (?:is|are)(?: now)? (?P<where>(?:stored |kept |saved |hidden )?(?:in|at"
    r"|on|under) \S.*)",
    re.IGNORECASE,
)
_SWITCHED = re.compile(
    r"\b(?:switched|migrated|moved|changed)(?: over)? (?:from .{1,40} )?to\b|\b(?:now|nowadays|these days)\b",
    re.IGNORECASE,
)
_ADDITIONALLY = re.compile(r"\b(?:also|too|as well|both|sometimes)\b", re.IGNORECASE)
_JOBLESS = frozenset({"unemployed", "jobless", "retired"})
_GENERIC_PLAN_WORDS = frozenset(
    "trip flight visit move appointment meeting wedding vacation holiday journey party to the a my".split()
)


def normalize_place(context: LearningContext, item: Claim) -> Claim:
    """Use the stored name of the same place: "Berlin, Germany" is not a move for somebody who lives in Berlin."""
    if item.predicate not in PLACE_PREDICATES or item.negated:
        return item
    for fact in _live_facts(context, item):
        held = fact.object or ""
        if name_key(held) != name_key(item.object) and same_place(held, item.object):
            return replace(item, object=held, text=item.text.replace(item.object, held))
    return item


def normalize_town(context: LearningContext, item: EntityMention) -> EntityMention:
    """Make "Berlin, Germany" an alias of a known Berlin."""
    head = item.name.partition(",")[0]
    known = head != item.name and same_place(head, item.name) and context.find_entity(item.name) is None
    if not known or context.find_entity(head) is None:
        return item
    return replace(item, name=head, aliases=(*item.aliases, item.name))


def ends_unnamed(item: Claim) -> bool:
    """Whether a claim ends something without naming it: "Tom quit", "I cancelled the trip"."""
    return item.negated and (item.predicate == _PLAN_PREDICATE or name_key(item.subject) == name_key(item.object))


def end_unnamed(context: LearningContext, item: Claim) -> None:
    """End the only stored fact of its kind. If there is none or several, the claim is refused."""
    live = _live_facts(context, item)
    meant = (
        [fact for fact in live if _shares_word(fact.object, item.object)] if item.predicate == _PLAN_PREDICATE else live
    )
    if len(meant) != 1:
        why = "more than one could be meant" if meant else "nothing of the kind was known"
        context.report.add("refused", "fact", item.quote.words, None, why)
        return
    _end_facts(context, item, meant)


def end_replaced_tool(context: LearningContext, item: Claim) -> None:
    """End the use of a competing tool: "I switched to Emacs" ends the previous editor."""
    words = item.quote.words
    chosen = preference_topics.choice(item.object.lower()) if item.predicate == "uses" else None
    if chosen is None or not _SWITCHED.search(words) or _ADDITIONALLY.search(words):
        return
    _end_facts(context, item, [fact for fact in _live_facts(context, item) if _same_choice(chosen, fact.object or "")])


def end_job(context: LearningContext, item: Claim) -> None:
    """End all jobs when somebody is unemployed or retired."""
    if item.object.lower() in _JOBLESS:
        held = context.transaction.facts(context.names_of(item.subject), ("works_at", "also_works_at"))
        _end_facts(context, item, [fact for fact in held if fact.valid_until is None])


def is_pet_death(item: Claim) -> bool:
    """Whether a claim ends a pet by its name: "Rex died yesterday"."""
    return item.negated and item.predicate == "has_pet" and item.object[:1].isupper()


def end_pet(context: LearningContext, item: Claim) -> None:
    gone = [fact for fact in _live_facts(context, item) if name_key(fact.object or "") == name_key(item.object)]
    _end_facts(context, item, gone)


def find_moved_item(context: LearningContext, item: Claim) -> Fact | None:
    """The stored fact about the same item in another place: "The deploy key is in 1Password"."""
    new = _STORAGE_PLACE.match(item.object) if item.predicate == _REMEMBER_PREDICATE and not item.negated else None
    if new is None:
        return None
    for fact in _live_facts(context, item):
        old = _STORAGE_PLACE.match(fact.object or "")
        same_item = old and name_key(old["what"]) == name_key(new["what"])
        if old and same_item and name_key(old["where"]) != name_key(new["where"]):
            return fact
    return None


def replace_storage_place(context: LearningContext, item: Claim, held: Fact) -> None:
    episode, source = context.source(item.quote)
    since = max(item.valid_from or episode.event_at, held.valid_from or held.event_at)
    draft = draft_fact(context, replace(item, valid_from=since), episode)
    context.supersede(held, draft, source, to_micros(since))


def _same_choice(chosen: preference_topics.PreferenceTopic, held: str) -> bool:
    other = preference_topics.choice(held.lower())
    return other is not None and other.name == chosen.name and name_key(other.value) != name_key(chosen.value)


def _shares_word(held: str | None, stated: str) -> bool:
    """Whether two plans share a place, person or day."""
    words = set(name_key(stated).split()) - _GENERIC_PLAN_WORDS
    return bool(words & set(name_key(held or "").split()))


def _live_facts(context: LearningContext, item: Claim) -> list[Fact]:
    held = context.transaction.facts(context.names_of(item.subject), (item.predicate,))
    return [fact for fact in held if fact.valid_until is None]


def _end_facts(context: LearningContext, item: Claim, ended: Iterable[Fact]) -> None:
    episode, _ = context.source(item.quote)
    for fact in ended:
        until = to_micros(
            max(item.valid_until or item.valid_from or episode.event_at, fact.valid_from or fact.event_at)
        )
        learning_context.end_fact(context, fact, until, item.quote.words)


# ── separations ──

PARTNER_OF = "partner_of"
_PARTNER_PREDICATES = tuple(
    f"{kin}_of" for kin in "partner girlfriend boyfriend wife husband spouse fiance fiancee".split()
)
_COUPLE_STATUS = frozenset({"married", "engaged", "in a relationship"})


def is_separation(item: Claim) -> bool:
    return item.negated and item.predicate == PARTNER_OF


def end_partnership(context: LearningContext, item: Claim) -> None:
    """End a partnership: with the partner that is named, or with the only one that is known."""
    episode, _ = context.source(item.quote)
    until = to_micros(item.valid_until or episode.event_at)
    ended = _partner_facts(context, item)
    if len({name_key(fact.subject or "") for fact in ended}) > 1:
        context.report.add("refused", "fact", item.text, None, "more than one partner is known")
        return
    status = [
        fact
        for fact in context.transaction.facts(context.names_of(item.object), ("marital_status",))
        if fact.object in _COUPLE_STATUS and fact.valid_until is None
    ]
    for fact in (*ended, *status):
        learning_context.end_fact(context, fact, until, item.quote.words)
    if not ended and not status:
        context.report.add("refused", "fact", item.text, None, "nothing of the kind was known")


def _partner_facts(context: LearningContext, item: Claim) -> list[Fact]:
    unnamed = item.subject == item.object
    whose = {name_key(name) for name in context.names_of(item.object)}
    names = [name for _, _, name in context.transaction.names()] if unnamed else context.names_of(item.subject)
    held = context.transaction.facts(tuple(names), _PARTNER_PREDICATES)
    return [fact for fact in held if name_key(fact.object or "") in whose and fact.valid_until is None]
