"""What a context window is divided into: Kira-L's slots for any size, and Kira-R's sum of what is left for memories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from omoide.errors import InvalidInput

SMALLEST_WINDOW = 1_000  # tokens: below, the last three turns and an answer have no room beside each other
SAFETY_MARGIN = 0.05  # Kira-R's safety margin; the counter may be an estimate
COMPACT_AT = 0.75  # of the conversation's slot (both seeds)
_SYSTEM_SHARE = 0.5  # of what a prompt may take: a system prompt that is longer leaves no room for talking
_MAX_GOALS_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class BudgetSlot:
    """A share of the window between the bounds that Kira-L names."""

    share: float
    least: int
    most: int

    def of(self, window: int) -> int:
        return int(min(self.most, max(self.least, self.share * window)))


# Kira-L's table for 128K: tokens / 128,000; the bounds are the ranges of its TokenBudget.
PROFILE_SLOT = BudgetSlot(500 / 128_000, 200, 500)
PREFERENCES_SLOT = BudgetSlot(300 / 128_000, 100, 300)
RESPONSE_SLOT = BudgetSlot(8_000 / 128_000, 4_000, 8_000)
_CONVERSATION, _RETRIEVED = 80_000, 30_000  # what is left is divided as these are
_MAX_RESERVED_SHARE = 0.4  # of a small window: what is set aside may take so much together, bounds or not


@dataclass(frozen=True, slots=True)
class WindowBudget:
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
        return int(_MAX_GOALS_SHARE * self.prompt)


def window_budget(window: int, system: int, *, response: int | None = None) -> WindowBudget:
    """The slots of a window whose system prompt costs so much."""
    if window < SMALLEST_WINDOW:
        raise InvalidInput(f"window: expected at least {SMALLEST_WINDOW:,} tokens, got {window:,}")
    margin = int(window * SAFETY_MARGIN)
    aside = [
        PROFILE_SLOT.of(window),
        PREFERENCES_SLOT.of(window),
        RESPONSE_SLOT.of(window) if response is None else response,
    ]
    if sum(aside) > _MAX_RESERVED_SHARE * window:
        aside = [int(each * _MAX_RESERVED_SHARE * window / sum(aside)) for each in aside]
    profile, preferences, reserve = aside
    if system > _SYSTEM_SHARE * (window - reserve - margin):
        raise InvalidInput(
            f"the system prompt takes {system:,} tokens of a window of {window:,}; "
            f"at most {int(_SYSTEM_SHARE * (window - reserve - margin)):,} leave room to talk. Shorten it, or raise `window`"
        )
    rest = window - margin - sum(aside) - system
    conversation = rest * _CONVERSATION // (_CONVERSATION + _RETRIEVED)
    return WindowBudget(window, system, profile, preferences, conversation, rest - conversation, reserve, margin)


# How the room for memories is divided, as data: Kira-R's priorities and Yodoca's shares.


@dataclass(frozen=True, slots=True)
class PlanPart:
    """A titled part of the pack, what sorts of posting stand in it, and its share before the others are served."""

    title: str
    sorts: tuple[str, ...]
    share: float


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """A named division. What stands always (preferences, profile, goals) has slots of its own."""

    name: str
    purpose: str
    parts: tuple[
        PlanPart, ...
    ]  # in the order in which they stand: what changes least first, so that prompt caches hold

    def part_of(self, sort: str) -> PlanPart:
        return next((part for part in self.parts if sort in part.sorts), self.parts[-1])

    @property
    def shares(self) -> Mapping[str, float]:
        return {part.title: part.share for part in self.parts}


KIRA_PLAN = MemoryPlan(
    name="kira",
    purpose="Kira-R's priorities: what is named 30, episodes 30, what is linked to it 15, procedures 10",
    parts=(
        PlanPart("How to", ("procedure",), 0.10),
        PlanPart("Known", ("entity", "fact"), 0.30),
        PlanPart("Related", ("related",), 0.15),
        PlanPart("What happened", ("episode", "evidence"), 0.30),
    ),
)  # its 15 for profile and preferences are slots here, as in Kira-L

YODOCA_PLAN = MemoryPlan(
    name="yodoca",
    purpose="Yodoca's shares: facts 40, entity profiles 25, what happened 25, evidence 10",
    parts=(
        PlanPart("People and things", ("entity",), 0.25),
        PlanPart("Known", ("fact", "related", "procedure"), 0.40),
        PlanPart("What happened", ("episode",), 0.25),
        PlanPart("Evidence", ("evidence",), 0.10),
    ),
)

PLANS = {plan.name: plan for plan in (KIRA_PLAN, YODOCA_PLAN)}


def plan_by_name(name: str) -> MemoryPlan:
    """By name; an unknown one is refused with the nearest."""
    if isinstance(name, str) and name in PLANS:
        return PLANS[name]
    near = get_close_matches(str(name), PLANS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known plans are {', '.join(PLANS)}"
    raise InvalidInput(f"unknown plan {name!r}; {hint}")
