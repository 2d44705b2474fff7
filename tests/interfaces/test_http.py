"""The HTTP API by a client; `test_described_http.py` has the fuzzer that reads its description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from omoide.interfaces.http.application import application
from omoide.interfaces.http.spaces import Spaces
from tests.interfaces.shared_application import application_of

OTTO = {"Authorization": "Bearer otto's token"}
ADA = {"Authorization": "Bearer ada's token"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    files = {"otto's token": str(tmp_path / "otto.db"), "ada's token": str(tmp_path / "ada.db")}
    app = application_of(Spaces(files, embedder=None), largest=100_000)
    with TestClient(app, base_url="http://127.0.0.1:8378") as client:
        yield client


def test_what_is_observed_is_recalled(client: TestClient) -> None:
    kept = client.post("/v1/observe", json={"text": "The build needs Node 22", "session": "s1"}, headers=OTTO)
    found = client.post("/v1/recall", json={"query": "what does the build need?"}, headers=OTTO)
    assert kept.status_code == 201
    assert found.json()["hits"][0]["text"] == "The build needs Node 22"
    assert "words" in found.json()["hits"][0]["why"]


def test_an_answer_says_that_a_secret_was_redacted(client: TestClient) -> None:
    client.post("/v1/observe", json={"text": "My password is hunter2hunter2", "session": "s1"}, headers=OTTO)
    found = client.post("/v1/recall", json={"query": "what is my password?"}, headers=OTTO).json()
    assert "hunter2" not in found["hits"][0]["text"]
    assert "allowed_secrets" in found["note"]


def test_one_token_never_sees_another_space(client: TestClient) -> None:
    client.post("/v1/remember", json={"text": "Otto's secret garden"}, headers=OTTO)
    assert client.post("/v1/recall", json={"query": "secret garden"}, headers=ADA).json()["hits"] == []
    assert client.get("/v1/memories/1", headers=ADA).status_code == 404
    assert client.get("/v1/memories/1", headers=OTTO).status_code == 200


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic b3R0bw=="}])
def test_a_request_without_a_valid_token_is_refused(client: TestClient, headers: dict[str, str]) -> None:
    refused = client.post("/v1/recall", json={"query": "x"}, headers=headers)
    assert refused.status_code == 401
    assert "Authorization: Bearer" in refused.json()["error"]


def test_foreign_hosts_and_origins_are_refused(client: TestClient) -> None:
    assert client.get("/health", headers={"Host": "evil.example"}).status_code == 421
    assert client.get("/health", headers={"Origin": "https://evil.example"}).status_code == 403
    assert client.get("/health", headers={"Origin": "http://localhost:3000"}).status_code == 200


def test_a_large_request_is_refused_with_and_without_content_length(client: TestClient) -> None:
    def parts() -> Iterator[bytes]:
        yield b'{"text": "'
        yield b"x" * 200_000

    assert client.post("/v1/observe", json={"text": "x" * 200_000}, headers=OTTO).status_code == 413
    assert client.post("/v1/observe", content=parts(), headers=OTTO).status_code == 413
    assert client.get("/v1/stats", headers=OTTO).json()["nodes"] == 0


def test_a_wrong_request_gets_a_readable_error(client: TestClient) -> None:
    unknown = client.post("/v1/observe", json={"text": "x", "sesion": "s"}, headers=OTTO)
    kind = client.post("/v1/remember", json={"text": "x", "kind": "dream"}, headers=OTTO)
    taken = client.post("/v1/remember", json={"text": "x", "attributes": {"origin": "user"}}, headers=OTTO)
    assert unknown.status_code == kind.status_code == 422
    assert taken.status_code == 409
    assert unknown.json()["error"] == "sesion: extra inputs are not permitted"
    assert "dream" in kind.json()["error"]


@pytest.mark.parametrize(
    "path", ["stats?fast=1", "memories?sesion=s1", "sessions?limt=3", "tools?set=core", "metrics?x"]
)
def test_an_unknown_query_parameter_is_refused(client: TestClient, path: str) -> None:
    refused = client.get(f"/v1/{path}", headers=OTTO)
    assert refused.status_code == 422
    assert "unknown query parameter" in refused.json()["error"] or "extra inputs" in refused.json()["error"]


def test_an_unknown_query_parameter_beside_a_body_is_refused(client: TestClient) -> None:
    assert client.post("/v1/recall?limit=3", json={"query": "x"}, headers=OTTO).status_code == 422


def test_parameters_that_were_missing_arrive(client: TestClient) -> None:
    kept = client.post("/v1/observe", json={"text": "Hello", "origin": "import"}, headers=OTTO).json()
    sources = {"text": "Otto said hello", "sources": [kept["id"]], "session": "s1", "details": {"a": 1}}
    fact = client.post("/v1/remember", json=sources, headers=OTTO).json()
    assert (kept["origin"], fact["session"], fact["details"]) == ("import", "s1", {"a": 1})
    client.post(f"/v1/memories/{fact['id']}/archive", headers=OTTO)
    found = client.post("/v1/recall", json={"query": "Otto hello", "archive": "only"}, headers=OTTO).json()
    assert [hit["id"] for hit in found["hits"]] == [fact["id"]]
    wrong = client.post("/v1/recall", json={"query": "Otto hello", "archive": "some"}, headers=OTTO)
    assert wrong.status_code == 422


def test_tools_are_called_by_name(client: TestClient) -> None:
    said = client.post("/v1/tools/remember_fact", json={"fact": "Otto lives in Berlin"}, headers=OTTO)
    unknown = client.post("/v1/tools/remember_fct", json={}, headers=OTTO)
    assert said.json()["text"] == "remembered as [id:1]"
    assert unknown.status_code == 404
    assert "did you mean remember_fact?" in unknown.json()["error"]


def test_learning_streams_its_progress_and_ends_with_the_report(client: TestClient) -> None:
    client.post("/v1/observe", json={"text": "I live in Berlin.", "session": "s1"}, headers=OTTO)
    with client.stream("POST", "/v1/learn", json={"session": "s1"}, headers=OTTO) as stream:
        lines = [line for line in stream.iter_lines() if line]
    assert [line for line in lines if line.startswith("event:")] == ["event: progress", "event: report"]
    assert json.loads(lines[-1].removeprefix("data: "))["turns"] == 1


def events(client: TestClient, path: str, **sent: Any) -> list[tuple[str, Any]]:
    with client.stream("POST", path, headers=OTTO, **sent) as stream:
        lines = [line for line in stream.iter_lines() if line]
    kinds = [line.removeprefix("event: ") for line in lines[::2]]
    return list(zip(kinds, [json.loads(line.removeprefix("data: ")) for line in lines[1::2]], strict=True))


def test_maintenance_streams_its_steps_and_refuses_a_job_that_is_not_there(client: TestClient) -> None:
    client.post("/v1/observe", json={"text": "I live in Berlin.", "session": "s1"}, headers=OTTO)
    steps = events(client, "/v1/admin/maintain", json={"jobs": ["scrub"]})
    assert steps[-1][0] == "report"
    assert steps[0][1]["job"] == "scrub"
    ((kind, told),) = events(client, "/v1/admin/maintain", json={"jobs": ["scrubb"]})
    assert kind == "error"
    assert "scrubb" in told["error"]


def test_a_memory_is_exported_and_imported(client: TestClient) -> None:
    client.post("/v1/remember", json={"text": "The app runs on Vercel"}, headers=OTTO)
    lines = client.get("/v1/admin/export", headers=OTTO).content
    with client.stream("POST", "/v1/admin/import", headers=ADA, content=lines) as stream:
        last = [line for line in stream.iter_lines() if line][-2:]
    assert last[0] == "event: report"
    assert client.get("/v1/memories/1", headers=ADA).json()["text"] == "The app runs on Vercel"
    assert events(client, "/v1/admin/import", content=b"no json")[-1][0] == "error"


def test_a_verb_that_takes_too_long_is_busy(tmp_path: Path) -> None:
    app = application(Spaces({"token": str(tmp_path / "a.db")}, embedder=None), longest=0)
    with TestClient(app, base_url="http://127.0.0.1:8378") as client:
        late = client.get("/v1/stats", headers={"Authorization": "Bearer token"})
    assert (late.status_code, late.headers["Retry-After"]) == (503, "1")


def test_an_allowed_origin_gets_cors_headers(tmp_path: Path) -> None:
    app = application_of(Spaces({"token": str(tmp_path / "a.db")}, embedder=None), origins=("https://my.page",))
    asks = {"Origin": "https://my.page", "Access-Control-Request-Method": "POST"}
    with TestClient(app, base_url="http://127.0.0.1:8378") as client:
        first = client.options("/v1/recall", headers=asks)
        then = client.get("/health", headers={"Origin": "https://my.page"})
        foreign = client.options("/v1/recall", headers={**asks, "Origin": "https://evil.example"})
    assert first.status_code == 204
    assert "Authorization" in first.headers["Access-Control-Allow-Headers"]
    assert first.headers["Access-Control-Allow-Origin"] == "https://my.page"
    assert then.headers["Access-Control-Allow-Origin"] == "https://my.page"
    assert foreign.status_code == 403
    assert "Access-Control-Allow-Origin" not in foreign.headers


def test_entities_and_relations_have_routes(client: TestClient) -> None:
    described = client.put("/v1/entities/Otto", json={"type": "person", "aliases": ["Otto K."]}, headers=OTTO)
    tie = {"source": "Otto", "type": "works_at", "target": "Acme"}
    assert described.json()["aliases"] == ["Otto K."]
    assert client.post("/v1/relations", json=tie, headers=OTTO).status_code == 201
    assert client.get("/v1/graph", headers=OTTO).json()["relations"][0]["target"] == "Acme"
    assert client.delete("/v1/relations", params=tie, headers=OTTO).status_code == 200
    assert client.delete("/v1/relations", params=tie, headers=OTTO).status_code == 404
    assert [each["name"] for each in client.get("/v1/entities?limit=1", headers=OTTO).json()["entities"]] == ["Otto"]


def test_one_memory_is_changed_archived_and_read(client: TestClient) -> None:
    client.post("/v1/remember", json={"text": "The app runs on Vercel"}, headers=OTTO)
    changed = client.patch("/v1/memories/1", json={"tags": ["vercel"]}, headers=OTTO).json()
    assert (changed["text"], changed["tags"]) == ("The app runs on Vercel", ["vercel"])
    assert client.post("/v1/memories/1/archive", headers=OTTO).json()["state"] == "archived"
    assert client.delete("/v1/memories/1/archive", headers=OTTO).json()["state"] == "live"
    assert len(client.get("/v1/memories/1/history", headers=OTTO).json()["versions"]) == 1


def test_tasks_lessons_and_narratives_have_routes(client: TestClient) -> None:
    def post(path: str, **body: Any) -> Any:
        return client.post(f"/v1/{path}", json=body, headers=OTTO).json()

    def get(path: str) -> Any:
        return client.get(f"/v1/{path}", headers=OTTO).json()

    error = {"type": "ImportError", "message": "no module named yaml", "resolution": "pip install pyyaml"}
    task = post("tasks", goal="Build the docs", outcome="failure", agent="a1", errors=[error])
    assert [each["id"] for each in get("tasks")["tasks"]] == [task["id"]]
    assert "Build the docs" in post("tasks/before", goal="build the docs again")["markdown"]
    lesson = post("remember", text="Install pyyaml before the docs are built", kind="note")
    assert post(f"memories/{lesson['id']}/bindings", command="make docs")["trigger"]["command"] == "make docs"
    assert [each["node"]["id"] for each in post("tasks/lessons", command="make docs -j2")["lessons"]] == [lesson["id"]]
    assert client.delete(f"/v1/memories/{lesson['id']}/bindings", headers=OTTO).json() == {"removed": 1}
    told = post("narratives", text="The docs wait for pyyaml.", topic="docs", nodes=[lesson["id"]])["narrative"]
    assert [each["id"] for each in get("narratives?topic=docs")["narratives"]] == [told["id"]]
    assert get(f"memories/{lesson['id']}/narrative")["passage"]["narrative"]["id"] == told["id"]
    assert "The docs wait for pyyaml." in get("narratives/recap")["markdown"]


def test_agents_hand_work_over(client: TestClient) -> None:
    def post(path: str, **body: Any) -> Any:
        return client.post(f"/v1/{path}", json=body, headers=OTTO)

    assert post("ledgers/a1", task="docs", completed=1).json()["agent_id"] == "a1"
    assert [each["agent_id"] for each in client.get("/v1/ledgers", headers=OTTO).json()["ledgers"]] == ["a1"]
    id = post("handoffs", **{"what_was_done": "Built the docs", "from": "a1", "to": "a2"}).json()["id"]
    assert [each["id"] for each in client.get("/v1/handoffs?agent=a2", headers=OTTO).json()["handoffs"]] == [id]
    assert post(f"handoffs/{id}/accept", agent="a2").status_code == 200
    assert client.get("/v1/handoffs?agent=a2", headers=OTTO).json()["handoffs"] == []


def test_a_document_is_stored_in_its_collection(client: TestClient) -> None:
    page = {"text": "Deploy on Fridays", "body": {"steps": ["build"]}}
    assert client.put("/v1/documents/plans/deploy", json=page, headers=OTTO).json()["details"] == page["body"]
    assert [each["title"] for each in client.get("/v1/documents/plans", headers=OTTO).json()["documents"]] == ["deploy"]
    assert client.get("/v1/documents/plans/test", headers=OTTO).status_code == 404
    client.post("/v1/observe", json={"text": "Hello", "session": "s1"}, headers=OTTO)
    listed = client.get("/v1/memories?session=s1&kinds=episode&order=oldest", headers=OTTO).json()
    assert ([each["text"] for each in listed["memories"]], listed["next_cursor"]) == (["Hello"], None)


def test_an_optional_body_may_be_missing(client: TestClient) -> None:
    client.post("/v1/observe", json={"text": "Hello", "session": "s1"}, headers=OTTO)
    assert client.post("/v1/sessions/s1/end", headers=OTTO).status_code == 200
    for job in ("learn", "admin/maintain"):
        assert "event: report" in client.post(f"/v1/{job}", headers=OTTO).text


@pytest.mark.parametrize(
    ("body", "why"), [("[]", "the body: "), ("{bad", "the body: this is not JSON"), ("", "the body: field required")]
)
def test_an_unreadable_body_is_a_readable_error(client: TestClient, body: str, why: str) -> None:
    told = client.post("/v1/recall", content=body, headers={**OTTO, "Content-Type": "application/json"})
    assert told.status_code == 422
    assert told.json()["error"].startswith(why)


def test_a_method_on_the_route_of_another_verb_creates_no_entity(client: TestClient) -> None:
    client.put("/v1/entities/Otto", json={"type": "person"}, headers=OTTO)
    assert client.put("/v1/entities/Otto/merge", json={"type": "person"}, headers=OTTO).status_code in (404, 405)
    assert client.get("/v1/entities/Otto%2Fmerge", headers=OTTO).status_code == 404


def test_a_name_may_have_a_slash(client: TestClient) -> None:
    client.put("/v1/entities/a%2Fb", json={"type": "project"}, headers=OTTO)
    assert client.get("/v1/entities/a%2Fb", headers=OTTO).json()["entity"]["name"] == "a/b"
    client.post("/v1/observe", json={"text": "Hello", "session": "a/b"}, headers=OTTO)
    assert client.get("/v1/sessions/a%2Fb", headers=OTTO).json()["name"] == "a/b"
    listed = client.get("/v1/memories", params={"session": "a/b"}, headers=OTTO).json()["memories"]
    assert [each["text"] for each in listed] == ["Hello"]


def test_the_docs_page_loads_nothing_from_other_servers(client: TestClient) -> None:
    page = client.get("/docs")
    assert page.status_code == 200
    assert "//" not in page.text
    assert "'unsafe-inline'" in page.headers["Content-Security-Policy"]


def test_every_route_documents_a_request_that_is_no_http(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert [
        path for path, methods in paths.items() if any("400" not in each["responses"] for each in methods.values())
    ] == []


def test_openapi_describes_the_responses(client: TestClient) -> None:
    api = client.get("/openapi.json").json()
    kept = api["paths"]["/v1/memories/{id}"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert {"id", "kind", "text", "event_at", "confidence"} <= kept["properties"].keys()
    main = (
        "recall",
        "context",
        "observe",
        "remember",
        "stats",
        "entities",
        "sessions",
        "tools/{name}",
        "memories/{id}",
    )
    for path in main:
        for told in api["paths"][f"/v1/{path}"].values():
            (answer,) = [each for status, each in told["responses"].items() if status in ("200", "201")]
            assert answer["content"]["application/json"]["schema"], path


def test_metrics_count_responses(client: TestClient) -> None:
    client.get("/health")
    client.get("/v1/memories/7", headers=OTTO)
    page = client.get("/v1/metrics", headers=OTTO).text
    assert "# TYPE omoide_requests_total counter" in page
    assert 'omoide_request_seconds_count{method="GET",route="/v1/memories/{id}"} 1' in page
    assert 'omoide_requests_total{method="GET",status="200"} 1' in page
    assert "omoide_nodes 0" in page


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("recall", {"query": "x", "consent": "no such session"}, 403),
        ("forget", {"id": 1, "session": "s1"}, 409),
        ("memories/1/correct", {"text": "Hi"}, 409),  # an episode
        ("tools/get_context", {}, 409),
        ("flush", {"timeout": False}, 422),
        ("recall", {"query": "x", "limit": 3.0}, 200),  # JSON has one kind of number
        ("recall", {"query": "x", "limit": "3"}, 422),
        ("recall", {"query": "x", "session": "s" * 501}, 422),
        ("learn", {"session": "a\0b"}, 422),
    ],
)
def test_a_status_says_what_is_wrong(client: TestClient, path: str, body: dict[str, Any], status: int) -> None:
    client.post("/v1/observe", json={"text": "Hello", "session": "s1"}, headers=OTTO)
    assert client.post(f"/v1/{path}", json=body, headers=OTTO).status_code == status


def test_a_method_that_a_path_has_not_names_those_that_it_has(client: TestClient) -> None:
    client.post("/v1/observe", json={"text": "Hello", "session": "s1"}, headers=OTTO)
    for path, allowed in (
        ("/v1/documents/plans/deploy", "GET, PUT"),
        ("/v1/entities/Otto", "GET, PUT"),
        ("/v1/tasks/before", "POST"),  # no task of that name
        ("/v1/sessions/s1/end", "POST"),  # no session "s1/end"
    ):
        answer = client.request("GET" if allowed == "POST" else "PATCH", path, headers=OTTO)
        assert (answer.status_code, answer.headers["Allow"]) == (405, allowed)


def test_forget_is_a_preview_by_default(client: TestClient) -> None:
    id = client.post("/v1/observe", json={"text": "The numbat is a secret."}, headers=OTTO).json()["id"]
    seen = client.post("/v1/forget", json={"id": id}, headers=OTTO).json()
    assert [node["id"] for node in seen["nodes"]] == [id]
    assert client.get(f"/v1/memories/{id}", headers=OTTO).status_code == 200
    receipt = client.post("/v1/forget", json={"id": id, "preview": False}, headers=OTTO).json()
    assert receipt["ids"] == [id]
    assert client.get(f"/v1/memories/{id}", headers=OTTO).status_code == 404
