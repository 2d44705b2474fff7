"""Finds corrections and causes in conversations by rules."""

from dataclasses import dataclass

from omoide.learn.proposal import LearningConversation, Proposal, Statement, UserCorrection
from omoide.learn.rules.reader import RuleExtractor
from omoide.learn.statements import StatementExtractor
from omoide.learn.statements.replacements import replacements_in

_SHORT = 50  # characters: "Not Tom, but Tim" is only a correction


@dataclass(frozen=True, slots=True)
class StatementsAndCorrections:
    """Finds what people state, what the user corrects, and which turn brought about the next."""

    statements: StatementExtractor
    most_causes: int
    name: str = "statements"

    def extract(self, conversation: LearningConversation) -> Proposal:
        stated = self.statements.extract(conversation)
        found = RuleExtractor(self.most_causes).extract(conversation)
        chosen = tuple(each for each in found.preferences if each.instead_of)  # "pnpm, not npm" rewrites procedures
        said_so = list(replacements_in(conversation))
        replacing = [each for each in said_so if isinstance(each, UserCorrection)]
        wanted = [
            each
            for each in said_so
            if isinstance(each, Statement)
            and not any(each.quote.episode == one.quote.episode for one in chosen)
            and not any(
                one.form == "instruction" and one.quote.words in each.quote.words
                for one in stated.statements
                if one.quote.episode == each.quote.episode
            )
        ]
        corrected = {each.quote.episode for each in found.corrections} - {
            each.quote.episode for each in replacing if each.lasting
        }
        days = {each.quote.episode for each in replacing if not each.lasting}
        corrected |= days
        said = {each.quote.episode for each in chosen}
        return Proposal(
            entities=stated.entities,
            statements=tuple(
                each
                for each in stated.statements
                if not any(each.slot is None and _within(each, one) for one in wanted)
                and (each.form != "instruction" or each.quote.episode not in said)
                and (each.slot is not None or each.quote.episode not in corrected or len(each.quote.words) > _SHORT)
            )
            + tuple(wanted),
            preferences=chosen,
            corrections=(*replacing, *(each for each in found.corrections if each.quote.episode not in days)),
            causes=found.causes,
            notes=stated.notes,
        )


def _within(one: Statement, other: Statement) -> bool:
    return one.quote.episode == other.quote.episode and one.quote.words in other.quote.words


__all__ = ["RuleExtractor", "StatementsAndCorrections"]
