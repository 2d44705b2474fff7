"""How the room for memories is divided, as data: Kira-R's priorities and Yodoca's shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from omoide.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Part:
    """A titled part of the pack, what sorts of posting stand in it, and its share before the others are served."""

    title: str
    sorts: tuple[str, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Plan:
    """A named division. What stands always (preferences, profile, goals) has slots of its own."""

    name: str
    purpose: str
    parts: tuple[Part, ...]  # in the order in which they stand: what changes least first, so that prompt caches hold

    def part_of(self, sort: str) -> Part:
        return next((part for part in self.parts if sort in part.sorts), self.parts[-1])

    @property
    def shares(self) -> Mapping[str, float]:
        return {part.title: part.share for part in self.parts}


KIRA = Plan(
    name="kira",
    purpose="Kira-R's priorities: what is named 30, episodes 30, what is linked to it 15, procedures 10",
    parts=(
        Part("How to", ("procedure",), 0.10),
        Part("Known", ("entity", "fact"), 0.30),
        Part("Related", ("related",), 0.15),
        Part("What happened", ("episode", "evidence"), 0.30),
    ),
)  # its 15 for profile and preferences are slots here, as in Kira-L

YODOCA = Plan(
    name="yodoca",
    purpose="Yodoca's shares: facts 40, entity profiles 25, what happened 25, evidence 10",
    parts=(
        Part("People and things", ("entity",), 0.25),
        Part("Known", ("fact", "related", "procedure"), 0.40),
        Part("What happened", ("episode",), 0.25),
        Part("Evidence", ("evidence",), 0.10),
    ),
)

PLANS = {plan.name: plan for plan in (KIRA, YODOCA)}


def plan_of(name: str) -> Plan:
    """By name; an unknown one is refused with the nearest."""
    if isinstance(name, str) and name in PLANS:
        return PLANS[name]
    near = get_close_matches(str(name), PLANS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known plans are {', '.join(PLANS)}"
    raise InvalidInput(f"unknown plan {name!r}; {hint}")
