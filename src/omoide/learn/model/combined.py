"""Unites what reading finds with what a language model finds, so that with a model never less is learned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from omoide.domain.entity import name_key
from omoide.language.stemmer import stem
from omoide.learn.proposal import (
    EntityMention,
    Extractor,
    LearningConversation,
    Proposal,
    ProposalItem,
    Statement,
    collect_proposal,
)
from omoide.learn.quote_matching import content_words

_ALIKE = 0.6  # share of words in common from which two statements of one clause say the same


@dataclass(frozen=True, slots=True)
class CombinedExtractor:
    """Two extractors. What both state is kept once, in the words of the first."""

    first: Extractor
    second: Extractor

    @property
    def name(self) -> str:
        return f"{self.first.name} + {self.second.name}"

    def extract(self, conversation: LearningConversation) -> Proposal:
        """Raises what either extractor raises: a partial result must not count as complete."""
        first, second = self.first.extract(conversation), self.second.extract(conversation)
        statements = united_statements(first.statements, second.statements)
        others = [each for each in first if not isinstance(each, Statement)]
        found = {_place(each) for each in others}
        others += [each for each in second if not isinstance(each, Statement) and _place(each) not in found]
        refused = (*first.refused, *second.refused)
        return collect_proposal([*others, *statements], (*first.notes, *second.notes), refused)


def _place(item: ProposalItem) -> tuple[object, ...]:
    name = name_key(item.name) if isinstance(item, EntityMention) else ""
    return type(item), item.quote.episode, name


def united_statements(read: Iterable[Statement], modelled: Iterable[Statement]) -> list[Statement]:
    """Everything that was read, and what the model adds to it: other statements, and slots that reading did not see."""
    found = list(read)
    for each in modelled:
        at = next((number for number, held in enumerate(found) if _says_the_same(held, each)), None)
        if at is None:
            found.append(each)
        elif found[at].slot is None and each.slot is not None and found[at].kind == each.kind:
            found[at] = replace(found[at], slot=each.slot, value=each.value)
    return found


def _says_the_same(held: Statement, new: Statement) -> bool:
    if held.quote.episode != new.quote.episode:
        return False
    if held.slot is not None and held.slot == new.slot and name_key(held.value or "") == name_key(new.value or ""):
        return True
    one, other = name_key(held.quote.words), name_key(new.quote.words)
    if one not in other and other not in one and not _alike(one, other):
        return False
    return _alike(held.text, new.text)


def _alike(one: str, other: str) -> bool:
    left, right = ({stem(word) for word in content_words(text)} for text in (one, other))
    return len(left & right) >= _ALIKE * max(1, min(len(left), len(right)))
