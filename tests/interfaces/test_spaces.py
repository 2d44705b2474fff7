"""Spaces and tokens while the server runs."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from omoide.errors import InvalidInput, NotFound
from omoide.interfaces import network
from omoide.interfaces.http.guard import Throttle
from omoide.interfaces.http.spaces import Spaces
from omoide.interfaces.mcp import streamable_http
from omoide.memory import Memory
from omoide.memory.spaces import SpaceFolder
from tests.interfaces.shared_application import application_of
from tests.interfaces.terminal import Terminal

DAY = 86_400_000_000


@pytest.fixture
def folder(tmp_path: Path) -> SpaceFolder:
    return SpaceFolder(tmp_path / "spaces")


@pytest.fixture
def client(folder: SpaceFolder) -> Iterator[TestClient]:
    app = application_of(Spaces(folder, embedder=None))
    with TestClient(app, base_url="http://127.0.0.1:8378") as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_spaces_are_made_used_and_deleted_while_the_server_runs(client: TestClient, folder: SpaceFolder) -> None:
    admin = bearer(folder.issue(None, "admin").token)
    ada = bearer(client.post("/v1/spaces", json={"name": "ada"}, headers=admin).json()["token"])
    otto = bearer(client.post("/v1/spaces", json={"name": "otto"}, headers=admin).json()["token"])
    client.post("/v1/remember", json={"text": "Ada plays the piano"}, headers=ada)
    assert client.post("/v1/recall", json={"query": "piano"}, headers=otto).json()["hits"] == []
    assert [each["name"] for each in client.get("/v1/spaces", headers=admin).json()["spaces"]] == ["ada", "otto"]
    assert client.delete("/v1/spaces/ada", headers=admin).status_code == 200
    assert client.get("/v1/stats", headers=ada).status_code == 401
    assert not (folder.folder / "ada").exists()
    again = bearer(client.post("/v1/spaces", json={"name": "ada"}, headers=admin).json()["token"])
    assert client.get("/v1/stats", headers=again).json()["nodes"] == 0


def test_a_reading_token_reads_and_cannot_write(client: TestClient, folder: SpaceFolder) -> None:
    folder.create("ada")
    write, read = bearer(folder.issue("ada").token), bearer(folder.issue("ada", "read").token)
    client.post("/v1/remember", json={"text": "Ada plays the piano"}, headers=write)
    assert client.post("/v1/recall", json={"query": "piano"}, headers=read).json()["hits"]
    assert client.post("/v1/tools/search_memory", json={"query": "piano"}, headers=read).status_code == 200
    for method, path, body in (
        ("POST", "remember", {"text": "no"}),
        ("POST", "forget", {"id": 1, "preview": False}),
        ("POST", "tools/remember_fact", {"fact": "no"}),
        ("POST", "admin/import", None),
        ("POST", "learn", {}),
        ("PATCH", "memories/1", {"text": "no"}),
        ("DELETE", "memories/1/archive", None),
    ):
        assert client.request(method, f"/v1/{path}", json=body, headers=read).status_code == 403, path


def test_an_admin_token_opens_no_memory_and_others_manage_nothing(client: TestClient, folder: SpaceFolder) -> None:
    folder.create("ada")
    admin, ada = bearer(folder.issue(None, "admin").token), bearer(folder.issue("ada").token)
    assert client.get("/v1/stats", headers=admin).status_code == 403
    for method, path in (("GET", "spaces"), ("DELETE", "spaces/ada"), ("GET", "spaces/ada/tokens")):
        assert client.request(method, f"/v1/{path}", headers=ada).status_code == 403
    assert client.get("/v1/token", headers=ada).json()["space"] == "ada"


def test_a_rotated_or_revoked_token_stops_at_once(client: TestClient, folder: SpaceFolder) -> None:
    folder.create("ada")
    admin, first = bearer(folder.issue(None, "admin").token), folder.issue("ada", "read", note="the page")
    second = client.post(f"/v1/tokens/{first.about.id}/rotate", headers=admin).json()
    assert (second["about"]["right"], second["about"]["note"]) == ("read", "the page")
    assert client.get("/v1/stats", headers=bearer(first.token)).status_code == 401
    assert client.get("/v1/stats", headers=bearer(second["token"])).status_code == 200
    client.delete(f"/v1/tokens/{second['about']['id']}", headers=admin)
    assert client.get("/v1/stats", headers=bearer(second["token"])).status_code == 401


def test_what_another_process_changes_is_seen_at_once(client: TestClient, folder: SpaceFolder) -> None:
    elsewhere = SpaceFolder(folder.folder)
    elsewhere.create("ada")
    issued = elsewhere.issue("ada")
    assert client.get("/v1/stats", headers=bearer(issued.token)).status_code == 200
    elsewhere.revoke(issued.about.id)
    assert client.get("/v1/stats", headers=bearer(issued.token)).status_code == 401


def test_a_token_expires(tmp_path: Path) -> None:
    now = 1_790_000_000_000_000
    folder = SpaceFolder(tmp_path, clock=lambda: now)
    folder.create("ada")
    token = folder.issue("ada", days=1).token
    assert folder.find(token) is not None
    now += DAY
    assert folder.find(token) is None


def test_no_token_is_at_rest_and_nobody_else_may_read(folder: SpaceFolder) -> None:
    folder.create("ada")
    token = folder.issue("ada").token
    files = [each for each in folder.folder.rglob("*") if each.is_file()]
    assert not any(token.split("_", 2)[2].encode() in each.read_bytes() for each in files)
    assert {each.stat().st_mode & 0o077 for each in folder.folder.rglob("*")} == {0}


@pytest.mark.parametrize("name", ["", "..", "a/b", "Ada", "a" * 65, "-a", "a\x00"])
def test_a_name_that_is_no_folder_is_refused(folder: SpaceFolder, name: str) -> None:
    with pytest.raises(InvalidInput, match="space"):
        folder.create(name)


def test_unknown_spaces_and_tokens_are_not_found(folder: SpaceFolder) -> None:
    for work in (lambda: folder.delete("ada"), lambda: folder.issue("ada"), lambda: folder.rotate("x")):
        with pytest.raises(NotFound):
            work()


@pytest.mark.parametrize("given", ["", "omoide", "omoide_", "omoide__", "omoide_x_y", "é", "\ud800"])
def test_a_malformed_token_opens_nothing(folder: SpaceFolder, given: str) -> None:
    folder.create("ada")
    folder.issue("ada")
    assert folder.find(given) is None


def test_guessing_is_slowed_and_a_known_token_goes_on(folder: SpaceFolder) -> None:
    now = 0.0
    folder.create("ada")
    known, unused = folder.issue("ada").token, folder.issue("ada").token
    app = application_of(Spaces(folder, embedder=None), throttle=Throttle(lambda: now))
    with TestClient(app, base_url="http://127.0.0.1:8378") as client:
        assert client.get("/v1/stats", headers=bearer(known)).status_code == 200
        tried = [client.get("/v1/stats", headers=bearer(f"omoide_{n}_x")) for n in range(20)]
        assert [each.status_code for each in tried] == [401] * 5 + [429] * 15
        assert tried[-1].headers["Retry-After"] == "1"
        assert client.get("/v1/stats", headers=bearer(unused)).status_code == 429
        assert client.get("/v1/stats", headers=bearer(known)).status_code == 200
        now += 1
        assert client.get("/v1/stats", headers=bearer(unused)).status_code == 200


def test_the_pause_doubles_and_neighbours_in_one_network_share_it() -> None:
    now = 0.0
    throttle = Throttle(lambda: now)
    for number in range(9):
        throttle.failed("2001:db8::1", f"guess {number}")
    assert throttle.pause("2001:db8::2", "t") == 16
    assert throttle.pause("192.0.2.1", "t") == 0
    now += 700
    throttle.failed("2001:db8::1", "another guess")
    assert throttle.pause("2001:db8::1", "t") == 0


def test_a_wrong_token_that_is_sent_again_is_no_guess() -> None:
    throttle = Throttle(lambda: 0.0)
    for _ in range(20):
        throttle.failed("192.0.2.1", "an old token")
    assert throttle.pause("192.0.2.1", "another") == throttle.pause("192.0.2.1", "an old token") == 0


FOREIGN = ["[::1].evil", "127.0.0.1:8378.evil.com", "127.0.0.1:80@evil", "localhost.evil", "127.0.0.1:", "a b", "::1"]


@pytest.mark.parametrize("host", FOREIGN)
def test_a_host_that_only_begins_like_loopback_is_refused(client: TestClient, tmp_path: Path, host: str) -> None:
    assert client.get("/health", headers={"Host": host}).status_code == 421
    assert client.get("/health", headers={"Origin": f"http://{host}"}).status_code == 403
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        app = streamable_http.app(memory, [], "127.0.0.1", "t")
        with TestClient(app, base_url="http://127.0.0.1:8377") as other:
            for header in ({"Host": host}, {"Origin": f"http://{host}"}):
                assert other.post("/mcp", json={}, headers={**header, **bearer("t")}).status_code in (403, 421)


def test_an_address_is_answered_where_it_arrived_and_a_name_if_it_is_allowed(tmp_path: Path) -> None:
    asked = {"type": "http", "server": ("192.0.2.7", 8378)}
    assert network.answers_to("192.0.2.7:8378", (), asked)
    assert not network.answers_to("192.0.2.8:8378", (), asked)
    assert not network.answers_to("evil.example", (), asked)
    assert network.answers_to("memory.example", ("memory.example",), asked)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8378", "[::1]", "[::1]:8378", "LOCALHOST"])
def test_loopback_in_every_spelling_is_answered(client: TestClient, host: str) -> None:
    assert client.get("/health", headers={"Host": host}).status_code == 200


async def _echo(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        return
    body = b"x" * 50_000_000 if scope["path"] == "/large" else b"ok"
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    for start in range(0, len(body), 1_000_000):
        await send({"type": "http.response.body", "body": body[start : start + 1_000_000], "more_body": True})
    await send({"type": "http.response.body"})


@pytest.fixture
def served() -> Iterator[tuple[int, Any]]:
    server = network.server(_echo, patience=0.2)
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield listener.getsockname()[1], server
    server.should_exit = True
    thread.join()
    listener.close()


SLOW = [
    b"",
    b"GET / HT",
    b"GET / HTTP/1.1\r\nHost: a\r\nX-A: b",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx",
]


def test_slow_senders_and_slow_readers_are_cut_off(served: tuple[int, Any]) -> None:
    port, server = served
    with ExitStack() as stack:
        clients = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20)) for _ in range(60)]
        for number, client in enumerate(clients[:-4]):
            client.sendall(SLOW[number % len(SLOW)])
        for client in clients[-4:]:
            client.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        assert [_read(client) for client in clients[:-4]] == [b""] * 56
        while server.server_state.connections:  # until those that read nothing are cut off too
            quick = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            quick.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            assert _read(quick).endswith(b"ok")
        assert all(len(_read(client)) < 50_000_000 for client in clients[-4:])


def _read(client: socket.socket) -> bytes:
    found = b""
    with suppress(ConnectionResetError):
        while part := client.recv(1_000_000):
            found += part
    return found


def test_the_commands_manage_a_folder(terminal: Terminal, tmp_path: Path) -> None:
    def spaces(*words: str) -> Any:
        ran = terminal.run("spaces", *words, "--folder", str(tmp_path / "spaces"), "--json")
        assert ran.code == 0, ran.err
        return json.loads(ran.out)

    token = spaces("create", "ada")["token"]
    assert re.fullmatch(r"omoide_[0-9a-f]{8}_[\w-]{43}", token)
    reader = spaces("token", "ada", "--right", "read", "--days", "30")
    assert [each["right"] for each in spaces("tokens", "ada")["tokens"]] == ["write", "read"]
    assert spaces("rotate", reader["about"]["id"])["token"] != reader["token"]
    assert spaces("list")["spaces"][0]["tokens"] == 2
    with Memory(SpaceFolder(tmp_path / "spaces").file("ada"), embedder=None) as memory:
        memory.remember("Ada plays the piano")
    assert [(each["name"], each["memories"], each["tokens"]) for each in spaces("usage")["spaces"]] == [("ada", 1, 2)]
    spaces("export", "ada", str(tmp_path / "ada.jsonl"))
    assert "Ada plays the piano" in (tmp_path / "ada.jsonl").read_text("utf-8")
    assert spaces("delete", "ada", "--yes")["deleted"]["name"] == "ada"
    assert spaces("list") == {"spaces": []}
