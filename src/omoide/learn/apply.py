"""Applies a grounded proposal to the store within one transaction."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from omoide.clock import to_micros
from omoide.domain import Fact
from omoide.domain.entity import name_key
from omoide.domain.slots import PEOPLE_SLOTS, may_be_one_person
from omoide.learn import apply_corrections, learning_context
from omoide.learn.apply_corrections import apply_statement
from omoide.learn.learning_context import LearningContext
from omoide.learn.proposal import USER, CausalLink, EntityMention, Proposal, ProposalItem, Statement, UserCorrection
from omoide.store import EntityProfile


def apply_items(context: LearningContext, proposal: Proposal) -> None:
    """Apply all items turn by turn, so the result does not depend on how a session is split into segments.

    Within a turn, entities come first because facts refer to them.
    """
    stated = {item.quote.episode for item in proposal if isinstance(item, Statement)}
    corrections = {
        (item.quote.episode, name_key(item.right or "")): item for item in proposal if isinstance(item, UserCorrection)
    }
    for item in _told_apart(context, proposal):
        try:
            with context.transaction.isolated():
                if isinstance(item, UserCorrection) and item.whole:
                    apply_corrections.retract_turn(context, item)
                elif isinstance(item, UserCorrection):
                    # "use pnpm, not npm" is also a preference and takes effect as one
                    apply_corrections.apply_correction(context, item, elsewhere=item.quote.episode in stated)
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
    match item:
        case EntityMention():
            if not item.existing_only or context.find_entity(item.name) is not None:
                learning_context.save_mention(context, item)
        case Statement():
            apply_statement(context, item)
        case CausalLink():
            _apply_cause(context, item)


def _apply_cause(context: LearningContext, item: CausalLink) -> None:
    if item.cause != item.effect and {item.cause, item.effect} <= set(context.episodes):
        context.transaction.link(
            item.cause, item.effect, "causal", confidence=item.confidence, evidence=[item.quote.words]
        )
        context.report.add("linked", "cause", f"[id:{item.cause}] → [id:{item.effect}]", why=item.quote.words)


# ── people of one name: a colleague Maria and an aunt Maria are two, by their relation to the user ──

_ROLE = re.compile(r"['’]s (\w[\w-]*)\W*$")  # "Maria is Priya's aunt"


def tell_apart(context: LearningContext, items: Sequence[ProposalItem]) -> list[ProposalItem]:
    """The items of one turn, with the full name of whoever has a namesake: "Maria (aunt)"."""
    related = [item for item in items if isinstance(item, Statement) and _relates_to_user(context, item)]
    meant = {name_key(item.value or ""): _person_meant(context, item) for item in related}
    named = {item.subject for item in items if isinstance(item, Statement) and item.subject != USER}
    for name in named:
        if name_key(name) not in meant and (latest := _latest_in_session(context, name)) is not None:
            meant[name_key(name)] = latest
    changed = {key: name for key, name in meant.items() if name_key(name) != key}
    return [_renamed(item, changed) for item in items] if changed else list(items)


def _relates_to_user(context: LearningContext, item: Statement) -> bool:
    owner = context.owner.name if context.owner else USER
    return item.slot in PEOPLE_SLOTS and bool(item.value) and item.subject in (USER, owner)


def _person_meant(context: LearningContext, item: Statement) -> str:
    """The name of the person that a relation names; a new one if the known person of this name cannot be meant."""
    name = item.value or ""
    facts = _relations_of(context, name)
    fitting = [fact for fact in facts if may_be_one_person(fact.predicate or "", item.slot or "")]
    if fitting:
        return fitting[0].object or name
    if not facts:
        return name
    found = _ROLE.search(item.text)
    role = found[1] if found else item.slot
    full = f"{name} ({role})"
    at = context.episodes[item.quote.episode].event_at
    entity = context.transaction.save_entity(
        EntityProfile(name=full, type="person", aliases=(f"{role} {name}",), seen_at=to_micros(at))
    )
    context.add_names(entity)
    return full


def _latest_in_session(context: LearningContext, name: str) -> str | None:
    """Whom a name meant when this session last said who that is."""
    facts = _relations_of(context, name)
    if len({fact.object for fact in facts}) < 2:
        return None
    here = [fact for fact in facts if fact.session == context.segment.session]
    return here[0].object if here else None


def _relations_of(context: LearningContext, name: str) -> list[Fact]:
    """What is known of the user's relations to people of a name, newest first."""
    facts = context.transaction.facts(context.names_of(USER), sorted(PEOPLE_SLOTS))
    return [fact for fact in facts if name_key((fact.object or "").partition(" (")[0]) == name_key(name)]


def _renamed(item: ProposalItem, names: dict[str, str]) -> ProposalItem:
    match item:
        case Statement():
            value = names.get(name_key(item.value or ""), item.value)
            return replace(item, subject=names.get(name_key(item.subject), item.subject), value=value)
        case EntityMention():
            return replace(item, name=names.get(name_key(item.name), item.name))
    return item
