"""Any input over stdio: the server keeps running, and answers carry the id of their request."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory
from omoide.interfaces.mcp.handlers import Handlers
from omoide.interfaces.mcp.stdio import LARGEST, StdioConnection, _unread_id
from omoide.interfaces.tools import chosen

PING = {"jsonrpc": "2.0", "id": "after", "method": "ping"}


def said(memory: Memory, *lines: Any, tools: str = "core") -> dict[Any, Any]:
    """What comes back, by id."""
    written = b"".join(each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in lines)
    out = io.BytesIO()
    StdioConnection(Handlers(memory, chosen(tools)), out).serve(io.BytesIO(written))
    return {each.get("id"): each for each in map(json.loads, out.getvalue().splitlines())}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
methods = st.sampled_from(
    ("initialize", "ping", "tools/call", "tools/list", "resources/read", "resources/subscribe", "prompts/get",
     "notifications/cancelled", "notifications/initialized", "no/such/method")
)  # fmt: skip
params = st.fixed_dictionaries(
    {},
    optional={
        "name": values | st.sampled_from(("search_memory", "session_start")),
        "arguments": values | st.fixed_dictionaries({"query": values}),
        "uri": values | st.sampled_from(("omoide://node/1", "omoide://entity/x")),
        "requestId": values,
        "_meta": values | st.fixed_dictionaries({"progressToken": values}),
        "protocolVersion": values,
    },
)
messages = values | st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0")}, optional={"id": values, "method": methods | values, "params": params | values}
)


def test_no_input_ends_the_server(memory: Memory) -> None:
    @given(st.lists(messages | st.binary(max_size=40).map(lambda junk: junk + b"\n"), max_size=4))
    def holds(written: list[Any]) -> None:
        answers = said(memory, *written, PING)
        assert answers["after"]["result"] == {}
        assert [each for each in answers.values() if each.get("error", {}).get("code") == -32603] == []

    holds()


def test_a_cancellation_without_an_id_is_ignored(memory: Memory) -> None:
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": [1]}}
    assert said(memory, cancel, PING) == {"after": {"jsonrpc": "2.0", "id": "after", "result": {}}}


@pytest.mark.parametrize(
    ("request_", "lesson"),
    [
        ({"method": "tools/call", "params": [1]}, "tools/call: expected params that are an object"),
        ({"method": 5}, "expected a JSON-RPC request with a method"),
        ({"method": "tools/call", "params": {"name": "search_memory", "arguments": [1]}}, "expected a name"),
        ({"method": "resources/read", "params": {"uri": 5}}, "uri: expected a text, got 5"),
        ({"method": "resources/read", "params": {}}, "uri is missing"),
        ({"method": "resources/read", "params": {"uri": "omoide://node/" + "9" * 5000}}, "there is no memory"),
        ({"method": "prompts/get", "params": {"name": "before_task", "arguments": "x"}}, "expected an object"),
    ],
)
def test_a_malformed_request_is_refused_with_its_id(memory: Memory, request_: dict[str, Any], lesson: str) -> None:
    assert lesson in said(memory, {"jsonrpc": "2.0", "id": 8, **request_})[8]["error"]["message"]


def test_the_error_of_a_missing_resource_names_it(memory: Memory) -> None:
    read = {"jsonrpc": "2.0", "id": 8, "method": "resources/read", "params": {"uri": "omoide://node/999"}}
    assert said(memory, read)[8]["error"]["data"] == {"uri": "omoide://node/999"}


def test_unknown_fields_of_a_call_are_ignored(memory: Memory) -> None:
    call = {"name": "search_memory", "arguments": {"query": "x"}, "_meta": "str"}
    answer = said(memory, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})[1]
    assert not answer["result"]["isError"]


@pytest.mark.parametrize(
    "begun",
    [
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"id":3,"x":"%s"}}\n',
        b'{"method":"tools/call","params":{"x":"%s","id":3},"jsonrpc":"2.0","id":7}\n',
        b'{"method":"tools/call","params":{"x":"%s"},"id":7 , "jsonrpc":"2.0"}',
    ],
)
def test_a_long_message_is_refused_with_its_id(memory: Memory, begun: bytes) -> None:
    answers = said(memory, begun.replace(b"%s", b"x" * (LARGEST + 100)))
    assert "8,388,608 bytes" in answers[7]["error"]["message"]


def test_text_that_looks_like_an_id_is_not_one() -> None:
    for line in (
        b'{"params":{"x":1,"id":7}}',
        b'{"params":"\\"id\\":7}"}',
        b'{"id":[7],"method":"ping"}',
        b'{"a":{"id":7,"x":1}}',
        b'{"id":7,"me',
    ):
        expected = 7 if line.startswith(b'{"id":7') else None
        assert _unread_id(line, line) == expected


@given(st.text() | st.integers(-(10**17), 10**17), st.text(max_size=20))
def test_any_id_is_found_at_either_end(id: Any, method: str) -> None:
    first = json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": {"id": 0}}).encode()
    last = json.dumps({"method": method, "params": {"id": 0}, "jsonrpc": "2.0", "id": id}).encode()
    assert _unread_id(first, b"") == id
    assert _unread_id(b"", last) == id
