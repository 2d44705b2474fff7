"""Installs each compared system into its own virtual environment, since their requirements conflict.

    python bench/install_peers.py [--peers .peers] [name ...]     several gigabytes, mostly txtai's torch

A system that cannot be installed is reported; the comparison then says "not run".
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import venv
from pathlib import Path

from peers import NAMES, about


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(NAMES))
    parser.add_argument("--peers", type=Path, default=Path(".peers"))
    args = parser.parse_args()
    for name in args.names or NAMES:
        if about(name).REQUIRES:
            install(name, args.peers / name)


def install(name: str, folder: Path) -> None:
    """Installs once; a stamp file records the requirements."""
    requires, stamp = "\n".join(about(name).REQUIRES), folder / "installed.txt"
    if stamp.exists() and stamp.read_text("utf-8") == requires:
        return
    print(f"installing {', '.join(about(name).REQUIRES)} into {folder} …", file=sys.stderr, flush=True)
    venv.create(folder, with_pip=True, clear=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*pip, *about(name).REQUIRES], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{name} could not be installed: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
    else:
        stamp.write_text(requires, "utf-8")


if __name__ == "__main__":
    main()
