"""Random calls through HTTP and MCP show nobody what they must not see: others, without consent, another space."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from omoide import Memory
from omoide.interfaces.http.spaces import Spaces
from omoide.interfaces.mcp.handlers import PROMPTS, TEMPLATES, Handlers
from omoide.interfaces.mcp.stdio import StdioConnection
from omoide.interfaces.tools import chosen
from omoide.interfaces.verbs import VERBS
from omoide.memory.spaces import SpaceFolder
from tests.conftest import consented
from tests.interfaces.shared_application import _built, application_of
from tests.trust.test_what_readers_see import PRIVATE, SENSITIVE, WORDS, fill, leaks

NAMES = (*range(1, 30), *WORDS, "diary", "team")


def other_requests() -> list[dict[str, Any]]:
    """What MCP can be asked besides tools: every resource of every template, and every prompt."""
    uris = [re.sub(r"\{\w+\}", quote(str(name)), each["uriTemplate"]) for each in TEMPLATES for name in NAMES]
    prompts = [
        (each["name"], {one["name"]: str(word) for one in each["arguments"]}) for each in PROMPTS for word in WORDS
    ]
    return [
        {"method": "resources/list"},
        {"method": "resources/templates/list"},
        {"method": "prompts/list"},
        *({"method": "resources/read", "params": {"uri": uri}} for uri in (*uris, "memory://knowledge-graph")),
        *({"method": "prompts/get", "params": {"name": name, "arguments": given}} for name, given in prompts),
    ]


SEEDS = [pytest.param(0), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 21))]
SHARED = ("Vercel",)  # only the first space knows it, and no question says it
NEVER = ("/health", "/docs", "/openapi.json", "/metrics", "/v1/admin/", "/v1/trust/", "/v1/tools/{name}")
ASKING = {verb.http.partition(" ")[2] for verb in VERBS if verb.reads and (verb.http or "").startswith("POST ")}
METHODS = {"initialize", "ping", "tools/list"}  # of MCP, which return nothing of the memory


@pytest.fixture
def folder(tmp_path: Any) -> SpaceFolder:
    return SpaceFolder(tmp_path / "spaces")


@pytest.fixture
def client(folder: SpaceFolder) -> Iterator[TestClient]:
    with TestClient(application_of(Spaces(folder, embedder=None)), base_url="http://127.0.0.1:8378") as client:
        yield client


def token_of(folder: SpaceFolder, name: str) -> dict[str, str]:
    folder.create(name)
    return {"Authorization": f"Bearer {folder.issue(name).token}"}


def filled(folder: SpaceFolder, name: str) -> str:
    """A session with consent, in a space with memories of every kind."""
    with Memory(folder.file(name), embedder=None) as memory:
        fill(memory)
        return consented(memory)


def reading_routes() -> list[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of every route that reads, of verbs, tools and the page."""
    paths: dict[str, dict[str, Any]] = _built().openapi()["paths"]
    return [
        (method, path, described)
        for path, methods in paths.items()
        for method, described in methods.items()
        if not path.startswith(NEVER) and (method == "get" or (method == "post" and path in ASKING))
    ]


def called(client: TestClient, head: dict[str, str], made: random.Random, reader: dict[str, str]) -> str:
    """The answer of a random route to a random question, or of a random tool."""
    if made.random() < 0.3:
        tool = made.choice([tool for tool in chosen("all,reference") if tool.reads])
        body = tool_arguments(tool.schema, made)
        return client.post(f"/v1/tools/{tool.name}", params=reader, json=body, headers=head).text
    method, path, described = made.choice(reading_routes())
    query: dict[str, Any] = {}
    offered = {each["name"] for each in described.get("parameters", ()) if each["in"] == "query"}
    if "audience" in reader and method == "get" and "audience" not in offered:
        return ""  # a route for the user alone
    for each in described.get("parameters", ()):
        if each["in"] == "path":
            value = made.choice(WORDS) if each["schema"].get("type") == "string" else str(made.randint(1, 29))
            path = path.replace("{" + each["name"] + "}", quote(value))
        elif each.get("required"):
            query[each["name"]] = made.choice(WORDS)
    if method == "post":
        asked = {"goal" if "tasks" in path else "query": made.choice(WORDS)}
        return client.post(path, json=asked | reader, headers=head).text
    query |= {name: value for name, value in reader.items() if name in offered}
    return client.get(path, params=query, headers=head).text


def test_the_requests_of_mcp_are_all_asked(memory: Memory) -> None:
    asked = {each["method"] for each in other_requests()} | {"tools/call"}
    assert set(Handlers(memory, []).methods) - asked - METHODS == set()


