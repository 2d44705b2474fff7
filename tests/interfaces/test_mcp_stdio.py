"""The MCP connection over stdio in this process: cancelling, disconnecting, preloading, subscribing."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from omoide import Memory
from omoide.interfaces.mcp.handlers import Handlers
from omoide.interfaces.mcp.stdio import StdioConnection
from omoide.interfaces.tools import chosen
from omoide.interfaces.tools.tool import Progress, ToolAnswer, tool
from omoide.providers.hashing import HashingEmbedder
from tests.conftest import Open

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Spoken(io.RawIOBase):
    """An input that gives its next line only when the test lets it."""

    def __init__(self) -> None:
        self.lines: list[Any] = []

    def readline(self, size: int | None = -1, /) -> bytes:
        if not self.lines:
            return b""
        first = self.lines.pop(0)
        if isinstance(first, threading.Event):
            first.wait(30)
            return self.readline()
        return json.dumps(first).encode() + b"\n"


def test_cancelled_work_stops_at_its_next_step_and_is_not_answered(memory: Memory) -> None:
    begun, cancelled = threading.Event(), threading.Event()
    steps: list[int] = []

    @tool()
    def endless(memory: Memory, progress: Progress) -> ToolAnswer:
        """Goes on until somebody stops it."""
        begun.set()
        cancelled.wait(30)
        for step in range(1_000_000):
            steps.append(step)
            progress(step, None, "still at it")
        return ToolAnswer("never")

    heard = Spoken()
    call = {"id": 1, "method": "tools/call", "params": {"name": "endless", "_meta": {"progressToken": 7}}}
    cancel = {"method": "notifications/cancelled", "params": {"requestId": 1}}
    out = io.BytesIO()

    heard.lines = [call, begun, cancel, {"id": 2, "method": "ping"}]
    line = StdioConnection(Handlers(memory, [endless]), out)
    ended = threading.Thread(target=line.serve, args=(heard,))
    ended.start()
    begun.wait(30)
    cancelled.set()
    ended.join(30)
    assert steps[-1] < 999_999
    answers = [json.loads(each) for each in out.getvalue().splitlines()]
    assert 1 not in {each.get("id") for each in answers}
    assert {"jsonrpc": "2.0", "id": 2, "result": {}} in answers


def test_a_bug_ends_the_call_and_not_the_server(memory: Memory) -> None:
    @tool()
    def broken(memory: Memory) -> ToolAnswer:
        """Divides by zero."""
        raise ZeroDivisionError("by zero")

    heard, out = Spoken(), io.BytesIO()
    heard.lines = [{"id": 1, "method": "tools/call", "params": {"name": "broken"}}, {"id": 2, "method": "ping"}]
    StdioConnection(Handlers(memory, [broken]), out).serve(heard)  # type: ignore[arg-type]
    answers = {each["id"]: each for each in map(json.loads, out.getvalue().splitlines())}
    assert answers[2]["result"] == {}
    assert "ZeroDivisionError" in answers[1]["error"]["message"]


def test_a_client_that_stopped_reading_ends_the_server(memory: Memory) -> None:
    class Closed(io.BytesIO):
        def write(self, _: Any) -> int:
            raise BrokenPipeError

    heard = Spoken()
    heard.lines = [{"id": 1, "method": "ping"}, {"id": 2, "method": "ping"}]
    StdioConnection(Handlers(memory, []), Closed()).serve(heard)  # type: ignore[arg-type]
    assert len(heard.lines) == 1


class Reader(HashingEmbedder):
    """Remembers what it was given to read."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.heard += texts
        return super().embed(texts)


def test_the_model_is_loaded_after_the_handshake_and_before_the_first_question(opened: Open) -> None:
    reader = Reader()
    heard, out = Spoken(), io.BytesIO()
    heard.lines = [{"id": 1, "method": "initialize", "params": {}}, {"id": 2, "method": "initialize", "params": {}}]
    StdioConnection(Handlers(opened(embedder=reader), []), out).serve(heard)  # type: ignore[arg-type]
    assert reader.heard
    assert [json.loads(each)["id"] for each in out.getvalue().splitlines()] == [1, 2]


def test_a_model_that_cannot_be_loaded_does_not_end_the_server(opened: Open) -> None:
    class Broken(Reader):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            raise RuntimeError("no such file")

    memory = opened(embedder=Broken())
    heard, out = Spoken(), io.BytesIO()
    heard.lines = [{"id": 1, "method": "initialize", "params": {}}, {"id": 2, "method": "ping"}]
    StdioConnection(Handlers(memory, []), out).serve(heard)  # type: ignore[arg-type]
    assert len(out.getvalue().splitlines()) == 2
    assert memory.admin.preload() is False


def test_a_subscriber_is_notified_when_a_tool_writes(memory: Memory) -> None:
    def call(id: int, name: str, **arguments: Any) -> dict[str, Any]:
        return {"id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}

    def spoken(*messages: Any) -> list[Any]:
        heard, out = Spoken(), io.BytesIO()
        heard.lines = list(messages)
        line = StdioConnection(Handlers(memory, chosen("reference")), out, at_once=1)
        line.serve(heard)  # type: ignore[arg-type]
        return [json.loads(each).get("method") or json.loads(each)["id"] for each in out.getvalue().splitlines()]

    watched = {"uri": "memory://knowledge-graph"}
    ada = {"name": "Ada", "entityType": "poet", "observations": []}
    assert spoken(
        {"id": 1, "method": "resources/subscribe", "params": watched},
        call(2, "read_graph"),
        call(3, "create_entities", entities=[ada]),
        call(4, "add_observations", observations=[{"entityName": "Nobody", "contents": ["x"]}]),
        {"id": 5, "method": "resources/unsubscribe", "params": watched},
        call(6, "delete_entities", entityNames=["Ada"]),
    ) == [1, 2, "notifications/resources/updated", 3, 4, 5, 6]
