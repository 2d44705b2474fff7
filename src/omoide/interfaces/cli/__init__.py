"""The command line: a small file for each group of verbs, one for what is printed, one for errors."""

from __future__ import annotations

import sys


def main() -> int:
    """Runs one command and gives back its exit code."""
    if sys.argv[1:2] == ["hook"]:  # an agent waits for it at every step: no time for the rest of the command line
        from omoide.interfaces.hooks.run import main as hook

        return hook(sys.argv[2:])
    try:
        if sys.argv[1:2] == ["mcp"]:  # and here it waits at every start
            from omoide.interfaces.mcp import start

            if (asked := start.read(sys.argv[2:])) is not None:
                return start.run(asked)
        from omoide.interfaces.cli.app import run  # inside, so that Ctrl-C while it loads is quiet too

        return run(sys.argv[1:])
    except KeyboardInterrupt:
        return 130  # 128 and the number of SIGINT, as shells count
