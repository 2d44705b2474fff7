"""Servers of a fleet as real processes on this machine, to be killed, stopped and started again."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LEASE_SECONDS = 2.0


@dataclass
class ServerProcess:
    """One `omoide serve --fleet`, on a loopback port that stays its own."""

    dsn: str
    folder: Path
    port: int
    lease_seconds: float = LEASE_SECONDS
    process: subprocess.Popen[bytes] | None = None

    @classmethod
    def start(cls, dsn: str, folder: Path, **given: Any) -> ServerProcess:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        server = cls(dsn, folder, port, **given)
        server.begin()
        return server

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin(self) -> None:
        """Starts the process and waits until it takes requests."""
        environment = {
            **os.environ,
            "OMOIDE_FLEET": self.dsn,
            "OMOIDE_FLEET_LEASE_SECONDS": str(self.lease_seconds),
            "OMOIDE_LEARN_AUTOMATICALLY": "0",
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "omoide", "--no-embedder", "serve", "--port", str(self.port)]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--copies", str(self.folder / "copies")], env=environment, stderr=log, stdout=log
            )
        for _ in range(600):
            with suppress(OSError):
                urllib.request.urlopen(f"{self.address}/ready", timeout=2)
                return
            if self.process.poll() is not None:
                raise RuntimeError((self.folder / "server.log").read_text())
            time.sleep(0.1)
        raise RuntimeError(f"{self.address} does not become ready")

    def kill(self) -> None:
        """Ends the process at once, as a power cut would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def pause(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


class Refused(Exception):
    """A server gave no answer, or asked to try again."""


@dataclass
class Client:
    """An agent that asks any server and tries another one when it is refused."""

    addresses: list[str]
    token: str
    patience: float = 30.0
    tries: int = 0
    turn: int = field(default=0)

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Repeats the request, the same each time, until a server answers."""
        until = time.monotonic() + self.patience
        while True:
            self.turn += 1
            self.tries += 1
            try:
                return self.once(self.addresses[self.turn % len(self.addresses)], method, path, body)
            except Refused as error:
                if time.monotonic() > until:
                    raise TimeoutError(f"{method} {path}: {error}") from error
                time.sleep(0.05)

    def once(self, address: str, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = json.dumps(body).encode() if body is not None else None
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{address}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            if error.code in (429, 502, 503, 504):
                raise Refused(f"{error.code} {text[:200]}") from error
            raise RuntimeError(f"{error.code} {text}") from error
        except (OSError, http.client.HTTPException) as error:  # the server died in the middle of its answer
            raise Refused(str(error)) from error
