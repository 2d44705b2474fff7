"""A terminal for tests: `omoide` as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
        passed = ("PATH", "SYSTEMROOT", "PYTHONPATH")  # the last: the process runs the source that is under test
        kept = {name: os.environ[name] for name in passed if name in os.environ}
        return {**kept, "HOME": str(self.folder), "OMOIDE_DB": str(self.path), "PYTHONUTF8": "1", **more}

    def start(self, *words: str, more: dict[str, str] | None = None, **pipes: Any) -> subprocess.Popen[bytes]:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **pipes}
        return subprocess.Popen([*OMOIDE, *words], env=self.environment(**more or {}), cwd=self.folder, **pipes)

    def run(self, *words: str, stdin: str | bytes = b"", **more: str) -> Ran:
        process = self.start("--no-embedder", *words, more=more)
        out, err = process.communicate(stdin.encode() if isinstance(stdin, str) else stdin, timeout=60)
        return Ran(process.returncode, out.decode(), err.decode())

    def json(self, *words: str, **how: Any) -> Any:
        return self.run(*words, "--json", **how).document
