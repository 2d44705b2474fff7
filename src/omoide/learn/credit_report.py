"""Reports which memories help tasks and which harm them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from omoide.domain import Node
from omoide.domain.credit import Credit, credit_effect, success_interval, success_rate
from omoide.store import Store

CreditVerdict = Literal["helps", "harms", "unclear"]


@dataclass(frozen=True, slots=True)
class MemoryCredit:
    """A memory and the outcomes of the tasks that had it in context, weighted by its position there."""

    node: Node
    tasks: int
    succeeded: float
    failed: float
    rate: float  # success rate with it, shrunk towards `usual`
    low: float
    high: float
    usual: float  # success rate of all tasks with memories in context
    effect: float  # −1 (harms) to 1 (helps)
    verdict: CreditVerdict


def credit_report(store: Store, limit: int, least_tasks: int) -> list[MemoryCredit]:
    """Memories by the strength of their effect, then by number of tasks."""
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
