"""Runs a worker process of a compared system, with time limits for its orders."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

HERE = Path(__file__).resolve().parent
# No telemetry, no downloads, one thread but for BLAS, which has its default: set before the process starts.
ENVIRONMENT = {
    **dict.fromkeys(
        (
            "RAYON_NUM_THREADS", "TOKIO_WORKER_THREADS",
            "LANCE_CPU_THREADS",  # not LANCE_IO_THREADS: with 1 it hangs
        ),
        "1",
    ),
    "TOKENIZERS_PARALLELISM": "false",
    "LANCE_LOG": "error",
    "ANONYMIZED_TELEMETRY": "False",
    "MEM0_TELEMETRY": "False",
    "GRAPHITI_TELEMETRY_ENABLED": "false",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
}  # fmt: skip


class PeerNotRun(Exception):
    """A system could not be measured; the message is the reason."""


class PeerProcess:
    """A worker under the interpreter that has the system installed."""

    def __init__(self, name: str, interpreter: Path, log: IO[bytes]) -> None:
        if not interpreter.exists() or (interpreter != Path(sys.executable) and not _installed(interpreter)):
            raise PeerNotRun("not installed")
        self._process = subprocess.Popen(
            [interpreter, HERE / "peer_worker.py", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env={**os.environ, **ENVIRONMENT},
        )

    def order(self, do: str, seconds: float = 600, **what: Any) -> dict[str, Any]:
        """Sends one order and waits for its answer. Raises NotRun on timeout, crash or error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **what}).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise PeerNotRun(f"died before {do!r}, exit {self._process.wait()}") from error
        start, began = self._cpu(), time.monotonic()
        while not select.select([self._process.stdout], [], [], 1.0)[0]:
            if self._cpu() - start > seconds or time.monotonic() - began > 20 * seconds:
                self.end()
                raise PeerNotRun(f"{do!r} took more than {seconds:.0f} s of CPU time")
        line = self._process.stdout.readline()
        if not line:
            raise PeerNotRun(f"died in {do!r}, exit {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise PeerNotRun(answer["error"].splitlines()[0][:200])
        return answer

    def _cpu(self) -> float:
        """Returns the CPU seconds of the worker, so that a busy machine does not cause a timeout."""
        try:
            after_name = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """Ends this process only."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # it died before reading an order
                    pipe.close()


def interpreter_of(name: str, requires: tuple[str, ...], folder: Path) -> Path:
    """Returns our interpreter if the system needs no packages, else the one of its environment."""
    return folder / name / "bin" / "python" if requires else Path(sys.executable)


def _installed(interpreter: Path) -> bool:
    """Whether bench/install_peers.py completed there."""
    return (interpreter.parent.parent / "installed.txt").exists()
