"""Text of others is shown as text, and the page is usable by everybody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.page.conftest import Served, show, tell

if TYPE_CHECKING:
    from playwright.sync_api import Page

VIEWS = (
    "memories?kind=all ask?q=What%20about%20the%20test? inbox timeline graph agenda sessions sessions?session=s1 "
    "work maintenance maintenance?tab=size maintenance?tab=settings maintenance?tab=copies administration"
).split()
HOSTILE = (
    "<img src=x onerror=\"document.title='taken'\"> the test",
    "<script>document.title='taken'</script> the test",
    "[click](javascript:document.title='taken') ![x](https://evil.example/x.png) the test",
    "\x1b[31mred\x1b[0m \x07 the test",
    "\u202egnp.exe the test \u202c",
    "the test " + "x" * 999_980,
    "&lt;b&gt; </bdi></p><iframe src=https://evil.example></iframe> the test",
)
AXE = Path(__file__).parents[2] / "page" / "node_modules" / "axe-core" / "axe.min.js"

SERIOUS = """axe.run().then(found => JSON.stringify(found.violations
    .filter(each => ['serious', 'critical'].includes(each.impact))
    .map(each => [each.id, each.nodes.map(node => node.html)])))"""
WIDEST = "() => Math.max(...[...document.querySelectorAll('html, dialog')].map(each => each.scrollWidth))"


def hostile(served: Served) -> None:
    memory, now = served.memory, datetime.now(UTC)
    for number, text in enumerate(HOSTILE):
        memory.observe(text, session="s1", at=now - timedelta(minutes=9 - number))
        memory.remember(text[:20_000], at=now - timedelta(days=number + 1))
    memory.end("s1", summary=HOSTILE[0])
    memory.graph.entity("<b onclick=1>Otto", type="person", description=HOSTILE[1])
    memory.graph.relate("<b onclick=1>Otto", "<i>knows</i>", "</script>Ana")
    memory.tasks.record(HOSTILE[0], "failure", errors=[{"type": "<b>", "message": HOSTILE[1]}])


def check_text_only(page: Page) -> None:
    assert page.title() != "taken"
    found = page.evaluate(
        """() => [...document.querySelectorAll('#page :is(iframe, script, b[onclick], img)')]
            .filter(each => !each.matches('img[src="/assets/icon.svg"]')).length"""
    )
    assert found == 0


def test_hostile_text_is_shown_as_text_in_the_list(served: Served, page: Page) -> None:
    hostile(served)
    show(page, "memories?kind=all")
    shown = page.locator(".memory .words", has_text="onerror").first
    shown.wait_for()
    assert "<img src=x" in shown.inner_text()
    page.locator(".memory .words", has_text="⟦1B⟧[31mred").first.wait_for()
    page.locator(".memory .words", has_text="⟦202E⟧gnp.exe").first.wait_for()
    page.locator(".memory bdi[dir=auto]").first.wait_for()
    check_text_only(page)


@pytest.mark.page
@pytest.mark.parametrize("view", VIEWS)
def test_hostile_text_is_text_in_every_view(served: Served, page: Page, view: str) -> None:
    hostile(served)
    show(page, view)
    page.wait_for_selector("main .loading", state="detached")
    check_text_only(page)
    for button in page.locator("main .row-button, main .memory-text").all()[:2]:
        button.click()
        page.get_by_role("dialog").first.wait_for()
        check_text_only(page)
        page.keyboard.press("Escape")


@pytest.mark.page
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", [*VIEWS, "memories?id=2", "graph?name=Otto"])
def test_no_serious_obstacle_for_anybody(served: Served, page: Page, view: str, theme: str) -> None:
    """axe-core; its script is read into the page by the driver, past the policy, and is not shipped."""
    tell(served.memory, "s1", "I'm Otto. I live in Berlin.", "My sister Ana likes tea.", "I moved to Rome yesterday.")
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    show(page, view)
    page.wait_for_selector("main .loading", state="detached")
    page.wait_for_selector("dialog .loading", state="detached")
    driver = page.context.new_cdp_session(page)
    driver.send("Runtime.evaluate", {"expression": AXE.read_text("utf-8")})
    told = driver.send("Runtime.evaluate", {"expression": SERIOUS, "awaitPromise": True})
    assert told["result"]["value"] == "[]"


@pytest.mark.page
@pytest.mark.parametrize("width", [390, 768])
def test_the_page_fits_a_phone_and_a_tablet_whatever_was_said(served: Served, page: Page, width: int) -> None:
    hostile(served)
    tell(served.memory, "s1", "I'm Otto. I live in Berlin.", "My sister Ana likes tea.")
    page.set_viewport_size({"width": width, "height": 844})
    for view in [*VIEWS, "memories?id=2", "graph?name=Otto"]:
        show(page, view)
        page.wait_for_selector("main .loading", state="detached")
        page.wait_for_selector("dialog .loading", state="detached")
        wide = page.evaluate(WIDEST)
        assert wide <= width, view
