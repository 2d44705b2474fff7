"""The views Memories and Ask, in a browser."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import run
from tests.page.conftest import Served, show, tell

if TYPE_CHECKING:
    from playwright.sync_api import Page, expect
else:
    expect = pytest.importorskip("playwright.sync_api").expect


def test_a_memory_shows_the_words_it_rests_on_and_what_it_replaced(served: Served, page: Page) -> None:
    tell(served.memory, "march", "I live in São Paulo.")
    tell(served.memory, "may", "I moved to Berlin last week.")
    card = page.locator(".memory", has_text="moved to Berlin")
    card.wait_for()
    assert "I moved to Berlin last week" in card.locator("blockquote").inner_text()
    assert "lives in São Paulo" in card.locator(".replaced").inner_text()


def test_a_memory_of_another_process_appears_without_a_reload(served: Served, page: Page) -> None:
    page.get_by_text("Nothing is known yet").wait_for()
    code = "import sys; from omoide import Memory; Memory(sys.argv[1], embedder=None).remember('Tea at five')"
    run(code, served.path)
    page.locator(".memory", has_text="Tea at five").wait_for()


@pytest.mark.page
def test_a_correction_is_saved_and_taken_back(served: Served, page: Page) -> None:
    old = served.memory.remember("Otto lives in Rome")
    page.get_by_role("button", name="Otto lives in Rome").click()
    page.get_by_role("button", name="Correct").click()
    page.get_by_label("What is right").fill("Otto lives in Turin")
    page.get_by_role("button", name="Save the correction").click()
    page.locator(".sentence", has_text="Turin").wait_for()
    assert served.memory.get(old.id).state == "superseded"
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Undone").wait_for()
    assert served.memory.get(old.id).state == "live"
    assert [each.text for each in served.memory.list()] == ["Otto lives in Rome"]


@pytest.mark.page
def test_several_memories_are_marked_at_once_and_unmarked_by_undo(served: Served, page: Page) -> None:
    ids = [served.memory.remember(text).id for text in ("The alarm code is 12", "The safe is behind the clock")]
    expect(page.locator(".memory")).to_have_count(2)
    for box in page.locator(".memory input").all():
        box.check()
    page.get_by_role("toolbar").get_by_role("button", name="Sensitive").click()
    page.get_by_text("2 memories marked as sensitive").wait_for()
    assert all(served.memory.viewed(consent="page").get(id).sensitive for id in ids)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Undone").wait_for()
    assert not any(served.memory.viewed(consent="page").get(id).sensitive for id in ids)


def test_forgetting_says_what_goes_and_leaves_no_byte(served: Served, page: Page) -> None:
    tell(served.memory, "monday", "My sister Zebulonia lives in Quito.")
    page.locator(".memory", has_text="Zebulonia").get_by_role("checkbox").first.check()
    page.get_by_role("toolbar").get_by_role("button", name="Forget").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("cannot be undone").wait_for()
    if dialog.get_by_role("checkbox").count():
        dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Forget for good").click()
    dialog.get_by_text("none is left").wait_for()
    left = b"".join(each.read_bytes() for each in Path(served.path).parent.iterdir())
    assert b"ebulonia" not in left


@pytest.mark.page
def test_the_list_is_narrowed_by_words_kind_and_name(served: Served, page: Page) -> None:
    served.memory.remember("Ana likes green tea", kind="preference")
    served.memory.remember("Otto works at Acme")
    page.get_by_label("Search").fill("gree")
    expect(page.locator(".memory")).to_have_count(1)
    expect(page.locator(".memory")).to_contain_text("green tea")
    page.get_by_label("Search").fill("")
    page.get_by_label("Kind").select_option("fact")
    expect(page.locator(".memory")).to_have_count(1)
    expect(page.locator(".memory")).to_contain_text("Acme")


@pytest.mark.page
def test_ask_shows_the_exact_words_and_why_the_rest_was_left_out(served: Served, page: Page) -> None:
    tell(served.memory, "monday", "I live in Berlin.", "I work at Acme.", "I love lentils.")
    show(page, "ask")
    page.get_by_label("Message").fill("Where do I live?")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".part .words", has_text="Berlin").first.wait_for()
    page.get_by_role("button", name="Exact words").click()
    shown = page.locator("pre").inner_text()
    assert _unfenced(shown) == _unfenced(served.memory.context("Where do I live?", budget=800).markdown)
    page.get_by_role("button", name="Left out").click()
    assert page.locator(".rows .why").first.inner_text()


@pytest.mark.page
def test_ask_shows_what_was_told_at_an_earlier_time(served: Served, page: Page) -> None:
    now = datetime.now(UTC)
    old = served.memory.remember("Otto lives in Rome", at=now - timedelta(days=60))
    served.memory.correct(old.id, "Otto lives in Oslo", at=now - timedelta(days=1))
    show(page, "ask?q=Where does Otto live?")
    page.locator(".part .words", has_text="Oslo").first.wait_for()
    page.get_by_label("As of now").fill("-30")
    page.get_by_text("as it was known on").wait_for()
    page.locator(".part .words", has_text="Rome").first.wait_for()
    expect(page.locator(".part .words", has_text="Oslo")).to_have_count(0)


@pytest.mark.page
def test_two_ways_of_asking_stand_side_by_side(served: Served, page: Page) -> None:
    tell(served.memory, "monday", "I live in Berlin.")
    show(page, "ask?q=Where do I live?")
    page.get_by_role("button", name="Compare two").click()
    page.locator(".side-by-side .answer").nth(1).locator(".meter").wait_for()
    page.locator(".answer").nth(1).get_by_label("Search").select_option("keyword")
    page.locator(".answer").nth(1).get_by_role("button", name="How it was found").click()
    assert page.locator(".answer").nth(0).locator("table").count() == 0
    assert page.locator(".answer").nth(1).locator("tbody tr").count() > 3


def _unfenced(markdown: str) -> str:
    """A pack without the random mark of its fence."""
    return re.sub(r"omoide-memory-\w+", "omoide-memory", markdown.strip())