def test_no_writing_route_shows_what_needs_consent(client: TestClient, folder: SpaceFolder) -> None:
    """Whatever is named by id or name: corrected, confirmed, linked, merged, archived, bound."""
    head = token_of(folder, "otto")
    filled(folder, "otto")
    made, texts, done = random.Random(3), [], 0
    described = _built().openapi()
    left_out = ("/v1/admin/", "/v1/trust/", "/v1/spaces", "/v1/tokens", "/v1/tools", "/v1/forget")
    for path, methods in described["paths"].items():
        for method in methods.keys() - {"get"} if not path.startswith(left_out) else ():
            body = methods[method].get("requestBody", {}).get("content", {}).get("application/json", {})
            schema = resolved(body.get("schema", {}), described)
            for _ in range(8):
                there = re.sub(r"\{(id|proposal)\}", str(made.randint(1, 29)), path)
                there = re.sub(r"\{\w+\}", quote(made.choice(WORDS)), there)
                needs = {name: schema["properties"][name] for name in schema.get("required", ())}
                given = {name: sample(name, each, made) for name, each in needs.items()}
                answer = client.request(method, there, json=given, headers=head)
                texts.append(answer.text)
                done += answer.is_success
    assert (done > 60, leaks(texts, SENSITIVE)) == (True, [])


def resolved(schema: dict[str, Any], described: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = described["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
    return found


def sample(name: str, schema: dict[str, Any], made: random.Random) -> Any:
    kinds = [schema.get("type"), *(each.get("type") for each in schema.get("anyOf", ()))]
    values: dict[str, Any] = {
        "integer": made.randint(1, 29),
        "array": [made.choice(WORDS)],
        "object": {},
        "boolean": True,
        "number": 0.5,
    }
    found = [values[str(kind)] for kind in kinds if kind in values]
    return found[0] if found and "string" not in kinds else "success" if name == "outcome" else made.choice(WORDS)


def tool_arguments(schema: dict[str, Any], made: random.Random) -> dict[str, Any]:
    needs = schema.get("required", ())
    given: dict[str, Any] = {name: made.choice(["Otto", "insomnia", "what news?", "Quillfeather"]) for name in needs}
    numbers = {"id": made.randint(1, 29), "limit": 20, "names": ["Otto"]}
    return given | {name: value for name, value in numbers.items() if name in needs}


@pytest.mark.parametrize("seed", SEEDS)
def test_http_shows_nobody_what_they_must_not_see(client: TestClient, folder: SpaceFolder, seed: int) -> None:
    own, other = token_of(folder, "otto"), token_of(folder, "ada")
    session = filled(folder, "otto")
    count, made = (700 if seed else 60), random.Random(seed)
    readers: tuple[tuple[dict[str, str], dict[str, str], tuple[str, ...]], ...] = (
        (own, {"audience": "shared"}, PRIVATE + SENSITIVE),
        (own, {"audience": "shared", "consent": session}, PRIVATE + SENSITIVE),
        (own, {}, SENSITIVE),
        (other, {}, PRIVATE + SENSITIVE + SHARED),
    )
    for head, reader, hidden in readers:
        assert leaks([called(client, head, made, reader) for _ in range(count)], hidden) == []
    for query, known in (("insomnia", SENSITIVE), ("Otto and Mara", SHARED)):  # with consent they are there
        assert leaks([client.post("/v1/recall", json={"query": query, "consent": session}, headers=own).text], known)


@pytest.mark.parametrize("seed", SEEDS)
def test_mcp_shows_nobody_what_they_must_not_see(memory: Memory, seed: int) -> None:
    fill(memory)
    session, made = consented(memory), random.Random(seed)
    tools = [tool for tool in chosen("all,reference") if tool.reads]
    readers = (
        (memory.viewed(audience="shared"), PRIVATE + SENSITIVE),
        (memory.viewed(audience="shared", consent=session), PRIVATE + SENSITIVE),
        (memory, SENSITIVE),
    )

    def said(reader: Memory, count: int) -> list[str]:
        calls = [made.choice(tools) for _ in range(count)]
        lines = [
            {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": each.name, "arguments": given}}
            for number, each in enumerate(calls)
            if (given := tool_arguments(each.schema, made)) is not None
        ]
        lines += [{"jsonrpc": "2.0", "id": f"r{number}", **asked} for number, asked in enumerate(other_requests())]
        out = io.BytesIO()
        written = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        StdioConnection(Handlers(reader, tools), out).serve(io.BytesIO(written))
        return out.getvalue().decode().splitlines()

    for reader, hidden in readers:
        assert leaks(said(reader, 700 if seed else 60), hidden) == []
    assert leaks(said(memory.viewed(consent=session), 60), SENSITIVE)
