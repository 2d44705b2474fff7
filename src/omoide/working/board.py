"""The board: the state of one live session as a value, and its compaction. It holds ids; the texts stay in the file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from omoide.clock import DAY, to_micros
from omoide.domain import Draft, Node
from omoide.domain.importance import Retention
from omoide.domain.kinds import Episode
from omoide.domain.node import least_trusted, validate_attributes
from omoide.domain.quotation import spoken_turn
from omoide.language import tokens
from omoide.language.extractive_summary import SpokenTurn, parse_summary
from omoide.working.budget import WindowBudget

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


# Compaction: the oldest turns leave the window and become one summary, stored as an episode linked to them.


SummariseTurns = Callable[[Sequence[SpokenTurn], int], str]
COMPACTION_TAG = "auto-compaction"
KEEP_TURNS = 10  # turns that stay in the window at most
_KEEP_SHARE = 0.3  # of the turns, if that is fewer
_IMPORTANCE = 5
_SHARE = 0.1  # of the conversation's slot, for the summary
_LEAST, _MOST = 40, 1_000  # tokens


def turns_to_keep(turns: int) -> int:
    """How many of the latest turns stay in the window."""
    return max(PROTECTED_TURNS, min(KEEP_TURNS, int(turns * _KEEP_SHARE)))


def summary_tokens(budget: WindowBudget) -> int:
    return int(min(_MOST, max(_LEAST, _SHARE * budget.conversation)))


def spoken_turns(nodes: Sequence[Node]) -> list[SpokenTurn]:
    """The turns to summarise. An earlier summary is split into its lines, so that each keeps its speaker."""
    return [
        each
        for node in nodes
        for each in (parse_summary(node.text, "system") if COMPACTION_TAG in node.tags else [spoken_turn(node)])
    ]


def summary_draft(session: str, text: str, covered: Sequence[Node], retention: Retention) -> Draft:
    """The summary as an episode. Its key depends on the turns only, so a repetition after a crash stores it once."""
    at = to_micros(covered[-1].event_at)
    days = retention.days("compressed", _IMPORTANCE)
    return Draft(
        kind="episode",
        text=text,
        event_at=at,
        expires_at=None if days is None else at + days * DAY,
        origin=least_trusted(each.origin for each in covered),
        role="system",
        source_type="consolidation",
        attributes=validate_attributes(Episode, {"type": "conversation", "compression": "compressed"}),
        session=session,
        importance=_IMPORTANCE,
        tags=(COMPACTION_TAG,),
        token_count=tokens.estimate(text),
        sensitive=any(each.sensitive for each in covered),
        audience="shared" if all(each.audience == "shared" for each in covered) else "private",
        key=_key(session, [each.id for each in covered]),
    )


def _key(session: str, ids: Sequence[int]) -> bytes:
    return hashlib.blake2b(json.dumps([COMPACTION_TAG, session, *ids]).encode(), digest_size=16).digest()
