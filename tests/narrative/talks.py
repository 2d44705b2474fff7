"""Two conversations for the narrative tests."""

from __future__ import annotations

from typing import Any

from omoide import Memory
from omoide.domain import Node

BILLING = (
    "I decided to move the billing database to Postgres.",
    "Good. I will prepare the migration of the billing database.",
    "Please deploy the billing migration on Friday.",
    "Noted: the billing deploy is on Friday.",
)
GARDEN = (
    "Now the garden: I bought three tomato plants.",
    "Tomato plants want sun. Where will you put them?",
)


def talk(memory: Memory, session: str, turns: tuple[str, ...] = BILLING, **given: Any) -> list[Node]:
    """The user begins, the agent answers."""
    return [
        memory.observe(text, role="agent" if place % 2 else "user", session=session, **given)
        for place, text in enumerate(turns)
    ]
