"""What forgetting speaks of: what is named, what goes with it, what is left, and the receipt."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from omoide.layers import Node
from omoide.layers.entity import name_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is to be forgotten, named in exactly one way. Times in microseconds."""

    ids: tuple[int, ...] = ()
    session: str | None = None
    entity: str | None = None
    origin: str | None = None
    before: int | None = None
    asked: bool = False  # the ids answered a question

    @property
    def way(self) -> str:
        names = ("session", "entity", "origin", "before")
        return next((name for name in names if getattr(self, name) is not None), "query" if self.asked else "ids")

    @property
    def words(self) -> tuple[str, str] | None:
        """(way, what it is called); of ids there are no words."""
        called = None if self.way in ("query", "ids") else getattr(self, self.way)
        return None if called is None else (self.way, name_key(called) if self.way == "entity" else str(called))


@dataclass(frozen=True, slots=True)
class Shaken:
    """A memory that loses some of what it rests on, and (episode, quoted words) of the rest."""

    node: Node
    rest: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Closure:
    """Everything that goes with some nodes, and what of theirs has other evidence."""

    ids: frozenset[int]
    shaken: tuple[Shaken, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rederived:
    """A memory as the rest of its evidence bears it out. Without a text its words stay as they are."""

    id: int
    source: int  # the first of what it now rests on: its session is the memory's
    entities: tuple[int, ...] = ()  # that a new text speaks of
    text: str | None = None
    token_count: int = 0
    attributes: dict[str, object] | None = None
    confidence: float | None = None
    event_at: int | None = None
    valid_from: int | None = None
    condensed: bool = False  # a summary: it stays that of its session or day, and has details of its own
    rests_on: tuple[int, ...] = ()  # what its new text is told of
    details: dict[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasing:
    """All that one erasure does: decided before its transaction, checked inside it."""

    target: Target
    named: frozenset[int]  # the nodes that were asked for, or asked for by what they say
    ids: frozenset[int]  # and what goes with them
    rederived: tuple[Rederived, ...] = ()


@dataclass(frozen=True, slots=True)
class Copy:
    """A file that was made from this one. `holds`: whether the erased words were seen in it; None: not looked."""

    path: str
    kind: str
    made_at: datetime | None
    holds: bool | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A row that is no memory and says something that only the erased said: the column, the number of the row where
    it has one, and for whoever asks before, what stands there."""

    place: str
    row: int | None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Scan:
    """What reading the bytes of the file and of all that belongs to it brought to light."""

    files: tuple[str, ...] = ()
    needles: int = 0  # how many words and phrases were looked for that nothing kept says
    remainders: tuple[str, ...] = ()  # the files in which one was seen
    made: bool = False
    places: tuple[str, ...] = ()  # of the file itself, the kinds of rows in which one was seen

    @property
    def clean(self) -> bool:
        """Whether it was looked, and nothing seen. With no needle there was nothing that only the erased said."""
        return self.made and not self.remainders


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What forgetting would do. Nothing was changed."""

    nodes: tuple[Node, ...]  # what goes, by kind and id
    counts: dict[str, int]  # rows that go or are emptied, by place
    entities: tuple[str, ...]  # of which nothing would be left
    relations: tuple[str, ...]
    sessions: tuple[str, ...]
    stays: tuple[Node, ...]  # has other evidence, and will be derived from that
    revived: tuple[Node, ...]  # was replaced by what goes, and holds again
    still_says: tuple[Node, ...]  # says the same and is kept; `sources=True` takes along what was learned from
    copies: tuple[Copy, ...]  # files that keep it
    swept: tuple[Mention, ...]  # other text that goes, since it repeats what is erased
    mentions: tuple[Mention, ...]  # other text that has a word of it, and stays

    @property
    def by_kind(self) -> dict[str, tuple[Node, ...]]:
        kinds = dict.fromkeys(node.kind for node in self.nodes)
        return {kind: tuple(node for node in self.nodes if node.kind == kind) for kind in kinds}


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What was erased: counts and ids, no words. `pending` says what is still to be done, and why."""

    id: int
    at: datetime
    way: str
    ids: tuple[int, ...]
    counts: dict[str, int]
    stays: tuple[int, ...] = ()
    revived: tuple[int, ...] = ()
    still_says: tuple[int, ...] = ()
    copies: tuple[Copy, ...] = ()
    scan: Scan = field(default_factory=Scan)
    pending: tuple[str, ...] = ()
    swept: tuple[Mention, ...] = ()
    mentions: tuple[Mention, ...] = ()

    @property
    def clean(self) -> bool:
        """Of the bytes: what `mentions` names was not looked for, since it stays."""
        return self.scan.clean and not self.pending


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Where every id is that was ever given. `lost` are those that nothing accounts for: there are none."""

    live: int
    superseded: int
    archived: int
    expired: int
    erased: int
    highest: int

    @property
    def lost(self) -> int:
        return self.highest - self.live - self.superseded - self.archived - self.expired - self.erased
