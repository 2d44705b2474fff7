"""Start and end dates of facts."""

from __future__ import annotations

from datetime import UTC, datetime

from omoide import Memory
from omoide.domain import Node
from omoide.errors import NotFound


def told(memory: Memory, *turns: tuple[str, str]) -> None:
    for day, text in turns:
        memory.observe(text, session="s", at=f"{day}T12:00:00+00:00")
    memory.end("s")
    memory.learn()


def facts(memory: Memory) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for id in range(1, memory.stats().nodes + 10):
        try:
            node = memory.get(id)
        except NotFound:  # ids are not dense
            continue
        if node.kind == "fact":
            found[str(node.attributes["object"])] = node
    return found


def day(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def test_a_move_begins_when_it_is_said_to_though_the_old_home_was_heard_of_later(memory: Memory) -> None:
    told(memory, ("2026-05-14", "I live in Rome."), ("2026-05-14", "I moved to Berlin last month."))
    known = facts(memory)
    assert known["Berlin"].valid_from == day(2026, 4)
    assert (known["Rome"].valid_from, known["Rome"].valid_until) == (None, day(2026, 4))
    assert known["Rome"].state == "superseded"


def test_a_beginning_that_was_stated_stays(memory: Memory) -> None:
    told(memory, ("2026-05-14", "I have lived in Rome since 2020."), ("2026-05-14", "I moved to Berlin last month."))
    known = facts(memory)
    assert (known["Rome"].valid_from, known["Rome"].valid_until) == (day(2020), day(2026, 4))
