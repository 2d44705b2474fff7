"""Servers as processes: the port they listen on, and how they stop."""

from __future__ import annotations

import re
import resource
import signal
import socket
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from omoide.memory.spaces import SpaceFolder
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


def test_a_server_of_many_spaces_may_open_more_files_than_a_program_usually_may(
    terminal: Terminal, tmp_path: Path
) -> None:
    folder = SpaceFolder(tmp_path / "spaces")
    for number in range(40):  # each has about eight files
        folder.create(f"s{number}")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
    server = terminal.start("--no-embedder", "serve", "--port", "0", "--spaces", str(tmp_path / "spaces"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert server.stderr is not None
    (address,) = re.findall(r"http://127\.0\.0\.1:\d+", server.stderr.readline().decode())
    for number in range(40):
        bearer = {"Authorization": f"Bearer {folder.issue(f's{number}').token}", "Content-Type": "application/json"}
        for path, body in (("observe", b'{"text": "tea"}'), ("recall", b'{"query": "tea"}')):
            urllib.request.urlopen(urllib.request.Request(f"{address}/v1/{path}", body, bearer), timeout=60).close()
    server.terminate()
    server.communicate()
