"""A model that says what its script says, over the protocols of four providers; every request is kept."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call that the model makes, where the client offers a tool whose name ends so."""

    tool: str
    arguments: dict[str, Any]


@dataclass
class ScriptedModel:
    """Answers every conversation with the next calls of the script, then with its words."""

    words: str = "Noted."
    calls: tuple[Call, ...] = ()
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    url: str = ""

    def bodies(self) -> list[str]:
        """The request bodies in which a model was asked, as text."""
        return [json.dumps(body, ensure_ascii=False) for path, body in self.requests if _protocol(path)]

    def next_call(self, body: dict[str, Any]) -> tuple[str, Call] | None:
        """The call that comes next in this conversation, with the client's full name of its tool."""
        done = json.dumps(body).count('"tool_result"') + json.dumps(body).count('"function_call_output"')
        done += json.dumps(body).count('"role": "tool"') + json.dumps(body).count('"functionResponse"')
        names = list(_tool_names(body))
        for call in self.calls[done:]:
            if (name := next((each for each in names if each.endswith(call.tool)), None)) is not None:
                return name, call
        return None


@contextmanager
def serving(model: ScriptedModel) -> Iterator[ScriptedModel]:
    """The model behind a port of loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(model))
    model.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            model.requests.append((self.path, {}))
            self._send(200, "application/json", b'{"data": [], "models": []}')

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            try:
                body = json.loads(raw or b"{}")
            except ValueError:
                body = {}
            model.requests.append((self.path, body if isinstance(body, dict) else {"body": body}))
            protocol = _protocol(self.path)
            if protocol is None:
                self._send(200, "application/json", b'{"input_tokens": 1, "totalTokens": 1}')
                return
            events = _PROTOCOLS[protocol](model, body)
            streams = body.get("stream") or "stream" in self.path
            if streams:
                self._send(200, "text/event-stream", "".join(events).encode())
            else:
                self._send(200, "application/json", json.dumps(_whole(protocol, model)).encode())

        def _send(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


def _protocol(path: str) -> str | None:
    known = {
        "/messages": "anthropic",
        "/responses": "responses",
        "/chat/completions": "chat",
        "enerateContent": "gemini",
    }
    plain = path.partition("?")[0]
    return next((name for end, name in known.items() if plain.endswith(end)), None)


def _tool_names(body: dict[str, Any]) -> Iterator[str]:
    for tool in body.get("tools") or []:
        if tool.get("type") == "namespace":  # of Codex: the tools of one server
            yield from (f"{tool['name']}{each['name']}" for each in tool.get("tools", []))
        elif "functionDeclarations" in tool:
            yield from (each["name"] for each in tool["functionDeclarations"])
        else:
            yield str(tool.get("name") or (tool.get("function") or {}).get("name") or "")


def _event(data: dict[str, Any], named: bool = True) -> str:
    name = f"event: {data['type']}\n" if named else ""
    return f"{name}data: {json.dumps(data)}\n\n"


def _anthropic(model: ScriptedModel, body: dict[str, Any]) -> Iterable[str]:
    usage = {"input_tokens": 10, "output_tokens": 5}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model", "m"), "content": []}
    yield _event({"type": "message_start", "message": {**message, "stop_reason": None, "usage": usage}})
    if (chosen := model.next_call(body)) is not None:
        name, call = chosen
        block = {"type": "tool_use", "id": f"toolu_{len(model.requests)}", "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call.arguments)}
    else:
        block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": model.words}
    yield _event({"type": "content_block_start", "index": 0, "content_block": block})
    yield _event({"type": "content_block_delta", "index": 0, "delta": delta})
    yield _event({"type": "content_block_stop", "index": 0})
    stop = {"stop_reason": "tool_use" if chosen else "end_turn", "stop_sequence": None}
    yield _event({"type": "message_delta", "delta": stop, "usage": usage})
    yield _event({"type": "message_stop"})


def _responses(model: ScriptedModel, body: dict[str, Any]) -> Iterable[str]:
    id = f"resp_{len(model.requests)}"
    yield _event({"type": "response.created", "response": {"id": id}})
    if (chosen := model.next_call(body)) is not None:
        name, call = chosen
        item: dict[str, Any] = {"type": "function_call", "call_id": f"call_{len(model.requests)}"}
        item |= {"name": name, "arguments": json.dumps(call.arguments)}
        if namespace := _namespace(body, name):
            item |= {"namespace": namespace, "name": name.removeprefix(namespace)}
    else:
        text = [{"type": "output_text", "text": model.words}]
        item = {"type": "message", "role": "assistant", "id": f"msg_{len(model.requests)}", "content": text}
    yield _event({"type": "response.output_item.done", "output_index": 0, "item": item})
    usage = {"input_tokens": 10, "input_tokens_details": None, "output_tokens": 5, "total_tokens": 15}
    yield _event({"type": "response.completed", "response": {"id": id, "usage": usage}})


def _namespace(body: dict[str, Any], name: str) -> str | None:
    spaces = (each["name"] for each in body.get("tools") or [] if each.get("type") == "namespace")
    return next((each for each in spaces if name.startswith(each)), None)


def _chat(model: ScriptedModel, body: dict[str, Any]) -> Iterable[str]:
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body.get("model", "m")}
    if (chosen := model.next_call(body)) is not None:
        name, call = chosen
        function = {"name": name, "arguments": json.dumps(call.arguments)}
        told: dict[str, Any] = {
            "tool_calls": [{"index": 0, "id": f"call_{len(model.requests)}", "type": "function", "function": function}]
        }
    else:
        told = {"content": model.words}
    first = {"index": 0, "delta": {"role": "assistant", **told}, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if chosen else "stop"}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    yield _event({**base, "choices": [first]}, named=False)
    yield _event({**base, "choices": [last], "usage": usage}, named=False)
    yield "data: [DONE]\n\n"


def _gemini(model: ScriptedModel, body: dict[str, Any]) -> Iterable[str]:
    yield _event(_gemini_answer(model, body), named=False)


def _gemini_answer(model: ScriptedModel, body: dict[str, Any]) -> dict[str, Any]:
    chosen = model.next_call(body)
    part = {"functionCall": {"name": chosen[0], "args": chosen[1].arguments}} if chosen else {"text": model.words}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage}


def _whole(protocol: str, model: ScriptedModel) -> dict[str, Any]:
    """An answer that is not streamed: clients ask so for titles and checks."""
    if protocol == "anthropic":
        text = [{"type": "text", "text": model.words}]
        usage = {"input_tokens": 10, "output_tokens": 5}
        head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
        return {**head, "content": text, "stop_reason": "end_turn", "usage": usage}
    if protocol == "gemini":
        return _gemini_answer(model, {})
    message = {"role": "assistant", "content": model.words}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


_PROTOCOLS = {"anthropic": _anthropic, "responses": _responses, "chat": _chat, "gemini": _gemini}
