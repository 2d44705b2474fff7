"""The MCP server as a process, used by the official client."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from omoide import Memory
from tests.interfaces.terminal import run_here

Ask = Callable[[Client], Awaitable[Any]]


def ask(db: Path, work: Ask, *, tools: str = "all") -> Any:
    """Starts `omoide mcp` on a file, does something with a client, and leaves."""
    command = [sys.executable, "-m", "omoide", "mcp", "--db", str(db), "--no-embedder", "--tools", tools]
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "HOME": str(db.parent)}
    server = StdioServerParameters(command=command[0], args=command[1:], env=environment)

    async def run() -> Any:
        async with Client(stdio_client(server)) as client:
            return await work(client)

    return anyio.run(run)


def test_a_fact_that_one_server_stored_is_found_by_the_next(tmp_path: Path) -> None:
    async def store(client: Client) -> Any:
        return await client.call_tool("remember_fact", {"fact": "Otto lives in Berlin"})

    async def search(client: Client) -> Any:
        return await client.call_tool("search_memory", {"query": "where does Otto live?"})

    ask(tmp_path / "otto.db", store)
    found = ask(tmp_path / "otto.db", search)
    assert "[id:1] agent: Otto lives in Berlin" in found.content[0].text
    assert found.structured_content == {"text": found.content[0].text}


def test_two_servers_work_on_one_file_at_once(tmp_path: Path) -> None:
    db = tmp_path / "otto.db"

    async def outer(first: Client) -> Any:
        def inner() -> Any:
            return ask(db, lambda second: second.call_tool("memory_store", {"content": "from the second server"}))

        await anyio.to_thread.run_sync(inner)
        await first.call_tool("memory_store", {"content": "from the first server"})
        return await first.call_tool("memory_query", {"query": "server"})

    found = ask(db, outer)
    assert all(f"from the {which} server" in found.content[0].text for which in ("first", "second"))


def test_tools_carry_their_hints(tmp_path: Path) -> None:
    listed = ask(tmp_path / "otto.db", lambda client: client.list_tools(), tools="core")
    assert {each.title for each in listed.tools} == {
        "Get Context",
        "Get Agenda",
        "Search Memory",
        "Remember Fact",
        "Correct Fact",
    }
    hints = {each.name: each.annotations.read_only_hint for each in listed.tools}
    reads = {"get_context", "get_agenda", "search_memory"}
    assert hints == {name: name in reads for name in (*reads, "remember_fact", "correct_fact")}


@pytest.mark.parametrize(
    ("name", "arguments", "lesson"),
    [
        ("search_memory", {"querry": "x"}, "did you mean query?"),
        ("explain_fact", {"id": 99}, "99"),
        ("no_such_tool", {}, "there is no tool 'no_such_tool' here"),
        ("memory_store", {"content": "x" * 3_000_000}, "content"),
    ],
)
def test_a_bad_call_is_answered_and_the_server_goes_on(
    tmp_path: Path, name: str, arguments: dict[str, Any], lesson: str
) -> None:
    async def work(client: Client) -> Any:
        failed = await client.call_tool(name, arguments)
        after = await client.call_tool("memory_stats", {})
        return failed, after

    failed, after = ask(tmp_path / "otto.db", work)
    assert failed.is_error
    assert lesson in failed.content[0].text or "text" in failed.content[0].text
    assert "Traceback" not in failed.content[0].text
    assert not after.is_error
    assert after.content[0].text.startswith("nodes: 0")


def test_memories_are_resources(tmp_path: Path) -> None:
    async def work(client: Client) -> Any:
        await client.call_tool("record_turn", {"text": "I live in Berlin", "role": "user", "session": "monday talk"})
        listed = await client.list_resources()
        read = [await client.read_resource(listed.resources[0].uri), await client.read_resource("omoide://node/1")]
        templates = await client.list_resource_templates()
        with pytest.raises(MCPError, match="URIs are"):
            await client.read_resource("omoide://planet/mars")
        return listed, read, templates

    listed, read, templates = ask(tmp_path / "otto.db", work)
    assert listed.resources[0].uri == "omoide://session/monday%20talk"
    assert json.loads(read[0].contents[0].text)["episode_count"] == 1
    assert json.loads(read[1].contents[0].text)["text"] == "I live in Berlin"
    assert {each.name for each in templates.resource_templates} == {"entity", "session", "node", "context"}


def test_prompts_return_what_is_known(tmp_path: Path) -> None:
    with Memory(tmp_path / "otto.db", embedder=None) as memory:
        memory.remember("Deploy the app", kind="procedure", name="deploy", steps=["npm test", "vercel --prod"])

    async def work(client: Client) -> Any:
        with pytest.raises(MCPError, match="goal is missing"):
            await client.get_prompt("before_task", {"goal": ""})
        return await client.get_prompt("before_task", {"goal": "deploy the app"})

    prompt = ask(tmp_path / "otto.db", work)
    assert "vercel --prod" in prompt.messages[0].content.text


def test_long_work_reports_its_progress(tmp_path: Path) -> None:
    heard: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)

    async def work(client: Client) -> Any:
        await client.call_tool("record_turn", {"text": "I live in Berlin", "role": "user", "session": "s1"})
        return await client.call_tool("learn_now", {"session": "s1"}, progress_callback=hear)

    ask(tmp_path / "otto.db", work)
    assert heard == ["learning from s1"]


def test_a_closed_pipe_ends_the_server_quietly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "omoide", "mcp", "--db", str(tmp_path / "otto.db"), "--no-embedder"]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_invalid_lines_do_not_end_the_server(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "omoide", "mcp", "--db", str(tmp_path / "otto.db"), "--no-embedder"]
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    lines = "this is not json\n" + json.dumps(hello) + "\n"
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert any(each.get("id") == 1 and each["result"]["serverInfo"]["name"] == "omoide" for each in answers)
    assert "Traceback" not in done.stderr


@contextmanager
def serving_http(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of a server over HTTP that answers, and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "omoide", "mcp", "--db", str(folder / "otto.db"), "--no-embedder", "--http"]
    running = subprocess.Popen([*command, "--port", str(port), "--token", "sesame"], stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/mcp"
    with httpx2.Client(transport=httpx2.HTTPTransport(retries=0)) as client:
        while running.poll() is None:
            with suppress(httpx2.HTTPError):
                client.get(address)
                break
    yield address, running
    running.terminate()
    running.wait(timeout=120)


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server over HTTP that the tests share."""
    with serving_http(tmp_path_factory.mktemp("http")) as (address, _):
        yield address


