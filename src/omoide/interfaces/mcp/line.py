"""The protocol over standard input and output: one JSON-RPC message a line, answered by the desk.

By hand and not through the SDK, which takes a second to import: an agent waits for us whenever it starts. Nine methods
of JSON-RPC are little to keep; the SDK's own client and the inspector hold us to them in the tests.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from typing import Any, BinaryIO, NoReturn

from omoide.errors import OmoideError
from omoide.interfaces.mcp import sought
from omoide.interfaces.mcp.desk import Desk, Document, text
from omoide.interfaces.tools import Tool
from omoide.memory import Memory

# Revisions that begin with a handshake. A client of a later one asks for its own first, and falls back to these.
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
LARGEST = 8 * 1024 * 1024  # bytes of one message
_AT_ONCE = 4  # calls of one client under way at the same time

_UNREADABLE, _NOT_A_REQUEST, _UNKNOWN, _BAD_PARAMS, _BROKEN = -32700, -32600, -32601, -32602, -32603


class _Cancelled(Exception):
    """The client no longer waits."""


def over_stdio(memory: Memory, tools: Sequence[Tool]) -> None:
    """Serves until the client closes our input. Whatever prints meanwhile must not speak into the protocol."""
    out = sys.stdout.buffer
    with redirect_stdout(sys.stderr):
        Line(Desk(memory, tools), out).serve(sys.stdin.buffer)


class Line:
    """One client."""

    def __init__(self, desk: Desk, out: BinaryIO, at_once: int = _AT_ONCE) -> None:
        self._desk = desk
        self._out = out
        self._at_once = at_once
        self._writing = threading.Lock()
        self._cancelled: dict[str | float, threading.Event] = {}
        self._watched: set[str] = set()  # resources that the client wants to hear of
        self._warming: threading.Thread | None = None
        self._left = False  # nobody reads what we write

    def serve(self, reading: BinaryIO) -> None:
        pool = ThreadPoolExecutor(self._at_once, thread_name_prefix="omoide-mcp")
        try:
            while not self._left and (line := reading.readline(LARGEST)):
                if len(line) == LARGEST and not line.endswith(b"\n"):
                    self._skip(line, reading)
                elif line.strip():
                    self._heard(line, pool)
            pool.shutdown(wait=True)  # what was asked before the input ended is still answered
        finally:  # when we are told to stop, it is not
            for each in list(self._cancelled.values()):
                each.set()
            pool.shutdown(wait=True, cancel_futures=True)
            if self._warming is not None:  # a process must not end inside the embedder
                self._warming.join()

    def _skip(self, line: bytes, reading: BinaryIO) -> None:
        """Of a message that is too long, only how it begins and how it ends is kept: whose answer this is."""
        head = tail = line
        while line and not line.endswith(b"\n"):
            line = reading.readline(LARGEST)
            tail = tail[-sought.NEAR :] + line
        why = f"a message may hold {LARGEST:,} bytes; send less at once"
        self._refuse(sought.id_in(head, tail), _NOT_A_REQUEST, why)

    def _heard(self, line: bytes, pool: ThreadPoolExecutor) -> None:
        try:
            found = json.loads(line, parse_constant=_refused)
        except (ValueError, RecursionError):
            self._refuse(sought.id_in(line, line), _UNREADABLE, "this line is not JSON")
            return
        for message in found if isinstance(found, list) and found else [found]:
            try:
                self._take(message, pool)
            except Exception as error:  # whatever a client writes, the next line is heard
                self._refuse(_id(message), _BROKEN, f"this message failed: {type(error).__name__}")

    def _take(self, message: Any, pool: ThreadPoolExecutor) -> None:
        method = message.get("method") if isinstance(message, dict) else None
        if not isinstance(method, str):
            if not (isinstance(message, dict) and ("result" in message or "error" in message)):
                self._refuse(_id(message), _NOT_A_REQUEST, "expected a JSON-RPC request with a method")
            return
        id, params = _id(message), message.get("params")
        params = {} if params is None else params
        if "id" not in message:
            self._note(method, params)
        elif id is None:
            self._refuse(None, _NOT_A_REQUEST, "expected an id that is a text or a number")
        elif not isinstance(params, dict):
            self._refuse(id, _BAD_PARAMS, f"{method}: expected params that are an object")
        elif method == "ping":  # at once: it must not wait behind long work
            self._answer(id, {})
        elif method == "initialize":
            self._answer(id, self._greeted(params))
            self._warm()
        else:
            event = self._cancelled[id] = threading.Event()
            pool.submit(self._work, id, method, params, event)

    def _note(self, method: str, params: Any) -> None:
        if method == "notifications/cancelled" and isinstance(params, dict):
            id = _id(params, "requestId")
            event = None if id is None else self._cancelled.get(id)
            if event is not None:
                event.set()

    def _warm(self) -> None:
        """Beside everything else, once: between the handshake and the first question an agent has other things to do.
        A question that comes sooner waits for the model as it would have without this."""
        if self._warming is None:
            self._warming = threading.Thread(target=self._desk.warm, name="omoide-warm")
            self._warming.start()

    def _greeted(self, params: Document) -> Document:
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}, "resources": {"subscribe": True}, "prompts": {}},
            "serverInfo": self._desk.about,
            "instructions": self._desk.instructions,
        }

    def _work(self, id: str | float, method: str, params: Document, cancelled: threading.Event) -> None:
        try:
            self._answer(id, self._done(method, params, cancelled))
        except _Cancelled:
            pass
        except _Refused as error:
            self._refuse(id, error.code, str(error))
        except OmoideError as error:
            self._refuse(id, _BAD_PARAMS, str(error))
        except Exception as error:  # a fault of ours ends one call, not the server
            self._refuse(id, _BROKEN, f"{method} failed: {type(error).__name__}: {error}")
        finally:
            if self._cancelled.get(id) is cancelled:  # a client may use a number twice
                del self._cancelled[id]

    def _done(self, method: str, params: Document, cancelled: threading.Event) -> Document:
        if method in self._desk.methods:
            return self._desk.methods[method](params)
        if method in ("resources/subscribe", "resources/unsubscribe"):
            return self._watch(text(params, "uri"), method == "resources/subscribe")
        if method != "tools/call":
            raise _Refused(_UNKNOWN, f"there is no method {method!r}")
        name, arguments = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise _Refused(_BAD_PARAMS, "tools/call: expected a name and arguments that are an object")
        token = _id(params.get("_meta"), "progressToken")

        def progress(done: float, total: float | None, message: str) -> None:
            if cancelled.is_set() or self._left:
                raise _Cancelled
            if token is not None:
                told = {"progressToken": token, "progress": done, "message": message}
                self._send({"method": "notifications/progress", "params": told | ({"total": total} if total else {})})

        result = self._desk.call(name, arguments, progress)
        self._announce(name, result)
        if cancelled.is_set():
            raise _Cancelled
        return result

    def _watch(self, uri: str, wanted: bool) -> Document:
        (self._watched.add if wanted else self._watched.discard)(uri)
        return {}

    def _announce(self, tool: str, result: Document) -> None:
        """What a tool wrote may show in any resource: who watches one reads it again."""
        if self._desk.writes(tool) and not result["isError"]:
            for uri in sorted(self._watched):
                self._send({"method": "notifications/resources/updated", "params": {"uri": uri}})

    def _answer(self, id: Any, result: Document) -> None:
        self._send({"id": id, "result": result})

    def _refuse(self, id: Any, code: int, why: str) -> None:
        self._send({"id": id, "error": {"code": code, "message": why}})

    def _send(self, message: Document) -> None:
        """Escaped to ASCII: half a surrogate in an argument must not end the server when it is quoted back."""
        line = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode() + b"\n"
        with self._writing:
            try:
                self._out.write(line)
                self._out.flush()
            except (OSError, ValueError):
                self._left = True


class _Refused(Exception):
    """A request that the protocol has an error for."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


def _id(message: Any, name: str = "id") -> str | float | None:
    """What a client calls a request by, where it is something to call it by."""
    found = message.get(name) if isinstance(message, Mapping) else None
    return found if isinstance(found, str | int | float) and not isinstance(found, bool) else None


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
