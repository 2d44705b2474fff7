"""Columns of all nodes in memory, by node id: what recall needs to know of hundreds of candidates."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from omoide.domain import KINDS
from omoide.store.engine.connection import Connection
from omoide.store.search import fulltext
from omoide.store.search.node_filter import NEEDS_CHECK

T = TypeVar("T", bound=np.generic)

_KIND_CODES = {kind: code for code, kind in enumerate(KINDS, start=1)}  # 0: no such node
_FACT, _PREFERENCE = _KIND_CODES["fact"], _KIND_CODES["preference"]
_KIND, _LENGTH, _SPEAKER, _SESSION, _ROLE, _BEFORE, _AFTER, _DOUBTFUL, _NO_CONSTRAINT = range(9)
_USER, _AGENT = 1, 2  # roles; 0: another or none
_NOTHING = np.zeros((9, 1), np.int32)
_ROWS = f"""
    SELECT
        id,
        CASE kind {" ".join(f"WHEN '{kind}' THEN {code}" for kind, code in _KIND_CODES.items())} END,
        CASE
            WHEN text = '' THEN coalesce((SELECT length FROM main.archived AS archived WHERE node_id = node.id), 0)
            ELSE length(text)
        END,
        coalesce(iif(substr(text, 1, length(speaker) + 1) = speaker || ':', length(speaker) + 1, 0), 0),
        coalesce(session_id, 0),
        CASE role WHEN 'user' THEN {_USER} WHEN 'agent' THEN {_AGENT} ELSE 0 END
    FROM main.node AS node
