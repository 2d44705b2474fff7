"""The report of outcome credit: which memories help, which harm, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from omoide.domain import Node
from omoide.domain.credit import Credit, credit_effect, success_interval, success_rate
from omoide.store import Store

CreditVerdict = Literal["helps", "harms", "unclear"]


@dataclass(frozen=True, slots=True)
class MemoryCredit:
    """A memory, the tasks that were told it, and what that says: counts are less for what stood lower."""

    node: Node
    tasks: int
    succeeded: float
    failed: float
    rate: float  # of success with it, few tasks counting for little
    low: float
    high: float
    usual: float  # rate of all tasks that were told something
    effect: float  # −1 … 1; a fifth of it moves the ranking
    verdict: CreditVerdict


def credit_report(store: Store, limit: int, least_tasks: int) -> list[MemoryCredit]:
    """The strongest first; then those about which least is in doubt."""
    usual, found = store.lessons.success_rate_and_credits(least_tasks)
    held = store.nodes.fetch(list(found))
    told = [_memory_credit(held[id], credit, usual) for id, credit in found.items() if id in held]
    return sorted(told, key=lambda each: (-abs(each.effect), -each.tasks, each.node.id))[:limit]


def _memory_credit(node: Node, credit: Credit, usual: float) -> MemoryCredit:
    low, high = success_interval(credit, usual)
    moved = credit_effect(credit, usual)
    verdict: CreditVerdict = "helps" if moved > 0 else "harms" if moved < 0 else "unclear"
    mean = success_rate(credit, usual)
    return MemoryCredit(node, credit.tasks, credit.succeeded, credit.failed, mean, low, high, usual, moved, verdict)
