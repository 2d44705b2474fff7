"""Servers and PostgreSQL die under load: nothing that was acknowledged is lost, nothing is there twice."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from local_fleet import Client, ServerProcess
from local_postgres import PostgresServer
from omoide.fleet import Fleet

pytestmark = pytest.mark.fleet

KILLS = int(os.environ.get("FLEET_KILLS", "30"))
SPACES = 6


@dataclass
class Agent:
    """Writes one turn after another into its space, repeating each until it is acknowledged."""

    client: Client
    space: str
    name: str
    stop: threading.Event
    acknowledged: list[str] = field(default_factory=list)
    problem: Exception | None = None

    def run(self) -> None:
        try:
            while not self.stop.is_set():
                text = f"{self.name} wrote number {len(self.acknowledged)}"
                self.client.call("POST", "/v1/observe", {"text": text, "key": text, "session": self.name})
                self.acknowledged.append(text)
        except Exception as error:
            self.problem = error


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    server = PostgresServer.start(fsync=True)
    yield server
    server.remove()


def test_kills_restarts_and_broken_connections_lose_nothing(own_postgres: PostgresServer, tmp_path: Path) -> None:
    dsn = own_postgres.database("kills")
    chance, stop = random.Random(7), threading.Event()
    with ExitStack() as stack:
        servers = [ServerProcess.start(dsn, tmp_path / f"server{n}") for n in range(3)]
        for each in servers:
            stack.callback(each.stop)
        agents = _agents(dsn, tmp_path, [each.address for each in servers], stop)
        threads = [threading.Thread(target=each.run) for each in agents]
        for thread in threads:
            thread.start()
        for number in range(KILLS):
            _harm(number, chance, servers, own_postgres, dsn)
            stop.wait(chance.uniform(0.2, 1.5))
        stop.set()
        for thread in threads:
            thread.join()
    assert [each.problem for each in agents if each.problem] == []
    assert sum(len(each.acknowledged) for each in agents) > KILLS
    _check(dsn, tmp_path, agents)


def _agents(dsn: str, folder: Path, addresses: list[str], stop: threading.Event) -> list[Agent]:
    with Fleet(dsn, folder / "registry", background=False, visitor=True, embedder=None) as fleet:
        agents = []
        for number in range(SPACES):
            fleet.spaces.create(f"space{number}")
            token = fleet.spaces.issue(f"space{number}").token
            client = Client(addresses, token, patience=90)
            agents.append(Agent(client, f"space{number}", f"agent{number}", stop))
    return agents


def _harm(number: int, chance: random.Random, servers: list[ServerProcess], postgres: PostgresServer, dsn: str) -> None:
    server = chance.choice(servers)
    if number % 10 == 9:
        postgres.stop("immediate")
        postgres.begin()
    elif number % 5 == 4:
        with psycopg.connect(dsn, autocommit=True) as db:
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'omoide'")
    else:
        server.kill()
        server.begin()


def _check(dsn: str, folder: Path, agents: list[Agent]) -> None:
    with Fleet(dsn, folder / "check", background=False, visitor=True, embedder=None) as fleet:
        for agent in agents:
            with psycopg.connect(dsn, autocommit=True) as db:  # the last server was stopped, not killed
                db.execute("UPDATE omoide.space SET expires_at = clock_timestamp() WHERE name = %s", (agent.space,))
            with fleet.using(agent.space) as memory:
                kept = [each.text for each in memory.list(["episode"], limit=100_000)]
            assert len(kept) == len(set(kept)), "written twice"
            assert set(agent.acknowledged) <= set(kept), "acknowledged and lost"
            assert len(kept) <= len(agent.acknowledged) + 1, "the last one may be kept without an answer"
            fleet.release(agent.space)
            assert fleet.verify(agent.space) == []


def test_a_server_that_hangs_loses_its_spaces_and_mixes_nothing(postgres: PostgresServer, tmp_path: Path) -> None:
    dsn = postgres.database("hangs")
    with ExitStack() as stack:
        first, second = (ServerProcess.start(dsn, tmp_path / name) for name in ("first", "second"))
        stack.callback(first.stop)
        stack.callback(second.stop)
        with Fleet(dsn, tmp_path / "registry", background=False, visitor=True, embedder=None) as fleet:
            fleet.spaces.create("otto")
            token = fleet.spaces.issue("otto").token
        Client([first.address], token).call("POST", "/v1/observe", {"text": "before", "key": "1"})
        first.pause()
        Client([second.address], token).call("POST", "/v1/observe", {"text": "meanwhile", "key": "2"})
        first.resume()
        Client([first.address], token).call("POST", "/v1/observe", {"text": "after", "key": "3"})
        found = Client([second.address], token).call("GET", "/v1/memories?limit=10")
        assert sorted(each["text"] for each in found["memories"]) == ["after", "before", "meanwhile"]
