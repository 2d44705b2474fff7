"""The command line: every verb of the table as a command, and programs such as servers and the daemon."""

from __future__ import annotations

import sys


def main() -> int:
    """Runs one command and returns its exit code."""
    return run(sys.argv[1:])


def run(arguments: list[str]) -> int:
    if arguments[:1] == ["hook"]:  # an agent waits for it at every step, so the rest is not even imported
        from omoide.interfaces.hooks.run import main as hook

        return hook(arguments[1:])
    try:
        if arguments[:1] == ["mcp"]:  # an agent waits for it at every start
            from omoide.interfaces.mcp import start

            if (options := start.read(arguments[1:])) is not None:
                return start.run(options)
        from omoide.interfaces.cli.app import run as run_command  # inside the block: Ctrl-C while it loads is quiet too

        return run_command(arguments)
    except KeyboardInterrupt:
        return 130  # 128 plus the number of SIGINT, as shells count
