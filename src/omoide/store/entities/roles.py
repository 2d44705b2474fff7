"""Who holds a role for somebody, and what is stated of them: read from live facts and relations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from omoide.store.engine.connection import Connection

_NAMES = "(SELECT value FROM json_each(:names))"
_TYPES = "(SELECT value FROM json_each(:types))"
_USER = "user"  # the subject of facts about a user without a name


@dataclass(frozen=True, slots=True)
class RoleHolder:
    """Somebody related to the subject, and the node that says so, if there is one."""

    name: str
    node_id: int | None
    text: str


def user_names(db: Connection) -> list[str]:
    """The names under which facts about the user are stored."""
    named = db.column(
        """
        SELECT name
        FROM entity_name
        WHERE entity_id = (SELECT user_id FROM session WHERE user_id IS NOT NULL ORDER BY last_at DESC LIMIT 1)
        """
    )
    return [_USER, *named]


def names_of(db: Connection, entity_ids: Sequence[int]) -> list[str]:
    """All names of some entities."""
    ids = json.dumps(list(entity_ids))
    return db.column("SELECT name FROM entity_name WHERE entity_id IN (SELECT value FROM json_each(?))", (ids,))


def role_holders(
    db: Connection, names: Sequence[str], types: Sequence[str], inverse: Sequence[str]
) -> list[RoleHolder]:
    """Who is related to somebody of these names.

    `types` are predicates and relations that lead from the subject ("manager", "works_at"), `inverse` those that lead
    to it ("manages", "boss_of").
    """
    found = db.execute(
        f"""
        SELECT attributes ->> 'object', id, text
        FROM node
        WHERE
            kind = 'fact' AND state IN ('live', 'archived')
            AND attributes ->> 'subject' IN {_NAMES} AND attributes ->> 'predicate' IN {_TYPES}
        UNION
        SELECT attributes ->> 'subject', id, text
        FROM node
        WHERE
            kind = 'fact' AND state IN ('live', 'archived')
            AND attributes ->> 'object' IN {_NAMES}
            AND attributes ->> 'predicate' IN (SELECT value FROM json_each(:inverse))
        UNION
        SELECT
            iif(relation.type IN {_TYPES}, target.name, source.name), relation.source_node_id, relation.type
        FROM relation
        JOIN entity AS source ON source.id = relation.source_id
        JOIN entity AS target ON target.id = relation.target_id
        WHERE
            relation.valid_until IS NULL
            AND (
                relation.type IN {_TYPES} AND source.name IN {_NAMES}
                OR relation.type IN (SELECT value FROM json_each(:inverse)) AND target.name IN {_NAMES}
            )
        """,
        {"names": json.dumps(list(names)), "types": json.dumps(list(types)), "inverse": json.dumps(list(inverse))},
    )
    return [RoleHolder(name, node, text) for name, node, text in found if name]


def facts_of(
    db: Connection, names: Sequence[str], predicates: Sequence[str] | None, limit: int, *, replaced: bool = False
) -> list[tuple[int, str | None]]:
    """The (id, predicate) of facts about somebody, newest first; with `predicates`, only those.

    They are live or archived; with `replaced`, as for a question about a past time, also those that were replaced.
    """
    rows = db.execute(
        f"""
        SELECT id, attributes ->> 'predicate'
        FROM node
        WHERE
            kind = 'fact' AND (state IN ('live', 'archived') OR :replaced AND state = 'superseded')
            AND attributes ->> 'subject' IN {_NAMES} AND (:types IS NULL OR attributes ->> 'predicate' IN {_TYPES})
        ORDER BY id DESC
        LIMIT :limit
        """,
        {
            "names": json.dumps(list(names)),
            "types": None if predicates is None else json.dumps(list(predicates)),
            "limit": limit,
            "replaced": replaced,
        },
    )
    return [(id, predicate) for id, predicate in rows]
