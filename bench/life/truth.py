"""What was so, and since when: the other side of every question that a memory is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from life.words import Trait


@dataclass(slots=True)
class Span:
    """A value, from when it was told until its end was."""

    value: str
    since: datetime
    until: datetime | None = None


@dataclass(slots=True)
class Truth:
    """Every trait's values in the order of time."""

    spans: dict[str, list[Span]] = field(default_factory=dict)

    def told(self, trait: Trait, value: str, at: datetime) -> None:
        self.ended(trait, at)
        self.spans.setdefault(trait.name, []).append(Span(value, at))

    def ended(self, trait: Trait, at: datetime) -> None:
        held = self.spans.get(trait.name)
        if held and held[-1].until is None:
            held[-1].until = at

    def at(self, trait: Trait, moment: datetime) -> str | None:
        """What was so then, as far as it had been told; None: nothing, or not yet."""
        for span in self.spans.get(trait.name, ()):
            if span.since <= moment and (span.until is None or moment < span.until):
                return span.value
        return None

    def last(self, trait: Trait, moment: datetime) -> str | None:
        """What was so last, and perhaps still is."""
        begun = [span.value for span in self.spans.get(trait.name, ()) if span.since <= moment]
        return begun[-1] if begun else None

    def ever(self, trait: Trait) -> set[str]:
        return {span.value for span in self.spans.get(trait.name, ())}
