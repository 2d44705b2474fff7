"""What a day of language models may cost, kept in the file that they learn for."""

from __future__ import annotations

from dataclasses import dataclass

from omoide.providers.model_limits import ModelUsage
from omoide.store import DailySpending, Store


@dataclass(frozen=True, slots=True)
class DayPurse:
    """Shared by all processes that open the file."""

    store: Store
    limit: float  # dollars a day

    def reserve(self, expected: ModelUsage) -> str | None:
        return self.store.reserve_spending(expected.cost, self.limit)

    def settle(self, name: str, expected: ModelUsage, spent: ModelUsage) -> None:
        taken = DailySpending(spent.calls, spent.input_tokens, spent.output_tokens, spent.cost)
        self.store.settle_spending(name, expected.cost, taken)
