"""The HTTP server of a fleet: tokens, passing on, limits, and what operators see."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from omoide.fleet import Fleet
from omoide.interfaces import network
from omoide.interfaces.http.application import application
from omoide.interfaces.http.fleet_server import FleetSource
from omoide.settings import Settings

Serve = Callable[..., tuple[Fleet, httpx.Client]]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def serve(dsn: str, tmp_path: Path) -> Iterator[Serve]:
    """Starts a server on a real port and returns it with a client of its application."""
    with ExitStack() as stack:

        def start(name: str, **settings: float) -> tuple[Fleet, httpx.Client]:
            listener = stack.enter_context(network.listening("127.0.0.1", 0))
            address = network.address("127.0.0.1", listener)
            chosen = Settings(**{"fleet_lease_seconds": 600, **settings})  # type: ignore[arg-type]
            fleet = stack.enter_context(
                Fleet(dsn, tmp_path / name, address=address, background=False, settings=chosen, embedder=None)
            )
            app = application(FleetSource(fleet))
            server = network.server(app)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
            thread.start()
            stack.callback(thread.join, 10)
            stack.callback(setattr, server, "should_exit", True)
            return fleet, stack.enter_context(httpx.Client(base_url=address, timeout=60))

        yield start


def test_any_server_answers_for_any_space(serve: Serve) -> None:
    (one, first), (two, second) = serve("one"), serve("two")
    one.spaces.create("otto")
    token = bearer(one.spaces.issue("otto").token)
    first.post("/v1/remember", json={"text": "Otto lives in Berlin"}, headers=token)
    found = second.post("/v1/recall", json={"query": "Where does Otto live?"}, headers=token)
    assert found.json()["hits"][0]["text"] == "Otto lives in Berlin"
    assert (two.counts.forwarded, two.held()) == (1, {})


def test_a_reading_token_reads_at_any_server_and_writes_at_none(serve: Serve) -> None:
    (one, first), (_, second) = serve("one"), serve("two")
    one.spaces.create("otto")
    token = bearer(one.spaces.issue("otto", "read").token)
    for client in (first, second):
        assert client.get("/v1/stats", headers=token).status_code == 200
        assert client.post("/v1/remember", json={"text": "no"}, headers=token).status_code == 403


def test_an_admin_token_manages_spaces_and_sees_the_fleet(serve: Serve) -> None:
    one, first = serve("one")
    admin = bearer(one.spaces.issue(None, "admin").token)
    made = first.post("/v1/spaces", json={"name": "ada"}, headers=admin)
    assert first.get("/v1/stats", headers=bearer(made.json()["token"])).json()["nodes"] == 0
    status = first.get("/v1/fleet/status", headers=admin).json()
    assert [each["id"] for each in status["servers"]] == [one.server]
    assert [(each["name"], each["holder"]) for each in status["spaces"]] == [("ada", one.server)]
    assert "omoide_fleet_leases 1" in first.get("/v1/fleet/metrics", headers=admin).text
    assert first.get("/v1/fleet/status", headers=bearer(made.json()["token"])).status_code == 403


def test_a_server_that_drains_is_alive_and_not_ready(serve: Serve) -> None:
    one, first = serve("one")
    assert first.get("/ready").status_code == 200
    one.drain(one.server)
    one.tick()
    assert first.get("/ready").status_code == 503
    assert first.get("/health").status_code == 200


def test_a_space_is_held_to_its_rate(serve: Serve) -> None:
    one, first = serve("one", fleet_space_rate=0.1)  # a burst of ten seconds: one request
    one.spaces.create("otto")
    token = bearer(one.spaces.issue("otto").token)
    assert first.get("/v1/stats", headers=token).status_code == 200
    refused = first.get("/v1/stats", headers=token)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")


def test_a_server_answers_to_its_address_and_the_names_that_it_is_given(dsn: str, tmp_path: Path) -> None:
    words = ["--no-embedder", "serve", "--fleet", dsn, "--port", "0", "--copies", str(tmp_path / "copies")]
    more = ["--address", "https://memory.example.com/", "--allow-host", "proxy.example.com"]
    command = [sys.executable, "-m", "omoide", *words, *more]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command[command.index("0")] = str(port)
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            next(line for line in process.stderr if "serves" in line)
            answers = {
                name: httpx.get(f"http://127.0.0.1:{port}/health", headers={"Host": name}, timeout=60).status_code
                for name in ("memory.example.com", "proxy.example.com", "evil.example.com")
            }
        finally:
            process.terminate()
    assert answers == {"memory.example.com": 200, "proxy.example.com": 200, "evil.example.com": 421}


def test_an_unknown_token_opens_nothing(serve: Serve) -> None:
    _, first = serve("one")
    assert first.get("/v1/stats", headers=bearer("omoide_00000000_guess")).status_code == 401


def test_a_copy_answers_where_that_is_good_enough_and_says_how_far_it_is(serve: Serve) -> None:
    (one, first), (two, second) = serve("one"), serve("two")
    one.spaces.create("otto")
    token = bearer(one.spaces.issue("otto").token)
    first.post("/v1/remember", json={"text": "Otto lives in Berlin"}, headers=token)
    asked = {**token, "Omoide-Stale-Ok": "1"}
    found = second.post("/v1/recall", json={"query": "Where does Otto live?"}, headers=asked)
    assert found.json()["hits"][0]["text"] == "Otto lives in Berlin"
    assert int(found.headers["omoide-sequence"]) == one.held()["otto"]
    assert second.post("/v1/remember", json={"text": "no"}, headers=asked).status_code == 403
    first.post("/v1/remember", json={"text": "Otto has a boat"}, headers=token)
    assert two.lag() >= 1
    one.release("otto")
    second.post("/v1/remember", json={"text": "the second server took it over"}, headers=token)
    assert list(two.held()) == ["otto"]
