"""Applies a grounded proposal to the store within one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from omoide.domain.entity import name_key
from omoide.learn import instructions, learning_context
from omoide.learn.apply_statements import apply_statement, with_user_name
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
    match item:
        case EntityMention():
            if not item.existing_only or context.find_entity(item.name) is not None:
                learning_context.save_mention(context, item)
        case Statement():
            apply_statement(context, item)
        case Claim() | StatedOpinion() | TaughtProcedure():
            apply_statement(context, as_statement(item))
        case StatedRelation():
            learning_context.add_relation(context, item)
        case StatedPreference():
            instructions.apply_preference(context, replace(item, text=with_user_name(context, item.text)))
        case CausalLink():
            _apply_cause(context, item)


def as_statement(item: Claim | StatedOpinion | TaughtProcedure) -> Statement:
    """A claim, opinion or procedure of an extractor that does not propose statements."""
    match item:
        case Claim():
            return Statement(
                form="fact",
                subject=item.subject,
                text="" if item.negated else item.text,
                quote=item.quote,
                confidence=item.confidence,
                source_type=item.source_type,
                slot=item.predicate,
                value=item.object,
                change="ends" if item.negated else None,
                valid_from=item.valid_from,
                valid_until=item.valid_until,
            )
        case StatedOpinion():
            return Statement(
                form="opinion",
                subject=item.holder,
                text=item.text,
                quote=item.quote,
                confidence=item.confidence,
                matter=item.about,
            )
        case TaughtProcedure():
            return Statement(
                form="procedure",
                subject=USER,
                text=item.text,
                quote=item.quote,
                confidence=item.confidence,
                matter=item.name,
                scope=item.context,
                trigger=item.trigger,
                steps=item.steps,
            )


def _apply_cause(context: LearningContext, item: CausalLink) -> None:
    if item.cause != item.effect and {item.cause, item.effect} <= set(context.episodes):
        context.transaction.link(
            item.cause, item.effect, "causal", confidence=item.confidence, evidence=[item.quote.words]
        )
        context.report.add("linked", "cause", f"[id:{item.cause}] → [id:{item.effect}]", why=item.quote.words)
