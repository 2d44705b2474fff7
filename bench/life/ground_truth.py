"""The values of every trait over time, with which answers are judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from life.vocabulary import Trait


@dataclass(slots=True)
class ValueSpan:
    """A value, from when it was mentioned until its end was mentioned."""

    value: str
    since: datetime
    until: datetime | None = None


@dataclass(slots=True)
class UnknownPeriod:
    """A time about which statements were forgotten on request, so that no memory can know the value."""

    since: datetime
    until: datetime | None = None  # when it was mentioned again


@dataclass(slots=True)
class GroundTruth:
    """The values of every trait in order of time, and what was forgotten."""

    spans: dict[str, list[ValueSpan]] = field(default_factory=dict)
    clouds: dict[str, list[UnknownPeriod]] = field(default_factory=dict)

    def told(self, trait: Trait, value: str, at: datetime) -> None:
        self.ended(trait, at)
        self.spans.setdefault(trait.name, []).append(ValueSpan(value, at))

    def again(self, trait: Trait, at: datetime) -> None:
        for cloud in self.clouds.get(trait.name, ()):
            cloud.until = cloud.until or at

    def forgotten(self, trait: Trait, value: str, *, ending: bool = False) -> None:
        """Records that a value or its end was erased. Ended values are not mentioned again."""
        for span in self.spans.get(trait.name, ()):
            if span.value == value and ending and span.until is not None:
                self.clouds.setdefault(trait.name, []).append(UnknownPeriod(span.until))
            elif span.value == value and not ending:
                self.clouds.setdefault(trait.name, []).append(UnknownPeriod(span.since, span.until))

    def knowable(self, trait: Trait, moment: datetime) -> bool:
        return not any(
            cloud.since <= moment and (cloud.until is None or moment < cloud.until)
            for cloud in self.clouds.get(trait.name, ())
        )

    def ended(self, trait: Trait, at: datetime) -> None:
        self.again(trait, at)
        held = self.spans.get(trait.name)
        if held and held[-1].until is None:
            held[-1].until = at

    def at(self, trait: Trait, moment: datetime) -> str | None:
        """Returns the value at that time as far as it had been mentioned, or None."""
        for span in self.spans.get(trait.name, ()):
            if span.since <= moment and (span.until is None or moment < span.until):
                return span.value
        return None

    def last(self, trait: Trait, moment: datetime) -> str | None:
        """Returns the latest value, which may still hold."""
        begun = [span.value for span in self.spans.get(trait.name, ()) if span.since <= moment]
        return begun[-1] if begun else None

    def ever(self, trait: Trait) -> set[str]:
        return {span.value for span in self.spans.get(trait.name, ())}
