"""The command line: every verb of the table as a command, and programs such as servers and the daemon."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Runs one command and returns its exit code.

    A closed standard output, or a reader that leaves early (`| head`), is no error.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller: `>&-`
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
        return code
    except (BrokenPipeError, SystemExit) as error:  # the command line parser makes an exit of a broken pipe
        if isinstance(error, SystemExit) and not isinstance(error.__context__, BrokenPipeError):
            raise
        from omoide.interfaces.cli.output import discard_output

        discard_output()
        return 0


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
