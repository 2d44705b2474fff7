"""The board: the state of one live session as a value. It holds ids; the texts stay in the file."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

PROTECTED_TURNS = 3  # the last turns, which never leave the window


@dataclass(frozen=True, slots=True)
class HeldMemory:
    """A memory on the board: its category, its current relevance, and the turn at which it came there."""

    id: int
    category: str
    value: float
    since: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Board:
    """The state of a live session. Profile and preferences are read anew at every message and not kept here."""

    session: str
    window: int
    system: str = ""  # stored in its own column
    fence: str = ""  # mark of the fence around what changes least: it stays, so that prompt caches stay valid
    plan: str = "kira"
    audience: str = "private"
    turns: tuple[int, ...] = ()  # in the window, oldest first
    turn_count: int = 0  # of the whole session, summarised turns included
    summary: int | None = None  # of the turns that left the window
    private_summaries: tuple[int, ...] = ()  # kept apart while others listen
    summarised_until: int = 0  # the newest turn that the summary covers
    goals: tuple[int, ...] = ()
    entities: tuple[int, ...] = ()  # mentioned in this session, the latest last
    standing: tuple[int, ...] = ()  # preferences and profile facts of the last prompt
    retrieved: tuple[HeldMemory, ...] = ()  # in the order in which they came
    injected_at: int | None = None  # microseconds
    topic_since: int = 0  # `turn_count` when the topic last changed
    version: int = 0  # number of saves; a handle may save only if it has read the latest version

    def __repr__(self) -> str:
        return f"Board({self.session!r}, {self.turn_count} turns, {len(self.goals)} goals, version {self.version})"

    @property
    def newest(self) -> int:
        """The newest episode that the board knows of."""
        return max((*self.turns, *self.goals, self.summarised_until))

    @property
    def protected(self) -> tuple[int, ...]:
        return self.turns[-PROTECTED_TURNS:]

    @property
    def summaries(self) -> tuple[int, ...]:
        return self.private_summaries if self.summary is None else (*self.private_summaries, self.summary)

    def without(self, hidden: Collection[int]) -> Board:
        """The board without some episodes, which the current audience may not see."""
        return replace(
            self,
            turns=tuple(id for id in self.turns if id not in hidden),
            goals=tuple(id for id in self.goals if id not in hidden),
            private_summaries=tuple(id for id in self.private_summaries if id not in hidden),
            summary=None if self.summary in hidden else self.summary,
        )

    def with_turn(self, id: int) -> Board:
        return self if id in self.turns else replace(self, turns=(*self.turns, id), turn_count=self.turn_count + 1)

    def as_json(self) -> str:
        """All fields but the system prompt, which is not memory."""
        found = {name: getattr(self, name) for name in _SAVED_FIELDS}
        return json.dumps({**found, "retrieved": [asdict(each) for each in self.retrieved]}, separators=(",", ":"))


_SAVED_FIELDS = tuple(field.name for field in fields(Board) if field.name not in ("system", "retrieved"))


def board_from_json(text: str, system: str) -> Board:
    found: dict[str, Any] = json.loads(text)
    found.pop("consent", None)  # of earlier boards; consent is granted for a session
    found["retrieved"] = [HeldMemory(**each) for each in found["retrieved"]]
    tuples = {name: tuple(value) for name, value in found.items() if isinstance(value, list)}
    return Board(**{**found, **tuples, "system": system})


def merge_boards(own: Board, other: Board) -> Board:
    """Combine what two handles on one session heard. The settings are those of `own`."""
    later = max(own, other, key=lambda board: board.summarised_until)
    new = [id for id in own.turns if id not in other.turns and id > other.summarised_until]
    turns = {id for id in (*own.turns, *other.turns) if id in later.turns or id > later.summarised_until}
    return replace(
        own,
        turns=tuple(sorted(turns)),
        turn_count=other.turn_count + len(new),
        summary=later.summary,
        private_summaries=later.private_summaries,
        summarised_until=later.summarised_until,
        goals=tuple(sorted({*own.goals, *other.goals})),
        entities=tuple(dict.fromkeys((*other.entities, *own.entities))),
        injected_at=own.injected_at or other.injected_at,
        version=other.version,
    )
