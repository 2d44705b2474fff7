"""The store does the same on an encrypted file; `make test-encrypted` runs all of its tests so."""

from __future__ import annotations

import subprocess
import sys

SAMPLE = ("test_backup.py", "erasure/test_known_copies.py")


def test_a_sample_of_the_store_runs_encrypted() -> None:
    files = [f"tests/store/{name}" for name in SAMPLE]
    command = [sys.executable, "-m", "pytest", "--encrypted", "-p", "no:cacheprovider", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3_000:]
