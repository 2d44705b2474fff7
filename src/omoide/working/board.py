"""The blackboard: all that one live session holds in mind, as a value. Ids, not words: those rest in the file."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Any

PROTECTED_TURNS = 3  # Kira-L: the last turns that are never evicted


@dataclass(frozen=True, slots=True)
class HeldMemory:
    """A memory on the board: how relevant it is to what is being talked about, and since which turn it is there."""

    id: int
    sort: str
    value: float
    since: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Kira-L's working memory. Profile and preferences are read anew each time, so that they are never stale."""

    session: str
    window: int
    system: str = ""  # at rest in a column of its own
    plan: str = "kira"
    audience: str = "private"
    consent: bool = False
    turns: tuple[int, ...] = ()  # the conversation, oldest first
    said: int = 0  # turns so far, also those that were summed up
    summary: int | None = None  # of the turns that are no longer in the window
    aside: tuple[int, ...] = ()  # summaries that are private, of a session that others heard for a while
    upto: int = 0  # the newest turn that it sums up; links lead from it to all of them
    goals: tuple[int, ...] = ()
    entities: tuple[int, ...] = ()  # spoken of in this session, the latest last
    standing: tuple[int, ...] = ()  # preferences and profile that were in the last prompt
    retrieved: tuple[HeldMemory, ...] = ()  # in the order in which they came
    injected_at: int | None = None  # microseconds
    topic_at: int = 0  # how many turns had been said when the topic last changed
    version: int = 0  # how often it was written down: who writes must have read the latest

    @property
    def last(self) -> int:
        """The newest episode that the board knows of: what came later was said, and not put on it yet."""
        return max((*self.turns, *self.goals, self.upto))

    @property
    def protected(self) -> tuple[int, ...]:
        return self.turns[-PROTECTED_TURNS:]

    @property
    def summaries(self) -> tuple[int, ...]:
        return self.aside if self.summary is None else (*self.aside, self.summary)

    def without(self, hidden: Collection[int]) -> Board:
        """As those may see it who listen now."""
        return replace(
            self,
            turns=tuple(id for id in self.turns if id not in hidden),
            goals=tuple(id for id in self.goals if id not in hidden),
            aside=tuple(id for id in self.aside if id not in hidden),
            summary=None if self.summary in hidden else self.summary,
        )

    def heard(self, id: int) -> Board:
        return self if id in self.turns else replace(self, turns=(*self.turns, id), said=self.said + 1)

    def as_json(self) -> str:
        """Without the system prompt, which is not memory."""
        found = {name: getattr(self, name) for name in _SAVED_FIELDS}
        held = [{"id": each.id, "sort": each.sort, "value": each.value, "since": each.since} for each in self.retrieved]
        return json.dumps({**found, "retrieved": held}, separators=(",", ":"))


_SAVED_FIELDS = tuple(field.name for field in fields(Board) if field.name not in ("system", "retrieved"))


def board_from_json(text: str, system: str) -> Board:
    found: dict[str, Any] = json.loads(text)
    found["retrieved"] = [HeldMemory(**each) for each in found["retrieved"]]
    lists = {name: tuple(value) for name, value in found.items() if isinstance(value, list)}
    return Board(**{**found, **lists, "system": system})


def merge_boards(mine: Board, theirs: Board) -> Board:
    """What two handles on one session heard, each in its own time. Settings are those of the handle."""
    later = max(mine, theirs, key=lambda board: board.upto)
    new = [id for id in mine.turns if id not in theirs.turns and id > theirs.upto]
    turns = {id for id in (*mine.turns, *theirs.turns) if id in later.turns or id > later.upto}
    return replace(
        mine,
        turns=tuple(sorted(turns)),
        said=theirs.said + len(new),
        summary=later.summary,
        aside=later.aside,
        upto=later.upto,
        goals=tuple(sorted({*mine.goals, *theirs.goals})),
        entities=tuple(dict.fromkeys((*theirs.entities, *mine.entities))),
        injected_at=mine.injected_at or theirs.injected_at,
        version=theirs.version,
    )
