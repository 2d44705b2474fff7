"""What the page asks of the server, without a browser: files, headers, rights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from omoide import Memory
from omoide.interfaces.http.spaces import Spaces
from omoide.interfaces.page.views import views
from omoide.interfaces.tools import chosen
from omoide.memory.spaces import SpaceFolder
from tests.interfaces.shared_application import application_of


@pytest.fixture
def folder(tmp_path: Path) -> SpaceFolder:
    found = SpaceFolder(tmp_path / "spaces")
    found.create("otto")
    return found


@pytest.fixture
def client(folder: SpaceFolder) -> Iterator[TestClient]:
    with TestClient(application_of(Spaces(folder, embedder=None)), base_url="http://127.0.0.1:8378") as client:
        yield client


def bearer(folder: SpaceFolder, right: str) -> dict[str, str]:
    space = None if right == "admin" else "otto"
    return {"Authorization": f"Bearer {folder.issue(space, right).token}"}  # type: ignore[arg-type]


def test_the_page_runs_no_inline_script_and_loads_only_its_own_files(client: TestClient) -> None:
    page = client.get("/")
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "<script>" not in page.text
    for name in ("main.js", "main.css", "icon.svg", "layout.js"):
        assert client.get(f"/assets/{name}").status_code == 200
    assert client.get("/assets/..%2f__init__.py").status_code == 404


def test_a_file_that_did_not_change_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/assets/main.js")
    again = client.get("/assets/main.js", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_page_is_told_what_its_token_may_do(client: TestClient, folder: SpaceFolder) -> None:
    for right in ("read", "write", "admin"):
        told = client.get("/v1/page/about", headers=bearer(folder, right)).json()
        assert (told["right"], told["space"]) == (right, None if right == "admin" else "otto")
    assert client.get("/v1/page/about").status_code == 401


def test_a_token_that_may_only_read_can_ask_and_list_and_change_nothing(
    client: TestClient, folder: SpaceFolder
) -> None:
    with Memory(folder.file("otto"), embedder=None) as memory:
        memory.remember("Otto lives in Berlin")
    reads = bearer(folder, "read")
    assert client.get("/v1/page/memories", headers=reads).json()["cards"][0]["text"] == "Otto lives in Berlin"
    assert client.post("/v1/page/ask", json={"query": "Where does Otto live?"}, headers=reads).status_code == 200
    for method, path in (
        ("POST", "/v1/memories/1/confirm"),
        ("POST", "/v1/memories/1/correct"),
        ("PATCH", "/v1/memories/1"),
        ("POST", "/v1/memories/1/archive"),
        ("POST", "/v1/forget"),
        ("POST", "/v1/graph/merge"),
        ("POST", "/v1/admin/undo"),
    ):
        sent = client.request(method, path, json={}, headers=reads)
        assert (sent.status_code, "only read" in sent.json()["error"]) == (403, True), path


def test_a_token_that_may_only_read_changes_nothing_by_any_route_or_tool(
    client: TestClient, folder: SpaceFolder, tmp_path: Path
) -> None:
    before = kept(folder, tmp_path / "before.jsonl", "Otto lives in Berlin")
    reads, refused = bearer(folder, "read"), 0
    calls: list[tuple[str, str, Any]] = [
        (method, re.sub(r"{.*?}", "1", path), None if method == "get" else {})
        for path, methods in every_route(client).items()
        for method in methods
        if path not in ("/v1/page/changes", "/v1/tools/{name}")  # one never ends, the other is called below
    ]
    calls += [("post", f"/v1/tools/{tool.name}", sample(tool.schema)) for tool in chosen("all,reference")]
    for method, path, body in calls:
        sent = client.request(method, path, headers=reads, json=body)
        assert sent.status_code != 401
        refused += sent.status_code == 403
    assert refused > 60
    assert kept(folder, tmp_path / "after.jsonl") == before


def every_route(client: TestClient) -> dict[str, set[str]]:
    """The methods of each path, those of the page with them, which the description leaves out."""
    described = client.get("/openapi.json").json()["paths"]
    found = {path: set(methods) for path, methods in described.items() if path.startswith("/v1/")}
    for route in views.routes:
        assert isinstance(route, APIRoute)
        found.setdefault(route.path, set()).update(each.lower() for each in route.methods or ())
    return found


def sample(schema: dict[str, Any]) -> dict[str, Any]:
    """A value for each required parameter."""
    values = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    needed = {name: schema["properties"][name] for name in schema.get("required", ())}
    return {name: values.get(each.get("type"), "1") for name, each in needed.items()}


def kept(folder: SpaceFolder, file: Path, *remembered: str) -> list[str]:
    """Everything that the space holds, history included, and who did what."""
    with Memory(folder.file("otto"), embedder=None) as memory:
        for text in remembered:
            memory.remember(text)
        memory.admin.export(file)
        return [*file.read_text("utf-8").splitlines()[1:], repr(memory.trust.audit())]


def test_a_page_of_another_origin_cannot_use_the_server(client: TestClient, folder: SpaceFolder) -> None:
    """There is no cookie: without the header nothing is known of the user, and other origins are refused anyway."""
    foreign = {"Origin": "https://evil.example", "Cookie": "token=x"}
    assert client.post("/v1/forget", json={"id": [1]}, headers={"Origin": "null"}).status_code == 403
    assert client.post("/v1/forget", json={"id": [1]}, headers=foreign).status_code == 403
    assert client.post("/v1/forget", json={"id": [1]}, headers={"Cookie": "token=x"}).status_code == 401
    assert "set-cookie" not in client.get("/v1/page/about", headers=bearer(folder, "write")).headers


def test_a_long_text_is_shortened_in_lists_and_whole_by_itself(client: TestClient, folder: SpaceFolder) -> None:
    with Memory(folder.file("otto"), embedder=None) as memory:
        memory.observe("word " * 50_000)
    writes = bearer(folder, "write")
    card = client.get("/v1/page/memories?kinds=episode", headers=writes).json()["cards"][0]
    assert card["shortened"]
    assert len(card["text"]) <= 1_500
    assert len(client.get("/v1/page/memories/1", headers=writes).json()["text"]) > 200_000
