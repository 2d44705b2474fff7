"""Learning twice, learning in parts, habits, summaries, and history by name."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path

from omoide import Memory
from omoide.domain import Node
from omoide.history import Version
from tests.conftest import NOW, Open, Ticking
from tests.learn.whole import DEPLOY, SESSIONS, dump, fill, opened, turns_of


def test_a_second_run_changes_nothing(path: str) -> None:
    with opened(path) as memory:
        fill(memory)
        memory.learn()
        before = dump(path)
        assert memory.learn().entries == []
        for name in SESSIONS:
            assert memory.learn(name).entries == []
    assert dump(path) == before


def test_a_session_learned_in_parts_ends_like_one_learned_at_once(tmp_path: Path) -> None:
    whole, parts = str(tmp_path / "whole.db"), str(tmp_path / "parts.db")
    for path in (whole, parts):
        with opened(path) as memory:
            for name in SESSIONS:
                for turn in turns_of(name):
                    memory.observe(**turn | {"session": "s1"})
                if path == parts:
                    memory.learn("s1")
            memory.end("s1")
            memory.learn()
    assert known(whole) == known(parts)


def known(path: str) -> Counter[tuple[object, ...]]:
    """What is believed, and when: ids differ, since in parts turns and facts are numbered in turns."""
    with opened(path) as memory:
        return Counter(
            (node.kind, _of(node), node.state, node.valid_from, node.valid_until, node.confidence, len(sources))
            for id in range(1, 200)
            if (node := _shown(memory, id)) is not None
            if (sources := memory.explain(id).evidence) is not None
        )


def _of(node: Node) -> object:
    """Not the words of a fact: they name the user as they were known when it was learned."""
    return repr(node.attributes) if node.kind == "fact" else node.attributes.get("about") or node.attributes.get("name")


def _shown(memory: Memory, id: int) -> Node | None:
    return memory._store.nodes.fetch([id]).get(id)


def did(memory: Memory, day: int, steps: list[str] = DEPLOY) -> None:
    for number, step in enumerate(steps):
        at = NOW + timedelta(days=day, minutes=number)
        memory.observe(step, role="agent", type="action", session=f"day {day}", at=at)


def practised(memory: Memory) -> list[Node]:
    return [hit.node for hit in memory.recall("git pull npm test vercel", kinds=["procedure"])]


def test_what_is_done_three_times_in_a_fortnight_becomes_a_procedure(path: str) -> None:
    with Memory(path, embedder=None, clock=at_noon(3)) as memory:
        for day in range(3):
            did(memory, day)
        memory.learn()
        [habit] = practised(memory)
        assert habit.attributes["steps"] == tuple(DEPLOY)
        assert (habit.source_type, habit.confidence) == ("observed", 0.6)
        assert len(memory.explain(habit.id).evidence) == 9


def test_a_habit_seen_again_adds_evidence_and_no_duplicate(path: str) -> None:
    with Memory(path, embedder=None, clock=at_noon(5)) as memory:
        for day in range(3):
            did(memory, day)
        memory.learn()
        did(memory, 4)
        memory.learn()
        [habit] = practised(memory)
        assert len(memory.explain(habit.id).evidence) == 12
        assert habit.confirmed_at is not None
        memory.learn()
        assert practised(memory) == [habit]


def test_what_is_done_once_a_week_for_three_weeks_is_no_habit(path: str) -> None:
    with Memory(path, embedder=None, clock=at_noon(30)) as memory:
        for day in (1, 8, 22):
            did(memory, day)
        memory.learn()
        assert practised(memory) == []


def test_a_habit_that_was_corrected_is_not_brought_back_by_what_was_done_before(path: str) -> None:
    with Memory(path, embedder=None, clock=at_noon(3)) as memory:
        for day in range(3):
            did(memory, day)
        memory.learn()
        memory.observe("Always use pnpm, not npm.", session="talk", at=NOW + timedelta(days=3))
        memory.end("talk")
        memory.learn()
        [habit] = practised(memory)
        assert habit.attributes["steps"] == ("git pull", "pnpm test", "vercel --prod")


def test_who_is_spoken_of_often_gets_a_summary_out_of_their_facts(opened: Open) -> None:
    memory = opened()
    for number, text in enumerate(["My sister Anna is a nurse.", "Anna lives in Denver.", "Anna called again."]):
        memory.observe(text, session=f"s{number}", at=NOW + timedelta(days=number))
        memory.end(f"s{number}")
    memory.learn()
    assert memory.graph.entity("Anna").summary == "Anna is a nurse and lives in Denver."


def test_a_summary_follows_its_facts_and_leaves_alone_what_somebody_wrote(opened: Open) -> None:
    memory = opened()
    told = ["My sister Anna lives in Denver.", "Anna uses Neovim.", "Anna likes chess.", "Anna moved to Oslo."]
    for number, text in enumerate(told):
        memory.observe(text, session=f"s{number}", at=NOW + timedelta(days=number))
        memory.end(f"s{number}")
        memory.learn()
    summary = memory.graph.entity("Anna").summary or ""
    assert "Oslo" in summary
    assert "Denver" not in summary
    memory.graph.entity("Anna", summary="My sister.")
    memory.observe("Anna lives in Rome.", session="s9", at=NOW + timedelta(days=9))
    memory.end("s9")
    memory.learn()
    assert memory.graph.entity("Anna").summary == "My sister."


def test_the_history_of_a_name_tells_where_somebody_lived_and_when(opened: Open) -> None:
    memory = opened()
    for days, text in ((90, "My name is Otto. I live in São Paulo."), (0, "I moved to Berlin last month.")):
        memory.observe(text, session=f"s{days}", at=NOW - timedelta(days=days))
        memory.end(f"s{days}")
        memory.learn()
    told = [each.node for each in memory.history("Otto") if isinstance(each, Version)]
    homes = [node for node in told if node.attributes["predicate"] == "lives_in"]
    assert [home.attributes["object"] for home in homes] == ["São Paulo", "Berlin"]
    assert homes[0].valid_until == homes[1].valid_from
    assert [each.node for each in memory.history(homes[1].id)] == homes


def test_the_history_of_a_name_tells_whose_partner_somebody_was(opened: Open) -> None:
    memory = opened()
    for days, text in ((90, "My name is Otto. My partner Nina is a nurse."), (0, "Nina and I broke up.")):
        memory.observe(text, session=f"s{days}", at=NOW - timedelta(days=days))
        memory.end(f"s{days}")
        memory.learn()
    told = [each.node for each in memory.history("Otto") if isinstance(each, Version)]
    assert [node.state for node in told if node.attributes["predicate"] == "partner"] == ["superseded"]


def test_recall_answers_where_somebody_lived_then(path: str) -> None:
    clock = Ticking(int((NOW - timedelta(days=90)).timestamp() * 1_000_000))
    with Memory(path, embedder=None, clock=clock) as memory:
        memory.observe("My name is Otto. I live in São Paulo.", session="s1")
        memory.end("s1")
        memory.learn()
        clock.advance(days=90)
        memory.observe("I moved to Berlin last month.", session="s2")
        memory.end("s2")
        memory.learn()
        assert lives(memory) == ["Berlin"]
        assert lives(memory, as_of=NOW - timedelta(days=60)) == ["São Paulo"]


def lives(memory: Memory, **then: object) -> list[str]:
    found = memory.recall("Where does Otto live?", kinds=["fact"], **then)  # type: ignore[arg-type]
    return [hit.node.attributes["object"] for hit in found if hit.node.attributes["predicate"] == "lives_in"]


def at_noon(days: int) -> Ticking:
    return Ticking(int((NOW + timedelta(days=days)).timestamp() * 1_000_000))
