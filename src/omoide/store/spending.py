"""What language models were paid, day by day, by everybody who uses the file."""

from __future__ import annotations

from dataclasses import dataclass

import apsw


@dataclass(frozen=True, slots=True)
class Spent:
    """Of one day."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0  # dollars


def on(db: apsw.Connection, day: str) -> Spent:
    found = db.execute("SELECT calls, input_tokens, output_tokens, cost FROM spending WHERE day = ?", (day,)).fetchone()
    return Spent(*found) if found else Spent()


def reserve(db: apsw.Connection, day: str, cost: float, limit: float) -> bool:
    """Takes it, if there is so much left."""
    if on(db, day).cost + cost > limit:
        return False
    add(db, day, Spent(cost=cost))
    return True


def add(db: apsw.Connection, day: str, spent: Spent) -> None:
    db.execute(
        """
        INSERT INTO spending (day, calls, input_tokens, output_tokens, cost)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (day) DO UPDATE SET
            calls = calls + excluded.calls,
            input_tokens = input_tokens + excluded.input_tokens,
            output_tokens = output_tokens + excluded.output_tokens,
            cost = max(0, cost + excluded.cost)
        """,
        (day, spent.calls, spent.input_tokens, spent.output_tokens, spent.cost),
    )
