"""A worker as the conductor sees it: a process that is given orders and a time in which to obey."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

HERE = Path(__file__).resolve().parent
# One thread where there is a knob, nothing sent home, nothing fetched: set before the process starts.
ENVIRONMENT = {
    **dict.fromkeys(
        (
            "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS", "TOKIO_WORKER_THREADS",
            "LANCE_CPU_THREADS",  # not LANCE_IO_THREADS: with one it waits for ever
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


class NotRun(Exception):
    """A peer that could not be measured, and why."""


class Process:
    """Starts a worker under the interpreter that has the peer installed."""

    def __init__(self, name: str, interpreter: Path, log: IO[bytes]) -> None:
        if not interpreter.exists():
            raise NotRun("not installed")
        self._process = subprocess.Popen(
            [interpreter, HERE / "worker.py", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env={**os.environ, **ENVIRONMENT},
        )

    def order(self, do: str, seconds: float = 600, **what: Any) -> dict[str, Any]:
        """Sends one order and waits for its answer; silence, death and error are reasons not to run."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **what}).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise NotRun(f"died before {do!r}") from error
        ready, _, _ = select.select([self._process.stdout], [], [], seconds)
        if not ready:
            self.end()
            raise NotRun(f"{do!r} took more than {seconds:.0f} s")
        line = self._process.stdout.readline()
        if not line:
            raise NotRun(f"died in {do!r}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise NotRun(answer["error"].splitlines()[0][:200])
        return answer

    def end(self) -> None:
        """Ends this process alone; it holds nothing that is needed again."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def interpreter_of(name: str, requires: tuple[str, ...], folder: Path) -> Path:
    """Our own where a peer needs nothing more, else the one in its own environment."""
    return folder / name / "bin" / "python" if requires else Path(sys.executable)
