"""The turns that summaries are based on, and ended facts learned from those turns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from omoide.domain.node import stated_value
from omoide.store.engine.connection import Connection


def turns_below(db: Connection, ids: Sequence[int]) -> dict[int, frozenset[int]]:
    """The turns below each summary: a weekly summary is based on daily ones, and those on turns."""
    found = db.execute(
        """
        WITH RECURSIVE below (id, source) AS (
            SELECT value, value FROM json_each(:ids)
            UNION
            SELECT below.id, edge.target_id
            FROM below
            JOIN edge ON edge.source_id = below.source AND edge.type = 'derived_from'
        )
        SELECT below.id, json_group_array(below.source)
        FROM below
        WHERE NOT EXISTS (SELECT 1 FROM edge WHERE edge.source_id = below.source AND edge.type = 'derived_from')
        GROUP BY below.id
        """,
        {"ids": ids},
    )
    return {id: frozenset(json.loads(sources)) for id, sources in found}


class EndedFact(NamedTuple):
    """A fact or preference that no longer holds: its subject, value, end time and evidence."""

    id: int
    subject: str | None
    value: str
    text: str
    until: int
    turns: frozenset[int]  # among the given turns
    after: frozenset[int]  # those of them said at its end or later
    # The only current fact of the same subject and predicate that began since, or the statement of the end.
    replacement: int | None


def ended_facts(db: Connection, turns: Iterable[int], found: Iterable[int] = ()) -> list[EndedFact]:
    """Superseded facts and preferences that were learned from these turns or are among those found."""
    rows = db.execute(
        """
        WITH
            turn AS (SELECT value AS id FROM json_each(:turns)),
            wanted AS (
                SELECT value AS id FROM json_each(:found)
                UNION
                SELECT edge.source_id
                FROM edge
                WHERE edge.target_id IN (SELECT id FROM turn) AND edge.type = 'derived_from'
            )
        SELECT
            node.id,
            node.attributes,
            node.text,
            coalesce(node.valid_until, node.state_at),
            (
                SELECT json_group_array(edge.target_id)
                FROM edge
                WHERE
                    edge.source_id = node.id AND edge.type = 'derived_from'
                    AND edge.target_id IN (SELECT id FROM turn)
            )
        FROM wanted
        JOIN node ON node.id = wanted.id
        WHERE node.kind IN ('fact', 'preference') AND node.state = 'superseded'
        ORDER BY node.id
        """,
        {"turns": turns, "found": found},
    )
    times = _times(db, turns) if (superseded := list(rows)) else {}
    kinds: dict[tuple[str, str, str], _CurrentFacts] = {}
    ended: list[EndedFact] = []
    for id, attributes, text, until, sources in superseded:
        attributes = json.loads(attributes or "{}")
        if value := stated_value(attributes):
            after = frozenset(turn for turn, at in times.items() if at >= until)
            side = "object" if attributes.get("object") == "user" else "subject"
            kind = (side, str(attributes.get(side)), str(attributes.get("predicate")))
            if kind not in kinds:
                kinds[kind] = _current_facts(db, *kind)
            replacement = kinds[kind].since(until)
            told = frozenset(json.loads(sources))
            ended.append(EndedFact(id, attributes.get("subject"), value, text, until, told, after, replacement))
    return ended


def _times(db: Connection, turns: Iterable[int]) -> dict[int, int]:
    return dict(db.execute("SELECT id, event_at FROM node WHERE id IN (SELECT value FROM json_each(?))", (turns,)))


class _CurrentFacts(NamedTuple):
    """Current facts of a subject and predicate with their start; if none, the statement that ended the last."""

    current: Mapping[int, int]
    ending: int | None

    def since(self, until: int) -> int | None:
        """The replacement of a fact that ended then; None if several began since."""
        begun = [id for id, at in self.current.items() if at >= until]
        return (begun[0] if len(begun) == 1 else None) if self.current else self.ending


def _current_facts(db: Connection, side: str, whose: str, predicate: str) -> _CurrentFacts:
    values = {"whose": whose, "predicate": predicate}
    rows = db.execute(
        f"""
        SELECT id, coalesce(valid_from, event_at)
        FROM node
        WHERE
            kind = 'fact' AND state = 'live' AND attributes ->> '{side}' = :whose
            AND attributes ->> 'predicate' = :predicate
        """,
        values,
    )
    current = dict(rows)
    return _CurrentFacts(current, None if current else _ending_statement(db, side, values))


def _ending_statement(db: Connection, side: str, values: Mapping[str, Any]) -> int | None:
    """A live memory of the turn that ended the last fact, if it still mentions the value."""
    last = db.execute(
        f"""
        SELECT attributes, valid_until
        FROM node
        WHERE
            kind = 'fact' AND state = 'superseded' AND valid_until IS NOT NULL
            AND attributes ->> '{side}' = :whose AND attributes ->> 'predicate' = :predicate
        ORDER BY valid_until DESC, id DESC
        LIMIT 1
        """,
        values,
    ).fetchone()
    if last is None:
        return None
    ended = db.execute(
        """
        SELECT teller.id
        FROM node AS turn
        LEFT JOIN edge ON edge.target_id = turn.id AND edge.type = 'derived_from'
        JOIN node AS teller ON teller.id IN (edge.source_id, turn.id)
        WHERE
            turn.event_at = :until AND turn.kind = 'episode'
            AND teller.state = 'live' AND teller.kind IN ('episode', 'narrative') AND instr(teller.text, :value)
        ORDER BY length(teller.text), teller.id
        LIMIT 1
        """,
        {"until": last[1], "value": stated_value(json.loads(str(last[0])))},
    ).get
    return None if ended is None else int(ended)
