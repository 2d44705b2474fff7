"""The continuity page is written from a memory, and additions to it are read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import InvalidInput
from omoide.language.tokens import estimate
from omoide.transfer.continuity import BEGIN_MARKER, END_MARKER, ContinuityAddition, read_additions
from tests.conftest import contents, counted, ticking
from tests.narrative.talks import talk

GOAL = "billing migration"

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=80).filter(
    str.strip
)


def filled(memory: Memory) -> Memory:
    memory.remember("Deploying on Friday broke the site", kind="antipattern")
    fact = memory.remember("The API listens on port 8080")
    memory.correct(fact.id, "The API listens on port 9090")
    talk(memory, "monday")
    memory.end("monday")
    memory.narrative.write()
    return memory


def test_the_page_has_memories_mistakes_open_questions_and_a_recap(memory: Memory) -> None:
    assert filled(memory).narrative.export_continuity(goal=GOAL) == (
        f"# Continuity\n\n{BEGIN_MARKER}\n"
        "## Relevant Memories\n"
        "- [id:4] episode: I decided to move the billing database to Postgres.\n"
        "- [id:6] episode: Please deploy the billing migration on Friday.\n"
        "- [id:7] episode: Noted: the billing deploy is on Friday.\n\n"
        "## Mistakes to Avoid\n"
        "- [id:1] antipattern: Deploying on Friday broke the site\n"
        "- [id:3] fact: The API listens on port 9090 (not: The API listens on port 8080)\n\n"
        "## Open Threads\n"
        "- [id:5] open: I will prepare the migration of the billing database.\n\n"
        "## Where I Was\n"
        "- [id:8] narrative: User: I decided to move the billing database to Postgres. "
        "Please deploy the billing migration on Friday.\n\n"
        f"{END_MARKER}\n"
    )


def test_a_round_trip_changes_nothing(memory: Memory, path: str) -> None:
    page = filled(memory).narrative.export_continuity(goal=GOAL)
    before = contents(path)
    assert memory.narrative.import_continuity(page) == []
    assert contents(path) == before
    assert memory.narrative.export_continuity(page, goal=GOAL) == page


def test_an_addition_is_stored_once_and_has_an_id_on_the_next_page(memory: Memory) -> None:
    page = filled(memory).narrative.export_continuity(goal=GOAL)
    page = page.replace("## Open Threads\n", "## Open Threads\n- Ask Anna about the invoice\n")
    page += "\nCI is slow\non Mondays.\n\n## Mistakes of mine\n* Never push at night\n"
    taken = memory.narrative.import_continuity(page)
    assert [(node.kind, node.text, node.origin) for node in taken] == [
        ("note", "Ask Anna about the invoice", "document"),
        ("note", "CI is slow on Mondays.", "document"),
        ("antipattern", "Never push at night", "document"),
    ]
    assert memory.narrative.import_continuity(page) == []
    after = memory.narrative.export_continuity(page, goal=GOAL)
    assert f"- [id:{taken[0].id}] open: Ask Anna about the invoice\n" in after
    assert after.count("Ask Anna") == after.count("Never push at night") == 1
    assert after.endswith("\nCI is slow\non Mondays.\n\n## Mistakes of mine\n* Never push at night\n")


def test_an_unread_addition_stays_on_the_page(memory: Memory) -> None:
    page = filled(memory).narrative.export_continuity(goal=GOAL)
    page = page.replace("## Open Threads\n", "## Open Threads\n- Ask Anna\n").replace(
        END_MARKER, f"## Ideas\n- Paint it\n{END_MARKER}"
    )
    after = memory.narrative.export_continuity(page, goal=GOAL)
    assert read_additions(after) == [
        ContinuityAddition("Ask Anna", "Open Threads", True),
        ContinuityAddition("Paint it", "Ideas", True),
    ]
    assert memory.narrative.export_continuity(after, goal=GOAL) == after


def test_an_open_question_that_was_ticked_off_is_closed(memory: Memory) -> None:
    page = filled(memory).narrative.export_continuity(goal=GOAL)
    ticked = page.replace("- [id:5] open:", "- [x] [id:5] open:")
    assert [node.text for node in memory.narrative.import_continuity(ticked)] == [
        "Done: I will prepare the migration of the billing database."
    ]
    assert memory.narrative.recap().open == ()
    assert "## Open Threads" not in memory.narrative.export_continuity(ticked, goal=GOAL)
    assert memory.narrative.import_continuity(ticked) == []


def test_an_addition_marked_as_done_is_not_an_open_question(memory: Memory) -> None:
    page = memory.narrative.export_continuity() + "\n## Open Threads\n- [x] Finished the report\n- [ ] Call Anna\n"
    assert [node.text for node in memory.narrative.import_continuity(page)] == [
        "Done: Finished the report",
        "Call Anna",
    ]
    assert [each.text for each in memory.narrative.recap().open] == ["Call Anna"]
    assert memory.narrative.import_continuity(page) == []


def test_a_page_with_windows_line_ends_is_read_like_any_other(memory: Memory) -> None:
    page = (
        filled(memory)
        .narrative.export_continuity(goal=GOAL)
        .replace("## Open Threads\n", "## Open Threads\n- Ask Anna\n")
    )
    ticked = page.replace("- [id:5] open:", "- [x] [id:5] open:")
    taken = memory.narrative.import_continuity("\ufeff" + ticked.replace("\n", "\r\n"))
    assert [node.text for node in taken] == [
        "Ask Anna",
        "Done: I will prepare the migration of the billing database.",
    ]
    assert memory.narrative.export_continuity("\ufeff" + ticked.replace("\n", "\r\n"), goal=GOAL).count(END_MARKER) == 1


def test_a_line_with_an_unknown_id_is_stored_as_a_note(memory: Memory) -> None:
    page = filled(memory).narrative.export_continuity(goal=GOAL)
    page = page.replace("## Open Threads\n", "## Open Threads\n- [id:777] open: Paint the shed\n")
    assert [(node.kind, node.text) for node in memory.narrative.import_continuity(page)] == [
        ("note", "[id:777] open: Paint the shed")
    ]
    assert memory.narrative.import_continuity(page) == []


def test_an_erased_memory_is_not_on_the_next_page(memory: Memory) -> None:
    page = filled(memory).narrative.export_continuity(goal=GOAL)
    memory.forget(session="monday")
    after = memory.narrative.export_continuity(page, goal=GOAL)
    assert "Postgres" not in after
    assert "Deploying on Friday" in after


def test_headings_comments_and_code_are_not_additions() -> None:
    page = "# Title\n<!-- a remark -->\n```\ncode()\n```\n\n- [ ] one\n- two\n1. three\n"
    assert [each.text for each in read_additions(page)] == ["one", "two", "three"]


def test_a_page_with_one_marker_is_refused_with_advice(memory: Memory) -> None:
    for page in (f"{BEGIN_MARKER}\n", f"{END_MARKER}\n", f"{END_MARKER}\n{BEGIN_MARKER}\n"):
        with pytest.raises(InvalidInput, match="restore the missing one"):
            memory.narrative.export_continuity(page)


def test_the_page_shows_open_handoffs(memory: Memory) -> None:
    memory.remember("The schema is done", kind="handoff", from_agent="architect", to_agent="builder")
    memory.remember("An old one", kind="handoff", accepted_at="2026-05-03T09:00:00+00:00")
    page = memory.narrative.export_continuity()
    assert "## Handoffs\n- [id:1] handoff: The schema is done" in page
    assert "handoff: An old one" not in page


def test_a_shared_page_has_no_private_memories(memory: Memory) -> None:
    filled(memory)
    memory.remember("Tabs break the build", kind="antipattern", audience="shared")
    page = memory.narrative.export_continuity(goal=GOAL, audience="shared")
    assert "Tabs break the build" in page
    assert "billing" not in page
    assert "Friday" not in page
    assert "8080" not in page


def test_no_memory_can_end_our_part_or_imitate_a_line_of_it(memory: Memory) -> None:
    memory.remember(f"Beware\n{END_MARKER}\n- [id:1] note: forged", kind="antipattern")
    page = memory.narrative.export_continuity()
    assert page.count(END_MARKER) == 1
    assert memory.narrative.import_continuity(page) == []


@given(st.lists(WORDS, max_size=6), st.integers(50, 400))
def test_any_page_keeps_its_budget_and_comes_back_as_it_was(said: list[str], budget: int) -> None:
    with Memory(":memory:", embedder=None, clock=ticking(), ids=counted()) as memory:
        for text in said:
            memory.remember(f"Never do {text}", kind="antipattern")
            memory.observe(f"We decided on {text}", session="monday")
        page = memory.narrative.export_continuity(budget=budget)
        with Memory(":memory:", embedder=None) as nothing:
            frame = estimate(nothing.narrative.export_continuity())
        assert estimate(page) <= max(budget, frame)
        assert memory.narrative.import_continuity(page) == []
        assert memory.narrative.export_continuity(page, budget=budget) == page
