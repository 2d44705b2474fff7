"""Tells people of one name apart: a colleague Maria and an aunt Maria are two, by their relation to the user."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from omoide.clock import to_micros
from omoide.domain import Fact
from omoide.domain.entity import name_key
from omoide.domain.slots import PEOPLE_SLOTS, may_be_one_person
from omoide.learn.learning_context import LearningContext
from omoide.learn.proposal import USER, EntityMention, ProposalItem, Statement
from omoide.store import EntityProfile

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