def test_sigterm_over_http_closes_the_file_despite_an_open_client(tmp_path: Path) -> None:
    from mcp.client.streamable_http import streamable_http_client

    async def run(address: str, running: subprocess.Popen[bytes]) -> None:
        web = httpx2.AsyncClient(headers={"Authorization": "Bearer sesame"}, timeout=120)
        with suppress(Exception):  # the client is left standing, which is the point
            async with web, Client(streamable_http_client(address, http_client=web)) as client:
                await client.call_tool("remember_fact", {"fact": "Otto lives in Berlin"})
                running.terminate()
                await anyio.to_thread.run_sync(lambda: running.wait(timeout=120))

    with serving_http(tmp_path) as (address, running):
        anyio.run(run, address, running)
        assert running.returncode == 0
        assert not (tmp_path / "otto.db-wal").exists()


def test_http_needs_the_token_and_its_own_name(http: str) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"Accept": "application/json, text/event-stream"}
    right = {"Authorization": "Bearer sesame", **accept}
    with httpx2.Client(timeout=120) as client:
        assert client.post(http, json=ping, headers=accept).status_code == 401
        assert client.post(http, json=ping, headers={"Authorization": "Bearer wrong", **accept}).status_code == 401
        assert client.post(http, json=ping, headers={**right, "Origin": "https://evil.example"}).status_code == 403
        assert client.post(http, json=ping, headers={**right, "Host": "evil.example"}).status_code == 421


def test_the_official_client_works_over_http(http: str) -> None:
    from mcp.client.streamable_http import streamable_http_client

    async def run() -> Any:
        web = httpx2.AsyncClient(headers={"Authorization": "Bearer sesame"}, timeout=120)
        async with web, Client(streamable_http_client(http, http_client=web)) as client:
            await client.call_tool("remember_fact", {"fact": "Otto lives in Berlin"})
            return await client.call_tool("search_memory", {"query": "Otto Berlin"})

    assert "Otto lives in Berlin" in anyio.run(run).content[0].text


def test_two_clients_share_one_server_over_http(http: str) -> None:
    from mcp.client.streamable_http import streamable_http_client

    async def run() -> Any:
        web = httpx2.AsyncClient(headers={"Authorization": "Bearer sesame"}, timeout=120)
        async with (
            web,
            Client(streamable_http_client(http, http_client=web)) as one,
            Client(streamable_http_client(http, http_client=web)) as other,
        ):
            await one.call_tool("remember_fact", {"fact": "Ada lives in Turin"})
            return await other.call_tool("search_memory", {"query": "Ada Turin"})

    assert "Ada lives in Turin" in anyio.run(run).content[0].text


HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def spoken(db: Path, *messages: Any, tools: str = "core") -> dict[Any, Any]:
    """What a server answers to lines that are written at once, by the id of the request."""
    words = ["mcp", "--db", str(db), "--no-embedder", "--tools", tools]
    lines = "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in (HELLO, *messages))
    ran = run_here(words, db.parent, dict(os.environ), lines)
    assert (ran.code, ran.err) == (0, "")
    answers = [json.loads(line) for line in ran.out.splitlines()]
    return {each.get("id"): each for each in answers}


def request(id: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def test_an_invalid_request_is_refused_and_the_next_one_answered(tmp_path: Path) -> None:
    said = spoken(
        tmp_path / "otto.db",
        request(1, "no/such/method"),
        request(2, "tools/call", name=7),
        request(3, "resources/read"),
        {"jsonrpc": "2.0", "id": [], "method": "ping"},
        request(4, "tools/call", name="remember_fact", arguments={"fact": "half \ud800 a pair"}),
        request(5, "ping"),
        [request(6, "ping"), request(7, "ping")],
    )
    assert [said[id]["error"]["code"] for id in (1, 2, 3, None)] == [-32601, -32602, -32602, -32600]
    assert "surrogate" in said[4]["result"]["content"][0]["text"]
    assert [said[id]["result"] for id in (5, 6, 7)] == [{}, {}, {}]


def test_a_large_message_is_refused_without_buffering_it(tmp_path: Path) -> None:
    huge = request(1, "tools/call", name="remember_fact", arguments={"fact": "x" * 9_000_000})
    said = spoken(tmp_path / "otto.db", huge, request(2, "ping"))
    assert "8,388,608 bytes" in said[1]["error"]["message"]
    assert said[2]["result"] == {}


def test_the_official_client_gets_the_error_for_a_large_message(tmp_path: Path) -> None:
    async def work(client: Client) -> Any:
        with pytest.raises(MCPError, match="8,388,608 bytes"):
            await client.call_tool("remember_fact", {"fact": "x" * 9_000_000})
        return await client.call_tool("search_memory", {"query": "x"})

    assert not ask(tmp_path / "otto.db", work).is_error


def test_an_unknown_protocol_version_gets_ours(tmp_path: Path) -> None:
    strange = {**HELLO, "id": 1, "params": {**HELLO["params"], "protocolVersion": "2099-01-01"}}  # type: ignore[dict-item]
    said = spoken(tmp_path / "otto.db", strange)
    assert said[0]["result"]["protocolVersion"] == "2025-06-18"
    assert said[1]["result"]["protocolVersion"] == "2025-11-25"


def test_instructions_mention_only_offered_tools(tmp_path: Path) -> None:
    core, reference = (
        spoken(tmp_path / "otto.db", tools=tools)[0]["result"]["instructions"] for tools in ("core", "reference")
    )
    assert "get_context" in core
    assert "get_context" not in reference
    assert "create_entities" in reference


def test_unknown_tools_are_refused_before_a_file_is_created(tmp_path: Path) -> None:
    words = ["mcp", "--db", str(tmp_path / "otto.db"), "--tools", "koshy"]
    ran = run_here(words, tmp_path, dict(os.environ))
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean koshi?" in ran.err
    assert not (tmp_path / "otto.db").exists()


def test_sigterm_ends_the_server_cleanly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "omoide", "mcp", "--db", str(tmp_path / "otto.db"), "--no-embedder"]
    running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdin
    assert running.stdout
    running.stdin.write(json.dumps(HELLO).encode() + b"\n")
    running.stdin.flush()
    running.stdout.readline()
    running.terminate()
    _, errors = running.communicate(timeout=60)
    assert (running.returncode, errors) == (0, b"")
    assert not (tmp_path / "otto.db-wal").exists()  # closed, not cut off


def test_the_reference_file_is_imported_when_its_variable_is_set(tmp_path: Path) -> None:
    (tmp_path / "memory.json").write_text('{"type":"entity","name":"Ada","entityType":"poet","observations":["Sings"]}')
    command = [sys.executable, "-m", "omoide", "mcp", "--db", str(tmp_path / "otto.db"), "--no-embedder"]
    environment = {**os.environ, "MEMORY_FILE_PATH": str(tmp_path / "memory.json")}
    server = StdioServerParameters(command=command[0], args=[*command[1:], "--tools", "reference"], env=environment)

    async def run() -> Any:
        async with Client(stdio_client(server)) as client:
            read = await client.call_tool("read_graph", {})
            resource = await client.read_resource("memory://knowledge-graph")
            return read.structured_content, json.loads(resource.model_dump()["contents"][0]["text"])

    graph = {"entities": [{"name": "Ada", "entityType": "poet", "observations": ["Sings"]}], "relations": []}
    assert anyio.run(run) == (graph, graph)