"""


def distinct(ids: NDArray[T]) -> NDArray[T]:
    """The different values, sorted; `np.unique` costs three times as much on short arrays, and loads `numpy.ma`."""
    ordered = ids.copy()
    ordered.sort()
    first = np.ones(len(ids), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    found: NDArray[T] = ordered[first]
    return found


@dataclass(frozen=True, slots=True, eq=False)
class ScoredNodes:
    """What a search found, the best first. Iterating gives (node, score)."""

    ids: NDArray[np.int64]
    scores: NDArray[np.float64]

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, float]]) -> ScoredNodes:
        """From (node, score) in any order: higher scores first, equal ones in order of id."""
        rows = sorted(pairs, key=lambda each: (-each[1], each[0]))
        return cls(np.array([id for id, _ in rows], np.int64), np.array([score for _, score in rows], np.float64))

    @classmethod
    def best_of(cls, ids: NDArray[np.signedinteger], scores: NDArray[np.floating], limit: int) -> ScoredNodes:
        """The best of these columns; equal scores in order of id."""
        order = np.lexsort((ids, -scores))[:limit]
        return cls(ids[order].astype(np.int64), scores[order].astype(np.float64))

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return iter(zip(*self.columns, strict=True))

    @property
    def columns(self) -> tuple[list[int], list[float]]:
        """The ids and the scores as lists."""
        return self.ids.tolist(), self.scores.tolist()

    def __getitem__(self, chosen: slice | NDArray[np.bool_] | NDArray[np.intp]) -> ScoredNodes:
        return ScoredNodes(self.ids[chosen], self.scores[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class NodeColumns:
    """A snapshot. One that is in use stays valid: additions lie beyond its end, changes are made in a copy."""

    table: NDArray[np.int32]  # a row for each column, a place for each node id
    nodes: int = -1  # the highest node id that was read; -1: nothing was read yet
    edges: int = 0  # the highest edge id
    position: int = 0  # in the log of changes
    kinds: frozenset[int] = frozenset()  # codes of all kinds that were ever read

    def length(self, ids: NDArray[np.integer]) -> NDArray[np.int32]:
        """Characters of each text; 0 if there is none."""
        found: NDArray[np.int32] = self.table[_LENGTH, ids]
        return found

    def spoken_length(self, ids: NDArray[np.integer]) -> NDArray[np.int32]:
        """Characters of each text, without the speaker's name in front."""
        found: NDArray[np.int32] = self.table[_LENGTH, ids] - self.table[_SPEAKER, ids]
        return found

    def session(self, ids: NDArray[np.integer]) -> NDArray[np.int32]:
        """The session of each node; 0 if it has none."""
        found: NDArray[np.int32] = self.table[_SESSION, ids]
        return found

    def by_agent(self, ids: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether the agent said each node."""
        return np.asarray(self.table[_ROLE, ids] == _AGENT)

    def may_constrain(self, ids: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether each node may state a constraint: what neither the user said nor is a fact or preference does not."""
        said = self.table[:, ids]
        able = (said[_ROLE] == _USER) | (said[_KIND] == _FACT) | (said[_KIND] == _PREFERENCE)
        return np.asarray((able & (said[_NO_CONSTRAINT] == 0)) | (said[_DOUBTFUL] > 0))

    def has(self, kinds: Sequence[str]) -> bool:
        """Whether there may be nodes of one of these kinds."""
        return any(_KIND_CODES[kind] in self.kinds for kind in kinds)

    def is_kind(self, ids: NDArray[np.integer], kinds: Sequence[str]) -> NDArray[np.bool_]:
        """Whether each node exists and has one of these kinds; empty: any kind."""
        held = self.table[_KIND, ids]
        if len(kinds) == 1:
            return np.asarray(held == _KIND_CODES[kinds[0]])
        return np.isin(held, [_KIND_CODES[kind] for kind in kinds]) if kinds else np.asarray(held > 0)

    def needs_check(self, ids: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether a filter must look at the row of each node (`NEEDS_CHECK`)."""
        return np.asarray(self.table[_DOUBTFUL, ids] > 0)

    def neighbours(self, ids: NDArray[np.integer], reach: int) -> list[tuple[int, NDArray[np.int32]]]:
        """(distance, the turn that far before or after each node; 0 if there is none with a text)."""
        found = []
        for direction in (_BEFORE, _AFTER):
            at = np.asarray(ids, np.int32)
            for distance in range(1, reach + 1):
                at = self.table[direction, at]
                found.append((distance, np.where(self.table[_LENGTH, at] > 0, at, 0)))
        return found


class ColumnLoader:
    """Keeps the columns up to date with what any process writes. Shared by all threads of a store."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held = NodeColumns(_NOTHING)

    def current(self, db: Connection) -> NodeColumns:
        """The columns as of this transaction, or a later one."""
        with self._lock:
            held = self._held
            nodes, edges, _, position = fulltext.file_state(db)
            if nodes > held.nodes or edges > held.edges or position > held.position:
                self._held = _updated(db, held, nodes, edges, position)
            return self._held

    def mark_without_constraint(self, db: Connection, ids: Sequence[int]) -> None:
        """Remembers that the texts of these turns state no constraint, unless the columns are later than they are."""
        with self._lock:
            if self._held.position == fulltext.file_state(db).changes:
                self._held.table[_NO_CONSTRAINT, ids] = 1


def _updated(db: Connection, held: NodeColumns, nodes: int, edges: int, position: int) -> NodeColumns:
    changed = fulltext.changed_since(db, ("text", "node"), held.position) if held.nodes >= 0 else None
    if changed is None:  # the log does not reach back so far
        held, changed = NodeColumns(_NOTHING, 0), []
    table = _with_room(held.table, max(nodes, held.nodes) + 1, copy=bool(changed))
    kinds = held.kinds
    if earlier := sorted({id for id in changed if id <= held.nodes}):
        ids = json.dumps(earlier)
        table[:, earlier] = 0
        kinds |= _read_rows(db, table, "id IN (SELECT value FROM json_each(:ids))", {"ids": ids})
        _read_links(db, table, "source_id IN (SELECT value FROM json_each(:ids))", {"ids": ids})
        _read_links(db, table, "target_id IN (SELECT value FROM json_each(:ids))", {"ids": ids})
    kinds |= _read_rows(db, table, "id > :after", {"after": held.nodes})
    _read_links(db, table, "id > :after", {"after": held.edges})
    return NodeColumns(table, nodes, edges, position, kinds)


def _with_room(table: NDArray[np.int32], size: int, copy: bool) -> NDArray[np.int32]:
    if size <= table.shape[1]:
        return table.copy() if copy else table
    room = np.zeros((len(table), size + size // 8), np.int32)
    room[:, : table.shape[1]] = table
    return room


def _read_rows(db: Connection, table: NDArray[np.int32], which: str, values: dict[str, object]) -> frozenset[int]:
    """Returns the codes of their kinds."""
    rows = _numbers(db, f"{_ROWS} WHERE {which}", values, 6)
    table[_KIND : _ROLE + 1, rows[0]] = rows[1:]
    doubtful = _numbers(db, f"SELECT id FROM main.node WHERE {NEEDS_CHECK} AND {which}", values, 1)
    table[_DOUBTFUL, doubtful[0]] = 1
    return frozenset(distinct(rows[1]).tolist())


def _read_links(db: Connection, table: NDArray[np.int32], which: str, values: dict[str, object]) -> None:
    """The turn before and after. A turn with several, which only links set by hand can cause, keeps the first."""
    before, after = _numbers(
        db,
        f"SELECT source_id, target_id FROM main.edge WHERE type = 'temporal' AND {which} ORDER BY id DESC",
        values,
        2,
    )
    for column, own, other in ((_AFTER, before, after), (_BEFORE, after, before)):
        held = table[column, own]
        free = (held == 0) | (table[_KIND, held] == 0)  # nothing, or a node that was erased
        table[column, own[free]] = other[free]


def _numbers(db: Connection, sql: str, values: dict[str, object], width: int) -> NDArray[np.int64]:
    """The columns of a query of numbers. SQLite joins each into one string, which is faster than rows."""
    names = [f"c{place}" for place in range(width)]
    joined = ", ".join(f"coalesce(group_concat({name}), '')" for name in names)
    found = db.execute(f"WITH found ({', '.join(names)}) AS ({sql}) SELECT {joined} FROM found", values).fetchone()
    assert found is not None
    return np.array([np.fromstring(each, np.int64, sep=",") for each in found])
