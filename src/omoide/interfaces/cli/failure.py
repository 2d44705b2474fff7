"""Errors at the command line: one line on standard error, and an exit code that a script can act on."""

from __future__ import annotations

import json
import sys

import typer

from omoide.errors import Busy, EmbedderFailed, FileProblem, InvalidInput, MissingExtra, NotFound
from omoide.interfaces.cli.output import printable

EXIT_CODES: dict[type[Exception], int] = {
    InvalidInput: 2,
    NotFound: 3,
    Busy: 4,
    FileProblem: 5,
    MissingExtra: 6,
    EmbedderFailed: 6,
    OSError: 5,  # the operating system refused a file or a folder
}
OTHERWISE = 1

# The parent of every error in how a command was written. Typer shows the child alone, and has moved its house before.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def tell(error: Exception, as_json: bool) -> int:
    """Says what went wrong and gives back the exit code."""
    name, message, code = _read(error)
    if as_json:
        said = json.dumps({"error": {"type": name, "message": message}}, ensure_ascii=False)
    else:
        said = f"omoide: {printable(' '.join(message.split()))}"
    print(said, file=sys.stderr)
    return code


def _read(error: Exception) -> tuple[str, str, int]:
    if isinstance(error, UsageError):
        context = getattr(error, "ctx", None)
        hint = f" (try `{context.command_path} --help`)" if context else ""
        return "UsageError", getattr(error, "format_message", error.__str__)() + hint, 2
    code = next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), OTHERWISE)
    return type(error).__name__, str(error), code
