"""What a context window is divided into: Kira-L's slots for any size, and Kira-R's sum of what is left for memories."""

from __future__ import annotations

from dataclasses import dataclass

from omoide.errors import InvalidInput

SMALLEST = 1_000  # tokens: below, the last three turns and an answer have no room beside each other
MARGIN = 0.05  # Kira-R's safety margin; the counter may be an estimate
COMPACT_AT = 0.75  # of the conversation's slot (both seeds)
_SYSTEM = 0.5  # of what a prompt may take: a system prompt that is longer leaves no room for talking
_GOALS = 0.1


@dataclass(frozen=True, slots=True)
class Slot:
    """A share of the window between the bounds that Kira-L names."""

    share: float
    least: int
    most: int

    def of(self, window: int) -> int:
        return int(min(self.most, max(self.least, self.share * window)))


# Kira-L's table for 128K: tokens / 128,000; the bounds are the ranges of its TokenBudget.
PROFILE = Slot(500 / 128_000, 200, 500)
PREFERENCES = Slot(300 / 128_000, 100, 300)
RESPONSE = Slot(8_000 / 128_000, 4_000, 8_000)
_CONVERSATION, _RETRIEVED = 80_000, 30_000  # what is left is divided as these are
_SMALL = 0.4  # of a small window: what is set aside may take so much together, bounds or not


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens of each slot; together they never exceed the window."""

    total: int
    system: int
    profile: int
    preferences: int
    conversation: int
    retrieved: int
    response: int
    margin: int

    @property
    def prompt(self) -> int:
        """What all that is sent may take: the window without the answer and the margin."""
        return self.total - self.response - self.margin

    def left_for_memories(self, spent: int) -> int:
        """Kira-R: the window without all that is in it, the reserve and the margin; never more than the slot."""
        return max(0, min(self.retrieved, self.total - spent - self.response - self.margin))

    def must_compact(self, conversation: int) -> bool:
        return conversation > COMPACT_AT * self.conversation

    @property
    def most_goals(self) -> int:
        return int(_GOALS * self.prompt)


def budget(window: int, system: int, *, response: int | None = None) -> Budget:
    """The slots of a window whose system prompt costs so much."""
    if window < SMALLEST:
        raise InvalidInput(f"window: expected at least {SMALLEST:,} tokens, got {window:,}")
    margin = int(window * MARGIN)
    aside = [PROFILE.of(window), PREFERENCES.of(window), RESPONSE.of(window) if response is None else response]
    if sum(aside) > _SMALL * window:
        aside = [int(each * _SMALL * window / sum(aside)) for each in aside]
    profile, preferences, reserve = aside
    if system > _SYSTEM * (window - reserve - margin):
        raise InvalidInput(
            f"the system prompt takes {system:,} tokens of a window of {window:,}; "
            f"at most {int(_SYSTEM * (window - reserve - margin)):,} leave room to talk. Shorten it, or raise `window`"
        )
    rest = window - margin - sum(aside) - system
    conversation = rest * _CONVERSATION // (_CONVERSATION + _RETRIEVED)
    return Budget(window, system, profile, preferences, conversation, rest - conversation, reserve, margin)
