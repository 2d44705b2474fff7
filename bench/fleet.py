"""What a fleet costs on this machine: a write and a recall beside a plain file, three servers, and a cold start.

All servers, PostgreSQL and the clients share the cores of one machine, so throughput shows overhead, not scaling.
Where other programs run too, compare the CPU times: they hardly depend on them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles

from local_fleet import Client, ServerProcess
from local_postgres import PostgresServer
from omoide import Memory
from omoide.fleet import Fleet
from omoide.store.fleet.catch_up import remove_file
from synthetic_turns import turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writes", type=int, default=300)
    parser.add_argument("--spaces", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="omoide-bench-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        postgres = PostgresServer.start(fsync=True)
        stack.callback(postgres.remove)
        _one_server(postgres.database("one"), folder, given.writes)
        for size in (1_000, 10_000):
            _cold(postgres.database(f"cold{size}"), folder / str(size), size)
        for count in (1, 2, 3):
            _throughput(postgres.database(f"servers{count}"), folder / f"s{count}", count, given.spaces, given.seconds)


def _times(work: list[tuple[str, object]], repeat: int) -> dict[str, tuple[list[float], list[float]]]:
    """Runs several kinds of work in turn, so that noise of the machine meets all of them alike. Milliseconds of each
    call, on the clock and of this process's CPU."""
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name, _ in work}
    for number in range(repeat):
        for name, call in work:
            assert callable(call)
            began, cpu = time.perf_counter(), time.process_time()
            call(number)
            found[name][0].append((time.perf_counter() - began) * 1000)
            found[name][1].append((time.process_time() - cpu) * 1000)
    return found


def _show(name: str, found: list[float], cpu: Sequence[float] = ()) -> None:
    cut = quantiles(found, n=100)
    used = f"   CPU p50 {median(cpu):6.2f} ms" if cpu else ""
    print(f"  {name:34} p50 {cut[49]:7.2f} ms   p99 {cut[98]:7.2f} ms{used}", flush=True)


def _server_cpu(pids: Iterable[int]) -> float:
    """Milliseconds of CPU that processes of PostgreSQL have used."""
    ticks = 0
    for pid in pids:
        parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(parts[11]) + int(parts[12])
    return ticks * 1000 / os.sysconf("SC_CLK_TCK")


def _one_server(dsn: str, folder: Path, repeat: int) -> None:
    print(f"one writer, {repeat} calls in turn")
    import psycopg

    with (
        Memory(folder / "own.db", embedder=None) as own,
        Fleet(dsn, folder / "copies", background=False, embedder=None) as fleet,
        psycopg.connect(dsn, autocommit=True) as db,
    ):
        db.execute("CREATE TABLE plain (id bigint PRIMARY KEY, text text)")
        fleet.spaces.create("otto")
        with fleet.using("otto") as held:
            for memory in (own, held):
                memory.observe_many(list(turns(2_000)))
            work: list[tuple[str, object]] = [
                ("observe, file", lambda n: own.observe(f"turn {n} about boats", session="a")),
                ("observe, fleet", lambda n: held.observe(f"turn {n} about boats", session="a")),
                ("PostgreSQL: one row, committed", lambda n: db.execute("INSERT INTO plain VALUES (%s, 'x')", (n,))),
                ("recall, file", lambda n: own.recall(f"what about boats {n}")),
                ("recall, fleet", lambda n: held.recall(f"what about boats {n}")),
            ]
            alone = {db.info.backend_pid}
            rows = db.execute("SELECT pid FROM pg_stat_activity WHERE application_name = 'omoide'").fetchall()
            pids = {"observe, fleet": {int(row[0]) for row in rows}, "PostgreSQL: one row, committed": alone}
            before = {name: _server_cpu(each) for name, each in pids.items()}
            for name, (found, cpu) in _times(work, repeat).items():
                _show(name, found, cpu)
            for name, each in pids.items():
                print(f"  CPU of PostgreSQL for {name}: {(_server_cpu(each) - before[name]) / repeat:.2f} ms")


def _cold(dsn: str, folder: Path, size: int) -> None:
    with Fleet(dsn, folder, background=False, embedder=None) as fleet:
        fleet.spaces.create("otto")
        with fleet.using("otto") as memory:
            memory.observe_many(list(turns(size)))
            path = memory.path
        fleet.release("otto")
        remove_file(path)
        began, cpu = time.perf_counter(), time.process_time()
        with fleet.using("otto") as memory:
            memory.recall("boats")
        print(
            f"cold start with {size:,} memories and the first recall: "
            f"{time.perf_counter() - began:.2f} s, {time.process_time() - cpu:.2f} s CPU of this server",
            flush=True,
        )


def _throughput(dsn: str, folder: Path, count: int, spaces: int, seconds: float) -> None:
    with ExitStack() as stack:
        servers = [ServerProcess.start(dsn, folder / str(n), lease_seconds=15) for n in range(count)]
        for each in servers:
            stack.callback(each.stop)
        registry = stack.enter_context(Fleet(dsn, folder / "v", background=False, visitor=True, embedder=None))
        tokens = []
        for number in range(spaces):
            registry.spaces.create(f"s{number}")
            tokens.append(registry.spaces.issue(f"s{number}").token)
        addresses = [each.address for each in servers]
        _open(addresses, tokens)
        observed, recalled = _load(addresses, tokens, seconds)
        print(f"{count} servers, {spaces:,} spaces, 8 clients, {seconds:.0f} s")
        print(f"  {len(observed) / seconds:.0f} observes and {len(recalled) / seconds:.0f} recalls a second")
        _show("observe over HTTP", observed)
        _show("recall over HTTP", recalled)


def _open(addresses: list[str], tokens: list[str]) -> None:
    """Opening is measured apart: each space is held by the server with which its clients stay."""

    def work(place: int) -> None:
        Client([addresses[place % len(addresses)]], tokens[place]).call("GET", "/v1/stats")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(len(tokens))))


def _load(addresses: list[str], tokens: list[str], seconds: float) -> tuple[list[float], list[float]]:
    """Eight clients, each in spaces of its own; a client stays with the server of its space, as a balancer would."""
    observed: list[float] = []
    recalled: list[float] = []
    until = time.monotonic() + seconds

    def work(first: int) -> None:
        number = first
        while time.monotonic() < until:
            place = number % len(tokens)
            client = Client([addresses[place % len(addresses)]], tokens[place])
            began = time.perf_counter()
            client.call("POST", "/v1/observe", {"text": f"turn {number} about boats", "session": "a"})
            middle = time.perf_counter()
            client.call("POST", "/v1/recall", {"query": "boats"})
            observed.append((middle - began) * 1000)
            recalled.append((time.perf_counter() - middle) * 1000)
            number += 8

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return observed, recalled


if __name__ == "__main__":
    main()
