"""What learning did, in the order it did it: for people, and for whoever wants to check."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from omoide.providers.meter import Bill

Verb = Literal["learned", "confirmed", "superseded", "ended", "contradicted", "refused", "linked"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was done or refused, and why."""

    verb: Verb
    kind: str
    text: str
    id: int | None = None
    why: str = ""


@dataclass(slots=True)
class Report:
    """Filled while sessions are learned from."""

    sessions: list[str] = field(default_factory=list)
    turns: int = 0
    entries: list[Entry] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was left out and why
    bill: Bill = field(default_factory=Bill)  # what a language model took, if there was one
    failed: dict[str, str] = field(default_factory=dict)  # session → why it stays pending

    def add(self, verb: Verb, kind: str, text: str, id: int | None = None, why: str = "") -> None:
        self.entries.append(Entry(verb, kind, text, id, why))

    def count(self, verb: Verb) -> int:
        return sum(1 for entry in self.entries if entry.verb == verb)

    @property
    def counts(self) -> dict[str, int]:
        return dict(Counter(entry.verb for entry in self.entries))

    def join(self, other: Report) -> None:
        self.sessions += [name for name in other.sessions if name not in self.sessions]
        self.turns += other.turns
        self.entries += other.entries
        self.notes += other.notes
        self.bill += other.bill
        self.failed |= other.failed
