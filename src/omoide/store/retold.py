"""What is told again: the turns that summaries rest on, and what was learned from those and holds no more."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import apsw


def rests(db: apsw.Connection, ids: Sequence[int]) -> dict[int, frozenset[int]]:
    """The turns below each of these summaries; a week rests on its days, and they on their turns."""
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
        {"ids": json.dumps(list(ids))},
    )
    return {id: frozenset(json.loads(sources)) for id, sources in found}


def past(db: apsw.Connection, turns: Iterable[int]) -> list[tuple[int, int, str]]:
    """(turn, fact, its value) of the facts and preferences that were learned from these turns and were superseded."""
    return list(
        db.execute(
            """
            SELECT edge.target_id, node.id, coalesce(node.attributes ->> 'object', node.attributes ->> 'value')
            FROM edge
            JOIN node ON node.id = edge.source_id
            WHERE
                edge.target_id IN (SELECT value FROM json_each(:turns)) AND edge.type = 'derived_from'
                AND node.kind IN ('fact', 'preference') AND node.state = 'superseded'
                AND coalesce(node.attributes ->> 'object', node.attributes ->> 'value') IS NOT NULL
            ORDER BY node.id
            """,
            {"turns": json.dumps(sorted(turns))},
        )
    )
