"""The report of outcome credit: which memories help, which harm, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from omoide.layers import Node
from omoide.layers.credit import Credit, effect, interval, rate
from omoide.store import Store

Verdict = Literal["helps", "harms", "unclear"]


@dataclass(frozen=True, slots=True)
class Account:
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
    verdict: Verdict


def accounts(store: Store, limit: int, least_tasks: int) -> list[Account]:
    """The strongest first; then those about which least is in doubt."""
    usual, found = store.credits(least_tasks)
    held = store.nodes(list(found))
    told = [_account(held[id], credit, usual) for id, credit in found.items() if id in held]
    return sorted(told, key=lambda each: (-abs(each.effect), -each.tasks, each.node.id))[:limit]


def _account(node: Node, credit: Credit, usual: float) -> Account:
    low, high = interval(credit, usual)
    moved = effect(credit, usual)
    verdict: Verdict = "helps" if moved > 0 else "harms" if moved < 0 else "unclear"
    mean = rate(credit, usual)
    return Account(node, credit.tasks, credit.succeeded, credit.failed, mean, low, high, usual, moved, verdict)
