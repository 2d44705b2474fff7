"""How a context window is divided: slots for each use (`WindowBudget`), and plans for the memories (`MemoryPlan`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from omoide.errors import InvalidInput, unknown_name

SMALLEST_WINDOW = 1_000  # tokens; a smaller one does not hold the last three turns and a reply
SAFETY_MARGIN = 0.05  # of the window; the token counter may be an estimate
COMPACT_AT = 0.75  # of the conversation's slot
_SYSTEM_SHARE = 0.5  # of the prompt; a longer system prompt leaves too little for the conversation
_GOALS_SHARE = 0.1  # of the prompt
_RESERVED_SHARE = 0.4  # of the window: profile, preferences and reply together take no more
_CONVERSATION, _RETRIEVED = 80_000, 30_000  # the rest is divided in this proportion


@dataclass(frozen=True, slots=True)
class BudgetSlot:
    """A share of the window, between two bounds."""

    share: float
    least: int
    most: int

    def tokens(self, window: int) -> int:
        return int(min(self.most, max(self.least, self.share * window)))


PROFILE_SLOT = BudgetSlot(500 / 128_000, 200, 500)
PREFERENCES_SLOT = BudgetSlot(300 / 128_000, 100, 300)
RESPONSE_SLOT = BudgetSlot(8_000 / 128_000, 4_000, 8_000)


@dataclass(frozen=True, slots=True)
class WindowBudget:
    """Tokens of each slot. Their sum never exceeds the window."""

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
        """What is sent may take this much: the window without the reply and the margin."""
        return self.total - self.response - self.margin

    def left_for_memories(self, spent: int) -> int:
        """What is left of the prompt; never more than the slot."""
        return max(0, min(self.retrieved, self.prompt - spent))

    def must_compact(self, conversation: int) -> bool:
        return conversation > COMPACT_AT * self.conversation

    @property
    def max_goals(self) -> int:
        return int(_GOALS_SHARE * self.prompt)


def window_budget(window: int, system: int, *, response: int | None = None) -> WindowBudget:
    """The slots of a window whose system prompt takes `system` tokens. `response` overrides the slot of the reply."""
    if window < SMALLEST_WINDOW:
        raise InvalidInput(f"window: expected at least {SMALLEST_WINDOW:,} tokens, got {window:,}")
    margin = int(window * SAFETY_MARGIN)
    reply = RESPONSE_SLOT.tokens(window) if response is None else response
    reserved = [PROFILE_SLOT.tokens(window), PREFERENCES_SLOT.tokens(window), reply]
    if sum(reserved) > _RESERVED_SHARE * window:
        reserved = [int(each * _RESERVED_SHARE * window / sum(reserved)) for each in reserved]
    profile, preferences, reply = reserved
    max_system = _SYSTEM_SHARE * (window - reply - margin)
    if system > max_system:
        raise InvalidInput(
            f"the system prompt takes {system:,} tokens of a window of {window:,}; at most {int(max_system):,} leave "
            f"room to talk. Shorten it, or raise `window`"
        )
    rest = window - margin - sum(reserved) - system
    conversation = rest * _CONVERSATION // (_CONVERSATION + _RETRIEVED)
    return WindowBudget(window, system, profile, preferences, conversation, rest - conversation, reply, margin)


# ── plans ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PlanPart:
    """A titled part of the memories, the categories in it, and its share of the slot."""

    title: str
    categories: tuple[str, ...]
    share: float


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """A named division of the slot for memories. Preferences, profile and goals have slots of their own."""

    name: str
    purpose: str
    parts: tuple[PlanPart, ...]  # what changes least first, so that prompt caches stay valid

    def part_of(self, category: str) -> PlanPart:
        return next((part for part in self.parts if category in part.categories), self.parts[-1])

    @property
    def shares(self) -> Mapping[str, float]:
        return {part.title: part.share for part in self.parts}


KIRA_PLAN = MemoryPlan(
    name="kira",
    purpose="Kira-R's priorities: facts of named entities 30, episodes 30, related facts 15, procedures 10",
    parts=(
        PlanPart("How to", ("procedure",), 0.10),
        PlanPart("Known", ("entity", "fact"), 0.30),
        PlanPart("Related", ("related",), 0.15),
        PlanPart("What happened", ("episode", "evidence"), 0.30),
    ),
)
YODOCA_PLAN = MemoryPlan(
    name="yodoca",
    purpose="Yodoca's shares: facts 40, entity profiles 25, episodes 25, evidence 10",
    parts=(
        PlanPart("People and things", ("entity",), 0.25),
        PlanPart("Known", ("fact", "related", "procedure"), 0.40),
        PlanPart("What happened", ("episode",), 0.25),
        PlanPart("Evidence", ("evidence",), 0.10),
    ),
)
PLANS = {plan.name: plan for plan in (KIRA_PLAN, YODOCA_PLAN)}


def plan_by_name(name: str) -> MemoryPlan:
    """The plan of this name. An unknown name raises `InvalidInput` with a suggestion."""
    if isinstance(name, str) and name in PLANS:
        return PLANS[name]
    raise unknown_name("plan", name, PLANS)
