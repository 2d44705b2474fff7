"""A pack: what was chosen, formatted and budgeted for the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from omoide.layers import Entity
from omoide.recall.fit import Candidates, Counter, Section, fit
from omoide.recall.hit import Hit, Recall
from omoide.recall.inject import CLOSE, OPEN, markdown
from omoide.recall.trace import Trace


@dataclass(frozen=True, slots=True)
class Pack:
    """`tokens` never exceeds `budget`; an empty pack is an answer."""

    markdown: str
    tokens: int
    budget: int
    sections: tuple[Section, ...]
    hits: tuple[Hit, ...]
    trace: Trace

    @property
    def ids(self) -> list[int]:
        return [line.id for section in self.sections for line in section.lines if line.id is not None]


@dataclass(frozen=True, slots=True)
class Beside:
    """What belongs in a pack whatever was found: standing preferences, and who the question names."""

    standing: Sequence[Hit] = ()
    named: Sequence[Entity] = ()


def pack(recall: Recall, beside: Beside, budget: int, now: datetime, count: Counter, floor: float) -> Pack:
    """Standing preferences first, then what was found and is not far below the best, cut to the budget."""
    standing = beside.standing
    trace = recall.trace
    with trace.stage("fit") as notes:
        known = {hit.id for hit in standing}
        least = floor * max((hit.score for hit in recall.hits), default=0.0)
        for hit in recall.hits:
            if hit.score < least and hit.id not in known:
                known.add(hit.id)
                trace.dropped[hit.id] = "far less relevant than the best"
        found = tuple(hit for hit in recall.hits if hit.id not in known)
        room = budget - count(f"{OPEN}\n{CLOSE}\n")
        candidates = Candidates(standing, found, beside.named, recall.query.terms)
        sections, left_out = fit(candidates, room, now, count)
        text = markdown(sections)
        while sections and count(text) > budget:  # an estimate of parts may fall short of the whole by a token or two
            sections = without_last(sections, left_out)
            text = markdown(sections)
        trace.dropped.update(left_out)
        for line in (line for section in sections for line in section.lines):
            if line.id is not None:
                trace.dropped.pop(line.id, None)  # a standing wish is in, whatever the search made of it
        tokens = count(text)
        notes.append(f"{tokens} of {budget} tokens")
    return Pack(text, tokens, budget, tuple(sections), (*standing, *found), trace)


def without_last(sections: list[Section], left_out: dict[int, str]) -> list[Section]:
    """The sections but for their last line, which is told to have had no room."""
    *before, last = sections
    if (id := last.lines[-1].id) is not None:
        left_out[id] = "no room in the token budget"
    rest = Section(last.title, last.lines[:-1])
    return [*before, rest] if rest.lines else before
