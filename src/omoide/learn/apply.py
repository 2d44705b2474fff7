"""A grounded proposal → changes of the store, all of them in the one transaction whose pen is given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from omoide.domain.entity import name_key
from omoide.learn import ended_facts, entities, facts, instructions
from omoide.learn.learning_context import LearningContext, LearningReport
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


def apply_items(scene: LearningContext, proposal: Proposal) -> LearningReport:
    """Turn by turn, as it was said, so that it does not matter in how many parts a session is learned.

    Within a turn entities come first, since facts speak of them.
    """
    told = {item.quote.episode for item in proposal if isinstance(item, Claim | StatedPreference | TaughtProcedure)}
    instead = {
        (item.quote.episode, name_key(item.right or "")): item for item in proposal if isinstance(item, UserCorrection)
    }
    for item in sorted(proposal, key=lambda item: item.quote.episode):
        try:
            if isinstance(item, UserCorrection) and item.whole:
                ended_facts.retract_turn(scene, item)
            elif isinstance(item, UserCorrection):
                # "use pnpm, not npm" is a wish as well, and has its effect as one
                instructions.apply_correction(scene, item, elsewhere=item.quote.episode in told)
            elif not (isinstance(item, EntityMention) and _is_rename(scene, instead, item)):
                _apply_item(scene, item)
        except ErasedContentError:
            text = getattr(item, "text", item.quote.words)
            scene.report.add("refused", type(item).__name__.lower(), text, None, "forgotten on request")
    return scene.report


def _is_rename(scene: LearningContext, instead: Mapping[tuple[int, str], UserCorrection], item: EntityMention) -> bool:
    """ "Tim, not Tom" from one whom we know as Tom: a name of theirs, not somebody new."""
    correction = instead.get((item.quote.episode, name_key(item.name)))
    owner = scene.owner
    return correction is not None and owner is not None and name_key(correction.wrong or "") == name_key(owner.name)


def _apply_item(scene: LearningContext, item: ProposalItem) -> None:
    item = _with_user_name(scene, item)
    match item:
        case EntityMention():
            item = ended_facts.normalize_town(scene, item)
            if not item.passing or scene.known(item.name) is not None:
                entities.save_mention(scene, item)
        case Claim():
            _apply_claim_item(scene, item)
        case StatedOpinion():
            facts.apply_opinion(scene, item)
        case StatedRelation():
            entities.add_relation(scene, item)
        case StatedPreference():
            instructions.apply_preference(scene, item)
        case TaughtProcedure():
            instructions.apply_procedure(scene, item)
        case CausalLink():
            _apply_cause(scene, item)


def _with_user_name(scene: LearningContext, item: ProposalItem) -> ProposalItem:
    """ "User lives in Rome" in the name that the same conversation told, once it is known."""
    owner = scene.owner
    named = isinstance(item, Claim) and item.predicate == facts.NAME_PREDICATE
    if owner is None or named or not isinstance(item, Claim | StatedOpinion | StatedPreference):
        return item
    return replace(item, text=_USER_PREFIX.sub(lambda found: owner.name + (found[1] or ""), item.text))


def _apply_claim_item(scene: LearningContext, item: Claim) -> None:
    item = ended_facts.normalize_place(scene, item)
    if ended_facts.is_separation(item):
        ended_facts.end_partnership(scene, item)
    elif ended_facts.is_pet_death(item):
        ended_facts.end_pet(scene, item)
    elif ended_facts.ends_unnamed(item):
        ended_facts.end_unnamed(scene, item)
    elif moved := ended_facts.find_moved_item(scene, item):
        ended_facts.replace_storage_place(scene, item, moved)
    elif facts.is_over(scene, item):
        facts.apply_past_claim(scene, item)
    else:
        facts.apply_claim(scene, item)
    if item.negated:
        instructions.end_given_up_preferences(scene, item)
    else:
        ended_facts.end_replaced_tool(scene, item)
        ended_facts.end_job(scene, item)


def _apply_cause(scene: LearningContext, item: CausalLink) -> None:
    if item.cause != item.effect and {item.cause, item.effect} <= set(scene.episodes):
        scene.pen.link(item.cause, item.effect, "causal", confidence=item.confidence, evidence=[item.quote.words])
        scene.report.add("linked", "cause", f"[id:{item.cause}] → [id:{item.effect}]", why=item.quote.words)
