"""What a day of language models may cost, kept in the file that they learn for."""

from __future__ import annotations

from dataclasses import dataclass

from omoide.providers.meter import Bill
from omoide.store import Spent, Store


@dataclass(frozen=True, slots=True)
class DayPurse:
    """Shared by all processes that open the file."""

    store: Store
    limit: float  # dollars a day

    def reserve(self, expected: Bill) -> str | None:
        return self.store.reserve_spending(expected.cost, self.limit)

    def settle(self, name: str, expected: Bill, spent: Bill) -> None:
        taken = Spent(spent.calls, spent.input_tokens, spent.output_tokens, spent.cost)
        self.store.settle_spending(name, expected.cost, taken)
