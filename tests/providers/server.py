"""A real HTTP server on the loopback with OpenAI's and Anthropic's protocols and scripted answers and failures."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from zlib import crc32


@dataclass(frozen=True, slots=True)
class Reply:
    """A raw response. `cut`: announces the whole body and sends half. `late`: waits until the server closes."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """A scripted answer of a model, in the protocol of the request. `tool`: as the arguments of a call."""

    text: str | None
    finish: str = "stop"  # stop, length, refusal
    tool: bool = False
    name: str = "answer"  # of the tool
    tokens: tuple[int, int] = (100, 20)


def error(status: int, message: str = "no", **headers: str) -> Reply:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(json.dumps({"error": {"message": message}}).encode(), status, given)


def answer(value: Any, **more: Any) -> ScriptedAnswer:
    return ScriptedAnswer(json.dumps(value, ensure_ascii=False), **more)


class Server:
    """Answers with its script, repeating the last entry, and records the requests."""

    def __init__(self) -> None:
        self.script: list[Reply | ScriptedAnswer] = []
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def openai(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def anthropic(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def say(self, *replies: Reply | ScriptedAnswer) -> None:
        self.script[:] = replies

    def next(self, body: dict[str, Any], headers: dict[str, str]) -> Reply | ScriptedAnswer:
        with self._lock:
            self.asked.append(body)
            self.headers.append(headers)
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    try:
        yield server
    finally:
        server.close()


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            reply = server.next(body, {name.lower(): value for name, value in self.headers.items()})
            if isinstance(reply, ScriptedAnswer):
                reply = spoken(reply, self.path, bool(body.get("stream")))
            if reply.late:
                server.closing.wait()
                return
            self.send_response(reply.status)
            for name, value in {"content-type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body[: len(reply.body) // 2] if reply.cut else reply.body)
            self.close_connection = True

        def log_message(self, *ignored: object) -> None:
            pass

    return Handler


def spoken(said: ScriptedAnswer, path: str, streamed: bool) -> Reply:
    """Encodes an answer in the protocol of the path, streamed on request."""
    if path.endswith("/messages"):
        return Reply(_claude(said))
    if path.endswith("/responses"):
        return _events(_response_events(said)) if streamed else Reply(json.dumps(_response(said)).encode())
    return _events(_chunks(said)) if streamed else Reply(_openai(said))


def _events(events: Iterable[dict[str, Any] | str]) -> Reply:
    lines = (each if isinstance(each, str) else json.dumps(each) for each in events)
    return Reply("".join(f"data: {line}\n\n" for line in lines).encode(), headers={"content-type": "text/event-stream"})


def _chunks(said: ScriptedAnswer) -> Iterator[dict[str, Any] | str]:
    for piece in [*re.findall(r"\S+\s*", said.text or ""), None]:
        choice = {"index": 0, "delta": {"content": piece} if piece else {}, "finish_reason": None if piece else "stop"}
        yield {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    yield "[DONE]"


def _response(said: ScriptedAnswer) -> dict[str, Any]:
    """An event of OpenAI's newer protocol."""
    part: dict[str, Any] = {"type": "output_text", "text": said.text, "annotations": []}
    message = {"type": "message", "id": "m1", "status": "completed", "role": "assistant", "content": [part]}
    number = crc32((said.text or "").encode())  # another call has another one
    call = {"type": "function_call", "id": f"f{number}", "call_id": f"c{number}", "arguments": said.text}
    used = {"input_tokens": said.tokens[0], "output_tokens": said.tokens[1], "total_tokens": sum(said.tokens)}
    more = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {
        "id": "r1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "m",
        "output": [call | {"name": said.name} if said.tool else message],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": used | more,
    }


def _response_events(said: ScriptedAnswer) -> Iterator[dict[str, Any] | str]:
    whole = _response(said)
    yield {
        "type": "response.created",
        "sequence_number": 0,
        "response": whole | {"output": [], "status": "in_progress"},
    }
    place = {"item_id": "m1", "output_index": 0, "content_index": 0, "logprobs": []}
    for number, piece in enumerate(re.findall(r"\S+\s*", said.text or ""), start=1):
        yield {"type": "response.output_text.delta", "sequence_number": number, "delta": piece, **place}
    yield {"type": "response.completed", "sequence_number": 99, "response": whole}


def _openai(said: ScriptedAnswer) -> bytes:
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    if said.tool:
        call = {"id": "c1", "type": "function", "function": {"name": said.name, "arguments": said.text}}
        message |= {"content": None, "tool_calls": [call]}
    if said.finish == "refusal":
        message |= {"content": None, "refusal": said.text}
    finish = {"refusal": "stop"}.get(said.finish, "tool_calls" if said.tool else said.finish)
    usage = {"prompt_tokens": said.tokens[0], "completion_tokens": said.tokens[1], "total_tokens": sum(said.tokens)}
    choice = {"index": 0, "finish_reason": finish, "message": message}
    return _json(id="1", object="chat.completion", created=1, model="m", choices=[choice], usage=usage)


def _claude(said: ScriptedAnswer) -> bytes:
    stop = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}[said.finish]
    content: list[dict[str, Any]] = [] if said.text is None else [{"type": "text", "text": said.text}]
    if said.tool:
        stop, content = (
            "tool_use",
            [{"type": "tool_use", "id": "t1", "name": said.name, "input": json.loads(said.text or "{}")}],
        )
    usage = {"input_tokens": said.tokens[0], "output_tokens": said.tokens[1]}
    return _json(
        id="1",
        type="message",
        role="assistant",
        model="m",
        content=content,
        stop_reason=stop,
        stop_sequence=None,
        usage=usage,
    )


def _json(**given: Any) -> bytes:
    return json.dumps(given).encode()
