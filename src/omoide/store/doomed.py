"""What an erasure takes away, as the places of the file are told it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import apsw

from omoide.store.forgotten import Mention
from omoide.store.sweep import Sweep


@dataclass(slots=True)
class Doomed:
    """What goes. Places are asked in order and may leave a note for those after them."""

    ids: frozenset[int]
    now: int
    entity_id: int | None = None  # an entity that was asked for by name
    session: str | None = None  # and a session
    touched: tuple[int, ...] = ()  # entities that the nodes spoke of
    said_in: tuple[int, ...] = ()  # sessions that they were said in
    shaken: frozenset[int] = frozenset()  # nodes that stay on other evidence
    sweep: Sweep | None = None  # what only they said; there once the nodes are gone
    said: list[str] = field(default_factory=list)  # every text that went
    packed: list[bytes] = field(default_factory=list)  # bytes of the blocks that held archived ones
    entities: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    swept: list[Mention] = field(default_factory=list)  # free text that was emptied

    @property
    def chosen(self) -> str:
        return json.dumps(sorted(self.ids))

    def says(self, text: str | None, *, tied: bool = False) -> bool:
        """Whether a text gives away what only the erased said; `tied`: it was made of them, or speaks of the same."""
        assert self.sweep is not None
        return self.sweep.where(tied)(text)

    def empties(self, place: str, row: int | None, text: str | None, *, tied: bool = False) -> bool:
        """The same, and makes a note of it."""
        found = self.says(text, tied=tied)
        if found:
            self.swept.append(Mention(place, row, text))
        return found


Erase = Callable[[apsw.Connection, Doomed], int]
"""Takes the words away; how many rows went or were emptied."""


@dataclass(frozen=True, slots=True)
class Place:
    """`words`: the columns of each table that may hold words, or something made of them that betrays them."""

    name: str
    words: Mapping[str, tuple[str, ...]]
    erase: Erase
