"""History that is imported later answers like history that was observed live."""

from __future__ import annotations

from omoide import Memory


def replayed(memory: Memory) -> None:
    memory.observe("I live in São Paulo.", session="march", at="2025-03-02T12:00:00+00:00")
    memory.observe("I moved to Berlin last month.", session="may", at="2025-05-14T12:00:00+00:00")
    memory.end("march")
    memory.end("may")
    memory.learn()


def facts(memory: Memory, as_of: str | None = None) -> list[str]:
    return memory.recall("Where do I live, and where did I move?", kinds=["fact"], as_of=as_of).texts


def test_as_of_includes_what_was_said_by_then_and_recorded_later(memory: Memory) -> None:
    replayed(memory)
    assert facts(memory, "2025-03-01T00:00:00+00:00") == []
    assert facts(memory, "2025-03-20T00:00:00+00:00") == ["User lives in São Paulo"]
    assert facts(memory, "2025-05-10T00:00:00+00:00") == ["User lives in São Paulo"]
    assert facts(memory, "2025-05-15T00:00:00+00:00") == ["User moved to Berlin last month (2025-04)"]
    assert facts(memory) == ["User moved to Berlin last month (2025-04)"]


def test_as_of_finds_turns_from_the_time_they_were_said(memory: Memory) -> None:
    replayed(memory)
    found = memory.recall("Where do I live?", kinds=["episode"], as_of="2025-03-20T00:00:00+00:00")
    assert found.texts == ["I live in São Paulo."]
