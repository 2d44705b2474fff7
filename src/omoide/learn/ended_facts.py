"""Ends facts that a claim makes obsolete without naming them: lost jobs, cancelled plans, separations, retractions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from omoide.clock import to_micros
from omoide.domain import Fact
from omoide.domain.entity import name_key
from omoide.learn import entities, facts
from omoide.learn.conflict import PLACE_PREDICATES
from omoide.learn.learning_context import LearningContext
from omoide.learn.proposal import Claim, EntityMention, UserCorrection
from omoide.learn.rules import preference_topics
from omoide.learn.rules.known_words import same_place

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
    draft = facts.draft_fact(context, replace(item, valid_from=since), episode)
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
        entities.end_fact(context, fact, until, item.quote.words)


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
        entities.end_fact(context, fact, until, item.quote.words)
    if not ended and not status:
        context.report.add("refused", "fact", item.text, None, "nothing of the kind was known")


def _partner_facts(context: LearningContext, item: Claim) -> list[Fact]:
    unnamed = item.subject == item.object
    whose = {name_key(name) for name in context.names_of(item.object)}
    names = [name for _, _, name in context.transaction.names()] if unnamed else context.names_of(item.subject)
    held = context.transaction.facts(tuple(names), _PARTNER_PREDICATES)
    return [fact for fact in held if name_key(fact.object or "") in whose and fact.valid_until is None]


# ── retractions: "ignore that", "just kidding" ──


def retract_turn(context: LearningContext, item: UserCorrection) -> None:
    """End everything that was learned from the retracted turn and has no other source."""
    episode, _ = context.source(item.quote)
    until = to_micros(episode.event_at)
    turns = _retracted_turns(context, item.about)
    derived = {held.id: held for turn in turns for held in context.transaction.learned_from_episode(turn)}
    ended = [held for held in derived.values() if set(context.transaction.sources(held.id)) <= turns]
    for held in ended:
        entities.end_fact(context, held, until, item.quote.words)
    if not ended:
        context.report.notes.append(
            f"nothing was learned that could be taken back: {item.quote.words!r} [id:{episode.id}]"
        )


def _retracted_turns(context: LearningContext, about: int | None) -> set[int]:
    """The turn, and the agent's question before it: a confirmed question is the source of what it asked."""
    earlier = [id for id in sorted(context.episodes) if about is not None and id < about]
    asked = earlier[-1:] if earlier and context.episodes[earlier[-1]].role == "agent" else []
    return {*asked, *(() if about is None else (about,))}
