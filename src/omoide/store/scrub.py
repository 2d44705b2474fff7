"""The cheap part of the doctor's work, for every night: it only reads, and only some nodes at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from omoide.store import blocks, doctor, rows
from omoide.store import remarks as worth_knowing
from omoide.store.finding import Finding
from omoide.text import fold


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """Some nodes that were looked at, and what is wrong: (node, text, why)."""

    first: int
    upto: int
    nodes: int
    wrong: tuple[tuple[int, str, str], ...]


def structure(db: apsw.Connection) -> Finding:
    return doctor.structure(db)


def remarks(db: apsw.Connection) -> list[Finding]:
    return worth_knowing.all_of(db)


def look(db: apsw.Connection, after: int, batch: int) -> Scrubbed | None:
    """The next nodes after an id: their words against their hash, and whether the text index has them."""
    found = list(
        db.execute(
            """
            SELECT node.id, node.text, node.content_hash, node.folded_text, nodes_fts_docsize.id IS NOT NULL
            FROM node
            LEFT JOIN nodes_fts_docsize ON nodes_fts_docsize.id = node.id
            WHERE node.id > ?
            ORDER BY node.id
            LIMIT ?
            """,
            (after, batch),
        )
    )
    if not found:
        return None
    packed = _packed(db, [row[0] for row in found])
    wrong = []
    for id, text, kept, folded, indexed in found:
        if rows.content_hash(packed.get(id, text)) != kept:
            wrong.append((id, text, "its text differs from its hash; compare it with a backup"))
        if fold(text) != folded:
            wrong.append((id, text, "it was folded in another way; `omoide doctor --repair` mends it"))
        if not indexed:
            wrong.append((id, text, "the text index lacks it; `omoide doctor --repair` mends it"))
    return Scrubbed(found[0][0], found[-1][0], len(found), tuple(wrong))


def _packed(db: apsw.Connection, ids: Sequence[int]) -> dict[int, str]:
    """The words of those that are out of use; of a damaged block none, which is no hash of anything."""
    found: dict[int, str] = {}
    for block, members in blocks.holding(db, ids).items():
        held = blocks.readable(db, block)
        found |= {id: held[id].text for id in members if id in held}
    return found
