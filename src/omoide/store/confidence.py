"""What is left of a confidence, lent to SQL: the formula stands in layers/decay.py and nowhere else."""

from __future__ import annotations

from typing import Any

import apsw

from omoide.layers.decay import Held
from omoide.layers.kinds import KINDS
from omoide.layers.node import VOUCHED_SOURCES

TODAY = """effective_confidence(
    node.kind, node.attributes ->> 'predicate', node.decay_rate, node.confidence,
    node.recorded_at, node.confirmed_at, node.last_accessed_at, node.access_count, :now
)"""
# As Node.protected says it; written out, since it is asked of every row.
PROTECTED = f"""(
    node.decay_rate = 0
    OR (
        (node.confirmed_at IS NOT NULL OR node.source_type IN {VOUCHED_SOURCES})
        AND node.origin NOT IN ('document', 'import')
        AND node.origin NOT LIKE 'tool:%'
    )
)"""


def lend(db: apsw.Connection) -> None:
    """Makes the function known to a connection; only queries may call it, never a schema."""
    db.create_scalar_function("effective_confidence", _left, 9, deterministic=True)


def _left(*given: Any) -> float:
    kind, predicate, rate, confidence, recorded, confirmed, accessed, accesses, now = given
    held = Held(
        confidence=confidence,
        recorded_at=recorded,
        confirmed_at=confirmed,
        accessed_at=accessed,
        accesses=accesses,
    )
    return KINDS[kind].ages(rate, predicate).left(held, now)
