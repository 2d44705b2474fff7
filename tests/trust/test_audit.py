"""Every change of memories is noted with its door, chained, and checked by the doctor."""

from __future__ import annotations

import apsw

from omoide import Memory
from omoide.interfaces.mcp.handlers import Handlers
from omoide.interfaces.tools import chosen
from tests.conftest import Open


def audit_finding(memory: Memory) -> bool:
    return next(each.ok for each in memory.admin.doctor() if each.check == "audit")


def test_a_change_is_noted_with_its_door_and_its_ids(memory: Memory) -> None:
    home = memory.remember("Otto lives in Berlin")
    Handlers(memory, chosen("core")).call("remember_fact", {"fact": "Mara leads the shop"})
    memory.forget(home.id)
    erased, told, first = memory.trust.audit()
    assert first.changes == {"added": [[home.id, home.id]]}
    assert (told.door, told.operation) == ("mcp", "tool remember_fact")
    assert erased.changes["removed"] == [[home.id, home.id]]


def test_counting_a_recall_is_no_change(memory: Memory) -> None:
    memory.remember("Otto lives in Berlin")
    memory.recall("Berlin")
    memory.flush()
    assert len(memory.trust.audit()) == 1


def test_the_chain_stays_valid_after_an_erasure_and_breaks_when_touched(opened: Open, path: str) -> None:
    memory = opened()
    for name in ("Otto", "Mara", "Zebulonia"):
        memory.remember(f"{name} lives in Berlin")
    memory.forget(3)
    assert audit_finding(memory)
    assert all("Zebulonia" not in str(each) for each in memory.trust.audit())
    db = apsw.Connection(path)
    db.execute("UPDATE audit SET door = 'cli' WHERE id = 2")
    assert not audit_finding(memory)


def test_a_removed_entry_breaks_the_chain(opened: Open, path: str) -> None:
    memory = opened()
    for name in ("Otto", "Mara", "Priya"):
        memory.remember(f"{name} lives in Berlin")
    db = apsw.Connection(path)
    db.execute("DELETE FROM audit WHERE id = 2")
    assert not audit_finding(memory)
