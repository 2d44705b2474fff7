"""Proposes everything that reading finds without a language model: statements, corrections, replacements, causes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from omoide.learn.proposal import LearningConversation, Proposal, Quote, Statement, UserCorrection
from omoide.learn.statements import StatementExtractor
from omoide.learn.statements.causes import causes_in
from omoide.learn.statements.corrections import find_corrections
from omoide.learn.statements.replacements import replacements_in

_SHORT = 50  # characters: "Not Tom, but Tim" is only a correction


@dataclass(frozen=True, slots=True)
class ReadingExtractor:
    """Finds what people state, what the user corrects, and which turn brought about the next."""

    statements: StatementExtractor
    most_causes: int
    name: str = "statements"

    def extract(self, conversation: LearningConversation) -> Proposal:
        stated = self.statements.extract(conversation)
        found = find_corrections(conversation)
        replaced = list(replacements_in(conversation))
        replacing = [each for each in replaced if isinstance(each, UserCorrection)]
        lasting = {each.quote.episode for each in replacing}  # "use pnpm, not npm" sets no earlier turn right
        corrections = [each for each in found.corrections if each.quote.episode not in lasting]
        wanted = [_united(each, stated.statements) for each in replaced if isinstance(each, Statement)]
        correcting = [*(each.quote for each in (*replacing, *corrections) if not each.lasting), *found.denials]
        kept = [
            each
            for each in stated.statements
            if not any(_is_part(each, one) for one in wanted)
            and not (each.slot is None and _is_short(each) and any(_overlap(each.quote, one) for one in correcting))
        ]
        return replace(
            stated,
            statements=(*kept, *wanted, *found.ends),
            corrections=(*replacing, *corrections),
            causes=tuple(islice(causes_in(conversation.turns, conversation.fresh), self.most_causes)),
            notes=(*stated.notes, *found.notes),
        )


def _united(item: Statement, stated: Sequence[Statement]) -> Statement:
    """What is wanted instead of something else, with the scope and exceptions that reading finds for it."""
    for each in stated:
        if each.form == item.form == "instruction" and _overlap(each.quote, item.quote):
            return replace(item, quote=each.quote, scope=each.scope, exceptions=each.exceptions)
    return item


def _is_part(one: Statement, other: Statement) -> bool:
    return (one.slot is None or one.form == "instruction") and _overlap(one.quote, other.quote)


def _is_short(item: Statement) -> bool:
    return len(item.quote.words) <= _SHORT


def _overlap(one: Quote, other: Quote) -> bool:
    return one.episode == other.episode and (one.words in other.words or other.words in one.words)
