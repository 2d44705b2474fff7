"""The protocol over standard input and output: one JSON-RPC message per line.

It does not use the official SDK, which takes a second to import while the agent waits. The tests check it with the
SDK's own client and with the MCP inspector.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from typing import Any, BinaryIO, NoReturn

from omoide.errors import OmoideError
from omoide.interfaces.mcp.handlers import Document, Handlers, about_resource, required_text
from omoide.interfaces.tools import Tool
from omoide.memory import Memory

# Revisions that begin with a handshake. A client of a later one asks for its own first and falls back to these.
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
LARGEST = 8 * 1024 * 1024  # bytes of one message
_AT_ONCE = 4  # calls of one client that run at the same time

_PARSE_ERROR, _INTERNAL_ERROR = -32700, -32603
_INVALID_REQUEST, _UNKNOWN_METHOD, _INVALID_PARAMS = -32600, -32601, -32602

_SEARCHED = 4096  # bytes at either end in which the id is searched

_STRING = rb'"(?:[^"\\]|\\.)*"'
_ID = rb'"id"\s*:\s*(' + _STRING + rb"|-?\d{1,18})\s*"
_PLAIN = rb'\s*"(?:jsonrpc|method)"\s*:\s*' + _STRING + rb"\s*"  # fields that may stand between it and either end
_FIRST = re.compile(rb"\s*\{(?:" + _PLAIN + rb",)*\s*" + _ID + rb"[,}]")
_LAST = re.compile(rb"[,{]\s*" + _ID + rb"(?:," + _PLAIN + rb")*\}\s*$")


class _Cancelled(Exception):
    """The client cancelled the call or has left."""


def serve_stdio(memory: Memory, tools: Sequence[Tool]) -> None:
    """Serves until the client closes our input. Prints go to standard error: the protocol owns standard output."""
    out = sys.stdout.buffer
    with redirect_stdout(sys.stderr):
        StdioConnection(Handlers(memory, tools), out).serve(sys.stdin.buffer)


class StdioConnection:
    """One client."""

    def __init__(self, handlers: Handlers, out: BinaryIO, at_once: int = _AT_ONCE) -> None:
        self._handlers = handlers
        self._out = out
        self._at_once = at_once
        self._writing = threading.Lock()
        self._cancelled: dict[str | float, threading.Event] = {}
        self._subscribed: set[str] = set()  # resources whose updates the client subscribed to
        self._preloading: threading.Thread | None = None
        self._disconnected = False  # nobody reads what we write

    def serve(self, reading: BinaryIO) -> None:
        pool = ThreadPoolExecutor(self._at_once, thread_name_prefix="omoide-mcp")
        try:
            while not self._disconnected and (line := reading.readline(LARGEST)):
                if len(line) == LARGEST and not line.endswith(b"\n"):
                    self._skip(line, reading)
                elif line.strip():
                    self._received(line, pool)
            pool.shutdown(wait=True)  # requests sent before the input ended are still answered
        finally:  # after a signal they are not
            for each in list(self._cancelled.values()):
                each.set()
            pool.shutdown(wait=True, cancel_futures=True)
            if self._preloading is not None:  # a process must not end while the embedder loads
                self._preloading.join()

    def _skip(self, line: bytes, reading: BinaryIO) -> None:
        """Skips a message that is too long; only its beginning and its end are kept, to find its id."""
        head = tail = line
        while line and not line.endswith(b"\n"):
            line = reading.readline(LARGEST)
            tail = tail[-_SEARCHED:] + line
        why = f"a message may have {LARGEST:,} bytes; send less at once"
        self._refuse(_unread_id(head, tail), _INVALID_REQUEST, why)

    def _received(self, line: bytes, pool: ThreadPoolExecutor) -> None:
        try:
            found = json.loads(line, parse_constant=_no_json_number)
        except (ValueError, RecursionError):
            self._refuse(_unread_id(line, line), _PARSE_ERROR, "this line is not JSON")
            return
        for message in found if isinstance(found, list) and found else [found]:
            try:
                self._dispatch(message, pool)
            except Exception as error:  # whatever a client sends, the next line is read
                self._refuse(_id(message), _INTERNAL_ERROR, f"this message failed: {type(error).__name__}")

    def _dispatch(self, message: Any, pool: ThreadPoolExecutor) -> None:
        method = message.get("method") if isinstance(message, dict) else None
        if not isinstance(method, str):
            if not (isinstance(message, dict) and ("result" in message or "error" in message)):
                self._refuse(_id(message), _INVALID_REQUEST, "expected a JSON-RPC request with a method")
            return
        id, params = _id(message), message.get("params")
        params = {} if params is None else params
        if "id" not in message:
            self._notification(method, params)
        elif id is None:
            self._refuse(None, _INVALID_REQUEST, "expected an id that is a text or a number")
        elif not isinstance(params, dict):
            self._refuse(id, _INVALID_PARAMS, f"{method}: expected params that are an object")
        elif method == "ping":  # at once: it must not wait behind long work
            self._answer(id, {})
        elif method == "initialize":
            self._answer(id, self._initialize_result(params))
            self._preload()
        else:
            event = self._cancelled[id] = threading.Event()
            pool.submit(self._run, id, method, params, event)

    def _notification(self, method: str, params: Any) -> None:
        if method == "notifications/cancelled" and isinstance(params, dict):
            id = _id(params, "requestId")
            event = None if id is None else self._cancelled.get(id)
            if event is not None:
                event.set()

    def _preload(self) -> None:
        """Loads the embedder in the background, once, while the agent does other things after the handshake."""
        if self._preloading is None:
            self._preloading = threading.Thread(target=self._handlers.preload, name="omoide-preload")
            self._preloading.start()

    def _initialize_result(self, params: Document) -> Document:
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}, "resources": {"subscribe": True}, "prompts": {}},
            "serverInfo": self._handlers.about,
            "instructions": self._handlers.instructions,
        }

    def _run(self, id: str | float, method: str, params: Document, cancelled: threading.Event) -> None:
        try:
            self._answer(id, self._result(method, params, cancelled))
        except _Cancelled:
            pass
        except _ProtocolError as error:
            self._refuse(id, error.code, str(error))
        except OmoideError as error:
            self._refuse(id, _INVALID_PARAMS, str(error), about_resource(params))
        except Exception as error:  # a bug ends one call, not the server
            self._refuse(id, _INTERNAL_ERROR, f"{method} failed: {type(error).__name__}: {error}")
        finally:
            if self._cancelled.get(id) is cancelled:  # a client may use an id twice
                del self._cancelled[id]

    def _result(self, method: str, params: Document, cancelled: threading.Event) -> Document:
        if method in self._handlers.methods:
            return self._handlers.methods[method](params)
        if method in ("resources/subscribe", "resources/unsubscribe"):
            return self._subscribe(required_text(params, "uri"), method == "resources/subscribe")
        if method != "tools/call":
            raise _ProtocolError(_UNKNOWN_METHOD, f"there is no method {method!r}")
        name, arguments = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise _ProtocolError(_INVALID_PARAMS, "tools/call: expected a name and arguments that are an object")
        token = _id(params.get("_meta"), "progressToken")

        def progress(done: float, total: float | None, message: str) -> None:
            if cancelled.is_set() or self._disconnected:
                raise _Cancelled
            if token is not None:
                params = {"progressToken": token, "progress": done, "message": message}
                self._send({"method": "notifications/progress", "params": params | ({"total": total} if total else {})})

        result = self._handlers.call(name, arguments, progress)
        self._announce(name, result)
        if cancelled.is_set():
            raise _Cancelled
        return result

    def _subscribe(self, uri: str, wanted: bool) -> Document:
        (self._subscribed.add if wanted else self._subscribed.discard)(uri)
        return {}

    def _announce(self, tool: str, result: Document) -> None:
        """A tool that writes may change any resource, so every subscriber is notified."""
        if self._handlers.writes(tool) and not result["isError"]:
            for uri in sorted(self._subscribed):
                self._send({"method": "notifications/resources/updated", "params": {"uri": uri}})

    def _answer(self, id: Any, result: Document) -> None:
        self._send({"id": id, "result": result})

    def _refuse(self, id: Any, code: int, why: str, data: Document | None = None) -> None:
        self._send({"id": id, "error": {"code": code, "message": why, **({"data": data} if data else {})}})

    def _send(self, message: Document) -> None:
        """Writes a message, escaped to ASCII: half a surrogate in a quoted argument must not end the server."""
        line = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode() + b"\n"
        with self._writing:
            try:
                self._out.write(line)
                self._out.flush()
            except (OSError, ValueError):
                self._disconnected = True


class _ProtocolError(Exception):
    """A request that is answered with an error of the protocol."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


def _id(message: Any, name: str = "id") -> str | float | None:
    """The id of a request, if it is a text or a number."""
    found = message.get(name) if isinstance(message, Mapping) else None
    return found if isinstance(found, str | int | float) and not isinstance(found, bool) else None


def _no_json_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _unread_id(head: bytes, tail: bytes) -> str | int | None:
    """The id of a message that is too long or is not JSON, from its beginning or its end.

    A client that gets an answer without the id waits for ever. Python clients write the id first, JavaScript clients
    last.
    """
    found = _FIRST.match(head[:_SEARCHED]) or _LAST.search(tail[-_SEARCHED:])
    try:
        id: Any = json.loads(found[1]) if found else None
    except ValueError:
        return None
    return id if isinstance(id, str | int) else None
