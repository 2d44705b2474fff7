"""The other views in a browser: inbox, sessions, graph, timeline, agenda, work, maintenance, administration."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from omoide.interfaces.http.spaces import Spaces
from omoide.memory.spaces import SpaceFolder
from tests.conftest import inserted
from tests.learn.test_refusals import DOUBTED
from tests.page.conftest import Serve, Served, show, tell

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route, expect
else:
    expect = pytest.importorskip("playwright.sync_api").expect


def test_the_keyboard_alone_answers_everything_in_the_inbox(served: Served, page: Page) -> None:
    memory = served.memory
    one = inserted(memory, "Otto lives in Rome")
    other = inserted(memory, "Otto lives in Oslo")
    memory.graph.link(one.id, other.id, "contradicts")
    doubtful = inserted(memory, "Otto plays chess", source_type="inferred", confidence=0.3)
    show(page, "inbox")
    current = page.locator(".inbox > li.current")
    expect(current).to_contain_text("contradict")
    page.keyboard.press("2")
    expect(current).to_contain_text("Otto plays chess")
    first, second = sorted((one.id, other.id), key=lambda id: memory.get(id).state == "live")
    assert (memory.get(first).state, memory.get(second).state) == ("superseded", "live")
    page.keyboard.press("y")
    expect(current).to_contain_text("Learned on")
    assert memory.get(doubtful.id).confirmed_at is not None
    while page.locator(".inbox > li").count():
        left = page.locator(".inbox > li").count()
        page.keyboard.press("d")
        page.wait_for_function("left => document.querySelectorAll('.inbox > li').length < left", arg=left)
    expect(page.get_by_text("Nothing waits for you")).to_be_visible()


@pytest.mark.page
def test_what_was_set_aside_in_the_inbox_comes_back(served: Served, page: Page) -> None:
    kept = inserted(served.memory, "Otto plays chess", source_type="inferred", confidence=0.3)
    show(page, "inbox")
    page.locator(".inbox > li.current").wait_for()
    page.keyboard.press("n")
    expect(page.get_by_text("Nothing waits for you")).to_be_visible()
    assert served.memory.get(kept.id).state == "withdrawn"
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".inbox > li")).to_have_count(1)
    assert served.memory.get(kept.id).state == "live"


@pytest.mark.page
def test_what_was_not_learned_is_told_with_the_reason_and_kept_by_one_key(served: Served, page: Page) -> None:
    tell(served.memory, "s1", DOUBTED)
    show(page, "inbox")
    current = page.locator(".inbox > li.current")
    expect(current).to_contain_text("Not learned: perhaps not worth keeping")
    expect(current.locator("blockquote")).to_contain_text(DOUBTED)
    page.keyboard.press("y")
    expect(current).to_contain_text("Learned on")
    assert [each.text for each in served.memory.list(kinds=["fact"])] == [DOUBTED]


@pytest.mark.page
def test_an_answer_on_its_way_is_waited_for_while_others_write(served: Served, page: Page) -> None:
    asked: list[Route] = []
    page.route("**/v1/page/inbox*", lambda route: route.continue_() if asked[1:] else asked.append(route))
    with page.expect_request("**/v1/page/inbox*"), page.expect_response("**/v1/review/proposals*"):
        show(page, "inbox")
    with page.expect_request("**/v1/review/proposals*"):  # the page was told of the change, and asks again
        served.memory.remember("Tea at five")
    assert len(asked) == 1
    asked.append(asked[0])
    asked[0].continue_()
    expect(page.locator(".inbox > li.current")).to_contain_text("Tea at five")


@pytest.mark.page
def test_a_secret_is_named_in_the_inbox_and_never_shown(served: Served, page: Page) -> None:
    secret = "sk-proj-4f9aKd82hGq7Lm3xVb6Yt1Wc0Rz5Ns8Ue2Pj"
    served.memory.observe(f"My key is {secret}, keep it safe.", session="s1")
    show(page, "inbox")
    expect(page.locator(".inbox")).to_contain_text("A secret was taken out")
    assert secret not in page.content()


@pytest.mark.page
def test_a_line_leads_to_its_memory_and_a_memory_back_to_its_line(served: Served, page: Page) -> None:
    tell(served.memory, "monday", "Hello there.", "I live in Berlin.")
    show(page, "sessions")
    page.get_by_role("link", name="monday").click()
    page.locator(".led-to", has_text="Berlin").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("link", name="see the conversation").click()
    expect(page.locator(".talk .aim")).to_contain_text("I live in Berlin")


@pytest.mark.page
def test_two_names_are_merged_and_split_again(served: Served, page: Page) -> None:
    memory = served.memory
    memory.remember("Otto K. works at Acme", subject="Otto K.")
    for name in ("Otto K.", "Otto"):
        memory.graph.entity(name, type="person")
    show(page, "graph")
    page.get_by_role("button", name="As a list").click()
    page.get_by_role("button", name="Otto K.").click()
    page.get_by_role("button", name="The same as").click()
    page.get_by_role("dialog", name="The same as").get_by_role("button", name=re.compile(r"^Otto\b")).click()
    page.get_by_text("Merged.").wait_for()
    assert "Otto K." in memory.graph.entity("Otto").aliases
    page.get_by_role("dialog").get_by_role("button", name="Split off").click()
    page.get_by_text("a name of its own again").wait_for()
    assert memory.graph.entity("Otto").aliases == ()


@pytest.mark.page
def test_the_graph_is_drawn_and_hides_what_is_rarely_mentioned(served: Served, page: Page) -> None:
    memory = served.memory
    memory.graph.add(
        [{"name": name, "type": "person"} for name in ("Otto", "Ana", "Marisol")], [("Ana", "sister_of", "Otto")]
    )
    for _ in range(3):
        memory.observe("Marisol wrote again.")
    show(page, "graph")
    expect(page.locator(".graph canvas").first).to_be_visible()
    expect(page.locator(".graph")).to_have_attribute("aria-label", re.compile("3 names"))
    page.get_by_role("combobox", name="Show").select_option("2")
    expect(page.locator(".graph")).to_have_attribute("aria-label", re.compile("1 names"))
    page.get_by_label("Find").fill("mari")
    page.get_by_role("button", name="Marisol").click()
    expect(page.get_by_role("dialog")).to_contain_text("Marisol wrote again")


@pytest.mark.page
def test_a_graph_of_five_thousand_names_is_drawn_and_answers(served: Served, page: Page) -> None:
    names = [f"Person {n}" for n in range(5_000)]
    lines = [(names[n], "knows", names[n * 7 % 5_000]) for n in range(1, 5_000)]
    for start in range(0, 5_000, 500):
        served.memory.graph.add([{"name": each, "type": "person"} for each in names[start : start + 500]], [])
    for start in range(0, len(lines), 500):
        served.memory.graph.add([], lines[start : start + 500])
    show(page, "graph")
    expect(page.locator(".graph")).to_have_attribute("aria-label", re.compile("5000 names"))
    page.get_by_label("Find").fill("Person 4242")
    page.get_by_role("button", name="Person 4242").click()
    expect(page.get_by_role("dialog")).to_contain_text("Person 4242 knows")


@pytest.mark.page
def test_the_timeline_shows_what_was_believed_then(served: Served, page: Page) -> None:
    now = datetime.now(UTC)
    old = served.memory.remember("Otto lives in Rome", at=now - timedelta(days=60), valid_from=now - timedelta(days=60))
    served.memory.correct(old.id, "Otto lives in Oslo", at=now - timedelta(days=5))
    show(page, "timeline")
    expect(page.locator(".timeline .vis-item.over")).to_contain_text("Rome")
    expect(page.locator(".timeline .vis-item", has_text="Oslo")).to_have_count(1)
    page.get_by_label("Day").fill((now - timedelta(days=30)).date().isoformat())
    expect(page.locator(".then .memory")).to_have_count(1)
    expect(page.locator(".then .memory")).to_contain_text("Rome")


@pytest.mark.page
def test_the_agenda_is_saved_for_a_calendar(served: Served, page: Page) -> None:
    day = datetime.now(UTC) + timedelta(days=9)
    tell(served.memory, "s1", f"The dentist is on {day:%-d %B} at 10:00.")
    show(page, "agenda")
    expect(page.locator(".entry")).to_contain_text("dentist")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save for a calendar").click()
    assert "BEGIN:VEVENT" in Path(saved.value.path()).read_text("utf-8")


@pytest.mark.page
def test_work_shows_tasks_mistakes_and_what_a_task_would_be_told(served: Served, page: Page) -> None:
    for number in range(2):
        trouble = {"type": "build", "message": "API_URL is missing", "resolution": "Set API_URL first"}
        served.memory.tasks.record(f"Release Kira {number}", "failure", errors=[trouble])
    served.memory.tasks.learn()
    show(page, "work")
    expect(page.locator(".memory", has_text="Release Kira 1")).to_contain_text("Failed")
    page.get_by_role("button", name="Mistakes").click()
    expect(page.locator(".memory").first).to_contain_text("API_URL")
    page.get_by_role("button", name="Before a task").click()
    page.get_by_label("What is the task?").fill("Release Kira again")
    page.get_by_role("button", name="Show what it would be told").click()
    expect(page.locator("pre")).to_contain_text("API_URL")


@pytest.mark.page
def test_a_night_is_shown_memory_by_memory_and_put_back(served: Served, page: Page) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=40)
    for minute in range(12):
        served.memory.observe(f"We spoke about the garden, part {minute}.", session="s1", at=long_ago)
    served.memory.end("s1")
    show(page, "maintenance")
    page.get_by_role("button", name="Do tonight's work now").click()
    night = page.locator(".night")
    night.get_by_role("button", name="Memory by memory").click()
    expect(night.locator(".rows li").first).to_contain_text("garden")
    night.get_by_role("button", name="Put back").click()
    expect(night).to_contain_text("put back")
    assert served.memory.admin.nights()[0].undone_at is not None


@pytest.mark.page
def test_long_work_shows_its_progress_and_is_stopped(served: Served, page: Page) -> None:
    served.memory.observe_many([{"text": f"I have {n} boats.", "session": f"s{n}"} for n in range(400)])
    for number in range(400):
        served.memory.end(f"s{number}")
    show(page, "maintenance")
    page.get_by_role("button", name="Learn now").click()
    expect(page.locator(".running")).to_contain_text(re.compile(r"s\d+: 1"))
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped. What was done so far is complete").wait_for()
    expect(page.get_by_role("button", name="Learn now")).to_be_visible()
    assert 0 < len(served.memory._core.store.learning.pending_sessions()) < 400


@pytest.mark.page
def test_health_settings_and_growth_are_shown(served: Served, page: Page) -> None:
    served.memory.remember("Tea at five")
    show(page, "maintenance?tab=health")
    page.get_by_role("button", name="Examine the file").click()
    expect(page.get_by_text("The file is well.")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    expect(page.locator("tr", has_text="context_token_budget")).to_contain_text("2000")
    page.get_by_role("button", name="Size and speed").click()
    expect(page.locator(".figure").first).to_contain_text("1")


@pytest.fixture
def server(tmp_path: Path, serve: Serve) -> tuple[SpaceFolder, str]:
    folder = SpaceFolder(tmp_path / "spaces")
    return folder, serve(Spaces(folder, embedder=None))


@pytest.mark.page
def test_an_admin_creates_a_space_replaces_its_token_and_deletes_it(
    browser: Browser, server: tuple[SpaceFolder, str]
) -> None:
    folder, base = server
    page = browser.new_page()
    page.goto(f"{base}/#token={folder.issue(None, 'admin').token}")
    page.get_by_role("button", name="New space").click()
    page.get_by_label("Name").fill("ada")
    page.get_by_role("button", name="Create").click()
    first = page.locator(".secret").inner_text().strip()
    opening = folder.find(first)
    assert opening is not None
    assert opening.token.space == "ada"
    page.get_by_role("button", name="I have it").click()
    page.get_by_role("button", name="Tokens").click()
    page.get_by_role("button", name="Replace").click()
    expect(page.locator(".secret")).not_to_have_text(first)
    assert folder.find(first) is None
    page.get_by_role("button", name="I have it").click()
    page.locator(".space").get_by_role("button", name="Delete").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Type ada").fill("ada")
    dialog.get_by_role("button", name="Delete for good").click()
    expect(dialog).to_contain_text("Deleted")
    assert folder.list() == []
    page.close()


@pytest.mark.page
def test_a_token_that_may_only_read_sees_no_button_that_changes(
    browser: Browser, server: tuple[SpaceFolder, str]
) -> None:
    from omoide import Memory

    folder, base = server
    folder.create("otto")
    with Memory(folder.file("otto"), embedder=None) as memory:
        memory.remember("Otto lives in Berlin")
    page = browser.new_page()
    page.goto(f"{base}/#token={folder.issue('otto', 'read').token}")
    page.get_by_role("button", name="Otto lives in Berlin").click()
    expect(page.get_by_role("dialog")).to_contain_text("How sure")
    for name in ("Correct", "Confirm", "Forget", "Archive", "Sensitive"):
        assert page.get_by_role("dialog").get_by_role("button", name=name).count() == 0
    page.close()


@pytest.mark.page
def test_a_wrong_token_is_asked_for_again(browser: Browser, served: Served) -> None:
    page = browser.new_page()
    page.goto(f"{served.base}/#token=wrong")
    page.get_by_role("heading", name="Which memory?").wait_for()
    page.get_by_label("Token").fill("token of the tests")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="Memories")).to_be_visible()
    assert "token" not in page.url
    page.close()
