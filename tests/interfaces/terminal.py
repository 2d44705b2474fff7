"""A terminal for tests: `omoide` in this process, or as a process of its own where that matters."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from omoide.interfaces import cli

OMOIDE = [sys.executable, "-m", "omoide"]


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


@dataclass(frozen=True)
class Terminal:
    """Runs `omoide` in a folder of its own, with an environment that holds nothing of this machine's user."""

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "memory.db"

    def environment(self, **more: str) -> dict[str, str]:
        passed = ("PATH", "SYSTEMROOT", "PYTHONPATH")  # the last: a process runs the source that is under test
        kept = {name: os.environ[name] for name in passed if name in os.environ}
        return {**kept, "HOME": str(self.folder), "OMOIDE_DB": str(self.path), "PYTHONUTF8": "1", **more}

    def run(self, *words: str, stdin: str | bytes = b"", **more: str) -> Ran:
        """Runs a command in this process, with streams and an environment of its own."""
        return run_here(["--no-embedder", *words], self.folder, self.environment(**more), stdin)

    def json(self, *words: str, **how: Any) -> Any:
        return self.run(*words, "--json", **how).document

    def start(self, *words: str, more: dict[str, str] | None = None, **pipes: Any) -> subprocess.Popen[bytes]:
        """Starts a real process."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **pipes}
        return subprocess.Popen([*OMOIDE, *words], env=self.environment(**more or {}), cwd=self.folder, **pipes)

    def spawn(self, *words: str, **more: str) -> Ran:
        """Runs a command as a real process."""
        process = self.start("--no-embedder", *words, more=more)
        out, err = process.communicate(timeout=60)
        return Ran(process.returncode, out.decode(), err.decode())


def run_here(words: list[str], folder: Path, environment: dict[str, str], stdin: str | bytes = b"") -> Ran:
    """Runs the entry function of the command line in this process."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    with _surroundings(folder, environment), _streams(given) as (out, err):
        code = cli.run(words)
        sys.stdout.flush()
        sys.stderr.flush()
        return Ran(code, out.getvalue().decode(), err.getvalue().decode())


@contextmanager
def _surroundings(folder: Path, environment: dict[str, str]) -> Iterator[None]:
    """The working folder, the environment, the time zone and the signal handlers of one command."""
    before = os.getcwd()
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    os.chdir(folder)
    try:
        with mock.patch.dict(os.environ, environment, clear=True):
            time.tzset()
            yield
    finally:
        time.tzset()
        os.chdir(before)
        for each, handler in handlers.items():
            signal.signal(each, handler)


@contextmanager
def _streams(given: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    out, err = io.BytesIO(), io.BytesIO()
    with (
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8")),
        mock.patch.object(sys, "stdout", io.TextIOWrapper(out, "utf-8")),
        mock.patch.object(sys, "stderr", io.TextIOWrapper(err, "utf-8")),
    ):
        yield out, err


def read_until(terminal: int, *expected: str) -> str:
    """Reads a pseudo-terminal until everything expected was seen, or nobody writes any more.

    A read may end in the middle of a character, so decoding is incremental.
    """
    import codecs

    decode = codecs.getincrementaldecoder("utf-8")()
    seen = ""
    while not all(each in seen for each in expected) or not expected:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how a pseudo-terminal says that nobody writes any more
            break
        if not part:
            break
        seen += decode.decode(part)
    return seen
