"""What became of a folder."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Report:
    """`became` counts what was read, by what it was and what became of it; `ids` tells whose memory a foreign id is."""

    folder: str
    became: dict[str, Counter[str]] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    skipped: list[tuple[str, str]] = field(default_factory=list)  # the file, and why
    dangling: list[tuple[str, str]] = field(default_factory=list)  # from, to: links to what is not there
    forgotten: list[str] = field(default_factory=list)  # foreign ids of what was forgotten on request, and stays so
    files: int = 0

    def count(self, what: str, became: str) -> None:
        self.became.setdefault(what, Counter())[became] += 1
