"""A real server, a real file and a real browser. Without a Chromium or playwright the tests are skipped."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any

import pytest

from omoide import Memory
from omoide.interfaces import network
from omoide.interfaces.http.application import application
from omoide.interfaces.http.spaces import Spaces
from tests.page.found import missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SWITCHES = (
    "--headless --no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader"
).split()
TOKEN = "token of the tests"


@pytest.fixture(scope="module")  # while a driver runs, its thread has an event loop, which others may not want
def browser() -> Iterator[Browser]:
    if why := missing():
        (pytest.fail if os.environ.get("PAGE_REQUIRED") else pytest.skip)(why)
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=20_000)  # milliseconds: a busy machine is no failure
    with sync_playwright() as driver:
        found = driver.chromium.launch(
            executable_path=which("chromium") or which("chromium-browser"), args=SWITCHES, timeout=60_000
        )
        yield found
        found.close()


@dataclass(frozen=True)
class Served:
    """A running server and the memory that its token opens."""

    base: str
    memory: Memory
    path: str

    def url(self, view: str = "memories", token: str = TOKEN) -> str:
        return f"{self.base}/#token={token.replace(' ', '%20')}" if view == "memories" else f"{self.base}/#/{view}"


Serve = Callable[[Spaces], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts servers; stops them in the end."""
    running: list[tuple[Any, threading.Thread, socket.socket]] = []

    def start(spaces: Spaces) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        server = network.server(application(spaces))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        running.append((server, thread, listener))
        return network.address("127.0.0.1", listener)

    yield start
    for server, thread, listener in running:
        server.should_exit = server.force_exit = True
        thread.join(10)
        listener.close()


@pytest.fixture
def served(tmp_path: Path, serve: Serve) -> Iterator[Served]:
    """A server of one memory, opened here as a second program would."""
    path = str(tmp_path / "memory.db")
    with Memory(path, embedder=None) as memory:
        yield Served(serve(Spaces({TOKEN: path}, embedder=None, consent="page")), memory, path)


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """The page of the memory. Every request must stay on the server, and no script may fail."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    found = context.new_page()
    found.set_default_timeout(20_000)
    strangers: list[str] = []
    failures: list[str] = []
    found.on("request", lambda sent: strangers.append(sent.url) if not _own(sent.url, served.base) else None)
    found.on("pageerror", lambda error: failures.append(str(error)))
    found.on("console", lambda said: failures.append(said.text) if "Content Security" in said.text else None)
    found.goto(served.url())
    found.wait_for_selector("main h1")
    yield found
    context.close()
    assert strangers == []
    assert failures == []


def _own(url: str, base: str) -> bool:
    return url.startswith((base + "/", "data:", f"blob:{base}"))


def show(page: Page, view: str) -> None:
    """Goes to a view of the page."""
    page.evaluate("address => { location.hash = address }", f"#/{view}")
    page.wait_for_selector("main h1")


def tell(memory: Memory, session: str, *lines: str) -> None:
    """Observes a conversation and learns from it."""
    for line in lines:
        memory.observe(line, session=session)
    memory.end(session)
    memory.learn()
