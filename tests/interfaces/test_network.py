"""Servers as processes: the port they listen on, and how they stop."""

from __future__ import annotations

import re
import signal
import socket
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from tests.interfaces.terminal import Terminal

SERVERS = [("serve",), ("mcp", "--http")]


@pytest.mark.parametrize("verb", SERVERS, ids="-".join)
def test_a_port_in_use_is_a_one_line_error(terminal: Terminal, verb: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = terminal.run(*verb, "--port", str(port))
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.startswith(f"omoide: port {port} is in use")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("verb", SERVERS, ids="-".join)
def test_an_unusable_address_is_a_one_line_error(terminal: Terminal, verb: tuple[str, ...]) -> None:
    ran = terminal.run(*verb, "--host", "203.0.113.7")
    assert ran.code == 2
    assert ran.err.startswith("omoide: cannot listen on")


@pytest.mark.parametrize("verb", SERVERS, ids="-".join)
@pytest.mark.parametrize("ended", [signal.SIGTERM, signal.SIGINT], ids=lambda each: each.name)
def test_a_signal_stops_the_server_and_closes_the_file(
    terminal: Terminal, tmp_path: Path, verb: tuple[str, ...], ended: signal.Signals
) -> None:
    server = terminal.start("--no-embedder", *verb, "--port", "0", "--token", "sesame")
    assert server.stderr is not None
    told = server.stderr.readline().decode()
    (address,) = re.findall(r"http://127\.0\.0\.1:\d+", told)
    asked = urllib.request.Request(f"{address}/v1/stats", headers={"Authorization": "Bearer sesame"})
    with suppress(urllib.error.HTTPError):  # no route of the other one, but it has answered
        urllib.request.urlopen(asked).close()
    assert (tmp_path / "memory.db-wal").exists()
    server.send_signal(ended)
    _, err = server.communicate()
    assert (server.returncode, err) == (0, b"")
    assert {each.name for each in tmp_path.iterdir()} == {"memory.db", "memory.db-gate"}
