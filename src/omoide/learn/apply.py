"""Applies a grounded proposal to the store within one transaction."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from omoide.domain.entity import name_key
from omoide.learn import ended_facts, entities, facts, instructions
from omoide.learn.learning_context import LearningContext
from omoide.learn.proposal import (
    CausalLink,
    Claim,
    EntityMention,
    Proposal,
    ProposalItem,
    StatedOpinion,
    StatedPreference,
    StatedRelation,
    TaughtProcedure,
    UserCorrection,
)
from omoide.store import ErasedContentError

_USER_PREFIX = re.compile(r"^User('s)?(?= )")


def apply_items(context: LearningContext, proposal: Proposal) -> None:
    """Apply all items turn by turn, so the result does not depend on how a session is split into segments.

    Within a turn, entities come first because facts refer to them.
    """
    stated = {item.quote.episode for item in proposal if isinstance(item, Claim | StatedPreference | TaughtProcedure)}
    corrections = {
        (item.quote.episode, name_key(item.right or "")): item for item in proposal if isinstance(item, UserCorrection)
    }
    for item in sorted(proposal, key=lambda item: item.quote.episode):
        try:
            if isinstance(item, UserCorrection) and item.whole:
                ended_facts.retract_turn(context, item)
            elif isinstance(item, UserCorrection):
                # "use pnpm, not npm" is also a preference and takes effect as one
                instructions.apply_correction(context, item, elsewhere=item.quote.episode in stated)
            elif not (isinstance(item, EntityMention) and _is_rename(context, corrections, item)):
                _apply_item(context, item)
        except ErasedContentError:
            text = getattr(item, "text", item.quote.words)
            context.report.add("refused", item.kind, text, None, "forgotten on request")


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
            item = ended_facts.normalize_town(context, item)
            if not item.existing_only or context.find_entity(item.name) is not None:
                entities.save_mention(context, item)
        case Claim():
            _apply_claim_item(context, item)
        case StatedOpinion():
            facts.apply_opinion(context, item)
        case StatedRelation():
            entities.add_relation(context, item)
        case StatedPreference():
            instructions.apply_preference(context, item)
        case TaughtProcedure():
            instructions.apply_procedure(context, item)
        case CausalLink():
            _apply_cause(context, item)


def _with_user_name(context: LearningContext, item: ProposalItem) -> ProposalItem:
    """Replace "User" at the start of an item's text with the user's name once it is known."""
    owner = context.owner
    states_name = isinstance(item, Claim) and item.predicate == facts.NAME_PREDICATE
    if owner is None or states_name or not isinstance(item, Claim | StatedOpinion | StatedPreference):
        return item
    return replace(item, text=_USER_PREFIX.sub(lambda found: owner.name + (found[1] or ""), item.text))


def _apply_claim_item(context: LearningContext, item: Claim) -> None:
    item = ended_facts.normalize_place(context, item)
    if ended_facts.is_separation(item):
        ended_facts.end_partnership(context, item)
    elif ended_facts.is_pet_death(item):
        ended_facts.end_pet(context, item)
    elif ended_facts.ends_unnamed(item):
        ended_facts.end_unnamed(context, item)
    elif moved := ended_facts.find_moved_item(context, item):
        ended_facts.replace_storage_place(context, item, moved)
    elif facts.is_over(context, item):
        facts.apply_past_claim(context, item)
    else:
        facts.apply_claim(context, item)
    if item.negated:
        instructions.end_given_up_preferences(context, item)
    else:
        ended_facts.end_replaced_tool(context, item)
        ended_facts.end_job(context, item)


def _apply_cause(context: LearningContext, item: CausalLink) -> None:
    if item.cause != item.effect and {item.cause, item.effect} <= set(context.episodes):
        context.transaction.link(
            item.cause, item.effect, "causal", confidence=item.confidence, evidence=[item.quote.words]
        )
        context.report.add("linked", "cause", f"[id:{item.cause}] → [id:{item.effect}]", why=item.quote.words)
