"""Two extractors, one proposal: the first speaks, the second adds what the first left out."""

from __future__ import annotations

from dataclasses import dataclass

from omoide.learn.proposal import Conversation, Extractor, Mentioned, Proposal, gathered


@dataclass(frozen=True, slots=True)
class Joined:
    """A kind of thing in a turn is the first one's to tell, where it tells any of it.

    Both would word the same wish or how-to in two ways, and it would be learned twice.
    """

    first: Extractor
    second: Extractor

    @property
    def name(self) -> str:
        return f"{self.first.name} + {self.second.name}"

    def extract(self, conversation: Conversation) -> Proposal:
        """Fails where the first one fails: half of what there is to learn would pass for all of it."""
        first, second = self.first.extract(conversation), self.second.extract(conversation)
        told = {(type(item), item.quote.episode) for item in first}
        others = [
            item for item in second if isinstance(item, Mentioned) or (type(item), item.quote.episode) not in told
        ]
        return gathered([*first, *others], (*first.notes, *second.notes))
