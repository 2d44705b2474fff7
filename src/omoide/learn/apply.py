"""Applies a grounded proposal to the store within one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from omoide.domain.entity import name_key
from omoide.learn import apply_corrections, learning_context
from omoide.learn.apply_statements import apply_statement
from omoide.learn.learning_context import LearningContext
from omoide.learn.namesakes import tell_apart
from omoide.learn.proposal import CausalLink, EntityMention, Proposal, ProposalItem, Statement, UserCorrection


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
