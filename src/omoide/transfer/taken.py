"""What became of a foreign file: counted, with the first of what was taken and what was left out."""

from __future__ import annotations

from dataclasses import dataclass, field

_SHOWN = 5
_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Taken:
    """`counts`: by kind, how many were added, were here already (same) or stay forgotten; `skipped`: by reason.

    `examples` are the first that were added (kind, where, words), `left_out` the first that were not (reason, where).
    """

    path: str
    format: str
    dry_run: bool
    counts: dict[str, dict[str, int]]
    skipped: dict[str, int]
    examples: tuple[tuple[str, str, str], ...]
    left_out: tuple[tuple[str, str], ...]

    def total(self, outcome: str) -> int:
        return sum(each.get(outcome, 0) for each in self.counts.values())


@dataclass(slots=True)
class Tally:
    """A report that is being made."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    examples: list[tuple[str, str, str]] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def count(self, kind: str, outcome: str, where: str, words: str) -> None:
        held = self.counts.setdefault(kind, {})
        held[outcome] = held.get(outcome, 0) + 1
        if outcome == "added" and sum(each[0] == kind for each in self.examples) < _SHOWN:
            flat = " ".join(words.split())
            self.examples.append((kind, where, flat if len(flat) <= _LENGTH else flat[: _LENGTH - 1] + "…"))

    def skip(self, reason: str, where: str, count: int = 1) -> None:
        self.skipped[reason] = self.skipped.get(reason, 0) + count
        if sum(each[0] == reason for each in self.left_out) < _SHOWN:
            self.left_out.append((reason, where))

    def report(self, path: str, format: str, dry_run: bool) -> Taken:
        return Taken(path, format, dry_run, self.counts, self.skipped, tuple(self.examples), tuple(self.left_out))
